"""numpy's .npz files with the arrays words and vectors."""

import math
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from biassay.core import guard
from biassay.vectors.formats.files import MAX_ROW
from biassay.vectors.formats.rows import Rows


def read(path: str | Path, rows: Rows) -> None:
    """Read the arrays words (n,), of strings, and vectors (n, d); raise ValueError if one is missing or is pickled."""
    with guard.reading(path, ".npz file"), np.load(path, allow_pickle=False) as file:
        for name in ("words", "vectors"):
            if name not in file:
                names = ", ".join(file.files[:10]) or "none"
                raise ValueError(f"{path}: expected an array {name!r}, got {names}; extract other zip files first")
            _check_size(path, file.zip, f"{name}.npy")
        words, vectors = file["words"], file["vectors"]
        if words.ndim != 1:
            raise ValueError(f"{path}: words: expected an array of one dimension, got {words.ndim}")
        rows.add_table(words.tolist(), vectors)


def _check_size(path: str | Path, archive: ZipFile, name: str) -> None:
    """Raise ValueError unless an array has the bytes that its header says, and rows of at most MAX_ROW."""
    with archive.open(name) as file:
        read = np.lib.format.read_array_header_1_0
        if np.lib.format.read_magic(file) != (1, 0):
            read = np.lib.format.read_array_header_2_0
        shape, _, kind = read(file)
        expected, size = file.tell() + math.prod(shape) * kind.itemsize, archive.getinfo(name).file_size
    if size != expected and not kind.hasobject:  # numpy refuses objects, which are pickled
        raise ValueError(f"{path}: {name}: expected {expected} bytes by its header, got {size}")
    if (row := math.prod(shape[1:]) * kind.itemsize) > MAX_ROW:
        raise ValueError(f"{path}: {name}: expected rows of at most {MAX_ROW} bytes, got {row}")
