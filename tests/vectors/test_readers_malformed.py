"""Malformed sources of word vectors: one error each, naming file, line and value."""

import gzip
import pickle

import numpy as np
import pytest

from biassay.vectors.readers import read_vectors

ROW = b"b " + np.float32([3, 4]).tobytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        ("a 1 2\nb 3\nc 4 5\n", r"line 2: expected 2 values, .* got 1 values of 'b'"),
        (
            "a 1 2\n\nb 3.5 4 5\nc 4 5\n",
            r"line 3: expected 2 values, .* got 3 values of 'b'",
        ),
        ("2 2\na 1 2\nb 3.5 4 5\n", r"line 3: expected 2 values, .* got 3 values of 'b'"),
        ("2 3\na 1 2\nb 3 4\n", r"line 2: expected 3 values, .* got 2 values of 'a'"),
        ("a 1 2\nb 3 4,5\n", r"line 2: value 2 of 'b': expected a finite number, got '4,5'"),
        ("a 1 2\nb nan 4\n", r"line 2: value 1 of 'b': expected a finite number, got 'nan'"),
        ("a 1 2\nb 1 inf\n", r"line 2: value 2 of 'b': expected a finite number, got 'inf'"),
        ("a 1 2\nb 1 1e60\n", r"line 2: value 2 of 'b': expected a finite number, got '1e60'"),
        ("3 2\na 1 2\nb 3 4\n", r"line 1: the header announces 3 words, but the file has 2"),
        ("1 2\na 1 2\nb 3 4\n", r"line 1: the header announces 1 words, but the file has 2"),
        ("1 0\na\n", r"line 1: .*a header with 0 dimensions"),
        ("only\nwords\n", r"line 1: .*a word without numbers"),
        ("Some notes about\nthese fine vectors\n", r"line 1: value 1 of 'Some': expected a finite number, got 'notes'"),
    ],
)
def test_text(tmp_path, text, message):
    path = tmp_path / "v.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"v\.txt[:,] {message}"):
        read_vectors(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"2 2\n" + ROW + ROW[:-3], r", row 2: broken or truncated, expected 2 rows"),
        (b"3 2\n" + ROW + ROW, r", row 3: broken or truncated, expected 3 rows"),
        (b"1 2\n" + ROW + ROW, r", line 1: the header announces 1 words, but the file has more"),
        (b"1 2\nb " + np.float32([1, np.nan]).tobytes(), r", row 1: 'b' has a value that is not finite"),
        (b"\0\1\2\3", r", line 1: expected text or word2vec's binary"),
        (b"1 900000\n" + b"x" * 200_000, r", row 1: broken or truncated"),
        (b"\xba\x16\x4f\x2f\x0c", r": a fastText model; give its \.vec"),
    ],
)
def test_binary(tmp_path, content, message):
    path = tmp_path / "v.bin"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"v\.bin{message}"):
        read_vectors(path)


def test_compressed_and_other_files(tmp_path):
    whole = gzip.compress("".join(f"w{i} {i} {i / 7}\n" for i in range(500)).encode())
    for name, content, message in [
        ("cut.gz", whole[:-200], "broken compressed file"),
        ("damaged.gz", whole[:300] + b"\0\1\2" + whole[303:], "broken compressed file"),
        ("damaged.bz2", b"BZh9" + b"x" * 50, "broken compressed file"),
        ("cut.h5", b"\x89HDF\r\n\x1a\n" + b"x" * 50, "broken HDF5 file"),
        ("cut.npz", b"PK\x03\x04" + b"x" * 50, "not a zip file"),
        ("v.npy", b"\x93NUMPY\x01\x00", r"array without words; give an \.npz"),
        ("any.pkl.gz", gzip.compress(pickle.dumps([1])), "compressed pickle file; decompress it"),
        ("any.pkl", pickle.dumps({"a": 1}), "a pickle"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=f"{name}: .*{message}"):
            read_vectors(tmp_path / name)
    with pytest.raises(ValueError, match=r"any\.pkl: broken gensim pickle"):
        read_vectors(tmp_path / "any.pkl", allow_pickle=True)


def test_objects_and_arguments(tmp_path):
    for source, words, message in [
        (7, None, r"source of vectors: invalid value 7; expected .*GloVe.*hf:"),
        ({"a": [1, 2], "b": [1]}, None, r"got \(2,\) for 'a' and \(1,\) for 'b'"),
        ({"a": [1, np.inf]}, None, "the vector of 'a' has a value that is not finite"),
        ((["a"], [["x"]]), None, "expected an array of numbers"),
        ((["a", "b"], np.ones((3, 2))), None, r"got float64 of shape \(3, 2\)"),
        ({}, None, "no word vectors found"),
        ({"a": [1]}, "a", "words: .*'a'"),
        ({"a": [1]}, [], r"words: .*\[\]"),
        (tmp_path, None, "words.txt and embedding.json"),
    ]:
        with pytest.raises(ValueError, match=message):
            read_vectors(source, words)
    with pytest.raises(FileNotFoundError):
        read_vectors(tmp_path / "nothing")
