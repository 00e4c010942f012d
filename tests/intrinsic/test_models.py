"""From a small plan to scores: the plan, the gathered tables, and the scores of a metric."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from biassay import Level, Metric, neighbours, same, weat
from biassay.language_models.encoding import POOLINGS, save
from biassay.language_models.planted import distributions, grids, material
from biassay.measurement import occupation_embeddings
from biassay.studies.intrinsic import scores, tables
from scripts.intrinsic import score
from tests.intrinsic import study
from tests.planted.files import SELECTED
from tests.scripted import run

SEED = 6
SETTINGS = {"pooling": "mean", "label_noise": 0.3, "subsets": 5}
KEYS = ["model", "attribute", "labels", "level", "occupation"]


def test_the_plan(tmp_path):
    (tmp_path / "forms.yaml").write_text(json.dumps(SELECTED))
    out = {"plan": tmp_path / "plan.csv", "bias": tmp_path / "bias.csv"}
    plan = {"min_p": [0.1, 0.2], "max_p": [0.8], "repeats": 2, "chunk": 3,
            "detection": {"min_p": 0.1, "max_p": 0.9, "strengths": [0, 0.5], "repeats": 1}}  # fmt: skip
    params = {"settings": {"n_occupations": 4, "n_training": None, "n_test": None}, "study": plan, "seed": SEED}
    run("intrinsic/plan.py", input={"templates": tmp_path / "forms.yaml"}, output=out, params=params)
    table, bias = pd.read_csv(out["plan"]), pd.read_csv(out["bias"])
    chosen = material.select(tmp_path / "forms.yaml", 4, None, None, seed=SEED)
    pd.testing.assert_frame_equal(table, grids.plan_several(**plan, seed=SEED))
    assert len(bias) == 6 * 4 * 2 * 2
    assert bias["group"].tolist()[:8] == ["male", "female"] * 4
    for model in table.itertuples():
        sizes = {"gender": 2, "religion": 2}
        p = distributions.probabilities(4, sizes, model.min_p, model.max_p, model.strength, seed=SEED)
        of, groups = bias[bias["model"] == model.model], chosen.draw_groups(model._asdict(), seed=SEED)[1]
        assert groups.shape == (4, 5)  # a template has two attributes
        for name, columns in (("gender", [0, 1, 2, 3]), ("religion", [4])):  # of a template, in the attributes' order
            rows = of[of["attribute"] == name]
            np.testing.assert_allclose(rows["planted"], p[name].ravel(), rtol=1e-5)
            drawn = groups[:, columns]
            assert rows["data"].tolist() == [(of_word == group).mean() for of_word in drawn for group in (0, 1)]


def test_gathering(tmp_path):
    models, bias = study.write_models(tmp_path, distributions=2, strengths=(0.0, 1.0), of_strength=1)
    columns = ["place", "attempt", "row", "r", "r_gender", "best"]
    tries = {
        0: [(0, 0, 0.8, 0.4, True), (1, 0, 0.7, 0.35, False)],
        1: [(0, 0, 0.6, 0.3, False), (1, 0, 0.85, 0.4, True)],
    }
    for chunk in (0, 1):
        rows = [(model, *row) for model in range(chunk, 6, 2) for row in tries.get(model, [(0, 1, 0.9, 0.45, True)])]
        rows = pd.DataFrame(rows, columns=columns).sample(frac=1, random_state=chunk)
        rows.to_csv(tmp_path / f"encoded/job {chunk}/attempts.csv", index=False)
    bias.drop(columns="unmasking").to_csv(tmp_path / "known.csv", index=False)
    out = {"models": tmp_path / "gathered.csv", "attempts": tmp_path / "tries.csv", "bias": tmp_path / "found.csv"}
    given = {"plan": tmp_path / "plan.csv", "bias": tmp_path / "known.csv",
             "encoded": [tmp_path / "encoded/job 0", tmp_path / "encoded/job 1"]}  # fmt: skip
    run("intrinsic/gather.py", input=given, output=out, params={"min_r": 0.85})
    attempts, found = pd.read_csv(out["attempts"]), pd.read_csv(out["models"])
    assert list(attempts) == ["model", "attempt", "r", "r_gender", "best"]
    assert attempts["model"].tolist() == [0, 1, 2, 3, 4, 5, 0, 1]
    assert attempts["r"].tolist() == [0.8, 0.6, *[0.9] * 4, 0.7, 0.85]
    assert found["r"].tolist() == [0.8, 0.85, 0.9, 0.9, 0.9, 0.9]
    assert found["attempts"].tolist() == [2, 2, 1, 1, 1, 1]
    assert found["learned"].tolist() == [False, True, True, True, True, True]
    assert found["seed"].tolist() == models["seed"].tolist()
    pd.testing.assert_frame_equal(pd.read_csv(out["bias"]), bias.reset_index(drop=True), rtol=1e-5)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Two models of a grid and three for detection, with random embeddings of 4 sentences per occupation."""
    folder, random = tmp_path_factory.mktemp("scores"), np.random.default_rng(3)
    models, bias = study.write_models(folder, distributions=2, repeats=1, strengths=(0.0, 0.5, 1.0), of_strength=1)
    for model in models["model"]:
        for name, groups in study.GROUPS.items():
            for part, n in (("targets", 4 * study.N), ("groups", 2 * len(groups))):
                for pooling in POOLINGS:
                    vectors = random.normal(size=(n, 6)).astype(np.float16)
                    save(folder / f"encoded/job {model % 2}/{model}/{name}/{part}/{pooling}.npy", vectors)
    return folder, models, bias


def scored(stored, metric, leaking=False, **options):
    folder = stored[0]
    out = {"scores": folder / f"{metric}.csv", "subsets": folder / f"{metric} of halves.csv"}
    given = {name: folder / f"{name}.csv" for name in ("plan", "models", "bias")}
    given["encoded"] = [folder / "encoded/job 0", folder / "encoded/job 1"]
    params = {"chosen": {"metric": metric, "options": options, "leaking": leaking}, "settings": SETTINGS, "seed": SEED}
    run("intrinsic/score.py", input=given, output=out, params=params)
    scores, subsets = (pd.read_csv(path, keep_default_na=False, na_values={"value": [""]}) for path in out.values())
    return scores.set_index(KEYS)["value"], subsets


def vectors(stored, model, name):
    place = stored[0] / f"encoded/job {model % 2}/{model}/{name}"
    return occupation_embeddings.read(place, "mean", study.N, len(study.GROUPS[name]))


def ideal(stored, model, name, column="data"):
    """The most probable group of each occupation."""
    bias = stored[2]
    rows = bias[(bias["model"] == model) & (bias["attribute"] == name)]
    return rows[column].to_numpy().reshape(study.N, -1).argmax(axis=1)


def test_scores_without_labels(stored):
    table, subsets = scored(stored, "same")
    halves = occupation_embeddings.draw_halves(8, 5, seed=SEED)
    for model, name in ((0, "gender"), (3, "religion")):
        found = vectors(stored, model, name)
        values = same.word_bias(found.targets.reshape(-1, 6), found.groups).reshape(8, 4)
        words = table[model, name, "", "word"]
        assert words.index.tolist() == study.OCCUPATIONS
        np.testing.assert_allclose(words, values.mean(axis=1), rtol=1e-6)
        assert table[model, name, "", "set", ""] == pytest.approx(np.abs(values).mean())
        drawn = subsets[(subsets["model"] == model) & (subsets["attribute"] == name)]["value"]
        expected = [np.abs(values[half]).mean() for half in halves] if model > 1 else []
        np.testing.assert_allclose(drawn, expected, rtol=1e-6)
    assert set(subsets["model"]) == {2, 3, 4}  # those for detection
    assert len(table) == 5 * 2 * 9


def test_stereotypes_of_the_grid_and_of_detection(stored):
    table, subsets = scored(stored, "weat")
    assert set(table.index.get_level_values("attribute")) == {"gender"}
    _, models, bias = stored
    labels = scores.stereotype_labels(bias[bias["model"] == 1], models.loc[1], "gender", 0.3)
    assert (labels["ideal"] == ideal(stored, 1, "gender")).all()
    p = tables.select_probabilities(bias[bias["model"] == 1], "gender", "data").to_numpy()
    assert labels["noisy"].tolist() == distributions.stereotypes(p, 0.3, seed=models["seed"][1]).tolist()
    assert (labels["noisy"] != labels["ideal"]).any()
    full = ideal(stored, 4, "gender", "planted")  # of the strongest, of all strengths
    for number, kinds in ((1, labels), (2, {"planted": full}), (3, {"planted": full})):
        found = vectors(stored, number, "gender")
        for kind, of in kinds.items():
            value = weat.set_bias(found.targets.reshape(-1, 6), found.groups, of.repeat(4))
            assert table[number, "gender", kind, "set", ""] == pytest.approx(value)
    assert set(subsets["labels"]) == {"planted"}
    assert len(table) == 5 * 8 + 2 * 2 + 3


def test_label_based_metrics_leak_or_not(stored):
    found, halves = vectors(stored, 0, "religion").targets, occupation_embeddings.draw_halves(8, 5, seed=SEED)
    labels = ideal(stored, 0, "religion").repeat(4)
    planted = ideal(stored, 4, "gender", "planted")[halves[0]].repeat(4)
    half = vectors(stored, 2, "gender").targets[halves[0]].reshape(-1, 6)
    for leaking, cases in ((True, np.arange(32)), (False, np.arange(8).repeat(4))):
        table, subsets = scored(stored, "neighbours", leaking, n_neighbors=5)
        expected = neighbours.set_bias_by_case(found.reshape(-1, 6), [], labels, cases, n_neighbors=5)
        assert table[0, "religion", "ideal", "set", ""] == pytest.approx(expected)
        expected = neighbours.set_bias_by_case(half, [], planted, cases[:16], n_neighbors=5)
        first = subsets[(subsets["model"] == 2) & (subsets["attribute"] == "gender") & (subsets["subset"] == 0)]
        assert first["value"].item() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        ({"word": Level(0, 1)}, [2]),
        ({"groups": (3, 4), "word": Level(0, 1)}, [3]),
        ({"groups": (0, 0), "set": Level(0, 1, labels=True, n_labels=(3, None))}, [3, 5]),
        ({"groups": (2, 3), "set": Level(0, 1, labels=True, n_labels=())}, [2, 3]),
        ({"groups": (2, None), "word": Level(0, 1, labels=True, n_labels=(2, 3)), "set": Level(0, 1)}, [2, 3]),
    ],
)
def test_metrics_take_so_many_groups_and_labels(declared, taken):
    module = SimpleNamespace(METRIC=Metric("", "", **declared))
    assert [groups for groups in (2, 3, 5) if score.accepts_groups(module, groups)] == taken
