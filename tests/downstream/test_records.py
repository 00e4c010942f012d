"""Rows of files of every kind, their places, and files that are broken."""

import bz2
import csv
import gzip
import io
import json
import lzma
import re

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from biassay.studies.downstream import records

SECRET = "Ada Quill paints"
ROWS = [{"text": "a,\nb", "label": "é"}, {"text": "", "label": '"'}, {"text": "c", "label": "d"}]
PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
PLACES = {".csv": ["line 2", "line 5", "line 6"], ".jsonl": ["line 1", "line 3", "line 4"]}


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


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("kind", PLACES)
def test_lines(kind, packed, tmp_path):
    path = tmp_path / f"a{kind}{packed}"
    path.write_bytes(PACKED[packed](content(kind)))
    assert list(records.read_records(str(path))) == list(zip(PLACES[kind], ROWS, strict=True))


def test_parquet(tmp_path):
    rows = [{"text": word, "list": ["a", word], "number": n, "none": None} for n, word in enumerate(["a", "b"] * 600)]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    expected = [(f"row {number}", row) for number, row in enumerate(rows, 1)]
    assert list(records.read_records(tmp_path / "a.parquet")) == expected


def test_a_column_is_the_first_of_its_names():
    record = {"Text": 1, "text": 2, "label": 3}
    assert records.find_column("a", record, ["texts", "label", "text"]) == "label"
    assert records.find_column("a", {"A": 1, "B": 2}, ["b", "a"], str.lower) == "B"
    with pytest.raises(ValueError, match=r"^a: 2 columns are named 'text'"):
        records.find_column("a", record, ["text"], str.lower)


@pytest.mark.parametrize(
    ("header", "listed"),
    [([SECRET, "x y"], "none"), (["raw", SECRET, "b"], "raw, b"), ([*"abcdefghi"], "a, b, c, d, e, f, g, h, …")],
)
def test_missing_columns_are_named_without_texts(header, listed):
    with pytest.raises(ValueError, match=rf"^a: lacks the column 'text' or 'phrase'; it has: {listed}$"):
        records.find_column("a", header, ["text", "phrase"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.jsonl", b"\n \n", ": the file has no rows"),
        ("b.csv", b"\n\nraw,title\n\n", ": the file has no rows"),
        ("b.parquet", None, ": the file has no rows"),
        ("b.jsonl", b'{"a": 1}\n{nothing', ", line 2: expected one JSON object per line"),
        ("b.jsonl", b"[" * 100_000, ", line 1: expected one JSON object per line"),
        ("b.jsonl", b'{}\n"Ada Quill paints"', ", line 2: expected a JSON object, got a str"),
        ("b.jsonl", b'{}\n\n{"a": "\xff"}', ", line 3: not UTF-8 text"),
        ("b.csv", b'raw,title\n"a\nb",1\n\nAda Quill paints,b,1\n', ", line 5: expected 2 cells as in the header"),
        ("b.csv", b'raw,title\na,b\n"a,b\nc,d\n', ", line 3: not a CSV table"),
        ("b.csv", b"raw,title\n" + b"x" * 200_000 + b",a\n", ", line 2: not a CSV table"),
        ("b.csv", b"raw, x,b,x\na,b,c,d\n", ": the columns 2 and 4 have the same name 'x'"),
        ("b.csv", b"Ada Quill paints,Ada Quill paints\na,b\n", ": the columns 1 and 2 have the same name"),
        ("b.jsonl.gz", b"no gzip", ": broken .jsonl file"),
        ("b.csv.gz", gzip.compress(b"a\n" + b"x\n" * 5000)[:-20], ": broken .csv file"),
        ("b.csv.gz", gzip.compress(b"a\nb\n\xff\n"), ", line 3: not UTF-8 text"),
        ("b.parquet", b"no table", ": broken Parquet file"),
        ("BIOS.pkl", b"x", ": pickles can run code"),
        ("b.txt", b"x", ": unknown file type; expected one of: .jsonl, .csv, .parquet"),
        ("b.parquet.gz", b"x", ": unknown file type"),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    path = tmp_path / name
    if content is None:
        pd.DataFrame({"a": []}).to_parquet(path)
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}{message}")) as error:
        list(records.read_records(path))
    assert SECRET not in str(error.value)
