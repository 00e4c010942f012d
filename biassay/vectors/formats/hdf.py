"""HDF5 files of ConceptNet Numberbatch, in the layout of pandas; read without pandas, so that nothing is unpickled."""

import math
from pathlib import Path
from typing import Any

from biassay.core import guard
from biassay.vectors.formats.files import MAX_ROW
from biassay.vectors.formats.rows import Rows

CHUNK = 1 << 24  # bytes of rows read at a time


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from the group `mat`: words in axis1, values (n_words, d), int8 or float, in block0_values.

    Of keys such as /c/en/woman, only those of the language are read, without the prefix. int8 values are not
    scaled, since the cosine does not depend on scale. Raises ValueError if the layout differs.
    """
    with guard.reading(path, "HDF5 file"):
        import h5py

    with guard.reading(path, "HDF5 file"), h5py.File(path) as file:
        labels, values = (_open_array(path, file, name) for name in ("mat/axis1", "mat/block0_values"))
        if labels.ndim != 1 or labels.dtype.kind not in "SO":
            raise ValueError(f"{path}: mat/axis1: expected a list of strings, got {labels.dtype}")
        if values.dtype.kind not in "fi" or values.ndim != 2 or len(values) != len(labels):
            raise ValueError(
                f"{path}: mat/block0_values: expected numbers of shape ({len(labels)}, d), got {values.dtype} of shape "
                f"{values.shape}"
            )
        if (row := values.shape[1] * values.dtype.itemsize + labels.dtype.itemsize) > MAX_ROW:
            raise ValueError(f"{path}: expected rows of at most {MAX_ROW} bytes, got {row}")
        rows.n_rows = len(labels)
        if rows.sample:
            rows.sample.flatten(len(labels))  # Numberbatch is in alphabetical order
        step = max(1, CHUNK // max(row, 1))
        for start in range(0, len(labels), step):
            words = [rows.decode(bytes(label), is_concept=True) for label in labels[start : start + step]]
            rows.add(words, values[start : start + step], range(start, start + len(words)))
            if rows.is_complete:
                return


def _open_array(path: str | Path, file: Any, name: str) -> Any:
    """Open a data set; raise ValueError if there is none, or if its values are not in the file."""
    if not hasattr(file.get(name), "dtype"):
        names: list[str] = []
        file.visit(names.append)
        raise ValueError(f"{path}: expected the data set {name}, got {', '.join(names[:10]) or 'none'}")
    found = file[name]
    is_elsewhere = found.external is not None or found.is_virtual or found.file.filename != file.filename
    n_chunks = math.prod(-(-n // size) for n, size in zip(found.shape, found.chunks or (), strict=False))
    is_partial = bool(found.chunks) and found.id.get_num_chunks() < n_chunks
    if is_elsewhere or is_partial or not found.id.get_storage_size():
        raise ValueError(f"{path}: {name}: expected values in this file, got none, a part of them or another file's")
    return found
