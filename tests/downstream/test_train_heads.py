"""The script that trains the heads of a job's models: its tables, and the directions that it removes from vectors."""

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.heads import cross_validate
from biassay.statistics.folds import assign_folds_by_text
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.classifiers import summarise
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias
from tests import scripted

N, D = 120, 6
MODELS = ["plain", "007"]
SETS = {"jobs": ("gender", ["male", "female"]), "talk": ("race", ["white", "black", "asian"])}
SETTINGS = {
    "n_directions": [1, 2], "directions_from": "texts", "folds": {"jobs": 3, "talk": 2}, "rates": [1e-2, 1e-3],
    "epochs": 2, "batch": 16, "attempts": 2, "n_resamples": 20,
    "min_quality": {"jobs": {"recall": 0.1}, "talk": {"recall": 1.0}},
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Texts, each three times when scrubbed, vectors in which classes and groups differ, and the heads on them."""
    folder = tmp_path_factory.mktemp("heads")
    random = np.random.default_rng(1)
    for name, (attribute, names) in SETS.items():
        labels = np.eye(2, dtype=np.uint8)[random.integers(2, size=N)]
        groups = random.integers(len(names), size=N)
        words, scrubbed = ([f"text {number % rest}" for number in range(N)] for rest in (N, N // 3))
        Texts(attribute, names, ["nurse", "pilot"], words, scrubbed, groups, labels).save(folder / name)
        for model in MODELS:
            (folder / "job" / model / "texts" / name).mkdir(parents=True)
            (folder / "job" / model / "group_words").mkdir(exist_ok=True)
            for version in ("raw", "scrubbed"):
                vectors = random.standard_normal((N, D)) + 2 * labels @ np.eye(D)[:2] + groups[:, None] * np.eye(D)[2]
                np.save(folder / f"job/{model}/texts/{name}/{version}.npy", (4 * vectors).astype(np.float32))
            words = (
                random.standard_normal((len(names), 5, D)) * 0.2 + np.arange(len(names))[:, None, None] * np.eye(D)[2]
            )
            np.save(folder / f"job/{model}/group_words/{attribute}.npy", words.reshape(-1, D).astype(np.float32))
    pd.DataFrame({"name": MODELS, "job": "job", "kind": "masked"}).to_csv(folder / "job/models.csv", index=False)
    given = {"encoded": folder / "job", "texts": [folder / name for name in SETS]}
    params = {"texts": list(SETS), "settings": SETTINGS, "seed": 7}
    scripted.run("downstream/train_heads.py", input=given, output={"out": folder / "out"}, params=params)
    return folder


def vectors_of(folder, name, texts, version):
    """Vectors as the script should have them: all of length √d."""
    vectors = np.load(folder / f"texts/{name}/{version}.npy").astype(float)
    sets = scores.choose_sets("texts", texts.names, vectors, texts, seed=seed_of(7, 43))
    plain = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return (np.stack([plain, *(hard_debias(vectors, sets, n_directions=k) for k in (1, 2))]) * D**0.5).astype("f4")


@pytest.mark.parametrize(("name", "model", "version"), [("jobs", "plain", "raw"), ("talk", "007", "scrubbed")])
def test_heads_and_tables(model, name, version, folder):
    texts, n_folds = Texts.open(folder / name), SETTINGS["folds"][name]
    folds = assign_folds_by_text(texts.labels, texts.groups, texts.scrubbed, n_folds, seed_of(7, 41))
    options = {key: SETTINGS[key] for key in ("rates", "epochs", "batch", "attempts")}
    vectors = vectors_of(folder / "job" / model, name, texts, version)
    expected = cross_validate(vectors, texts.labels, folds, **options, seed=7)
    found = np.load(folder / f"out/{model}/{name}/{version}.npz")
    np.testing.assert_allclose(found["probabilities"], expected.probabilities, atol=1e-6)
    np.testing.assert_array_equal(found["folds"], folds)
    assert (folds.reshape(3, -1) == folds[: N // 3]).all()  # equal scrubbed texts share a fold
    chosen = f"set == '{name}' and model == '{model}' and version == '{version}'"
    of_classifiers, of_classes = (tables.read(folder / f"out/{part}.csv") for part in ("classifiers", "classes"))
    assert (of_classifiers.columns.tolist(), of_classes.columns.tolist()) == (tables.CLASSIFIERS, tables.CLASSES)
    for row, classifier in enumerate(of_classifiers.query(chosen).itertuples()):
        classes, expected_row = summarise(
            expected.probabilities[row], texts.labels, texts.groups, folds, classes=texts.classes,
            names=texts.names, min_quality=SETTINGS["min_quality"][name], n_resamples=20, seed=seed_of(7, 42),
        )  # fmt: skip
        table = of_classes.query(f"{chosen} and n_directions == {row}").reset_index(drop=True)
        pd.testing.assert_frame_equal(table[classes.columns], classes, check_dtype=False, rtol=1e-6)
        assert {key: getattr(classifier, key) for key in expected_row} == pytest.approx(expected_row, rel=1e-6)
        assert classifier.is_valid == (name == "jobs")
        assert classifier.n_directions == row
        assert classifier.learning_rates == "/".join(f"{rate:g}" for rate in expected.rates[row])
        assert classifier.attempts == "/".join(map(str, expected.attempts[row]))
        assert classifier.n_valid_folds == expected.valid[row].sum()
