"""HDF5 files of ConceptNet Numberbatch, in the layout of pandas; read without pandas, so that nothing is unpickled."""

import math
from pathlib import Path

import h5py
import numpy as np

from biassay.core import guard
from biassay.vectors.formats.rows import Rows

CHUNK = 1 << 24  # bytes of rows read at a time
ENGLISH, CONCEPT = "/c/en/", "/c/"


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from the group `mat`: words in axis1, values (n_words, d), int8 or float, in block0_values.

    Of keys such as /c/en/woman, only English ones are read, without the prefix. int8 values are not scaled, since the
    cosine does not depend on scale. Raises ValueError if the layout differs, the data is in another file, or the file
    claims more than guard.RATIO times its size.
    """
    with guard.reading(path, "HDF5 file"), h5py.File(path) as file:
        labels, values = _open_arrays(path, file)
        rows.n_rows = len(labels)
        if rows.sample:
            rows.sample.flatten(len(labels))  # Numberbatch is in alphabetical order
        step = max(1, CHUNK // (values.shape[1] * values.dtype.itemsize + labels.dtype.itemsize))
        for start in range(0, len(labels), step):
            words = [_parse_word(label, rows) for label in labels[start : start + step]]
            selected = [
                row
                for row, word in enumerate(words)
                if word is not None and (rows.is_wanted(word) or rows.is_sampled(start + row))
            ]
            if selected:
                row_numbers = [start + row for row in selected]
                rows.add([words[row] for row in selected], values[start : start + step][selected], row_numbers)
            if rows.is_complete:
                return


def _open_arrays(path: str | Path, file: h5py.File) -> tuple[h5py.Dataset, h5py.Dataset]:
    """Open and check the data sets of words and of vectors."""
    labels, values, columns = (_open_dataset(path, file, name) for name in ("axis1", "block0_values", "axis0"))
    if labels.ndim != 1 or (labels.dtype.kind != "S" and h5py.check_string_dtype(labels.dtype) is None):
        raise ValueError(f"{path}: mat/axis1: expected a list of strings, got {labels.dtype}")
    if values.dtype.kind not in "fi" or values.ndim != 2 or values.shape != (len(labels), columns.size):
        raise ValueError(
            f"{path}: mat/block0_values: expected numbers of shape {(len(labels), columns.size)}, "
            f"got {values.dtype} of shape {values.shape}"
        )
    return labels, values


def _open_dataset(path: str | Path, file: h5py.File, name: str) -> h5py.Dataset:
    """Open a data set of the group `mat` that is in the file itself and not too large for it."""
    group = file["mat"] if isinstance(file.get("mat", getlink=True), h5py.HardLink) else None
    exists = isinstance(group, h5py.Group) and isinstance(group.get(name, getlink=True), h5py.HardLink)
    if not exists or not isinstance(group[name], h5py.Dataset):
        raise ValueError(f"{path}: expected the data set mat/{name}, got {', '.join(_list_names(file)) or 'none'}")
    dataset = group[name]
    if dataset.external or dataset.is_virtual:
        raise ValueError(f"{path}: mat/{name} has its data in other files")
    guard.check_claim(path, f"mat/{name}", max(dataset.size, math.prod(dataset.chunks or ())) * dataset.dtype.itemsize)
    return dataset


def _list_names(file: h5py.File) -> list[str]:
    names: list[str] = []
    file.visit(names.append)
    return names[:10]


def _parse_word(label: bytes | np.bytes_, rows: Rows) -> str | None:
    """Return the word of a key; None, counted as skipped, if it is not UTF-8 or of another language."""
    try:
        word = bytes(label).decode("utf-8")
    except UnicodeDecodeError:
        rows.skipped["words that are not UTF-8"] += 1
        return None
    if word.startswith(CONCEPT) and not word.startswith(ENGLISH):
        rows.skipped["words that are not English"] += 1
        return None
    return word.removeprefix(ENGLISH)
