"""Damaged tables of an earlier step: the step that reads them stops and names file, row, column and value."""

import re

import pandas as pd
import pytest

from biassay.core import csv_tables

TYPES = csv_tables.column_types(text="metric note?", integer="model chunk n?", number="value p?", boolean="best")
COLUMNS = "model chunk metric value best"
TABLE = (
    "model,chunk,metric,value,best,n,p,note\n"
    '0,0,weat,0.5,True,3,,\n1,0,weat,-1e-3,False,,0.5,"a, b"\n2,1,mac,7,True,1,1,c\n3,1,mac,2.5,True,2,0,d\n'
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.csv"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (TABLE, "", "is empty, cut off or damaged"),
        (",d\n", ",d", "is empty, cut off or damaged"),
        ("mac,7", "mac,\0", "NUL bytes"),
        (",c\n", "\n", "row 3 has 7 cells; the header has 8"),
        (",note", ",metric", "has the column 'metric' twice"),
        ("metric", "metrics", "lacks the columns metric; it has model, chunk, metrics"),
        (TABLE[TABLE.index("\n") + 1 :], "", "has no rows below its header"),
        ("0.5,True", "inf,True", "row 1: value: expected a finite number, got 'inf'"),
        ("mac,7", ",7", "row 3: metric: expected a text, got an empty cell"),
        ("2,1,", "2.5,1,", "row 3: model: expected an integer, got '2.5'"),
        ("7,True", "7,2", "row 3: best: expected True or False, got '2'"),
        (',0.5,"a', ',x,"a', "row 2: p: expected a finite number, got 'x'"),
        ('"a', "\udcff", "not UTF-8 text"),
    ],
)
def test_a_damaged_table_is_refused(path, old, new, message):
    assert old in TABLE
    path.write_text(TABLE.replace(old, new, 1), "utf-8", "surrogateescape")
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}: .*{re.escape(message)}"):
        csv_tables.read(path, COLUMNS, TYPES)


def test_a_whole_table(path):
    path.write_text("# Source: Ada.\n" + TABLE)
    table = csv_tables.read(path, COLUMNS.split(), TYPES, comment="#")
    assert table["value"].tolist() == [0.5, -0.001, 7, 2.5]
    assert table["note"].tolist()[1:] == ["a, b", "c", "d"]
    assert table["n"].isna().tolist() == [False, True, False, False]
    with pytest.raises(ValueError, match="row 1: best: expected an integer, got 'True'"):
        csv_tables.read(path, "best", {"best": "integer"}, comment="#")
    path.write_text(TABLE.replace("0.5,True", "inf,True", 1))
    assert csv_tables.read(path, "value", {"value": "extended"})["value"][0] == float("inf")
    path.write_text(TABLE.splitlines(keepends=True)[0])
    assert len(csv_tables.read(path, COLUMNS, TYPES, allow_empty=True)) == 0


def test_each_combination_has_one_row(path):
    path.write_text(TABLE)
    table = csv_tables.read(path, COLUMNS, TYPES)
    csv_tables.check_rows(path, table, {"model": range(4)})
    for rows, message in (
        (table[1:], "lacks a row for model 0"),
        (pd.concat([table, table[:1]]), "two rows for model 0"),
        (table.assign(model=[9, 1, 2, 3]), "an unexpected row for model 9"),
    ):
        with pytest.raises(ValueError, match=message):
            csv_tables.check_rows(path, rows, {"model": range(4)})
