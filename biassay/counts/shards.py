"""Counts of a corpus's shards summed up: exact, in bounded memory."""

from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import scipy.sparse

from biassay.counts import cooccurrence, storage
from biassay.counts.weights import window_weights
from biassay.support import guard
from biassay.support.logs import Progress


def merge(
    parts: list[str], folder: str | Path, *, window: int, weighting: str, threads: int = 1
) -> scipy.sparse.csr_array:
    """Sum the counts of shards, folders that `count_shard` wrote with the same window and weighting, into `folder`.

    The sums are those that `count` of the whole corpus gives, bit for bit: whole numbers are summed, then divided.
    Raises ValueError, naming the file, for a shard that `storage.check_shard` refuses, each is read once for that, and
    for one that is given twice.
    """
    guard.check_different("shards", parts)
    size = None
    for part in parts:
        size = storage.check_shard(part, size)
    _, unit = window_weights(window, weighting)
    return cooccurrence.write(folder, _blocks(parts, threads), unit)


def _blocks(parts: list[str], threads: int) -> Iterator[tuple]:
    """Yield the sum's rows in blocks: entries per row, columns, values."""
    pointers = np.array([_read(part, "indptr", slice(None)) for part in parts])
    size = pointers.shape[1] - 1
    progress = Progress("merging", pointers[:, -1].sum() / 1e6, "M entries")
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    for rows, _ in cooccurrence.row_blocks(np.diff(pointers).sum(axis=0)):
        ends = pointers[:, rows.start : rows.stop + 1]
        pieces = [(part, slice(*limits)) for part, limits in zip(parts, ends[:, [0, -1]].tolist(), strict=True)]
        read = np.cumsum([0, *(ends[:, -1] - ends[:, 0])])
        columns, values = (
            np.concatenate([_read(part, name, piece) for part, piece in pieces]) for name in ("indices", "data")
        )
        limits = np.concatenate(([0], np.cumsum(np.minimum(np.diff(ends).sum(axis=0), size))))
        out = np.empty(limits[-1], np.int32), np.empty(limits[-1], np.int64)
        filled = _merge_rows(ends - ends[:, :1] + read[:-1, None], columns, values, size, limits, *out, threads)
        yield filled, *cooccurrence.squeeze(filled, limits, *out)
        progress.add(read[-1] / 1e6)


def _read(part: str | Path, name: str, piece: slice) -> np.ndarray:
    """A piece of a shard's array, copied: pages of a file that stays mapped would count as memory in use."""
    return np.array(np.load(Path(part) / f"{name}.npy", mmap_mode="r")[piece])


@numba.njit(cache=True, parallel=True)
def _merge_rows(starts, columns, values, size, limits, out_columns, out_values, threads):
    """Sum rows: row r of shard s at starts[s, r] : starts[s, r + 1]; into row r from limits[r] on; entries per row."""
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
