"""Models trained anew until they have learned: whose turn it is, with which seeds, and what is kept; one true run."""

import numpy as np
import pandas as pd
import pytest
import transformers

from biassay.language_models.planted import material
from biassay.language_models.planted import training as retraining
from biassay.language_models.stacked import run, training
from biassay.language_models.stacked.files import load_into
from biassay.statistics.seeds import seed_of
from tests.language_models import plain_training as plain

TINY = "resources/models/bert-tiny-enwiki"
NAN = float("nan")


def train(monkeypatch, folder, r, min_r, attempts, **settings):
    """Retrain models without training, given r of each by attempt; the table, and what was trained and looked at."""
    asked, looked = [], []

    def learned(folder, row, i):
        looked.append((folder, row, i))
        return {"r": r[i][int(folder.name)], "r_gender": 10 * i + int(folder.name)}

    monkeypatch.setattr(training, "train", lambda base, data, *, seeds, folder, **settings: asked.append(
        (base, data, seeds, folder, settings)))  # fmt: skip
    data, seeds = [f"data {i}" for i in range(len(r))], [7 + i for i in range(len(r))]
    options = {"seeds": seeds, "evaluate": learned, "min_r": min_r, "attempts": attempts, "folder": folder}
    return retraining.train("base", data, **options, **settings), asked, looked


def test_only_those_below_their_r_are_trained_anew_with_other_seeds(tmp_path, monkeypatch):
    settings = {"epochs": 3, "device": "cpu"}
    r = [[0.9], [0.2, 0.8, 0.9], [0.85], [-0.7], [0.1, 0.86]]
    table, asked, looked = train(monkeypatch, tmp_path, r, [0.85, 0.85, 0.85, -1, 0.85], 5, **settings)
    assert asked == [
        ("base", [f"data {i}" for i in range(5)], [7, 8, 9, 10, 11], tmp_path / "0", settings),
        ("base", ["data 1", "data 4"], [seed_of(8, 21, 1), seed_of(11, 21, 1)], tmp_path / "1", settings),
        ("base", ["data 1"], [seed_of(8, 21, 2)], tmp_path / "2", settings),
    ]
    assert looked == [
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
    ("r", "best"), [([0.1, 0.5, 0.3], 1), ([0.3, 0.1, 0.3], 2), ([NAN, -0.9, NAN], 1), ([NAN, NAN, NAN], 2)]
)
def test_the_best_of_all_attempts_is_kept(tmp_path, monkeypatch, r, best):
    table, _, _ = train(monkeypatch, str(tmp_path), [r, [0.2, 0.9, 0.0]], [0.85, 0.85], 3)
    assert table["attempt"].tolist() == [0, 0, 1, 1, 2]
    of = table[table["model"] == 0]
    np.testing.assert_array_equal(of["r"], r)
    assert of["best"].tolist() == [attempt == best for attempt in range(3)]
    assert table[table["model"] == 1]["best"].tolist() == [False, True]


SETTINGS = {"epochs": 1, "batch": 8, "learning_rate": 1e-3}


def test_a_true_run_goes_on_after_a_break(tmp_path, monkeypatch):
    """Two models of one attribute, that differ in their groups."""
    whole = material.select("resources/templates/intrinsic.yaml", 2, None, None, seed=1)
    gender = {"gender": whole.attributes["gender"]}
    short = material.GroupMaterial(
        whole.occupations, gender, [t for t in whole.training if t.names == ("gender",)][:6], []
    )
    drawn = np.random.default_rng(4).integers(0, 2, (2, 6))
    tokenizer, looked = transformers.AutoTokenizer.from_pretrained(TINY), []
    model = training.load(TINY, 0.0)
    planted = short.training_sentences(tokenizer, [drawn, 1 - drawn])
    assert (planted[0].labels != planted[1].labels).all()

    def learned(folder, row, i):
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
    trained, chunk = [], run.Run._train_chunk
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
    load_into(model, tmp_path / "broken/1", 0)
    plain.assert_alike(model, alone)
