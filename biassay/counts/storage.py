"""Sparse matrices on disk, as three arrays that are checked before compiled code reads them."""

from pathlib import Path

import numpy as np
import scipy.sparse

from biassay.core import arrays, guard

FILES = ("data.npy", "indices.npy", "indptr.npy")


def paths(folder: str | Path) -> list[Path]:
    """Return the paths of the values, of their columns and of the row pointers."""
    return [Path(folder) / name for name in FILES]


def save(matrix: scipy.sparse.csr_array, folder: str | Path) -> None:
    """Write a sparse matrix as three arrays: all of them or none."""
    with guard.writing(*paths(folder)):
        for path in paths(folder):
            arrays.save(path, getattr(matrix, path.stem))


def load(folder: str | Path, size: int | None = None) -> scipy.sparse.csr_array:
    """Check and open a square sparse matrix that `save` wrote, of `size` rows if given, memory-mapped.

    Raises ValueError unless the arrays fit together, columns are within the matrix and values are finite; otherwise
    compiled code could access memory out of bounds.
    """
    data, indices, indptr = paths(folder)
    ends = arrays.open_array(indptr, "i", (None if size is None else size + 1,))
    columns = arrays.open_array(indices, "i", (None,))
    arrays.open_array(data, "fi", columns.shape, finite=True)
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != len(columns) or (np.diff(ends) < 0).any():
        raise ValueError(
            f"{indptr}: expected row pointers from 0 to {len(columns)}, the number of entries, that never decrease"
        )
    min_column, max_column = arrays.find_extremes(columns)
    if len(columns) and not 0 <= min_column <= max_column < len(ends) - 1:
        column = min_column if min_column < 0 else max_column
        raise ValueError(f"{indices}: expected columns from 0 to {len(ends) - 2}, got {column}")
    return memory_map(folder)


def memory_map(folder: str | Path) -> scipy.sparse.csr_array:
    """Open a matrix memory-mapped, without checks."""
    data, indices, indptr = (np.load(path, mmap_mode="r") for path in paths(folder))
    return scipy.sparse.csr_array((data, indices, indptr), shape=(len(indptr) - 1,) * 2)
