"""Rows of files of every kind, their numbers, and files that are broken."""

import csv
import gzip
import io
import json
import re

import pandas as pd
import pytest

from biassay.studies.downstream import records

SECRET = "Ada Quill paints"
ROWS = [{"text": "a,\nb", "label": "é"}, {"text": "", "label": '"'}, {"text": "c", "label": "d"}]


def content(kind):
    """ROWS, with an empty line after the first of them."""
    if kind == ".jsonl":
        first, *rest = map(json.dumps, ROWS)
        return "\n".join([first, " ", *rest]).encode()
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerows([[" text", "label "], ROWS[0].values()])
    file.write("\r\n")
    writer.writerows(row.values() for row in ROWS[1:])
    return b"\xef\xbb\xbf" + file.getvalue().encode()


@pytest.mark.parametrize("kind", [".csv", ".jsonl"])
def test_rows_are_numbered_over_chunks(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(records, "CHUNK", 2)
    path = tmp_path / f"a{kind}.gz"
    path.write_bytes(gzip.compress(content(kind)))
    first, second = records.read(str(path))
    assert [*first.index, *second.index] == [1, 2, 3]
    assert [*first.to_dict("records"), *second.to_dict("records")] == ROWS


def test_quotes_after_a_space_are_no_part_of_a_cell(tmp_path):
    (tmp_path / "a.csv").write_text('text, label\n"a, b", "c"\n')
    (table,) = records.read(tmp_path / "a.csv")
    assert table.to_dict("records") == [{"text": "a, b", "label": "c"}]


def test_parquet(tmp_path):
    rows = [{"text": word, "list": ["a", word], "number": n, "none": None} for n, word in enumerate("ab")]
    pd.DataFrame(rows).to_parquet(tmp_path / "a.parquet")
    (table,) = records.read(tmp_path / "a.parquet")
    assert table.to_dict("records") == rows


def test_a_column_is_the_first_of_its_names():
    columns = ["Text", "text", "label"]
    assert records.find_column("a", columns, ["texts", "label", "text"]) == "label"
    assert records.find_column("a", ["A", "B"], ["b", "a"], str.lower) == "B"
    with pytest.raises(ValueError, match=r"^a: 2 columns are named 'text'"):
        records.find_column("a", columns, ["text"], str.lower)


@pytest.mark.parametrize(
    ("header", "listed"),
    [([SECRET, "x y"], "none"), (["raw", SECRET, "b"], "raw, b"), ([*"abcdefghi"], "a, b, c, d, e, f, g, h, …")],
)
def test_missing_columns_are_named_without_texts(header, listed):
    with pytest.raises(ValueError, match=rf"^a: lacks the column 'text' or 'phrase'; it has: {listed}$"):
        records.find_column("a", header, ["text", "phrase"])


@pytest.mark.parametrize(
    ("cell", "message"),
    [(" ", "an empty cell"), (None, "an empty cell"), (float("nan"), "an empty cell"), (5, "5"), ([SECRET], "a list")],
)
def test_the_first_cell_that_is_no_text(cell, message):
    column = pd.Series(["b", cell, 3], [7, 8, 9], object, "raw")
    with pytest.raises(ValueError, match=f"^a, row 8, column raw: expected text, got {message}$"):
        records.read_texts("a", column)
    assert records.read_texts("a", column[:1]) == ["b"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.csv", b"\n\nraw,title\n\n", ": the file has no rows"),
        ("b.jsonl", b"[" * 100_000, ", line 1: expected one JSON object per line"),
        ("b.jsonl", b'{}\n"Ada Quill paints"', ", line 2: expected a JSON object, got a str"),
        ("b.jsonl", b'{}\n\n{"a": "\xff"}', ", line 3: expected one JSON object per line (not UTF-8"),
        ("b.csv", b'raw,title\n"a\nb",1\n\nAda Quill paints,b,1\n', ", row 2: expected 2 cells, got 3"),
        ("b.csv", b'raw,title\na,b\n"a,b\nc,d\n', ": broken .csv file"),
        ("b.csv", b"Ada Quill paints,Ada Quill paints\na,b\n", ": 2 columns have the same name"),
        ("b.csv.gz", gzip.compress(b"a\n" + b"x\n" * 5000)[:-20], ": broken .csv file"),
        ("b.parquet", b"no table", ": broken .parquet file"),
        ("BIOS.pkl", b"x", ": pickles can run code"),
        ("b.txt", b"x", ": unknown file type; expected one of: .jsonl, .csv, .parquet"),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}{message}")) as error:
        list(records.read(path))
    assert SECRET not in str(error.value)
