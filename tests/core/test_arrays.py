"""Arrays and vocabularies on disk that are broken or have an unexpected type or shape."""

import io

import numpy as np
import pytest

from biassay.core import arrays, vocabulary
from tests.full_disk import full_disk

FLOATS = np.arange(6, dtype=np.float32).reshape(2, 3)


def npy(array, **header):
    """An .npy file of an array whose header may be wrong."""
    file = io.BytesIO()
    described = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape} | header
    np.lib.format.write_array_header_1_0(file, described)
    return file.getvalue() + array.tobytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "broken .npy file"),
        (npy(FLOATS)[:-1], "broken .npy file .mmap length is greater"),
        (npy(FLOATS) + b"\0", "broken .npy file .more bytes"),
        (npy(FLOATS, shape=(2**32, 2**20)), "broken .npy file"),
        (npy(FLOATS, descr="|O"), "broken .npy file .*objects"),
        (npy(FLOATS, descr="<i4"), "is int32 of shape .2, 3.; expected floats, any × 3"),
        (npy(FLOATS, shape=(3, 2)), r"is float32 of shape \(3, 2\); expected floats, any × 3"),
        (npy(np.array([[1, np.nan, 3]], np.float32)), "has values that are not finite"),
    ],
)
def test_unexpected_arrays_are_refused(tmp_path, content, message):
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(ValueError, match=rf"a\.npy: .*({message})"):
        arrays.open_array(tmp_path / "a.npy", "f", (None, 3), finite=True)


def test_expected_arrays(tmp_path):
    np.save(tmp_path / "a.npy", FLOATS)
    assert arrays.open_array(tmp_path / "a.npy", "fi", (None, 3), finite=True).tolist() == FLOATS.tolist()
    assert arrays.find_extremes(np.empty(0)) == (0, 0)


@pytest.mark.parametrize("array", [FLOATS.T, FLOATS[:, ::2], np.empty((3, 0), np.int32), np.arange(9).astype(">i2")])
def test_arrays_are_saved_as_by_numpy(tmp_path, array):
    np.save(tmp_path / "numpy.npy", array)
    arrays.save(tmp_path / "ours.npy", array)
    assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "numpy.npy").read_bytes()


def write(path, pieces):
    with arrays.Writer(path, np.int32) as writer:
        for piece in pieces:
            writer.append(np.array(piece))


@pytest.mark.parametrize("after", [100, 2000])
def test_a_full_disk_is_noticed_and_leaves_nothing(tmp_path, after):
    path = tmp_path / "a.npy"
    for save in (lambda: arrays.save(path, np.zeros(after)), lambda: write(path, [range(999)])):
        with pytest.raises(OSError, match=r"File too large: '.*a\.npy'"), full_disk(after):
            save()
        assert list(tmp_path.iterdir()) == []


def test_a_writer_leaves_a_whole_array_or_none(tmp_path):
    write(tmp_path / "a.npy", [[1, 2], [], [3]])
    assert np.load(tmp_path / "a.npy").tolist() == [1, 2, 3]
    with pytest.raises(RuntimeError), arrays.Writer(tmp_path / "a.npy", np.int32):
        raise RuntimeError
    assert not (tmp_path / "a.npy").exists()


def test_vocabularies(tmp_path):
    path, words = tmp_path / "words.txt", ["été", "日本", "new_york", "10", "it's", "\x00"]
    vocabulary.write(path, words)
    assert vocabulary.read(path) == words
    for content, message in ((b"a\nb\na\n", "has the word 'a' 2 times"), (b"a\n\xff\n", "not UTF-8 text")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=rf"words\.txt: {message}"):
            vocabulary.read(path)
    path.unlink()
    for word, message in (
        ("b c", "the word 'b c' is empty or has white space"),
        ("", "the word '' is empty or has white space"),
        ("a", "has the word 'a' 2 times"),
        ("b\ud800", r"a word has '\\ud800', which UTF-8 cannot encode"),
    ):
        with pytest.raises(ValueError, match=rf"words\.txt: {message}"):
            vocabulary.write(path, ["a", word])
        assert not path.exists()
