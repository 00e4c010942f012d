"""Correlations of bootstrap resamples, compiled: a resample says how often each case is drawn, nothing is sorted."""

import numba
import numpy as np


def correlations(x: np.ndarray, y: np.ndarray, samples: np.ndarray, *, ranks: bool) -> np.ndarray:
    """Correlations of x and y (n,) in each resample, rows of indices (draws, n): (draws,).

    Pearson's, or with `ranks` Spearman's, with mean ranks of ties within each resample; NaN where one side is constant.
    """
    x, y = (np.ascontiguousarray(side, np.float64) for side in (x, y))
    orders = np.stack([np.argsort(side, kind="stable") for side in (x, y)])
    return _correlations(x - x.mean(), y - y.mean(), orders, np.ascontiguousarray(samples), ranks)


@numba.njit(cache=True)
def _correlations(x, y, orders, samples, ranks):
    draws, n = samples.shape
    times, found = np.zeros(n, np.int64), np.empty(draws)
    ranks_x, ranks_y = np.empty(n), np.empty(n)
    for draw in range(draws):
        times[:] = 0
        for case in samples[draw]:
            times[case] += 1
        if ranks:
            _rank(x, orders[0], times, ranks_x)
            _rank(y, orders[1], times, ranks_y)
            found[draw] = _pearson(ranks_x, ranks_y, times)
        else:
            found[draw] = _pearson(x, y, times)
    return found


@numba.njit(cache=True)
def _rank(values, order, times, ranks):
    """Mean ranks of cases that occur so many times, less the mean of all ranks."""
    before, first, n = 0, 0, len(order)
    total = times.sum()
    while first < n:
        end, here = first, 0
        while end < n and values[order[end]] == values[order[first]]:
            here += times[order[end]]
            end += 1
        for place in range(first, end):
            ranks[order[place]] = before + (here - total) / 2
        before += here
        first = end


@numba.njit(cache=True)
def _pearson(x, y, times):
    """Pearson correlation of cases that occur so many times."""
    total = times.sum()
    mean_x, mean_y = 0.0, 0.0
    for case in range(len(times)):
        mean_x += times[case] * x[case]
        mean_y += times[case] * y[case]
    mean_x, mean_y = mean_x / total, mean_y / total
    xx, yy, xy, least, most = 0.0, 0.0, 0.0, np.array([np.inf, np.inf]), np.array([-np.inf, -np.inf])
    for case in range(len(times)):
        if times[case]:
            far_x, far_y = x[case] - mean_x, y[case] - mean_y
            xx += times[case] * far_x * far_x
            yy += times[case] * far_y * far_y
            xy += times[case] * far_x * far_y
            least[0], most[0] = min(least[0], x[case]), max(most[0], x[case])
            least[1], most[1] = min(least[1], y[case]), max(most[1], y[case])
    return xy / np.sqrt(xx * yy) if (most > least).all() else np.nan
