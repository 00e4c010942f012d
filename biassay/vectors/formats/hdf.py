"""ConceptNet Numberbatch's HDF5 files, as pandas lays them out; read without pandas, so that nothing is unpickled."""

import math
from pathlib import Path

import h5py
import numpy as np

from biassay.support import guard
from biassay.vectors.formats.rows import Rows

CHUNK = 1 << 24  # bytes of rows read at a time
ENGLISH, CONCEPT = "/c/en/", "/c/"


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from group `mat`: axis1 has the words, block0_values (words, d) the numbers, int8 or float.

    Of keys such as /c/en/woman the English ones are read, without their prefix; int8 values stay as they are, since
    the cosine does not depend on their scale. Raises ValueError, naming the file, if it is laid out otherwise, has its
    data in another file, or claims more than guard.RATIO times its size.
    """
    with guard.reading(path, "HDF5 file"), h5py.File(path) as file:
        labels, values = _arrays(path, file)
        rows.total = len(labels)
        if rows.sample:
            rows.sample.flatten(len(labels))  # in alphabetical order
        step = max(1, CHUNK // (values.shape[1] * values.dtype.itemsize + labels.dtype.itemsize))
        for start in range(0, len(labels), step):
            words = [_word(label, rows) for label in labels[start : start + step]]
            chosen = [
                row
                for row, word in enumerate(words)
                if word is not None and (rows.wants(word) or rows.draws(start + row))
            ]
            if chosen:
                places = [start + row for row in chosen]
                rows.add([words[row] for row in chosen], values[start : start + step][chosen], places)
            if rows.complete:
                return


def _arrays(path: str | Path, file: h5py.File) -> tuple[h5py.Dataset, h5py.Dataset]:
    """The data sets of words and of vectors, checked."""
    labels, values, columns = (_dataset(path, file, name) for name in ("axis1", "block0_values", "axis0"))
    if labels.ndim != 1 or (labels.dtype.kind != "S" and h5py.check_string_dtype(labels.dtype) is None):
        raise ValueError(f"{path}: mat/axis1 is {labels.dtype}, no list of strings")
    if values.dtype.kind not in "fi" or values.ndim != 2 or values.shape != (len(labels), columns.size):
        raise ValueError(
            f"{path}: mat/block0_values is {values.dtype} of shape {values.shape}, "
            f"not numbers of shape {(len(labels), columns.size)}"
        )
    return labels, values


def _dataset(path: str | Path, file: h5py.File, name: str) -> h5py.Dataset:
    """A data set of group `mat` that lies in the file itself and is not out of proportion to it."""
    group = file["mat"] if isinstance(file.get("mat", getlink=True), h5py.HardLink) else None
    held = isinstance(group, h5py.Group) and isinstance(group.get(name, getlink=True), h5py.HardLink)
    if not held or not isinstance(group[name], h5py.Dataset):
        raise ValueError(f"{path}: lacks the data set mat/{name}; it has: {', '.join(_names(file)) or 'none'}")
    found = group[name]
    if found.external or found.is_virtual:
        raise ValueError(f"{path}: mat/{name} has its data in other files")
    guard.check_claim(path, f"mat/{name}", max(found.size, math.prod(found.chunks or ())) * found.dtype.itemsize)
    return found


def _names(file: h5py.File) -> list[str]:
    names: list[str] = []
    file.visit(names.append)
    return names[:10]


def _word(label: bytes | np.bytes_, rows: Rows) -> str | None:
    """The word of a key, or None, counted, if it is not UTF-8 or of another language."""
    try:
        word = bytes(label).decode("utf-8")
    except UnicodeDecodeError:
        rows.skipped["words that are not UTF-8"] += 1
        return None
    if word.startswith(CONCEPT) and not word.startswith(ENGLISH):
        rows.skipped["words that are not English"] += 1
        return None
    return word.removeprefix(ENGLISH)
