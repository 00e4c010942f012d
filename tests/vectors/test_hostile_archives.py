"""Word vectors in .npz and HDF5 files that are broken, lead elsewhere or claim more than they hold."""

import io
import zipfile

import h5py
import numpy as np
import pytest

from biassay.vectors.readers import read_vectors
from tests import hostile
from tests.damage import check


def stored(name, content, **changes):
    """A zip file with words and one array file of this content, whose entry says other things."""
    file = io.BytesIO()
    words = io.BytesIO()
    np.save(words, np.array(["a", "b"]))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("words.npy", words.getvalue())
        archive.writestr(name, content)
        for key, value in changes.items():
            setattr(archive.getinfo(name), key, value)
    return file.getvalue()


def npy(array, **header):
    file = io.BytesIO()
    described = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape} | header
    np.lib.format.write_array_header_1_0(file, described)
    return file.getvalue() + array.tobytes()


ONES = np.ones((2, 3), np.float32)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (hostile.npz()[:-30], "broken .npz file .BadZipFile File is not a zip file"),
        (stored("vectors.npy", npy(ONES), flag_bits=1), "broken .npz file .RuntimeError File .* is encrypted"),
        (stored("vectors.npy", npy(ONES), compress_type=99), "broken .npz file .NotImplementedError That compression"),
        (stored("vectors.npy", npy(ONES), CRC=1), "broken .npz file .BadZipFile Bad CRC-32"),
        (stored("vectors.npy", npy(ONES), file_size=10**10), "the array 'vectors' claims 10,000,000,000 bytes and"),
        (stored("vectors.npy", npy(ONES), file_size=2000), "the array 'vectors' claims 152 bytes but has 2,000"),
        (
            stored("vectors.npy", npy(ONES, shape=(2, 10**9))),
            "the array 'vectors' claims 8,000,000,128 bytes but has 152",
        ),
        (stored("vectors.npy", npy(ONES, shape=(2, 2))), "the array 'vectors' claims 144 bytes but has 152"),
        (stored("vectors.npy", npy(np.zeros((2, 10**6)))), r"claims 16,000,128 bytes and [\d,]+ are stored, less than"),
        (stored("vectors.npy", b"no array at all"), "broken .npz file .the magic string is not correct"),
        (stored("vectors.npy", b""), "broken .npz file"),
        (stored("vectors.npy", npy(np.array([[None] * 3] * 2))), "'vectors' holds objects"),
        (stored("other.npy", npy(ONES)), "expected an array 'vectors', got words, other"),
        (
            stored("vectors.npy", npy(ONES.astype(complex))),
            "expected an array of numbers of shape .2, d., got complex128",
        ),
        (stored("vectors.npy", npy(ONES[:, :0])), "expected vectors of one dimension"),
        (stored("vectors.npy", npy(ONES * np.nan)), "the vector of 'a' has a value that is not finite"),
        (hostile.npz(words=np.array("abcdefg")), "words: expected an array of one dimension, got 0"),
        (hostile.npz(words=np.array([hostile.WORDS])), "words: expected an array of one dimension, got 2"),
        (
            stored("vectors.npy", npy(ONES[:0], shape=(10**9, 0))),
            "expected an array of numbers",
        ),
        (stored("vectors.npy", npy(np.empty(0, "V0"), shape=(10**9,))), "header says .1000000000,. values of no bytes"),
        (hostile.npz(words=np.array([b"a"] * 7)), "expected strings as words, got b'a'"),
        (hostile.npz(words=np.full(7, 0x110000, "u4").view("<U1")), "broken .npz file"),
        (hostile.npz(words=np.array(hostile.WORDS, "<U100000")), "the array 'words' claims 2,800,128 bytes"),
    ],
)
def test_npz(tmp_path, content, message):
    check(tmp_path / "v.npz", content, message)


def layout(change):
    """An HDF5 file that `change` has changed."""
    file = io.BytesIO(hostile.hdf())
    with h5py.File(file, "r+") as group:
        change(group)
    return file.getvalue()


def moved(group, name, link):
    """Put a link in place of an object."""
    group.move(name, "elsewhere")
    group[name] = group[link] if isinstance(link, str) else link


def replaced(name, *arguments, **options):
    """Another data set in place of one."""

    def change(group):
        del group[name]
        group.create_dataset(name, *arguments, **options)

    return layout(change)


VALUES = "mat/block0_values"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (hostile.hdf()[:3000], "broken HDF5 file .Unable to synchronously open file .truncated file"),
        (layout(lambda group: group.move("mat", "other")), "expected the data set mat/axis1, got other, other/axis0"),
        (layout(lambda group: moved(group, "mat", h5py.SoftLink("/elsewhere"))), "expected the data set mat/axis1"),
        (
            layout(lambda group: moved(group, "mat", h5py.ExternalLink("other.h5", "/mat"))),
            "expected the data set mat/axis1",
        ),
        (
            layout(lambda group: moved(group, VALUES, h5py.ExternalLink("o.h5", "/v"))),
            f"data set {VALUES}",
        ),
        (layout(lambda group: moved(group, VALUES, h5py.SoftLink("/elsewhere"))), f"data set {VALUES}"),
        (layout(lambda group: moved(group, "mat", "elsewhere/axis0")), "expected the data set mat/axis1"),
        (replaced(VALUES, (7, 5), "f4", external=[("o.raw", 0, 140)]), f"{VALUES} has its data in other files"),
        (replaced(VALUES, (7, 500), "f4", chunks=(7, 5), fillvalue=1), r"expected numbers of shape \(7, 5\)"),
        (replaced(VALUES, (7, 10**8), "f4", chunks=(1, 9)), f"{VALUES} claims 2,800,000,000 bytes and "),
        (replaced("mat/axis1", (3 * 10**6,), "S20", chunks=(9,)), "mat/axis1 claims 60,000,000 bytes and"),
        (replaced("mat/axis1", (7,), "S1000000"), "mat/axis1 claims 7,000,000 bytes and"),
        (replaced(VALUES, (7, 5), "f4", maxshape=(None, None), chunks=(10**4, 10**4)), "claims 400,000,000 bytes and"),
        (replaced(VALUES, (7,), "f4"), r"expected numbers of shape \(7, 5\), got float32 of shape \(7,\)"),
        (replaced(VALUES, (), "f4"), r"expected numbers of shape \(7, 5\), got float32 of shape \(\)"),
        (replaced(VALUES, data=np.zeros((7, 5), "c8")), "expected numbers of shape .7, 5., got complex64"),
        (replaced("mat/axis0", data=np.float32(1)), r"expected numbers of shape \(7, 1\)"),
        (replaced("mat/axis1", data=np.zeros((7, 1), "S3")), "mat/axis1: expected a list of strings, got .S3"),
        (replaced("mat/axis1", data=np.zeros(7, "S3")), "words that stood there before|the vector of ''|has no word"),
    ],
)
def test_hdf(tmp_path, content, message):
    if message.startswith("words that"):
        (tmp_path / "v.h5").write_bytes(content)
        assert len(read_vectors(tmp_path / "v.h5")[0]) == 1
    else:
        check(tmp_path / "v.h5", content, message)


def test_a_large_and_packed_hdf_is_read(tmp_path, monkeypatch):
    """Numberbatch's kind: int8 values, packed to a tenth, read some rows at a time."""
    monkeypatch.setattr("biassay.vectors.formats.hdf.CHUNK", 60)
    values = np.arange(35, dtype=np.int8).reshape(7, 5)
    for options in ({}, {"compression": "gzip"}):
        (tmp_path / "v.h5").write_bytes(hostile.hdf(values, **options))
        words, vectors = read_vectors(tmp_path / "v.h5")
        assert (words, vectors.tolist()) == (hostile.WORDS, values.tolist())
