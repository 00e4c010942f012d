"""The script that trains an encoder's heads: its tables, and what it takes out of the vectors."""

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.heads import Heads, cross_validate
from biassay.numerics.folds import folds
from biassay.numerics.seeds import seed_of
from biassay.studies.downstream.classifiers import summarise
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias
from tests import scripted

N, D = 120, 6
SETTINGS = {
    "components": [1, 2], "folds": {"jobs": 3, "talk": 2}, "rates": [1e-2, 1e-3], "epochs": 2, "batch": 16,
    "attempts": 2, "draws": 20,
    "least": {"jobs": {"recall": 0.1}, "talk": {"recall": 1.0}},
}  # fmt: skip


def store(folder, name, attribute, names, seed):
    """Texts of two classes, and vectors of both versions in which classes and groups differ."""
    random = np.random.default_rng(seed)
    labels = np.eye(2, dtype=np.uint8)[random.integers(2, size=N)]
    groups = random.integers(len(names), size=N)
    words = [f"text {number}" for number in range(N)]
    Texts(attribute, names, ["nurse", "pilot"], words, words, groups, labels).save(folder / name)
    for version in ("raw", "scrubbed"):
        vectors = random.standard_normal((N, D)) + 2 * labels @ np.eye(D)[:2] + groups[:, None] * np.eye(D)[2]
        (folder / "encoded/texts" / name).mkdir(parents=True, exist_ok=True)
        np.save(folder / f"encoded/texts/{name}/{version}.npy", (4 * vectors).astype(np.float32))
    (folder / "encoded/terms").mkdir(exist_ok=True)
    terms = random.standard_normal((len(names), 5, D)) * 0.2 + np.arange(len(names))[:, None, None] * np.eye(D)[2]
    np.save(folder / f"encoded/terms/{attribute}.npy", terms.reshape(-1, D).astype(np.float32))


def train(folder, settings=SETTINGS):
    scripted.run(
        "downstream/train_heads.py",
        input={"encoded": folder / "encoded", "texts": [folder / "jobs", folder / "talk"]},
        output={"out": folder / "out"},
        params={"texts": ["jobs", "talk"], "settings": settings, "seed": 7},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("heads")
    store(found, "jobs", "gender", ["male", "female"], 1)
    store(found, "talk", "race", ["white", "black", "asian"], 2)
    train(found)
    return found


def vectors_of(folder, name, attribute, groups, version):
    """Vectors and groups of terms as the script should have them."""
    vectors = np.load(folder / f"encoded/texts/{name}/{version}.npy").astype(float)
    terms = np.split(np.load(folder / f"encoded/terms/{attribute}.npy").astype(float), groups)
    plain = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.stack([plain, *(hard_debias(vectors, terms, k=k) for k in (1, 2))]).astype(np.float32)


@pytest.mark.parametrize(("name", "attribute", "groups", "n"), [("jobs", "gender", 2, 3), ("talk", "race", 3, 2)])
@pytest.mark.parametrize("version", ["raw", "scrubbed"])
def test_heads_and_tables_are_the_librarys(name, attribute, groups, n, version, folder):
    texts = Texts.open(folder / name)
    numbers = folds(texts.labels, texts.groups, n, seed_of(7, 41))
    options = {key: SETTINGS[key] for key in ("rates", "epochs", "batch", "attempts")}
    vectors = vectors_of(folder, name, attribute, groups, version)
    expected = cross_validate(vectors, texts.labels, numbers, **options, seed=7)
    found = Heads.open(folder / f"out/{name}/{version}.npz")
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)
    np.testing.assert_array_equal(found.folds, numbers)
    classes = pd.read_csv(folder / "out/classes.csv").query("set == @name and version == @version")
    classifiers = pd.read_csv(folder / "out/classifiers.csv").query("set == @name and version == @version")
    assert classifiers["k"].tolist() == [0, 1, 2]
    for row, k in enumerate((0, 1, 2)):
        summary = summarise(
            expected.probabilities[row], texts.labels, texts.groups, numbers, classes=texts.classes,
            names=texts.names, least=SETTINGS["least"][name], draws=20, seed=seed_of(7, 42),
        )  # fmt: skip
        table = classes[classes["k"] == k].drop(columns=["set", "version", "k"]).reset_index(drop=True)
        pd.testing.assert_frame_equal(table, summary.classes[table.columns], check_dtype=False, rtol=1e-6)
        told = classifiers.iloc[row]
        for key in ("recall", "precision", "f1", "gap", "spread"):
            assert told[key] == pytest.approx(getattr(summary, key), rel=1e-6)
        assert told["counts"] == summary.counts == (name == "jobs")
        assert told["rate"] == "/".join(f"{rate:g}" for rate in expected.rates[row])
        assert told["attempts"] == "/".join(map(str, expected.attempts[row]))
        assert told["valid"] == expected.valid[row].sum()


def test_tables_have_a_row_each(folder):
    classes, classifiers = (pd.read_csv(folder / f"out/{name}.csv") for name in ("classes", "classifiers"))
    assert len(classes) == 2 * 2 * 3 * 2
    assert not classes.duplicated(["set", "version", "k", "class"]).any()
    assert classes.columns.tolist() == [
        "set", "version", "k", "class", "recall", "precision", "f1", "gap", "spread", "low", "high", "texts",
        "too_small",
    ]  # fmt: skip
    assert classifiers.columns.tolist() == [
        "set", "version", "k", "recall", "precision", "f1", "gap", "spread", "counts", "rate", "attempts", "valid",
    ]  # fmt: skip
    assert len(classifiers) == 2 * 2 * 3
    text = "".join((folder / f"out/{name}.csv").read_text("utf-8") for name in ("classes", "classifiers"))
    assert "text " not in text


def test_seeds_and_recalls_that_are_not_given_are_the_librarys(folder, tmp_path):
    store(tmp_path, "jobs", "gender", ["male", "female"], 1)
    store(tmp_path, "talk", "race", ["white", "black", "asian"], 2)
    train(tmp_path, {key: value for key, value in SETTINGS.items() if key != "recalls"})
    for name in ("classes", "classifiers"):
        assert (tmp_path / f"out/{name}.csv").read_text() == (folder / f"out/{name}.csv").read_text()


@pytest.mark.bad_input("vectors of an encoder", "refused; the file and its shape are named")
@pytest.mark.parametrize(
    ("path", "array", "message"),
    [
        ("terms/gender.npy", np.ones((7, D), np.float32), "gender.npy: has 7 vectors, which are not of 2 groups"),
        ("terms/gender.npy", np.ones((0, D), np.float32), "gender.npy: has 0 vectors"),
        ("texts/jobs/scrubbed.npy", np.ones((N - 1, D), np.float32), r"scrubbed.npy: is float32 of shape \(119, 6\)"),
        ("texts/jobs/raw.npy", np.ones((N, D + 1), np.float32), r"raw.npy: is float32 of shape \(120, 7\)"),
        ("texts/jobs/raw.npy", np.full((N, D), np.nan, np.float32), "raw.npy: has values that are not finite"),
    ],
)
def test_vectors_that_do_not_fit_are_named(path, array, message, tmp_path):
    store(tmp_path, "jobs", "gender", ["male", "female"], 1)
    store(tmp_path, "talk", "race", ["white", "black", "asian"], 2)
    np.save(tmp_path / "encoded" / path, array)
    with pytest.raises(ValueError, match=message):
        train(tmp_path)
