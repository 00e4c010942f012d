"""Scores of stored embeddings, by plain numpy."""

import numpy as np
import pandas as pd
import pytest

from biassay.measurement.occupation_embeddings import draw_halves
from biassay.statistics.geometry import unit
from tests.same import inputs
from tests.scripted import run

MODELS = {1: 1, 0: 0, 2: 1}
WORDS = list(inputs.OCCUPATIONS)
FORMS = len(inputs.TEST)
OWN = """
from biassay import Level, Metric
METRIC = Metric(summary="first number", source="mine", word=Level(None, None))
def word_bias(targets, groups):
    return targets[:, 0]
"""


def scored(folder, metric, n_subsets=3, seed=5, **options):
    """scores.csv and subsets.csv of a metric, and the embeddings' folder of a model."""
    chunks = inputs.encoded(folder, MODELS, len(WORDS), FORMS)
    given = {
        "plan": inputs.plan(folder, MODELS),
        "occupations": inputs.occupations(folder),
        "encoded": chunks,
    } | options
    out = {"scores": folder / "scores.csv", "subsets": folder / "subsets.csv"}
    params = {"metric": str(metric), "pooling": "word", "n_subsets": n_subsets, "seed": seed}
    run("same/score.py", input=given, output=out, params=params)
    return pd.read_csv(out["scores"], keep_default_na=False), pd.read_csv(out["subsets"])


def embedded(folder, model):
    """Targets (n, t, d) and groups, male first, of a model: its `word` pooling."""
    at = folder / f"job {MODELS[model]}/{9 - model}"
    targets = np.asarray(np.load(at / "targets/word.npy"), float).reshape(len(WORDS), FORMS, -1)
    female, male = np.split(np.asarray(np.load(at / "groups/word.npy"), float), 2)
    return targets, [male, female]


def effect_size(s, sides):
    """d of associations (n, t) of male and female occupations; NaN without one of them."""
    x, y = s[sides == "male"], s[sides == "female"]
    return (x.mean() - y.mean()) / np.concatenate([x, y]).std() if len(x) and len(y) else np.nan


def test_scores_are_means_over_sentences_and_compare_the_rated_occupations(tmp_path):
    table, subsets = scored(tmp_path, "weat", n_subsets=6)
    assert list(table) == ["model", "level", "occupation", "value"]
    assert list(subsets) == ["model", "subset", "value", "full_value"]
    assert table["model"].tolist() == [model for model in MODELS for _ in range(7)]
    sides, halves = np.array(list(inputs.OCCUPATIONS.values())), draw_halves(6, 6, seed=5)
    for model, rows in table.groupby("model"):
        targets, (male, female) = embedded(tmp_path, model)
        s = unit(targets) @ (unit(male).mean(axis=0) - unit(female).mean(axis=0))
        assert rows["occupation"].tolist() == [*WORDS, ""]
        assert rows["level"].tolist() == ["word"] * 6 + ["set"]
        np.testing.assert_allclose(rows["value"], [*s.mean(axis=1), effect_size(s, sides)], rtol=1e-6)
        drawn, expected = subsets[subsets["model"] == model], [effect_size(s[half], sides[half]) for half in halves]
        assert drawn["subset"].tolist() == [0, 1, 2, 3, 4, 5]
        np.testing.assert_allclose(drawn["value"], expected, rtol=1e-6)
        np.testing.assert_allclose(drawn["full_value"], effect_size(s, sides))
        assert 0 < np.isnan(expected).sum() < 6


def test_levels_that_a_metric_lacks_have_no_rows(tmp_path):
    table, subsets = scored(tmp_path, "same_skew")
    assert table["level"].tolist() == ["set"] * 3
    assert len(subsets) == 9
    own = tmp_path / "own.py"
    own.write_text(OWN)
    table, subsets = scored(tmp_path, own)
    assert table["level"].tolist() == ["word"] * 18
    assert subsets.empty
    expected = [embedded(tmp_path, model)[0][:, :, 0].mean(axis=1) for model in MODELS]
    np.testing.assert_allclose(table["value"], np.concatenate(expected), rtol=1e-6)


def test_stereotypes_without_a_side_are_an_error_where_they_are_needed(tmp_path):
    chosen = pd.DataFrame({"word": WORDS, "stereotype": "male"})
    chosen.to_csv(tmp_path / "chosen.csv", index=False)
    with pytest.raises(ValueError, match=r"chosen.csv: .*female.* same.n_occupations"):
        scored(tmp_path, "weat", occupations=tmp_path / "chosen.csv")
    assert len(scored(tmp_path, "same", occupations=tmp_path / "chosen.csv")[0]) == 21
