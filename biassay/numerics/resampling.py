"""Correlations of bootstrap resamples, compiled: a resample says how often each case is drawn, nothing is sorted."""

import numba
import numpy as np


def correlations(x: np.ndarray, y: np.ndarray, samples: np.ndarray, *, ranks: bool) -> np.ndarray:
    """Correlations of each row of x (m, n) with y (n,) in each resample, rows of indices (draws, n): (m, draws).

    Pearson's, or with `ranks` Spearman's, with mean ranks of ties within each resample; NaN where one side is constant.
    """
    rows = np.ascontiguousarray(np.concatenate([np.asarray(y)[None], x]), np.float64)
    rows -= rows.mean(axis=1, keepdims=True)
    samples = np.ascontiguousarray(samples)
    if not ranks:
        return _pearson(rows, samples)
    orders = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, orders, axis=1)
    last = np.diff(ordered, axis=1, append=np.inf) > 0  # of equal values
    return _spearman(orders, last, samples)


@numba.njit(cache=True)
def _drawn(sample, times):
    times[:] = 0
    for case in sample:
        times[case] += 1


@numba.njit(cache=True)
def _spearman(orders, last, samples):
    """Row 0 against the others; ranks are less their mean, and exact."""
    n_resamples, n = samples.shape
    times, weighted = np.zeros(n), np.empty(n)
    found = np.empty((len(orders) - 1, n_resamples))
    for draw in range(n_resamples):
        _drawn(samples[draw], times)
        weighted[:] = times
        yy, _ = _products(orders[0], last[0], times, weighted, True)
        for row in range(1, len(orders)):
            xx, xy = _products(orders[row], last[row], times, weighted, False)
            found[row - 1, draw] = xy / np.sqrt(xx * yy) if xx > 0 and yy > 0 else np.nan
    return found


@numba.njit(cache=True)
def _products(order, last, times, weighted, own):
    """Sums of squared ranks of cases that occur so many times, and of ranks times the other side's `weighted` ones.

    With `own`, `weighted`, until then the numbers of times, become this side's ranks times these.
    """
    before, here, other, first, squares, products = 0.0, 0.0, 0.0, 0, 0.0, 0.0
    for place in range(len(order)):
        here += times[order[place]]
        other += weighted[order[place]]
        if last[place]:
            rank = before + (here - len(order)) / 2
            squares += here * rank * rank
            products += rank * other
            if own:
                for tied in range(first, place + 1):
                    weighted[order[tied]] *= rank
            before += here
            here, other, first = 0.0, 0.0, place + 1
    return squares, products


@numba.njit(cache=True, fastmath={"reassoc", "contract"})
def _pearson(rows, samples):
    """Row 0 against the others."""
    n_resamples, n = samples.shape
    times, far = np.zeros(n), np.empty(n)
    found = np.empty((len(rows) - 1, n_resamples))
    for draw in range(n_resamples):
        _drawn(samples[draw], times)
        yy = _centre(rows[0], times, far)
        for case in range(n):
            far[case] *= times[case]
        for row in range(1, len(rows)):
            mean, xx, xy = 0.0, 0.0, 0.0
            for case in range(n):
                mean += times[case] * rows[row, case]
            mean /= n
            for case in range(n):
                away = rows[row, case] - mean
                xx += times[case] * away * away
                xy += far[case] * away
            varied = yy > 0 and xx > 0 and _varied(rows[row], times)
            found[row - 1, draw] = xy / np.sqrt(xx * yy) if varied else np.nan
    return found


@numba.njit(cache=True, fastmath={"reassoc", "contract"})
def _centre(values, times, far):
    """Values less their mean in the resample, into `far`; returns the sum of squares, 0 for a constant."""
    mean, squares = 0.0, 0.0
    for case in range(len(times)):
        mean += times[case] * values[case]
    mean /= len(times)
    for case in range(len(times)):
        far[case] = values[case] - mean
        squares += times[case] * far[case] ** 2
    return squares if _varied(values, times) else 0.0


@numba.njit(cache=True)
def _varied(values, times):
    """Whether two of the cases that occur differ."""
    first = -1
    for case in range(len(times)):
        if times[case]:
            if first < 0:
                first = case
            elif values[case] != values[first]:
                return True
    return False
