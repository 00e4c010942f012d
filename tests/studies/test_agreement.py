"""Correlations over models, with intervals over their clusters, compared with scipy."""

import numpy as np
import pytest
import scipy.stats

from biassay.statistics.intervals import expanded_levels
from biassay.studies import agreement


@pytest.mark.parametrize("squared", [False, True])
def test_interval_over_whole_clusters(squared):
    x, noise = np.random.default_rng(1).standard_normal((2, 20)).round(9)
    y = 0.6 * x + 0.8 * noise
    x[3] = np.nan
    clusters = np.arange(20) % 7
    drawn = []
    for sample in np.random.default_rng(6).integers(0, 7, (80, 7)):
        cases = [case for cluster in sample for case in np.flatnonzero(clusters == cluster) if case != 3]
        r = scipy.stats.pearsonr(x[cases], y[cases]).statistic
        drawn.append(np.sign(r) * r**2 if squared else r)
    found = agreement.correlate(x, y, clusters, 80, 6, squared=squared)
    assert found.r == pytest.approx(scipy.stats.pearsonr(np.delete(x, 3), np.delete(y, 3)).statistic)
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(drawn, expanded_levels(7))))
    assert (found.n, found.n_clusters) == (19, 7)
    constant = agreement.correlate(x, np.ones(20), clusters, 80, 6)
    assert np.isnan([constant.r, constant.low, constant.high]).all()
