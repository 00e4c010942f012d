"""Files of word vectors that are broken or claim more than they hold: one error each, which names file and place."""

import bz2
import gzip
import lzma
import os

import numpy as np
import pytest

from biassay.core import guard
from biassay.vectors.formats import files
from biassay.vectors.readers import read_vectors
from tests.damage import check

FLOAT = np.float32(1.5).tobytes()
LONG = files.MAX_ROW


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"3 1000000000\na 1 2\n", "line 1: expected lines of at most 4,194,304 bytes, got 1000000000 dimensions"),
        (b"1000000000 2\na 1 2\n", "line 1: the header announces 1000000000 words, but the file has 1"),
        (b"3 2000000\n" + b"a\n" * 100_000, "line 2: expected 2000000 values, .* got 0 values of 'a'"),
        (b"-3 2\na 1 2\nb 3 4\nc 1 2\n", "line 1: expected 2 values, .* got 1 values of '-3'"),
        (
            b"3 -2\na 1 2\nb 3 4\nc 1 2\n",
            "line 1: expected 2 values, .* got 1 values of '3'",
        ),
        (
            b"99999999999999999999 2\na 1 2\nb 1 2\n",
            "line 1: expected 2 values, .* .*99999999999999999999",
        ),
        (b"a 1 2\n" + b"b" * 2 * LONG + b" 1 2\n", "line 2: .*got more than 4,194,304 bytes"),
        (b"x" * (3 * LONG), "line 1: .*got more than 4,194,304 bytes"),
        (b"a 1 2\n" * 20_000 + b"b\0 1 2\n", "line 20001: .*got a NUL character"),
        ("a 1 2\nb 3 4\n".encode("utf-16"), "line 1: expected text or word2vec's binary format"),
        ("é 1 2\nà 3 4\n".encode("latin-1"), "no word vectors found"),
        (b"a 1 2\rb 3 4\r", "line 1: 'a' has 3 values|value 2 of 'a'|line 1"),
        (b"a " + b"1" * 5000 + b" 2\n", r"line 1: value 1 of 'a': expected a finite number, got '1{40}'"),
        (b"a 1e-9 1__0\n", "line 1: value 2 of 'a': expected a finite number, got '1__0'"),
        (b"\xef\xbb\xbf2 2\na 1 2\n", "line 1: the header announces 2 words, but the file has 1"),
        (b"a 1 2\n\xff\nc 3 4\nb 1\n", "line 4: expected 2 values, .* got 1 values of 'b'"),
        (b"a 1 x\nb\n", "line 1: value 2 of 'a': expected a finite number, got 'x'|line 1: 'a'"),
    ],
)
def test_text(tmp_path, content, message):
    check(tmp_path / "v.txt", content, message)


def test_lines_too_short_are_counted_or_named_in_their_order(tmp_path, caplog):
    path = tmp_path / "v.txt"
    path.write_bytes(b"4 3\na 1 2 3\n\xff\xfe\nb 4 5 6\n\xff 1\n")
    assert read_vectors(path)[0] == ["a", "b"]
    assert "skipped 2 lines that are not UTF-8" in caplog.text
    check(path, b"5 3\na 1 2 3\n\xff\nb 4 5 x\nc\nd 7 8 9\n", "line 4: value 3 of 'b': .*'x'")
    check(
        path,
        b"5 3\na 1 2 3\n\xff\nb 4 5 6\nc\nd 7 8 9\n",
        "line 5: expected 3 values, .* got 0 values of 'c'",
    )
    check(path, b"3 3\na 1 2\nb 4 5 6\nd 7 8 9\n", "line 2: expected 3 values, .* got 2 values of 'a'")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("content", [bytes(1 << 20), b"a 1 2\n" * (1 << 17)])
def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch, pack, content):
    monkeypatch.setattr(guard, "FLOOR", 1 << 17)
    message = (
        "unpacks to more than 100 times its size; if this is intended, unpack it first|expected text or word2vec's"
    )
    check(tmp_path / "v.bin", pack(content), message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"1 1000000000\n" + b"a " + FLOAT,
            "line 1: expected rows of at most 4,194,304 bytes, got 1000000000 dimensions",
        ),
        (b"1000000000 1\n" + b"a " + FLOAT, "row 2: broken or truncated, expected 1000000000 rows of 1"),
        (b"1 1\n" + b"a" * 10_000_000, "row 1: broken or truncated"),
        (b"2 1\n" + b"a " + FLOAT + b"\xff " + FLOAT[:2], "row 2: broken or truncated"),
        (b"1 1\n " + FLOAT, "no word vectors found"),
        (b"-1 1\na " + FLOAT, "line 1: expected text or word2vec's"),
        (b"1 0\na " + FLOAT, "line 1: expected text or word2vec's"),
        (b"1 1" + b" " * 200 + b"\na " + FLOAT, "line 1: expected text or word2vec's"),
    ],
)
def test_binary(tmp_path, content, message):
    check(tmp_path / "v.bin", content, message)


def test_rows_without_a_word_are_counted(tmp_path, caplog):
    (tmp_path / "v.bin").write_bytes(b"3 1\n" + b" " + FLOAT + b"a " + FLOAT + b"\n " + FLOAT)
    assert read_vectors(tmp_path / "v.bin")[0] == ["a"]
    assert "skipped 2 rows without a word" in caplog.text


def test_a_row_as_long_as_is_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_ROW", 40)
    monkeypatch.setattr(files, "BLOCK", 16)
    row = np.arange(10, dtype=np.float32)
    (tmp_path / "v.bin").write_bytes(b"2 10\na " + row.tobytes() + b"\nb " + row.tobytes())
    assert read_vectors(tmp_path / "v.bin")[1].tolist() == [row.tolist()] * 2
    check(tmp_path / "w.bin", b"1 11\na " + row.tobytes(), "at most 40 bytes, got 11 dimensions")
    (tmp_path / "v.txt").write_bytes(b"1 20\n" + b"a" + b" 1" * 20 + b"\n")
    assert read_vectors(tmp_path / "v.txt")[1].shape == (1, 20)
    check(tmp_path / "w.txt", b"1 21\na 1\n", "at most 40 bytes, got 21 dimensions")


def test_what_is_no_regular_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(ValueError, match=f"{path}: expected a regular file"):
            read_vectors(path)
    with pytest.raises(FileNotFoundError):
        read_vectors(tmp_path / "nothing")
