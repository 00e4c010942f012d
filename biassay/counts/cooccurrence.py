"""Sparse co-occurrence counts, exact and independent of the number of threads.

An inverted index gives the places of each word; for each word the neighbours are summed in one dense row, which fits
the processor's cache. Memory: 12 bytes a token, and about 0.6 GB to work in; the result goes to disk.
"""

from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import scipy.sparse

from biassay.corpora.corpus import CHUNK, END, Corpus
from biassay.counts import storage
from biassay.counts.weights import window_weights
from biassay.support import arrays, guard
from biassay.support.logs import Progress

BLOCK = 20_000_000  # entries that a block of rows may have at the most


def count(
    corpus: Corpus,
    folder: str | Path,
    *,
    window: int = 5,
    weighting: str = "linear",
    sample: float = 0.0,
    seed: int = 1,
    threads: int = 1,
) -> scipy.sparse.csr_array:
    """Count word and context pairs within `window` words on both sides, inside sentences: (|W|, |W|) float64.

    A pair at distance k counts (window − k + 1) / window with "linear" weighting, which is what skip-gram's random
    windows give in expectation, 1 / k with "harmonic" (GloVe), 1 with "flat". With `sample` > 0 frequent words are
    dropped at random as word2vec does, before windows are laid; the same seed drops the same tokens. The counts go to
    `folder` as they are made and come back memory-mapped. Raises ValueError, before counting, for a window whose sums
    could pass 64 bits.
    """
    weights, unit = window_weights(window, weighting, _most(corpus))
    return write(folder, _blocks(corpus, subsample(corpus, sample, seed), weights, threads), unit)


def count_shard(
    corpus: Corpus,
    folder: str | Path,
    shard: int,
    shards: int,
    *,
    window: int,
    weighting: str,
    sample: float,
    seed: int = 1,
    threads: int = 1,
) -> scipy.sparse.csr_array:
    """Count one of `shards` parts of a corpus as `count` does, in whole numbers: int64, not yet divided by the unit.

    A window is refused by the whole corpus, so that the sum of the parts is safe too.
    """
    weights, _ = window_weights(window, weighting, _most(corpus))
    tokens = subsample(corpus, sample, seed, corpus.boundary(shard, shards), corpus.boundary(shard + 1, shards))
    return write(folder, _blocks(corpus, tokens, weights, threads))


def _most(corpus: Corpus) -> int:
    return int(corpus.counts.max(initial=1))


def _blocks(corpus: Corpus, tokens: np.ndarray, weights: np.ndarray, threads: int) -> Iterator[tuple]:
    """Yield the rows of counts in blocks: entries per row, columns, values."""
    size = len(corpus.words)
    starts, places = _inverted_index(tokens, size)
    lengths = np.minimum(2 * (len(weights) - 1) * np.diff(starts), size)
    progress = Progress("counting", len(places) / 1e6, "M tokens")
    for rows, limits in row_blocks(lengths):
        columns, values = np.empty(limits[-1], np.int32), np.empty(limits[-1], np.int64)
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        block = starts[rows.start : rows.stop + 1]
        filled = _count_rows(tokens, block, places, weights, size, limits, columns, values, threads)
        yield filled, *squeeze(filled, limits, columns, values)
        progress.add((starts[rows.stop] - starts[rows.start]) / 1e6)


def row_blocks(lengths: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Cut rows of at most `lengths` entries into blocks of about BLOCK; yield each with where its rows begin."""
    bounds = np.concatenate(([0], np.cumsum(lengths)))
    first = 0
    while first < len(lengths):
        last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + BLOCK, side="right")) - 1)
        yield slice(first, last), bounds[first : last + 1] - bounds[first]
        first = last


def squeeze(filled: np.ndarray, limits: np.ndarray, columns: np.ndarray, values: np.ndarray) -> tuple:
    """Columns and values without the room that rows did not fill."""
    used = np.arange(limits[-1]) < np.repeat(limits[:-1] + filled, np.diff(limits))
    return columns[used], values[used]


def write(folder: str | Path, blocks: Iterator[tuple], unit: int | None = None) -> scipy.sparse.csr_array:
    """Write blocks of rows as they come, values divided by `unit` if there is one; the matrix, memory-mapped."""
    folder, lengths = Path(folder), [np.zeros(1, np.int64)]
    dtype = np.float64 if unit else np.int64
    with arrays.Writer(folder / "indices.npy", np.int32) as indices, arrays.Writer(folder / "data.npy", dtype) as data:
        for filled, columns, values in blocks:
            indices.append(columns)
            data.append(values / unit if unit else values)
            lengths.append(filled)
    with guard.writing(*storage.paths(folder)):
        arrays.save(folder / "indptr.npy", np.cumsum(np.concatenate(lengths)))
    return storage.memory_map(folder)


def subsample(corpus: Corpus, sample: float, seed: int, start: int = 0, stop: int | None = None) -> np.ndarray:
    """Tokens `start` to `stop` of the corpus with frequent words dropped at random, END kept.

    A word of share f is kept with probability min(1, √(sample / f) + sample / f), as in word2vec and gensim. The random
    numbers are one stream over the corpus, entered at `start`, so that a token's fate is the same in every shard.
    """
    stop = len(corpus.tokens) if stop is None else stop
    if not sample:
        return np.asarray(corpus.tokens[start:stop])
    ratio = sample * corpus.counts.sum() / corpus.counts
    keep = np.concatenate((np.minimum(1, np.sqrt(ratio) + ratio), [1.0]))  # the last one is END's, index −1
    random = np.random.Generator(np.random.PCG64(seed).advance(start))
    chunks = (corpus.tokens[place : min(place + CHUNK, stop)] for place in range(start, stop, CHUNK))
    return np.concatenate([np.empty(0, np.int32), *(c[random.random(len(c)) < keep[c]] for c in chunks)])


@numba.njit(cache=True)
def _inverted_index(tokens, size):
    """Where each word stands: word w at places[starts[w] : starts[w + 1]], ascending."""
    starts = np.zeros(size + 1, np.int64)
    for token in tokens:
        if token != END:
            starts[token + 1] += 1
    starts = np.cumsum(starts)
    places = np.empty(starts[size], np.int64)
    following = starts[:-1].copy()
    for place in range(len(tokens)):
        token = tokens[place]
        if token != END:
            places[following[token]] = place
            following[token] += 1
    return starts, places


@numba.njit(cache=True, parallel=True)
def _count_rows(tokens, starts, places, weights, size, limits, columns, values, threads):
    """Sum the neighbours of consecutive words into columns and values, row r from limits[r] on; entries per row."""
    filled = np.zeros(len(limits) - 1, np.int64)
    for thread in numba.prange(threads):
        row = np.zeros(size, np.int64)
        for r in range(thread, len(filled), threads):
            at = limits[r]
            for place in places[starts[r] : starts[r + 1]]:
                for direction in (-1, 1):
                    for distance in range(1, len(weights)):
                        there = place + direction * distance
                        if there < 0 or there >= len(tokens) or tokens[there] == END:
                            break
                        context = tokens[there]
                        if row[context] == 0:
                            columns[at] = context
                            at += 1
                        row[context] += weights[distance]
            filled[r] = gather(row, columns[limits[r] : at], values[limits[r] : at])
    return filled


@numba.njit(cache=True)
def gather(row, columns, values):
    """Sort the columns of a row, take their values out of the dense row and clear it; how many there are."""
    columns[:] = np.sort(columns)
    for i in range(len(columns)):
        values[i] = row[columns[i]]
        row[columns[i]] = 0
    return len(columns)
