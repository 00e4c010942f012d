"""Malformed sources of word vectors: one error per kind, which names the file, the line and the value."""

import gzip
import io
import os
import pickle
import struct
import zipfile

import numpy as np
import pytest

from biassay.vectors.formats import files
from biassay.vectors.readers import read_vectors
from tests import hostile

ROWS = [[1.0, 2.0]] * 7
ROW = b"b " + np.float32([3, 4]).tobytes()
FLOAT = np.float32(1.5).tobytes()
PACKED = gzip.compress("".join(f"w{i} {i} {i / 7}\n" for i in range(500)).encode())
TEXTS = [
    (b"", "the file is empty"),
    (b"a 1 2\nb 3\nc 4 5\n", r"line 2: expected 2 values, .* got 1 values of 'b'"),
    (b"2 3\na 1 2\nb 3 4\n", r"line 2: expected 3 values, .* got 2 values of 'a'"),
    (b"5 3\na 1 2 3\n\xff\nb 4 5 6\nc\nd 7 8 9\n", "line 5: expected 3 values, .* got 0 values of 'c'"),
    (b"a 1 2\nb 3 4,5\n", r"line 2: value 2 of 'b': expected a finite number, got '4,5'"),
    (b"a 1 2\nb 1 1e60\n", r"line 2: value 2 of 'b': expected a finite number, got '1e60'"),
    (b"3 2\na 1 2\nb 3 4\n", r"line 1: the header announces 3 words, but the file has 2"),
    (b"3 1000000000\na 1 2\n", "line 1: .* got 1000000000 dimensions"),
    (b"x" * (files.MAX_ROW + files.BLOCK), "a line of more than 4,194,304 bytes"),
    ("a 1 2\nb 3 4\n".encode("utf-16"), "line 1: expected text or word2vec's binary format"),
    ("é 1 2\nà 3 4\n".encode("latin-1"), "no word vectors found"),
]


def subwords(place, new=b"", end=None):
    """A fastText model with other bytes at a place, counted from the shape of its matrix, and cut at the end."""
    content = hostile.fasttext()
    start = content.index(struct.pack("<2q", 27, 5)) + place
    return (content[:start] + new + content[start + len(new) :])[:end]


BINARIES = [
    (b"2 2\n" + ROW + ROW[:-3], "row 2: broken or truncated, expected 2 rows"),
    (b"3 2\n" + ROW + ROW, "row 3: broken or truncated, expected 3 rows"),
    (b"1 2\n" + ROW + ROW, "line 1: the header announces 1 words, but the file has more"),
    (b"1 2\nb " + np.float32([1, np.nan]).tobytes(), "the vector of 'b' has a value that is not finite"),
    (b"1 1048577\na " + FLOAT, "line 1: .* dimensions, at most 1,048,576"),
    (b"1 1\n " + FLOAT, "no word vectors found"),
    (b"\xba\x16\x4f\x2f\x0c", "broken fastText model"),
    (subwords(0, end=600), "truncated fastText model: expected 27 rows of 5 values"),
    (subwords(0, end=120), "broken or truncated fastText model: expected 7 words, got 1"),
    (subwords(0, b"\1"), r"broken fastText model: expected a matrix of shape \[27, 5\], got \[1, 5\]"),
    (subwords(-1, b"\1"), "a quantised fastText model"),
    (b"\xba\x16\x4f\x2f" + b"\0" * 200, "broken fastText model: dimensions: expected 1 to 1048576, got 0"),
]


def npz(name="vectors", array=np.ones((7, 3), np.float32), words=hostile.WORDS):  # noqa: B008
    """An .npz file of words and one array."""
    file = io.BytesIO()
    np.savez(file, words=np.array(words), **{name: array})
    return file.getvalue()


def lengthened(content):
    """An .npz file whose vectors have bytes that their header does not announce."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + bytes(100 * (name == "vectors.npy")))
    return file.getvalue()


ARCHIVES = [
    (npz()[:-30], "broken .npz file"),
    (npz(array=np.array([[None] * 3] * 7)), "broken .npz file .*allow_pickle"),
    (npz("other"), "expected an array 'vectors', got words, other"),
    (lengthened(npz()), r"vectors\.npy: expected 212 bytes by its header, got 312"),
    (npz(array=np.zeros((1, 600_000))), r"vectors\.npy: expected rows of at most 4194304 bytes, got 4800000"),
    (npz(array=np.ones((6, 3))), "expected an array of numbers of shape .7, d., got float64 of shape .6, 3."),
    (npz(array=np.full((7, 3), np.nan)), "the vector of 'the' has a value that is not finite"),
    (npz(words=[hostile.WORDS]), "words: expected an array of one dimension, got 2"),
    (b"\x89HDF\r\n\x1a\n" + bytes(100), "an HDF5 file, which biassay does not read; give the vectors as a text file"),
    (PACKED[:-200], "broken compressed file"),
    (b"\x93NUMPY\x01\x00", r"array without words; give an \.npz"),
    (gzip.compress(pickle.dumps([1])), "compressed pickle file; decompress it"),
    (pickle.dumps({"a": 1}), "a pickle"),
]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [(name, *case) for name, cases in (("v.txt", TEXTS), ("v.bin", BINARIES), ("v", ARCHIVES)) for case in cases],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_malformed_files_are_named(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message) as raised:
        read_vectors(tmp_path / name)
    assert str(raised.value).startswith(str(tmp_path / name))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": hostile.WORDS, "b": hostile.WORDS, "v": ROWS}, "one column of texts.* got a, b; columns: a .string"),
        ({"a": hostile.WORDS, "v": [[[1.0]]] * 7}, "one column of vectors.* got none; columns: a .string., v .list"),
        ({"a": hostile.WORDS, "v": [*ROWS[1:], [1.0]]}, "expected 2 values, as in the first vector, got 1 of '10'"),
        ({"a": hostile.WORDS, "v": [*ROWS[1:], [1.0, None]]}, "the vector of '10' has an empty value"),
        ({"a": hostile.WORDS, "v": [*ROWS[1:], [1.0, np.inf]]}, "the vector of '10' has a value that is not finite"),
    ],
)
def test_malformed_columns_are_named(tmp_path, columns, message):
    (tmp_path / "v").write_bytes(hostile.columns(**columns))
    with pytest.raises(ValueError, match=rf"^{tmp_path}/v: .*{message}"):
        read_vectors(tmp_path / "v")


@pytest.mark.parametrize("kind", ["parquet", "file", "stream"])
def test_long_texts_of_small_files_are_named(tmp_path, kind):
    pyarrow = pytest.importorskip("pyarrow")
    long = "x" * 1_000_000
    if kind == "stream":  # views of one text: length, first characters, buffer, place
        views = np.array([(1_000_000, int.from_bytes(b"xxxx"), 0, 0), (1, ord("b"), 0, 0)] * 400, np.int32)
        buffers = [None, pyarrow.py_buffer(views), pyarrow.py_buffer(long.encode())]
        texts = pyarrow.Array.from_buffers(pyarrow.string_view(), 800, buffers)
    else:
        texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, None, 1, 1] * 400)[::2], [long, "b"])
    (tmp_path / "v").write_bytes(hostile.columns(kind, text=texts, vector=[[1.0, 2.0]] * 800))
    message = r"/v: expected at most 268435456 bytes in the texts from row 1 to 800, got 400000400"
    with pytest.raises(ValueError, match=message):
        read_vectors(tmp_path / "v")


def test_a_vector_of_millions_of_equal_values_is_named(tmp_path):
    (tmp_path / "v").write_bytes(hostile.columns(text=["a"], vector=[np.ones(20_000_000, np.float32)]))
    assert (tmp_path / "v").stat().st_size < 10_000
    with pytest.raises(ValueError, match=r"/v: expected at most 67108864 bytes in column vector.* got 20000000 values"):
        read_vectors(tmp_path / "v")


def test_other_pickles_are_refused(tmp_path):
    (tmp_path / "any.pkl").write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(ValueError, match=r"any\.pkl: broken gensim pickle"):
        read_vectors(tmp_path / "any.pkl", allow_pickle=True)


def test_other_than_regular_files_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match=r"pipe: expected a regular file"):
        read_vectors(tmp_path / "pipe")
    with pytest.raises(ValueError, match="nothing: no such file"):
        read_vectors(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("source", "words", "message"),
    [
        (7, None, r"source of vectors: invalid value 7; expected .*hf:MODEL"),
        ({"a": [1, 2], "b": [1]}, None, r"got \(2,\) for 'a' and \(1,\) for 'b'"),
        ((["a", "b"], np.ones((3, 2))), None, r"got float64 of shape \(3, 2\)"),
        ({}, None, "no word vectors found"),
        ({"a": [1]}, "a", "words: .*'a'"),
        ({"a": [1]}, list("bcdefg"), "none of the 6 words was found: 'b', 'c', 'd', 'e', 'f', …$"),
        ({"a": [1]}, [], r"words: .*\[\]"),
        (".", None, "words.txt and embedding.json"),
    ],
)
def test_malformed_objects_and_arguments(source, words, message):
    with pytest.raises(ValueError, match=message):
        read_vectors(source, words)
