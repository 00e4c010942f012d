"""Models trained anew until they have learned: whose turn it is, with which seeds, and what is kept."""

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.planted import training as retraining
from biassay.language_models.stacked import training
from biassay.statistics.seeds import seed_of

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
