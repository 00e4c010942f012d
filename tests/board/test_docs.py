"""The page of the board says what the board that comes with biassay says."""

import pandas as pd

from biassay.studies.board.board import COLUMNS
from biassay.studies.board.criteria import BY_KEY
from biassay.words import resources
from docs import write_board


def test_the_page_is_up_to_date():
    assert write_board.PAGE.read_text("utf-8") == write_board.fill_page(), "stale: run python docs/write_board.py"


def test_a_cell_of_the_page_is_one_of_the_board():
    board = pd.read_csv(resources.shipped_path("board") / "board.csv")
    assert list(board) == COLUMNS
    assert set(board["criterion"]) == set(BY_KEY)
    lines = [
        line.strip("| \n").split(" | ") for line in write_board.write_values().splitlines() if line.startswith("|")
    ]
    table = {line[0]: dict(zip(lines[0][1:], line[1:], strict=True)) for line in lines[2:]}
    value = board.set_index(["metric", "criterion"])["value"]
    shown = table["False positives ↓"]["WEAT"].strip("*")
    assert float(shown) == round(value["weat", "false_positive_rate"], 2)
    least = min(float(text.strip("*")) for text in table["False positives ↓"].values() if text != "–")
    assert all(float(text.strip("*")) == least for text in table["False positives ↓"].values() if text.startswith("**"))


def test_means_over_seeds_by_hand(monkeypatch):
    """Bold is what is behind no other in any seed: ties are no lead, and of false positives fewer are ahead."""
    board = [("weat", "power", 1.0), ("mac", "power", 0.5), ("ect", "power", 1.0), ("weat", "false_positive_rate", 0.1),
             ("mac", "false_positive_rate", 0.2), ("weat", "comparable", 0.0), ("weat", "milliseconds",
             3.0)]  # fmt: skip
    seeds = [("weat", "power", 5, 0.987, 0.0149), ("mac", "power", 4, 0.5, 0.12), ("ect", "power", 5, 0.98, 0.015),
             ("weat", "false_positive_rate", 5, 0.1, 0.05), ("mac", "false_positive_rate", 5, 0.2, 0.05),
             ("weat", "comparable", 5, 0.0, 0.0), ("weat", "words_needed", 5, 6.4, 1.6)]  # fmt: skip
    pairwise = [("power", "weat", "mac", 4, 0), ("power", "weat", "ect", 0, 0), ("power", "mac", "ect", 0, 4),
              ("false_positive_rate", "weat", "mac", 1, 4)]  # fmt: skip
    tables = {
        "board": pd.DataFrame(board, columns=["metric", "criterion", "value"]),
        "seeds": pd.DataFrame(seeds, columns=["metric", "criterion", "n_seeds", "mean", "std"]),
        "pairwise": pd.DataFrame(pairwise, columns=["criterion", "first", "second", "n_first_ahead", "n_second_ahead"]),
    }
    monkeypatch.setattr(write_board, "_table", tables.get)
    monkeypatch.setattr(write_board, "MIN_CRITERIA", 1)
    assert write_board.write_means().splitlines() == [
        "| criterion | WEAT | MAC | ECT (1 − ρ) |",
        "| --- | --- | --- | --- |",
        "| False positives ↓ | 0.10 ± 0.05 | 0.20 ± 0.05 | – |",
        "| Power | **0.99 ± 0.01** | 0.50 ± 0.12 (4) | **0.98 ± 0.01** |",
        "| Comparable | **no** | – | – |",
        "",
        "↓: lower is better.",
    ]
    pairwise[-1] = ("false_positive_rate", "weat", "mac", 0, 4)
    tables["pairwise"] = pd.DataFrame(pairwise, columns=tables["pairwise"].columns)
    assert "| False positives ↓ | **0.10 ± 0.05** | 0.20 ± 0.05 | – |" in write_board.write_means()
