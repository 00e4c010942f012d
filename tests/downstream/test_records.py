"""Rows of files of every kind, their places, and files that are broken."""

import bz2
import csv
import gzip
import io
import json
import lzma
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from biassay.studies.downstream import records
from tests.progress import kept

SECRET = "Ada Quill paints"
ROWS = [{"text": "a,\nb", "label": "é"}, {"text": "", "label": '"'}, {"text": "c", "label": "d"}]
PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
PLACES = {".csv": ["line 2", "line 5", "line 6"], ".jsonl": ["line 1", "line 3", "line 4"]}


def content(kind):
    """ROWS, with an empty line behind the first of them."""
    if kind == ".jsonl":
        first, *rest = map(json.dumps, ROWS)
        return "\n".join([first, " ", *rest]).encode()
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerows([[" text", "label "], ROWS[0].values()])
    file.write("\r\n")
    writer.writerows(row.values() for row in ROWS[1:])
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def write(path, given):
    path.write_bytes(given)
    return path


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("kind", PLACES)
def test_rows_of_lines_stand_on_the_line_that_they_begin_on(kind, packed, tmp_path):
    path = write(tmp_path / f"a{kind}{packed}", PACKED[packed](content(kind)))
    assert list(records.read_records(path)) == list(zip(PLACES[kind], ROWS, strict=True))
    assert list(records.read_records(str(path))) == list(records.read_records(path))


def test_rows_of_parquet_are_counted_over_its_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "BATCH", 2)
    begun = kept(monkeypatch, records)
    pd.DataFrame(ROWS).to_parquet(tmp_path / "a.parquet")
    assert list(records.read_records(tmp_path / "a.parquet")) == [(f"row {i}", row) for i, row in enumerate(ROWS, 1)]
    assert [begun[0].total, begun[0].done, len(begun[0].notes)] == [3, 3, 2]


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_progress_is_of_the_file_as_it_is_stored(packed, tmp_path, monkeypatch):
    begun = kept(monkeypatch, records)
    monkeypatch.setattr(records, "STEP", 100)
    lines = b"".join(b"%d,%d\n" % (n, n * n) for n in range(20_000))
    path = write(tmp_path / f"a.csv{packed}", PACKED[packed](b"n,square\n" + lines))
    assert sum(1 for _ in records.read_records(path)) == 20_000
    size = path.stat().st_size / 1e6
    assert begun[0].total == size
    assert begun[0].done == pytest.approx(size, rel=0.01)
    assert len(begun[0].notes) > (1000 if not packed else 3)


def test_rows_are_read_as_they_are_asked_for(tmp_path):
    """What is wrong further down has no say before."""
    rows = records.read_records(write(tmp_path / "a.csv", b"n\n1\n2\n\xff\n"))
    assert next(rows) == ("line 2", {"n": "1"})
    assert next(rows) == ("line 3", {"n": "2"})
    with pytest.raises(ValueError, match="line 4: not UTF-8 text"):
        next(rows)


def test_a_column_is_the_first_of_its_names(tmp_path):
    record = {"Text": 1, "text": 2, "label": 3}
    assert records.find_column("a", record, ["texts", "label", "text"]) == "label"
    assert records.find_column("a", record, ["text"]) == "text"
    assert records.find_column("a", {"A": 1, "B": 2}, ["b", "a"], str.lower) == "B"
    with pytest.raises(ValueError, match=r"^a: 2 columns are named 'text'; expected one$"):
        records.find_column("a", record, ["text"], str.lower)
    assert records.find_column("a", record, ["label", "text"], str.lower) == "label"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [(None, True), (float("nan"), True), ("", True), (" \n", True), (0, False), (0.0, False), (False, False),
     ("0", False), ([], False), ({}, False)],
)  # fmt: skip
def test_what_is_empty(cell, expected):
    assert records.is_empty(cell) is expected


HOSTILE = pytest.mark.bad_input(
    "labelled texts", "refused; the message names file, row and column or key, and quotes no text"
)


@HOSTILE
@pytest.mark.parametrize(
    ("header", "told"),
    [
        ([], "none"),
        ([SECRET, "x y"], "none"),
        (["raw", SECRET, "b"], "raw, b"),
        ([*"abcdefgh"], "a, b, c, d, e, f, g, h"),
        ([*"abcdefghi"], "a, b, c, d, e, f, g, h, …"),
        (["x" * 400], "x" * 300),
    ],
)
def test_columns_that_lack_are_told_and_texts_in_their_place_are_not(header, told):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        records.find_column("a", header, ["text", "phrase"])
    assert str(error.value) == f"a: lacks the column 'text' or 'phrase'; it has: {told}"


@HOSTILE
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.jsonl", b"", ": the file has no rows"),
        ("b.jsonl", b"\n \n", ": the file has no rows"),
        ("b.csv", b"", ": the file has no rows"),
        ("b.csv", b"\n\nraw,title\n\n", ": the file has no rows"),
        ("b.parquet", None, ": the file has no rows"),
        ("b.jsonl", b'{"a": 1}\n{nothing', ", line 2: expected one JSON object per line (Expecting property name"),
        ("b.jsonl", b"[" * 100_000, ", line 1: expected one JSON object per line (too deep"),
        ("b.jsonl", b"\n" + b"1" * 5000,
         ", line 2: expected one JSON object per line (too deep, or a number too long)"),
        ("b.jsonl", b"[1]", ", line 1: expected a JSON object, got a list"),
        ("b.jsonl", b'{}\n"Ada Quill paints"', ", line 2: expected a JSON object, got a str"),
        ("b.jsonl", b'{}\n\n{"a": "\xff"}', ", line 3: not UTF-8 text (invalid start byte)"),
        ("b.csv", b"raw,title\nAda Quill paints\n", ", line 2: expected 2 cells as in the header, got 1"),
        ("b.csv", b'raw,title\n"a\nb",1\n\nAda Quill paints,b,1\n',
         ", line 5: expected 2 cells as in the header, got 3"),
        ("b.csv", b'raw,title\na,b\n"a,b\nc,d\n', ", line 3: not a CSV table: unexpected end of data"),
        ("b.csv", b'raw,title\na,b\n"a"b,1\n', ", line 3: not a CSV table: "),
        ("b.csv", b'raw,"a"b\na,b\n', ", line 1: not a CSV table: "),
        ("b.csv", b"raw,title\ra,b\r", ", line 1: not a CSV table: "),
        ("b.csv", b'raw,title\n"a\n\xff",b\n', ", line 3: not UTF-8 text"),
        ("b.csv", "raw,title\na,b\n".encode("utf-16"), ", line 1: not UTF-8 text"),
        ("b.csv", b"raw,title\n" + b"x" * 200_000 + b",a\n", ", line 2: not a CSV table: field larger"),
        ("b.csv", b"raw, x,b,x\na,b,c,d\n", ": the columns 2 and 4 have the same name 'x'"),
        ("b.csv", b"Ada Quill paints,Ada Quill paints\na,b\n", ": the columns 1 and 2 have the same name"),
        ("b.jsonl", b'{"a": 1}\n{"raw": "b", "title": 1, "raw": "c"}\n', ", line 2: repeated key 'raw'"),
        ("b.jsonl", b'{"a": {"raw": "b", "raw": "b"}}\n', ", line 1: repeated key 'raw'"),
        ("b.jsonl", b'{"Ada Quill paints": 1, "Ada Quill paints": 1}\n', ", line 1: repeated key"),
        ("b.jsonl", b"\n\n" + b"x" * (records.MAX_LINE + 1), ", line 3: longer than 1 MiB"),
        ("b.csv", b"a\n" + b"x" * (records.MAX_LINE + 1), ", line 2: longer than 1 MiB"),
        ("b.jsonl.gz", b"no gzip", ": broken .jsonl file"),
        ("b.csv.xz", b"no xz", ": broken .csv file"),
        ("b.csv.gz", gzip.compress(b"a\n" + b"x\n" * 100_000)[:-20], ": broken .csv file"),
        ("b.csv.gz", gzip.compress(b"a\nb\n\xff\n"), ", line 3: not UTF-8 text"),
        ("b.csv.xz", lzma.compress((b"x" * 4000 + b"\n") * 4500), ": unpacks to more than 100 times its size"),
        ("b.parquet", b"no table", ": broken Parquet file"),
        ("BIOS.pkl", b"x", ": pickles can run code and are not read; if you trust the file, "),
        ("b.pickle.gz", b"x", ": pickles can run code"),
        ("b.txt", b"x",
         ": unknown file type; expected one of: .jsonl, .csv, .parquet; the first two also compressed as .gz"),
        ("b.parquet.gz", b"x", ": unknown file type"),
        ("csv", b"x", ": unknown file type"),
    ],
)  # fmt: skip
def test_files_that_are_broken_or_of_another_kind_are_refused(tmp_path, name, content, message):
    path = tmp_path / name
    if content is None:
        pd.DataFrame({"a": []}).to_parquet(path)
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}{message}")) as error:
        list(records.read_records(path))
    assert str(error.value).startswith(str(path))
    assert SECRET not in str(error.value)


BIG = "x" * 100_000
BOMBS = {
    "many rows": lambda: pa.table({"a": np.zeros(10**7, np.int8)}),
    "a long list": lambda: pa.table({"a": pa.ListArray.from_arrays([0, 10**7], np.zeros(10**7, np.int8))}),
    "a long text that stands there often": lambda: pa.table({"a": _often(10**5)}),
    "lists of it": lambda: pa.table({"a": pa.ListArray.from_arrays([0, 10**5], _often(10**5))}),
    "structs of it": lambda: pa.table({"a": pa.StructArray.from_arrays([_often(10**5)], ["b"])}),
}


def _often(times):
    return pa.DictionaryArray.from_arrays(np.zeros(times, np.int32), [BIG]).cast(pa.dictionary(pa.int32(), pa.string()))


@HOSTILE
@pytest.mark.parametrize("kind", BOMBS)
def test_a_small_table_that_claims_much_is_refused_before_it_is_made(tmp_path, kind):
    path = tmp_path / "a.parquet"
    parquet.write_table(BOMBS[kind](), path, compression="zstd")
    assert path.stat().st_size < 100_000
    rows = records.read_records(path)
    with pytest.raises(ValueError, match=r"a\.parquet: its table claims [\d,]+ bytes and [\d,]+ are stored"):
        next(rows)


def test_values_of_every_kind_of_parquet_are_read(tmp_path):
    rows = [
        {
            "text": word,
            "kind": word,
            "list": ["a", word],
            "number": n,
            "of": {"text": word},
            "bytes": b"x",
            "none": None,
        }
        for n, word in enumerate(["a", "b", "a"])
    ]
    table = pa.Table.from_pylist([*rows, dict.fromkeys(rows[0])])
    table = table.set_column(1, "kind", table["kind"].dictionary_encode())
    parquet.write_table(table, tmp_path / "a.parquet")
    assert [row for _, row in records.read_records(tmp_path / "a.parquet")] == table.to_pylist()


@HOSTILE
@pytest.mark.parametrize("names", [["text", "label", "text"], ["text", "label", " text"]])
def test_columns_of_parquet_that_have_the_same_name_are_refused(tmp_path, names):
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"]), pa.array(["c"])], names=names)
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"a\.parquet: the columns 1 and 3 have the same name 'text'$"):
        list(records.read_records(tmp_path / "a.parquet"))


def test_lines_and_cells_of_the_greatest_length_are_read(tmp_path):
    cells = ["x" * 131_072] * 7
    line = ",".join([*cells, "x" * (records.MAX_LINE - 7 * 131_073 - 2)]) + "\r\n"
    path = write(tmp_path / "a.csv", b"a,b,c,d,e,f,g,h\n" + line.encode()[:-2] + b"\n\n")
    assert len(line) == records.MAX_LINE
    assert [place for place, _ in records.read_records(path)] == ["line 2"]
    exact = b'{"a": "' + b"x" * (records.MAX_LINE - 10) + b'"}\n'
    assert len(exact) == records.MAX_LINE
    assert [place for place, _ in records.read_records(write(tmp_path / "a.jsonl", exact * 2))] == ["line 1", "line 2"]


def test_names_of_columns_that_are_empty_may_be_several(tmp_path):
    assert list(records.read_records(write(tmp_path / "a.csv", b",a,\n1,2,3\n"))) == [("line 2", {"": "3", "a": "2"})]


def test_a_missing_file_is_named_by_the_system(tmp_path):
    for name in ("a.csv", "a.jsonl.gz", "a.parquet"):
        with pytest.raises(FileNotFoundError, match=name):
            list(records.read_records(tmp_path / name))
