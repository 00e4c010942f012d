"""Arrays on disk: checked when opened, and written piece by piece."""

import os
from pathlib import Path

import numpy as np

from biassay.core import guard

# Beyond these limits squares in float64 overflow or vanish, which silently gives wrong values.
LARGEST, SMALLEST = (np.float64(limit) for limit in (np.finfo(np.float32).max, np.finfo(np.float32).tiny))


def open_array(path: str | Path, kinds: str, shape: tuple[int | None, ...], *, finite: bool = False) -> np.memmap:
    """Open an .npy file, memory-mapped.

    Parameters
    ----------
    path
    kinds
        Expected types, as letters of numpy's `dtype.kind`: "f" for floats, "i" for integers.
    shape
        Expected lengths; None for any length.
    finite
        Whether to read the array once and refuse NaN and infinity.

    Raises
    ------
    ValueError
        If the file is damaged or has another type or shape; the message names the file. Pickled objects are never read.
    """
    with guard.reading(path, ".npy file"):
        array = np.lib.format.open_memmap(path, mode="r")
    if array.offset + array.nbytes != os.path.getsize(path):
        raise ValueError(f"{path}: broken .npy file (more bytes than its header says)")
    has_shape = array.ndim == len(shape) and all(
        expected in (None, n) for n, expected in zip(array.shape, shape, strict=True)
    )
    if array.dtype.kind not in kinds or not has_shape:
        names = " or ".join({"f": "floats", "i": "integers"}[kind] for kind in kinds)
        lengths = " × ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(f"{path}: is {array.dtype} of shape {array.shape}; expected {names}, {lengths}")
    if finite and not np.isfinite(find_extremes(array)).all():
        raise ValueError(f"{path}: has values that are not finite (NaN or infinite)")
    return array


def as_array(name: str, values: object) -> np.ndarray:
    """Convert a user's values into an array; raise ValueError, with `name`, for masked values or unequal rows."""
    check_unmasked(name, values)
    try:
        return np.asarray(values)
    except (ValueError, RuntimeError) as error:  # rows of unequal lengths; a tensor that requires grad
        raise ValueError(f"{name}: expected an array of numbers: {error}") from error


def as_floats(rows: np.ndarray) -> np.ndarray:
    """Convert integers and half floats to float64, so that sums and products do not overflow; keep other floats."""
    return rows if rows.dtype.kind == "f" and rows.itemsize >= 4 else rows.astype(np.float64)


def check_unmasked(name: str, values: object) -> None:
    """Raise ValueError, which begins with `name`, for an array or a list of arrays with masked values.

    numpy drops the mask when it makes a plain array, and would use the values below it.
    """
    rows = values if isinstance(values, list | tuple) else [values]
    if any(np.ma.is_masked(row) for row in rows):
        raise ValueError(f"{name}: has masked values; expected an array without a mask")


def split_rows(path: str | Path, array: np.ndarray, n: int) -> np.ndarray:
    """Split the rows of a file's array, (n · m, …), into n parts, (n, m, …); raise ValueError if they do not divide."""
    if not len(array) or len(array) % n:
        raise ValueError(f"{path}: has {len(array)} rows; expected a multiple of {n}, at least {n}")
    return array.reshape(n, -1, *array.shape[1:])


def find_extremes(array: np.ndarray) -> tuple[float, float]:
    """Find the smallest and the largest value: both NaN if any value is NaN, and 0 for an empty array."""
    return (array.min().item(), array.max().item()) if array.size else (0, 0)


def save(path: str | Path, array: np.ndarray) -> None:
    """Write an .npy file, byte for byte as `numpy.save`; raise OSError, naming the file, if it cannot be written.

    numpy does not notice if the last few kilobytes do not fit on the disk.
    """
    array = np.asarray(array)
    header = np.lib.format.header_data_from_array_1_0(array)
    with guard.writing(path), open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.write(np.ascontiguousarray(array.T if header["fortran_order"] else array).data)


class Writer:
    """Appends one-dimensional arrays to an .npy file; removes the file if the `with` block fails.

    numpy's header has space for a longer shape, so it is written again at the end.
    """

    def __init__(self, path: str | Path, dtype: type):
        self.path, self.dtype, self.length = Path(path), np.dtype(dtype), 0

    def __enter__(self) -> "Writer":
        self._file = open(self.path, "wb")
        self._header()
        return self

    def append(self, piece: np.ndarray) -> None:
        """Append a one-dimensional array."""
        with guard.naming(self.path):
            self._file.write(np.ascontiguousarray(piece, self.dtype).data)
        self.length += len(piece)

    def __exit__(self, kind, error, traceback) -> None:
        with guard.writing(self.path), self._file:
            if kind is None:
                self._file.seek(0)
                self._header()
        if kind is not None:
            self.path.unlink()

    def _header(self) -> None:
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._file, header)
