"""Gradient descent of GloVe (Pennington et al. 2014, eq 8) with AdaGrad, compiled, on memory-mapped counts.

J = ½ Σ_{w,c} f(x_wc) (v_w·u_c + b_w + b_c − log x_wc)², f(x) = min(1, x / x_max)^α, summed over the counted pairs.

An epoch visits all counts in runs of RUN adjacent entries, in random order. A batch of RUNS runs is copied and its
entries are shuffled, so that the words of a batch stay in the processor's cache. Memory: 16 bytes × |W| × d for vectors
and sums of squares, nnz / 2 bytes for the order of the runs, 1.3 MB per thread for its batch.
"""

from typing import NamedTuple

import numba
import numpy as np
import scipy.sparse

RUN = 16  # longer runs are faster but end at a higher objective (512: by 1 to 2 %)
RUNS = 4096
BATCHES_PER_CALL = 256  # between two progress reports
FAST = {"reassoc", "contract", "arcp", "afn", "nsz"}  # sums in any order; NaN and infinity keep their meaning


class Model(NamedTuple):
    """Vectors (|W|, d) and biases (|W|,) of words and contexts, with the sums of squares of AdaGrad: all float32."""

    vectors: np.ndarray
    contexts: np.ndarray
    word_biases: np.ndarray
    context_biases: np.ndarray
    vector_squares: np.ndarray
    context_squares: np.ndarray
    word_bias_squares: np.ndarray
    context_bias_squares: np.ndarray


def start(size: int, dimensions: int, seed: int) -> Model:
    """Return an initial model: values uniform in ±½ / (d + 1), sums of squares 1."""
    random = np.random.default_rng(seed)
    shapes = [(size, dimensions)] * 2 + [(size,)] * 2
    values = [(random.random(shape, np.float32) - np.float32(0.5)) / np.float32(dimensions + 1) for shape in shapes]
    return Model(*values, *(np.ones(shape, np.float32) for shape in shapes))


def epoch(
    model: Model,
    counts: scipy.sparse.csr_array,
    *,
    number: int,
    x_max: float,
    alpha: float,
    rate: float,
    seed: int,
    threads: int,
    done=lambda entries: None,
) -> float:
    """Train for one epoch, in place; return the mean objective per pair, each measured before its step.

    Threads write to the model without locks (Niu et al. 2011). With one thread the result depends only on the seed.
    `done` is called with the number of entries after each call of the kernel.
    """
    data, indices, indptr = (np.asarray(part) for part in (counts.data, counts.indices, counts.indptr))
    runs = np.random.default_rng((seed, number)).permutation(-(-len(data) // RUN))
    batches = -(-len(runs) // RUNS)
    threads = min(threads, numba.config.NUMBA_NUM_THREADS)
    numba.set_num_threads(threads)
    cost = 0.0
    for first in range(0, batches, BATCHES_PER_CALL):
        last = min(first + BATCHES_PER_CALL, batches)
        seeds = np.random.default_rng((seed, number, first)).integers(1, 1 << 63, last - first, np.uint64)
        runs_of_call = runs[first * RUNS : last * RUNS]
        cost += _train_batches(
            model, data, indices, indptr, runs_of_call, seeds, x_max, alpha, np.float32(rate), threads
        )
        done(min(last * RUNS * RUN, len(data)) - first * RUNS * RUN)
    return cost / len(data)


@numba.njit(cache=True, parallel=True)
def _train_batches(model, data, indices, indptr, runs, seeds, x_max, alpha, rate, threads):
    """Train on batches of runs, each thread on every `threads`-th batch; return the sum of the objective."""
    costs = np.zeros(threads)
    for thread in numba.prange(threads):
        rows, columns = np.empty(RUNS * RUN, np.int32), np.empty(RUNS * RUN, np.int32)
        logs, weights = np.empty(RUNS * RUN, np.float32), np.empty(RUNS * RUN, np.float32)
        for batch in range(thread, len(seeds), threads):
            runs_of_batch = runs[batch * RUNS : (batch + 1) * RUNS]
            n_entries = _copy_runs(data, indices, indptr, runs_of_batch, x_max, alpha, rows, columns, logs, weights)
            order = _shuffle(n_entries, seeds[batch])
            costs[thread] += descend(model, rows, columns, logs, weights, order, rate)
    return costs.sum()


@numba.njit(cache=True)
def _copy_runs(data, indices, indptr, runs, x_max, alpha, rows, columns, logs, weights):
    """Copy runs of counts as row, column, log x and f(x); return the number of entries."""
    at = 0
    for run in runs:
        first, last = run * RUN, min((run + 1) * RUN, len(data))
        row = np.searchsorted(indptr, first, side="right") - 1
        for i in range(first, last):
            while indptr[row + 1] <= i:
                row += 1
            rows[at], columns[at], logs[at] = row, indices[i], np.log(data[i])
            weights[at] = np.exp(alpha * (logs[at] - np.log(x_max))) if data[i] < x_max else 1
            at += 1
    return at


@numba.njit(cache=True)
def _shuffle(size, state):
    """Shuffle 0 … size − 1 by Fisher–Yates with xorshift64 (Marsaglia 2003)."""
    order = np.arange(size, dtype=np.int32)
    for i in range(size - 1, 0, -1):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        j = np.int64(((state >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
        order[i], order[j] = order[j], order[i]
    return order


@numba.njit(cache=True, fastmath=FAST, error_model="numpy")  # Python's error model tests each divisor
def descend(model, rows, columns, logs, weights, order, rate):
    """Make one AdaGrad step for each pair in `order`; return the sum of the objective before each step.

    As in Stanford's tool, the sums of squares include the learning rate, and biases are updated without it. Gradients
    are not clipped at ±100: only a training that diverges reaches this limit.
    """
    cost = 0.0
    for i in order:
        word, context = rows[i], columns[i]
        v, u = model.vectors[word], model.contexts[context]
        v_squares, u_squares = model.vector_squares[word], model.context_squares[context]
        product = np.float32(0)
        for k in range(len(v)):
            product += v[k] * u[k]
        difference = product + model.word_biases[word] + model.context_biases[context] - logs[i]
        weighted = weights[i] * difference
        cost += 0.5 * weighted * difference
        step = rate * weighted
        for k in range(len(v)):
            v_step, u_step = step * u[k], step * v[k]
            v[k] -= v_step / np.sqrt(v_squares[k])
            u[k] -= u_step / np.sqrt(u_squares[k])
            v_squares[k] += v_step * v_step
            u_squares[k] += u_step * u_step
        model.word_biases[word] -= weighted / np.sqrt(model.word_bias_squares[word])
        model.context_biases[context] -= weighted / np.sqrt(model.context_bias_squares[context])
        model.word_bias_squares[word] += weighted * weighted
        model.context_bias_squares[context] += weighted * weighted
    return cost
