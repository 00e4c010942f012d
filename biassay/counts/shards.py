"""Exact sums of the counts of shards, in bounded memory."""

from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import scipy.sparse

from biassay.core import guard
from biassay.core.logs import Progress
from biassay.counts import cooccurrence, storage
from biassay.counts.weights import window_weights


def merge(
    folders: list[str], out: str | Path, *, window: int, weighting: str, threads: int = 1
) -> scipy.sparse.csr_array:
    """Sum the counts of shards, which `count_shard` wrote to `folders` with the same window and weighting.

    The result equals that of `count` on the whole corpus, bit for bit: integers are summed, then divided by the unit.
    Raises ValueError for a malformed shard (see `storage.check`) and for a folder listed twice.
    """
    guard.check_different("shards", folders)
    size = None
    for folder in folders:
        size = storage.check(folder, size)
    _, unit = window_weights(window, weighting)
    return cooccurrence.write(out, _merge_blocks(folders, threads), unit)


def _merge_blocks(folders: list[str], threads: int) -> Iterator[tuple]:
    """Yield the rows of the sum in blocks: entries per row, columns, values."""
    pointers = np.array([_read(folder, "indptr", slice(None)) for folder in folders])
    size = pointers.shape[1] - 1
    progress = Progress("merging", pointers[:, -1].sum() / 1e6, "M entries")
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    for rows, _ in cooccurrence.row_blocks(np.diff(pointers).sum(axis=0)):
        ends = pointers[:, rows.start : rows.stop + 1]
        spans = [(folder, slice(*limits)) for folder, limits in zip(folders, ends[:, [0, -1]].tolist(), strict=True)]
        offsets = np.cumsum([0, *(ends[:, -1] - ends[:, 0])])
        columns, values = (
            np.concatenate([_read(folder, name, span) for folder, span in spans]) for name in ("indices", "data")
        )
        limits = np.concatenate(([0], np.cumsum(np.minimum(np.diff(ends).sum(axis=0), size))))
        out = np.empty(limits[-1], np.int32), np.empty(limits[-1], np.int64)
        filled = _merge_rows(ends - ends[:, :1] + offsets[:-1, None], columns, values, size, limits, *out, threads)
        yield filled, *cooccurrence.drop_unused(filled, limits, *out)
        progress.add(offsets[-1] / 1e6)


def _read(folder: str | Path, name: str, span: slice) -> np.ndarray:
    """Copy a slice of an array of a shard, since pages of a mapped file would count as memory in use."""
    return np.array(np.load(Path(folder) / f"{name}.npy", mmap_mode="r")[span])


@numba.njit(cache=True, parallel=True)
def _merge_rows(starts, columns, values, size, limits, out_columns, out_values, threads):
    """Sum row r of each shard s, at starts[s, r] : starts[s, r + 1], into row r from limits[r]; return lengths."""
    filled = np.zeros(len(limits) - 1, np.int64)
    for thread in numba.prange(threads):
        row = np.zeros(size, np.int64)
        for r in range(thread, len(filled), threads):
            at = limits[r]
            for shard in range(len(starts)):
                for i in range(starts[shard, r], starts[shard, r + 1]):
                    if row[columns[i]] == 0:
                        out_columns[at] = columns[i]
                        at += 1
                    row[columns[i]] += values[i]
            filled[r] = cooccurrence.gather(row, out_columns[limits[r] : at], out_values[limits[r] : at])
    return filled
