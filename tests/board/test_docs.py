"""The page of the board says what the board that comes with biassay says."""

import pandas as pd

from biassay.studies.board.board import COLUMNS
from biassay.studies.board.criteria import BY_KEY
from biassay.words import resources
from docs import write_board


def test_the_page_is_up_to_date():
    assert write_board.PAGE.read_text("utf-8") == write_board.text(), "stale: run python docs/write_board.py"


def test_a_cell_of_the_page_is_one_of_the_board():
    board = pd.read_csv(resources.shipped("board") / "board.csv")
    assert list(board) == COLUMNS
    assert set(board["criterion"]) == set(BY_KEY)
    lines = [line.strip("| \n").split(" | ") for line in write_board.table().splitlines() if line.startswith("|")]
    table = {line[0]: dict(zip(lines[0][1:], line[1:], strict=True)) for line in lines[2:]}
    value = board.set_index(["metric", "criterion"])["value"]
    shown = table["False alarms ↓"]["WEAT"].strip("*")
    assert float(shown) == round(value["weat", "false_alarms"], 2)
    least = min(float(text.strip("*")) for text in table["False alarms ↓"].values() if text != "–")
    assert all(float(text.strip("*")) == least for text in table["False alarms ↓"].values() if text.startswith("**"))
