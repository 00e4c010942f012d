"""Exact sums of the counts of shards, in bounded memory."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse

from biassay.core.logs import Progress
from biassay.counts import cooccurrence, storage
from biassay.counts.weights import window_weights


def merge(folders: list[str], out: str | Path, *, window: int, weighting: str) -> scipy.sparse.csr_array:
    """Sum the counts of shards, which `cooccurrence.count` wrote to `folders`.

    The result equals the counts of the whole corpus, bit for bit: integers are summed, then divided by the unit.
    Raises ValueError for a malformed shard (see `storage.check`).
    """
    size = storage.check(folders[0])
    shards = [storage.load(folder, size) for folder in folders]
    return cooccurrence.write(out, _merge_blocks(shards), window_weights(window, weighting)[1])


def _merge_blocks(shards: list[scipy.sparse.csr_array]) -> Iterator[tuple]:
    """Yield the rows of the sum in blocks: entries per row, columns, values."""
    progress = Progress("merging", sum(shard.nnz for shard in shards) / 1e6, "M entries")
    for rows, limits in cooccurrence.row_blocks(sum(np.diff(shard.indptr) for shard in shards)):
        total = sum((shard[rows] for shard in shards[1:]), shards[0][rows])
        yield np.diff(total.indptr), total.indices, total.data
        progress.add(limits[-1] / 1e6)
