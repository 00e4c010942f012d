"""Compiled correlations of bootstrap resamples, from how often each case is drawn, without sorting."""

import numba
import numpy as np


def correlations(x: np.ndarray, y: np.ndarray, samples: np.ndarray, *, ranks: bool) -> np.ndarray:
    """Correlate each row of x with y in each resample.

    Parameters
    ----------
    x : ndarray of shape (m, n)
    y : ndarray of shape (n,)
    samples : ndarray of int, shape (n_resamples, n)
        Indices of the cases in each resample.
    ranks : bool
        Compute Spearman's correlation, with mean ranks of ties within a resample, instead of Pearson's.

    Returns
    -------
    ndarray of shape (m, n_resamples)
        NaN if one side is constant.
    """
    rows = np.ascontiguousarray(np.concatenate([np.asarray(y)[None], x]), np.float64)
    rows -= rows.mean(axis=1, keepdims=True)
    samples = np.ascontiguousarray(samples)
    if not ranks:
        return _pearson(rows, samples)
    orders = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, orders, axis=1)
    last = np.diff(ordered, axis=1, append=np.inf) > 0  # whether a value is the last of its ties
    return _spearman(orders, last, samples)


@numba.njit(cache=True)
def _count_cases(sample, times):
    times[:] = 0
    for case in sample:
        times[case] += 1


@numba.njit(cache=True)
def _spearman(orders, last, samples):
    """Correlate the centred ranks of row 0 with those of the other rows."""
    n_resamples, n = samples.shape
    times, weighted = np.zeros(n), np.empty(n)
    results = np.empty((len(orders) - 1, n_resamples))
    for draw in range(n_resamples):
        _count_cases(samples[draw], times)
        weighted[:] = times
        yy, _ = _products(orders[0], last[0], times, weighted, True)
        for row in range(1, len(orders)):
            xx, xy = _products(orders[row], last[row], times, weighted, False)
            results[row - 1, draw] = xy / np.sqrt(xx * yy) if xx > 0 and yy > 0 else np.nan
    return results


@numba.njit(cache=True)
def _products(order, last, times, weighted, own):
    """Sum the squared ranks of cases drawn `times`, and the products of ranks with `weighted` ranks of the other side.

    With `own`, multiply `weighted`, which then holds `times`, by the ranks of this side.
    """
    before, n_tied, other_sum, first, squares, products = 0.0, 0.0, 0.0, 0, 0.0, 0.0
    for place in range(len(order)):
        n_tied += times[order[place]]
        other_sum += weighted[order[place]]
        if last[place]:
            rank = before + (n_tied - len(order)) / 2
            squares += n_tied * rank * rank
            products += rank * other_sum
            if own:
                for tied in range(first, place + 1):
                    weighted[order[tied]] *= rank
            before += n_tied
            n_tied, other_sum, first = 0.0, 0.0, place + 1
    return squares, products


@numba.njit(cache=True, fastmath={"reassoc", "contract"})
def _pearson(rows, samples):
    """Correlate row 0 with the other rows."""
    n_resamples, n = samples.shape
    times, deviations = np.zeros(n), np.empty(n)
    results = np.empty((len(rows) - 1, n_resamples))
    for draw in range(n_resamples):
        _count_cases(samples[draw], times)
        yy = _centre(rows[0], times, deviations)
        for case in range(n):
            deviations[case] *= times[case]
        for row in range(1, len(rows)):
            mean, xx, xy = 0.0, 0.0, 0.0
            for case in range(n):
                mean += times[case] * rows[row, case]
            mean /= n
            for case in range(n):
                deviation = rows[row, case] - mean
                xx += times[case] * deviation * deviation
                xy += deviations[case] * deviation
            varies = yy > 0 and xx > 0 and _varies(rows[row], times)
            results[row - 1, draw] = xy / np.sqrt(xx * yy) if varies else np.nan
    return results


@numba.njit(cache=True, fastmath={"reassoc", "contract"})
def _centre(values, times, deviations):
    """Write values minus their mean in the resample to `deviations`; return their sum of squares, 0 if constant."""
    mean, squares = 0.0, 0.0
    for case in range(len(times)):
        mean += times[case] * values[case]
    mean /= len(times)
    for case in range(len(times)):
        deviations[case] = values[case] - mean
        squares += times[case] * deviations[case] ** 2
    return squares if _varies(values, times) else 0.0


@numba.njit(cache=True)
def _varies(values, times):
    """Return whether two of the drawn cases differ."""
    first = -1
    for case in range(len(times)):
        if times[case]:
            if first < 0:
                first = case
            elif values[case] != values[first]:
                return True
    return False
