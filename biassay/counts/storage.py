"""A sparse matrix on disk, three arrays: what it must be before compiled code goes through it."""

from pathlib import Path

import numpy as np
import scipy.sparse

from biassay.support import arrays, guard

FILES = ("data.npy", "indices.npy", "indptr.npy")


def paths(folder: str | Path) -> list[Path]:
    """The files of values, of their columns, and of where the rows end."""
    return [Path(folder) / name for name in FILES]


def save(matrix: scipy.sparse.csr_array, folder: str | Path) -> None:
    """Write a sparse matrix as three arrays that can be memory-mapped, all of them or none."""
    with guard.writing(*paths(folder)):
        for path in paths(folder):
            arrays.save(path, getattr(matrix, path.stem))


def load(folder: str | Path, size: int | None = None) -> scipy.sparse.csr_array:
    """Open a square sparse matrix that `save` wrote, memory-mapped, after `check` (its time, its errors)."""
    check(folder, size)
    return memory_map(folder)


def check(folder: str | Path, size: int | None = None) -> int:
    """Check a square matrix of any size, or of `size`; returns its size.

    Raises ValueError, naming the file, unless the arrays fit together, columns are within the matrix and values finite:
    compiled code would read and write beyond its memory. Everything is read once, in blocks, which takes no memory and
    about 0.1 s for 20 million entries in the system's cache.
    """
    data, indices, indptr = paths(folder)
    ends = arrays.open_array(indptr, "i", (None if size is None else size + 1,))
    columns = arrays.open_array(indices, "i", (None,))
    arrays.open_array(data, "fi", columns.shape, finite=True)
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != len(columns) or (np.diff(ends) < 0).any():
        raise ValueError(f"{indptr}: needs ends of rows that rise from 0 to {len(columns)}, the number of entries")
    least, greatest = arrays.find_extremes(columns)
    if len(columns) and not 0 <= least <= greatest < len(ends) - 1:
        wrong = least if least < 0 else greatest
        raise ValueError(f"{indices}: has the column {wrong} in a matrix of {len(ends) - 1} columns")
    return len(ends) - 1


def check_shard(folder: str | Path, size: int | None = None) -> int:
    """As `check`, and that values are whole numbers from 1 on and columns rise in every row, as counted."""
    size = check(folder, size)
    data, indices, indptr = paths(folder)
    columns, ends = arrays.open_array(indices, "i", (None,)), np.load(indptr)
    if len(columns) and arrays.find_extremes(arrays.open_array(data, "i", columns.shape))[0] < 1:
        raise ValueError(f"{data}: has counts below 1")
    start, last = 0, -1
    for block in arrays.read_blocks(columns):
        falls = np.flatnonzero(block <= np.concatenate(([last], block[:-1])))
        if not np.isin(start + falls, ends).all():
            raise ValueError(f"{indices}: has a row whose columns do not rise")
        start, last = start + len(block), block[-1]
    return size


def memory_map(folder: str | Path) -> scipy.sparse.csr_array:
    """The matrix, memory-mapped and not checked."""
    data, indices, indptr = (np.load(path, mmap_mode="r") for path in paths(folder))
    return scipy.sparse.csr_array((data, indices, indptr), shape=(len(indptr) - 1,) * 2)
