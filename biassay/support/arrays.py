"""Arrays on disk: opened and checked, and written while they grow."""

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.support import guard

BLOCK = 1 << 18  # values read together, few enough for the processor's cache
# Beyond these the squares of float64 overflow or vanish, which would give wrong values in silence.
LARGEST, SMALLEST = (np.float64(limit) for limit in (np.finfo(np.float32).max, np.finfo(np.float32).tiny))


def open_array(path: str | Path, kinds: str, shape: tuple[int | None, ...], *, finite: bool = False) -> np.memmap:
    """Open an .npy file, memory-mapped.

    kinds: letters of the types expected, as of numpy's `dtype.kind`. shape: the lengths expected, None for any. Raises
    ValueError, naming the file, if it is no whole .npy file, is of another type (pickled objects never are read) or
    shape, or, with `finite`, which reads it once as `extremes` does, holds NaN or infinity.
    """
    with guard.reading(path, ".npy file"), open(path, "rb") as file:
        lengths, order, dtype, claimed = read_header(file)
        if claimed != os.path.getsize(path) or dtype.hasobject:
            raise ValueError(f"{path}: has {os.path.getsize(path):,} bytes, its header says {claimed:,} of {dtype}")
        array = np.memmap(path, dtype, "r", file.tell(), lengths, order)
    fits = array.ndim == len(shape) and all(known in (None, n) for n, known in zip(array.shape, shape, strict=True))
    if array.dtype.kind not in kinds or not fits:
        names = " or ".join({"f": "floats", "i": "integers"}[kind] for kind in kinds)
        lengths = " × ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(f"{path}: is {array.dtype} of shape {array.shape}; expected {names}, {lengths}")
    if finite and not np.isfinite(find_extremes(array)).all():
        raise ValueError(f"{path}: has values that are not finite (NaN or infinite)")
    return array


def as_array(what: str, values: object) -> np.ndarray:
    """The array of what a user gives. Raises ValueError as `check_unmasked`."""
    check_unmasked(what, values)
    return np.asarray(values)


def as_floats(rows: np.ndarray) -> np.ndarray:
    """Numbers in a type that sums and products of them do not overflow: as they are, or in float64."""
    return rows if rows.dtype.kind == "f" and rows.itemsize >= 4 else rows.astype(np.float64)


def check_unmasked(what: str, values: object) -> None:
    """Raise ValueError, which begins with `what`, for an array, or a list of them, with masked values: numpy drops the
    mask where it makes a plain array of them, and would use what is below it."""
    rows = values if isinstance(values, list | tuple) else [values]
    if any(np.ma.is_masked(row) for row in rows):
        raise ValueError(f"{what}: has masked values; give an array without them")


def split_rows(path: str | Path, array: np.ndarray, n: int) -> np.ndarray:
    """The rows of an array of a file, (n · m, …), as n parts of m rows each, (n, m, …); ValueError if they are not."""
    if not len(array) or len(array) % n:
        raise ValueError(f"{path}: has {len(array)} rows; expected as many for each of {n}, one or more")
    return array.reshape(n, -1, *array.shape[1:])


def read_header(file: BinaryIO) -> tuple[tuple[int, ...], str, np.dtype, int]:
    """Lengths, order and type of an .npy file that begins here, and the bytes that it says it has; stops behind it."""
    first = np.lib.format.read_magic(file) == (1, 0)
    read = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
    lengths, columns_first, dtype = read(file)
    if not dtype.itemsize:
        raise ValueError(f"its header says {lengths} values of no bytes")
    return lengths, "F" if columns_first else "C", dtype, file.tell() + math.prod(lengths) * dtype.itemsize


def find_extremes(array: np.memmap) -> tuple[float, float]:
    """The least and the greatest value of an array that `opened` gave, both NaN if there is one; (0, 0) if it is empty.

    Linear, as `blocks`: about 0.05 s for 100 MB in the system's cache.
    """
    found = [(block.min(), block.max()) for block in read_blocks(array)]
    least, greatest = zip(*found, strict=True) if found else ((0,), (0,))
    return np.min(least).item(), np.max(greatest).item()


def read_blocks(array: np.memmap) -> Iterator[np.ndarray]:
    """The values of an array that `opened` gave, flat, read in blocks beside the mapping, which takes no memory."""
    with open(array.filename, "rb") as file:
        file.seek(array.offset)
        while len(block := np.fromfile(file, array.dtype, BLOCK)):
            yield block


def save(path: str | Path, array: np.ndarray) -> None:
    """Write an .npy file as numpy's `save` does, byte for byte. Raises OSError, naming the file, if it is not written.

    numpy does not notice when the last few kilobytes do not fit on a disk.
    """
    array = np.asarray(array)
    header = np.lib.format.header_data_from_array_1_0(array)
    with guard.writing(path), open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.write(np.ascontiguousarray(array.T if header["fortran_order"] else array).data)


class Writer:
    """Appends one-dimensional pieces to an .npy file; if the `with` block or the file's end fails, the file is removed.

    numpy leaves room in the header for a longer shape, so the header is written again at the end.
    """

    def __init__(self, path: str | Path, dtype: type):
        self.path, self.dtype, self.length = Path(path), np.dtype(dtype), 0

    def __enter__(self) -> "Writer":
        self._file = open(self.path, "wb")
        self._header()
        return self

    def append(self, piece: np.ndarray) -> None:
        """Write a piece behind what is there."""
        with guard.naming(self.path):
            self._file.write(np.ascontiguousarray(piece, self.dtype).data)
        self.length += len(piece)

    def __exit__(self, kind, error, traceback) -> None:
        whole = False
        try:
            with guard.naming(self.path), self._file:
                if kind is None:
                    self._file.seek(0)
                    self._header()
            whole = kind is None
        finally:
            if not whole:
                self.path.unlink()

    def _header(self) -> None:
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._file, header)
