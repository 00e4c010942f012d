"""The script that trains the heads of a job's models: its tables, and what it takes out of the vectors."""

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.heads import Heads, cross_validate
from biassay.statistics.folds import assign_folds_by_text
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream.classifiers import summarise
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias
from tests import scripted

N, D = 120, 6
MODELS = ["plain", "007"]
SETTINGS = {
    "n_directions": [1, 2], "folds": {"jobs": 3, "talk": 2}, "rates": [1e-2, 1e-3], "epochs": 2, "batch": 16,
    "attempts": 2, "n_resamples": 20,
    "min_quality": {"jobs": {"recall": 0.1}, "talk": {"recall": 1.0}},
}  # fmt: skip


def store(folder, name, attribute, names, seed):
    """Texts of two classes, each one three times when scrubbed."""
    random = np.random.default_rng(seed)
    labels = np.eye(2, dtype=np.uint8)[random.integers(2, size=N)]
    groups = random.integers(len(names), size=N)
    words, scrubbed = ([f"text {number % rest}" for number in range(N)] for rest in (N, N // 3))
    Texts(attribute, names, ["nurse", "pilot"], words, scrubbed, groups, labels).save(folder / name)
    for number, model in enumerate(MODELS):
        encode(folder / "job" / model, name, attribute, labels, groups, np.random.default_rng([seed, number]))


def encode(folder, name, attribute, labels, groups, random):
    """Vectors of both versions in which classes and groups differ, and of terms."""
    for version in ("raw", "scrubbed"):
        vectors = random.standard_normal((N, D)) + 2 * labels @ np.eye(D)[:2] + groups[:, None] * np.eye(D)[2]
        (folder / "texts" / name).mkdir(parents=True, exist_ok=True)
        np.save(folder / f"texts/{name}/{version}.npy", (4 * vectors).astype(np.float32))
    (folder / "group_words").mkdir(exist_ok=True)
    count = groups.max() + 1
    terms = random.standard_normal((count, 5, D)) * 0.2 + np.arange(count)[:, None, None] * np.eye(D)[2]
    np.save(folder / f"group_words/{attribute}.npy", terms.reshape(-1, D).astype(np.float32))


def both(folder):
    """Two sets of texts and a job of two models."""
    store(folder, "jobs", "gender", ["male", "female"], 1)
    store(folder, "talk", "race", ["white", "black", "asian"], 2)
    list_models(folder, MODELS)


def list_models(folder, names):
    table = pd.DataFrame({"name": names, "job": "job", "kind": "masked"})
    table.to_csv(folder / "job/models.csv", index=False)


def train(folder):
    scripted.run(
        "downstream/train_heads.py",
        input={"encoded": folder / "job", "texts": [folder / "jobs", folder / "talk"]},
        output={"out": folder / "out"},
        params={"texts": ["jobs", "talk"], "settings": SETTINGS, "seed": 7},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("heads")
    both(found)
    train(found)
    return found


def vectors_of(folder, name, attribute, groups, version):
    """Vectors as the script should have them: all of length √d."""
    vectors = np.load(folder / f"texts/{name}/{version}.npy").astype(float)
    terms = np.split(np.load(folder / f"group_words/{attribute}.npy").astype(float), groups)
    plain = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = np.stack([plain, *(hard_debias(vectors, terms, n_directions=k) for k in (1, 2))]) * D**0.5
    np.testing.assert_allclose(np.linalg.norm(found, axis=2), D**0.5)
    return found.astype(np.float32)


def table_of(folder, which, **chosen):
    """Rows of a table that the script wrote, without the columns that chose them."""
    table = pd.read_csv(folder / f"out/{which}.csv", dtype={"model": str})
    for key, value in chosen.items():
        table = table[table[key] == value]
    return table.drop(columns=list(chosen)).reset_index(drop=True)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("name", "attribute", "groups", "n"), [("jobs", "gender", 2, 3), ("talk", "race", 3, 2)])
@pytest.mark.parametrize("version", ["raw", "scrubbed"])
def test_heads_and_tables_are_the_librarys(model, name, attribute, groups, n, version, folder):
    texts = Texts.open(folder / name)
    numbers = assign_folds_by_text(texts.labels, texts.groups, texts.scrubbed, n, seed_of(7, 41))
    options = {key: SETTINGS[key] for key in ("rates", "epochs", "batch", "attempts")}
    vectors = vectors_of(folder / "job" / model, name, attribute, groups, version)
    expected = cross_validate(vectors, texts.labels, numbers, **options, seed=7)
    found = Heads.open(folder / f"out/{model}/{name}/{version}.npz")
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)
    np.testing.assert_array_equal(found.folds, numbers)
    chosen = {"set": name, "attribute": attribute, "model": model, "version": version}
    classifiers = table_of(folder, "classifiers", **chosen)
    assert classifiers["n_directions"].tolist() == [0, 1, 2]
    for row, k in enumerate((0, 1, 2)):
        summary = summarise(
            expected.probabilities[row], texts.labels, texts.groups, numbers, classes=texts.classes,
            names=texts.names, min_quality=SETTINGS["min_quality"][name], n_resamples=20, seed=seed_of(7, 42),
        )  # fmt: skip
        table = table_of(folder, "classes", **chosen, n_directions=k)
        pd.testing.assert_frame_equal(table, summary.classes[table.columns], check_dtype=False, rtol=1e-6)
        told = classifiers.iloc[row]
        for key in ("recall", "precision", "f1", "gap", "gap_std"):
            assert told[key] == pytest.approx(getattr(summary, key), rel=1e-6)
        assert told["is_valid"] == summary.is_valid == (name == "jobs")
        assert told["learning_rates"] == "/".join(f"{rate:g}" for rate in expected.rates[row])
        assert told["attempts"] == "/".join(map(str, expected.attempts[row]))
        assert told["n_valid_folds"] == expected.valid[row].sum()


def test_texts_that_are_equal_when_scrubbed_are_in_one_fold(folder):
    for name, n in SETTINGS["folds"].items():
        found = Heads.open(folder / f"out/plain/{name}/raw.npz").folds.reshape(3, -1)  # a text comes again after N / 3
        assert (found == found[0]).all()
        assert np.ptp(np.bincount(found[0], minlength=n)) <= 1
        assert set(found[0]) == set(range(n))


@pytest.mark.bad_input("vectors of an encoder", "refused; the message names the file and its shape")
@pytest.mark.parametrize(
    ("path", "array", "message"),
    [
        ("group_words/gender.npy", np.ones((7, D), np.float32), "gender.npy: has 7 rows; expected"),
        ("group_words/gender.npy", np.ones((0, D), np.float32), "gender.npy: has 0 rows"),
        ("texts/jobs/scrubbed.npy", np.ones((N - 1, D), np.float32), r"scrubbed.npy: is float32 of shape \(119, 6\)"),
        ("texts/jobs/raw.npy", np.ones((N, D + 1), np.float32), r"raw.npy: is float32 of shape \(120, 7\)"),
        ("texts/jobs/raw.npy", np.full((N, D), np.nan, np.float32), "raw.npy: has values that are not finite"),
    ],
)
def test_vectors_that_do_not_fit_are_named(path, array, message, tmp_path):
    both(tmp_path)
    np.save(tmp_path / "job/007" / path, array)
    with pytest.raises(ValueError, match=message):
        train(tmp_path)
