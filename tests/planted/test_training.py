"""Models trained anew until they have learned: whose turn it is, with which seeds, and what is kept; one true run."""

import numpy as np
import pandas as pd
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.planted import sentences, template_files  # noqa: E402
from biassay.language_models.planted import training as retraining  # noqa: E402
from biassay.language_models.stacked import run, training  # noqa: E402
from biassay.language_models.stacked.files import load_into  # noqa: E402
from biassay.statistics.seeds import seed_of  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.test_stacked import assert_alike  # noqa: E402

TINY = "resources/models/bert-tiny-enwiki"
NAN = float("nan")


class Trained:
    """Stands for the training: what it was asked, and r of each model by attempt."""

    def __init__(self, monkeypatch, *r):
        self.r, self.asked, self.looked = r, [], []
        monkeypatch.setattr(training, "train", self.train)

    def train(self, base, data, *, seeds, folder, **settings):
        self.asked.append((base, data, seeds, folder, settings))

    def learned(self, folder, row, i):
        self.looked.append((folder, row, i))
        return {"r": self.r[i][int(folder.name)], "r_gender": 10 * i + int(folder.name)}


def train(trained, folder, wanted, attempts, **settings):
    data = [f"data {i}" for i in range(len(wanted))]
    return retraining.train("base", data, seeds=[7 + i for i in range(len(wanted))], evaluate=trained.learned,
                            min_r=wanted, attempts=attempts, folder=folder, **settings)  # fmt: skip


def test_only_those_below_their_r_are_trained_anew_with_other_seeds(tmp_path, monkeypatch):
    trained = Trained(monkeypatch, [0.9], [0.2, 0.8, 0.9], [0.85], [-0.7], [0.1, 0.86])
    table = train(trained, tmp_path, [0.85, 0.85, 0.85, -1, 0.85], 5, epochs=3, device="cpu")
    assert trained.asked == [
        ("base", [f"data {i}" for i in range(5)], [7, 8, 9, 10, 11], tmp_path / "0", {"epochs": 3, "device": "cpu"}),
        ("base", ["data 1", "data 4"], [seed_of(8, 21, 1), seed_of(11, 21, 1)], tmp_path / "1",
         {"epochs": 3, "device": "cpu"}),
        ("base", ["data 1"], [seed_of(8, 21, 2)], tmp_path / "2", {"epochs": 3, "device": "cpu"}),
    ]  # fmt: skip
    assert trained.looked == [
        *((tmp_path / "0", i, i) for i in range(5)), (tmp_path / "1", 0, 1), (tmp_path / "1", 1, 4),
        (tmp_path / "2", 0, 1),
    ]  # fmt: skip
    expected = pd.DataFrame(
        [
            (0, 0, 0, 0.9, 0, True), (1, 0, 1, 0.2, 10, False), (2, 0, 2, 0.85, 20, True), (3, 0, 3, -0.7, 30, True),
            (4, 0, 4, 0.1, 40, False), (1, 1, 0, 0.8, 11, False), (4, 1, 1, 0.86, 41, True), (1, 2, 0, 0.9, 12, True),
        ],
        columns=["model", "attempt", "row", "r", "r_gender", "best"],
    )  # fmt: skip
    pd.testing.assert_frame_equal(table, expected)


@pytest.mark.parametrize(
    ("r", "best"),
    [
        ([0.1, 0.5, 0.3], 1),
        ([0.5, 0.1, 0.3], 0),
        ([0.3, 0.1, 0.3], 2),
        ([NAN, -0.9, NAN], 1),
        ([-1.0, NAN, NAN], 0),
        ([NAN, NAN, NAN], 2),
    ],
)
def test_the_best_of_all_attempts_is_kept(tmp_path, monkeypatch, r, best):
    trained = Trained(monkeypatch, r, [0.2, 0.9, 0.0])
    table = train(trained, str(tmp_path), [0.85, 0.85], 3)
    assert table["attempt"].tolist() == [0, 0, 1, 1, 2]
    of = table[table["model"] == 0]
    np.testing.assert_array_equal(of["r"], r)
    assert of["best"].tolist() == [attempt == best for attempt in range(3)]
    assert table[table["model"] == 1]["best"].tolist() == [False, True]


def test_a_single_attempt(tmp_path, monkeypatch):
    trained = Trained(monkeypatch, [0.1], [NAN])
    table = train(trained, tmp_path, [0.85, -1], 1)
    assert len(trained.asked) == 1
    assert table["best"].tolist() == [True, True]


@pytest.fixture(scope="module")
def planted():
    """Tiny data of three attributes for two models, that differ in their groups."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(TINY)
    read = template_files.read("resources/templates/intrinsic.yaml")
    chosen = [template for template in read.training if len(template.names) == 3][:3] + read.training[:2]
    names = [name for _, name in sentences.attribute_columns(chosen)]
    random = np.random.default_rng(4)
    drawn = [np.stack([random.integers(0, len(read.attributes[name].groups), 2) for name in names], axis=1)] * 2
    drawn[1] = (drawn[1] + 1) % 2
    assert len(set(names)) == 3
    return sentences.training_sentences(tokenizer, chosen, ["nurse", "bus driver"], drawn)


SETTINGS = {"epochs": 2, "batch": 8, "learning_rate": 1e-3}


def test_models_of_three_attributes_trained_together_equal_a_plain_loop(tmp_path, planted):
    assert (planted[0].labels != planted[1].labels).any()
    training.train(TINY, planted, seeds=[3, 4], folder=tmp_path, dropout=0, device="cpu", **SETTINGS)
    losses = pd.read_csv(tmp_path / "losses.csv")
    for i, part in enumerate(planted):
        alone, together = training.load(TINY, 0.0), training.load(TINY, 0.0)
        expected = plain.train(alone, part, seed=3 + i, **SETTINGS)
        load_into(together, tmp_path, i)
        np.testing.assert_allclose(losses.loss[losses.model == i], expected, atol=1e-4)
        np.testing.assert_allclose(plain.logits(together, part), plain.logits(alone, part), atol=2e-3)
        assert_alike(together, alone)


def test_a_true_run_goes_on_after_a_break(tmp_path, planted, monkeypatch):
    looked = []

    def learned(folder, row, i):
        model = training.load(TINY, 0.0)
        load_into(model, folder, row)
        looked.append((folder.name, i))
        if len(looked) == 3:
            raise KeyboardInterrupt
        return {"r": float(plain.logits(model, planted[i])[:, planted[i].labels].mean())}

    def attempt(folder):
        return retraining.train(TINY, planted, seeds=[9, 4], evaluate=learned, min_r=[99, -99], attempts=3,
                                folder=folder, device="cpu", dropout=0, **SETTINGS)  # fmt: skip

    with pytest.raises(KeyboardInterrupt):
        attempt(tmp_path / "broken")
    trained = []
    chunk = run.Run._train_chunk
    monkeypatch.setattr(
        run.Run, "_train_chunk", lambda self, *rest: trained.append(self.folder.name) or chunk(self, *rest)
    )
    table = attempt(tmp_path / "broken")
    assert trained == ["2"]
    assert table["model"].tolist() == [0, 1, 0, 0]
    assert table["best"].sum() == 2
    assert table["r"].nunique() == 4
    pd.testing.assert_frame_equal(table, attempt(tmp_path / "whole"))
    alone = training.load(TINY, 0.0)
    plain.train(alone, planted[0], seed=seed_of(9, 21, 1), **SETTINGS)
    again = training.load(TINY, 0.0)
    load_into(again, tmp_path / "broken/1", 0)
    assert_alike(again, alone)
