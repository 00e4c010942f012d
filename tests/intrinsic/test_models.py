"""From a small plan to scores: the plan, the gathered tables, and the scores of a metric."""

import json

import numpy as np
import pandas as pd
import pytest

from biassay import clustering, neighbours, same, weat
from biassay.language_models.encoding import SentenceEmbeddings
from biassay.language_models.planted import distributions
from biassay.measurement import occupation_embeddings
from biassay.studies.intrinsic import scores
from tests.intrinsic import believable
from tests.planted.files import SELECTED
from tests.scripted import run

SEED = 6
SETTINGS = {"pooling": "mean", "label_noise": 0.3, "label_sentences": 3, "subsets": 5}
KEYS = ["model", "attribute", "labels", "level", "occupation"]


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plan")
    (folder / "forms.yaml").write_text(json.dumps(SELECTED))
    out = {"plan": folder / "plan.csv", "groups": folder / "groups.npy", "bias": folder / "bias.csv"}
    run("intrinsic/plan.py", input={"templates": folder / "forms.yaml"}, output=out, params={
        "settings": {"n_occupations": 4, "n_training": None, "n_test": None}, "chunk": 3, "seed": SEED,
        "study": {"min_p": [0.1, 0.2], "max_p": [0.8], "repeats": 2},
        "detection": {"min_p": 0.1, "max_p": 0.9, "strengths": [0, 0.5], "repeats": 1},
    })  # fmt: skip
    return pd.read_csv(out["plan"]), np.load(out["groups"]), pd.read_csv(out["bias"])


def test_the_plan(plan):
    table, groups, bias = plan
    assert table["model"].tolist() == list(range(6))
    assert table["purpose"].tolist() == ["grid"] * 4 + ["detection"] * 2
    assert table["distribution"].tolist() == [0, 0, 1, 1, 2, 3]
    assert table["repeat"].tolist() == [0, 1, 0, 1, 0, 0]
    assert table["chunk"].tolist() == [0, 0, 0, 1, 1, 1]
    assert table["strength"].tolist() == [1, 1, 1, 1, 0, 0.5]
    assert table["min_p"].tolist() == [0.1, 0.1, 0.2, 0.2, 0.1, 0.1]
    assert groups.shape == (6, 4, 5)  # a template has two attributes
    assert len(bias) == 6 * 4 * 2 * 2
    assert bias["group"].tolist()[:8] == ["male", "female"] * 4
    for model in table.itertuples():
        sizes = {"gender": 2, "religion": 2}
        p = distributions.probabilities(4, sizes, model.min_p, model.max_p, model.strength, seed=SEED)
        of = bias[bias["model"] == model.model]
        for name, columns in (("gender", [0, 1, 2, 3]), ("religion", [4])):  # of a template, in the attributes' order
            rows = of[of["attribute"] == name]
            np.testing.assert_allclose(rows["planted"], p[name].ravel(), rtol=1e-5)
            drawn = groups[model.model][:, columns]
            assert rows["data"].tolist() == [(of_word == group).mean() for of_word in drawn for group in (0, 1)]


@pytest.fixture
def gathered(tmp_path):
    """The gathered tables of a believable grid."""
    table = believable.write(tmp_path, metrics={}, distributions=2, strengths=(0.0, 1.0), of_strength=1)
    models = pd.read_csv(tmp_path / "plan.csv")
    for chunk, of in models.groupby("chunk"):
        rows = [{"model": m, "attempt": a, "row": i, "r": r, "r_gender": r / 2, "best": best}
                for i, m in enumerate(of["model"]) for a, r, best in tries(m)]  # fmt: skip
        pd.DataFrame(rows).to_csv(tmp_path / f"encoded/{chunk}/attempts.csv", index=False)
    bias = pd.read_csv(tmp_path / "bias.csv")
    bias.drop(columns="unmasking").to_csv(tmp_path / "known.csv", index=False)
    out = {"models": tmp_path / "gathered.csv", "attempts": tmp_path / "tries.csv", "bias": tmp_path / "found.csv"}
    given = {"plan": tmp_path / "plan.csv", "bias": tmp_path / "known.csv",
             "encoded": [tmp_path / "encoded/0", tmp_path / "encoded/1"]}  # fmt: skip
    run("intrinsic/gather.py", input=given, output=out, params={"min_r": 0.85})
    found = pd.read_csv(out["attempts"])
    assert list(found) == ["model", "attempt", "r", "r_gender", "best"]
    assert [*zip(found["attempt"], found["r"], found["best"], strict=True)] == [
        row for model in found["model"].unique() for row in tries(model)
    ]
    return table, bias, pd.read_csv(out["models"]), pd.read_csv(out["bias"])


def tries(model):
    """(attempt, r, whether it is the best) of a model: the second of the first model is worse."""
    return {0: [(0, 0.8, True), (1, 0.7, False)], 1: [(0, 0.6, False), (1, 0.85, True)]}.get(model, [(0, 0.9, True)])


def test_gathering(caplog, gathered):
    table, bias, models, found = gathered
    (said,) = [record.getMessage() for record in caplog.get_records("setup")]
    assert said == "3 of 4 models learned their bias (r ≥ 0.85); minimum r 0.800"
    assert models["r"].tolist() == [0.8, 0.85, 0.9, 0.9, 0.9, 0.9]
    assert models["r_gender"].tolist() == [0.4, 0.425, 0.45, 0.45, 0.45, 0.45]
    assert models["attempts"].tolist() == [2, 2, 1, 1, 1, 1]
    assert models["learned"].tolist() == [False, True, True, True, True, True]
    assert models["seed"].tolist() == table["seed"].tolist()
    given = ["purpose", "distribution", "strength", "repeat", "model", "seed"]
    assert list(models) == [*given, "attempts", "r", "r_gender", "learned"]
    pd.testing.assert_frame_equal(found, bias, rtol=1e-5)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A believable grid with random embeddings of 4 sentences per occupation."""
    folder, random = tmp_path_factory.mktemp("scores"), np.random.default_rng(3)
    table = believable.write(folder, metrics={}, distributions=2, repeats=1, strengths=(0.0, 0.5, 1.0), of_strength=1)
    for model in pd.read_csv(folder / "plan.csv").itertuples():
        for name, groups in believable.GROUPS.items():
            for part, n in (("targets", 4 * len(believable.OCCUPATIONS)), ("groups", 2 * len(groups))):
                vectors = [random.normal(size=(n, 6)).astype(np.float16) for _ in range(3)]
                SentenceEmbeddings(*vectors).save(folder / f"encoded/{model.chunk}/{model.model}/{name}/{part}")
    return folder, table


def scored(stored, metric, **options):
    folder, _ = stored
    out = {"scores": folder / f"{metric}.csv", "subsets": folder / f"{metric} of halves.csv"}
    given = {name: folder / f"{name}.csv" for name in ("plan", "models", "bias")}
    given["encoded"] = [folder / "encoded/0", folder / "encoded/1"]
    params = {"chosen": {"metric": metric, "options": options}, "settings": SETTINGS, "seed": SEED}
    run("intrinsic/score.py", input=given, output=out, params=params)
    found = [pd.read_csv(path, keep_default_na=False, na_values={"value": [""]}) for path in out.values()]
    assert [list(table) for table in found] == [[*KEYS, "value"], ["model", "attribute", "labels", "subset", "value"]]
    return found


def vectors(stored, model, name, pooling="mean"):
    folder, _ = stored
    place = folder / f"encoded/{model % 2}/{model}/{name}"
    return occupation_embeddings.read(place, pooling, 8, len(believable.GROUPS[name]))


def bias_of(stored, model, name, column):
    bias = pd.read_csv(stored[0] / "bias.csv")
    rows = bias[(bias["model"] == model) & (bias["attribute"] == name)]
    return rows[column].to_numpy().reshape(8, -1)


def test_scores_without_labels(stored):
    table, subsets = scored(stored, "same")
    assert set(table["labels"]) == {""}
    halves = occupation_embeddings.draw_halves(8, 5, seed=SEED)
    for (model, name), rows in table.groupby(["model", "attribute"]):
        found = vectors(stored, model, name)
        values = same.word_bias(found.targets.reshape(-1, 6), found.groups).reshape(8, 4)
        words = rows[rows["level"] == "word"]
        assert words["occupation"].tolist() == believable.OCCUPATIONS
        np.testing.assert_allclose(words["value"], values.mean(axis=1), rtol=1e-6)
        np.testing.assert_allclose(rows.query("level == 'set'")["value"], [np.abs(values).mean()], rtol=1e-6)
        drawn = subsets.query("model == @model and attribute == @name")["value"]
        expected = [np.abs(values[half]).mean() for half in halves] if model > 1 else []
        np.testing.assert_allclose(drawn, expected, rtol=1e-6)
    assert set(subsets["model"]) == {2, 3, 4}  # those for detection
    assert len(table) == 5 * 2 * 9


def test_stereotypes_of_the_grid_and_of_detection(stored):
    table, subsets = scored(stored, "weat")
    assert set(table["attribute"]) == {"gender"}
    table = table.set_index(KEYS)["value"]
    model = pd.Series({"purpose": "grid", "seed": stored[1]["seed"][1]})
    bias = pd.read_csv(stored[0] / "bias.csv")
    labels = scores.stereotype_labels(bias[bias["model"] == 1], model, "gender", 0.3)
    assert (labels["ideal"] == bias_of(stored, 1, "gender", "data").argmax(axis=1)).all()
    full = bias_of(stored, 4, "gender", "planted").argmax(axis=1)  # of the strongest, of all strengths
    for number, kinds in ((1, labels), (2, {"planted": full}), (3, {"planted": full})):
        found = vectors(stored, number, "gender")
        for kind, of in kinds.items():
            value = weat.set_bias(found.targets.reshape(-1, 6), found.groups, of.repeat(4))
            assert table[number, "gender", kind, "set", ""] == pytest.approx(value)
    assert set(subsets["labels"]) == {"planted"}
    assert len(table) == 5 * 8 + 2 * 2 + 3


def test_tests_of_labels_see_some_sentences_and_leak_or_not(stored):
    table, _ = scored(stored, "neighbours", n_neighbors=5)
    assert set(table["attribute"]) == {"gender", "religion"}
    table = table.set_index(KEYS)["value"]
    found = scores.sample_sentences(vectors(stored, 0, "religion"), 3, seed=SEED).targets.reshape(-1, 6)
    labels = bias_of(stored, 0, "religion", "data").argmax(axis=1).repeat(3)
    leaking = neighbours.set_bias(found, [], labels, n_neighbors=5)
    honest = neighbours.set_bias_by_case(found, [], labels, np.arange(8).repeat(3), n_neighbors=5)
    assert table[0, "religion", "ideal", "leaking", ""] == pytest.approx(leaking)
    assert table[0, "religion", "ideal", "set", ""] == pytest.approx(honest)
    assert leaking != honest
    table, _ = scored(stored, "clustering")
    assert set(table["attribute"]) == {"gender"}
    assert set(table["level"]) == {"set"}  # it trains on nothing, so nothing leaks
    found = scores.sample_sentences(vectors(stored, 0, "gender"), 3, seed=SEED).targets.reshape(-1, 6)
    labels = bias_of(stored, 0, "gender", "data").argmax(axis=1).repeat(3)
    value = table.set_index(KEYS)["value"][0, "gender", "ideal", "set", ""]
    assert value == pytest.approx(clustering.set_bias(found, [], labels))
