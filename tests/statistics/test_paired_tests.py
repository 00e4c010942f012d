"""Sign-flip and swap-permutation tests against all combinations written out, their null, and Holm's correction."""

from itertools import product

import numpy as np
import pytest
import scipy.stats

from biassay.statistics import paired_tests
from biassay.statistics.intervals import expanded_levels
from biassay.statistics.paired_tests import correct_holm, sign_flip_test, swap_permutation_test

GROUND_TRUTH = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 7.0])
GOOD = np.array([1.5, 2.5, 2.0, 5.5, 4.0, 6.0])
BAD = np.array([3.0, -1.0, 2.0, 0.0, 4.0, 1.0])
CLUSTERS = np.array(["a", "a", "b", "b", "c", "d"])


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        # .001·5, .02·4, .03·3 = .09, .2·2, .9
        ([0.2, 0.001, np.nan, 0.03, 0.02, 0.9], [0.4, 0.005, np.nan, 0.09, 0.08, 0.9]),
        ([np.nan], [np.nan]),
    ],
)
def test_holm_by_hand(p, expected):
    assert correct_holm(p) == pytest.approx(expected, nan_ok=True)


def flip_all(sums):
    """Two-sided p of the sign-flip test: twice the smaller tail, the observed signs counted, at most 1."""
    totals = np.array([np.dot(signs, sums) for signs in product([1, -1], repeat=len(sums))])
    tails = (totals >= sum(sums) - 1e-12).mean(), (totals <= sum(sums) + 1e-12).mean()
    return min(1, 2 * min(tails))


@pytest.mark.parametrize("sums", [[1, 2, 3], [1, -2, 3, 4], [0.5, 0.5], [-1, -2, -3, -4, -5], [1, -1], [1] * 5])
def test_sign_flips_are_exact_for_few_clusters(sums):
    assert sign_flip_test(np.array(sums, float), np.arange(len(sums)), 1000, 1) == pytest.approx(flip_all(sums))


def test_sampled_sign_flips_count_the_observed_one():
    for size in (1, 1e9 / 7):
        assert sign_flip_test(np.full(40, size), np.arange(40), 999, 1) == pytest.approx(2 / 1000)
    differences = np.random.default_rng(5).standard_normal(12)
    exact, sampled = (sign_flip_test(differences, np.arange(12), n, 1) for n in (4096, 4000))
    assert exact == pytest.approx(flip_all(differences))
    assert sampled == pytest.approx(exact, abs=0.03)
    assert np.isnan(sign_flip_test(differences, np.zeros(12), 1000, 1))


def test_means_are_compared_where_both_have_values():
    values = {"a": [1.0, 2, 3, np.nan, 5, 9, 7], "b": [0.0, 1, 2, 3, np.inf, 6, 5], "c": [np.nan] * 7}
    table = paired_tests.compare_means(values, np.array(list("uvwxyzz")), n_resamples=2000, seed=1)
    assert list(table) == paired_tests.COLUMNS
    assert table[["first", "second"]].to_numpy().tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert table[["n", "clusters"]].to_numpy().tolist() == [[5, 4], [0, 0], [0, 0]]
    assert table["difference"][0] == pytest.approx((1 + 1 + 1 + 3 + 2) / 5)
    assert table["p"][0] == pytest.approx(flip_all([1, 1, 1, 5]))
    assert table[["low", "high"]].isna().all(axis=None)  # four clusters are too few
    assert table.loc[1:, ["difference", "p"]].isna().all(axis=None)


def signed_r2(x, y):
    r = scipy.stats.pearsonr(x, y)[0]
    return np.sign(r) * r**2


def swap_all(first, second, ground_truth, clusters):
    """p over all ways to swap clusters of the standardised scores."""
    z = [scipy.stats.zscore(x) for x in (first, second)]
    names, differences = sorted(set(clusters)), []
    for swaps in product((False, True), repeat=len(names)):
        is_swapped = np.array(swaps)[np.searchsorted(names, clusters)]
        pair = np.where(is_swapped, z[1], z[0]), np.where(is_swapped, z[0], z[1])
        r2 = [signed_r2(x, ground_truth) for x in pair]
        differences.append(abs(r2[0] - r2[1]))
    return np.mean(np.array(differences) >= differences[0] - 1e-9)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("clusters", [CLUSTERS, np.arange(6)])
def test_swaps_are_exact_for_few_clusters(sign, clusters):
    expected = swap_all(GOOD, sign * BAD, GROUND_TRUTH, clusters)
    assert 0 < expected < 1
    n_swaps = 2 ** len(set(clusters))
    for pair in ((GOOD, sign * BAD), (sign * BAD, GOOD)):
        assert swap_permutation_test(*pair, GROUND_TRUTH, clusters, n_swaps, 1) == pytest.approx(expected)


def test_sampled_swaps_count_the_observed_one():
    random = np.random.default_rng(3)
    ground_truth = random.standard_normal(40)
    near, far = ground_truth + 0.1 * random.standard_normal(40), random.standard_normal(40)
    assert swap_permutation_test(near, far, ground_truth, np.arange(40), 499, 1) == pytest.approx(1 / 500)


def test_swaps_keep_their_level():
    """Scores that follow the ground truth equally, with repeats in clusters: p < .05 in about 5 % of the draws."""
    random, found = np.random.default_rng(2), []
    clusters = np.repeat(np.arange(10), 2)
    for _ in range(300):
        ground_truth = np.repeat(random.standard_normal(10), 2)
        own = np.repeat(random.standard_normal((2, 10)), 2, axis=1) + 0.2 * random.standard_normal((2, 20))
        found.append(swap_permutation_test(*(ground_truth + own), ground_truth, clusters, 1024, 1))
    assert 0.02 < np.mean(np.array(found) < 0.05) < 0.085


def test_r2_is_compared_over_the_cases_that_both_have():
    values = {"good": GOOD, "bad": np.where(np.arange(6) == 3, np.nan, BAD), "other": -GOOD}
    table = paired_tests.compare_r2(values, GROUND_TRUTH, CLUSTERS, n_resamples=50, seed=2)
    assert list(table) == paired_tests.COLUMNS
    cases = np.arange(6) != 3
    good, bad = (signed_r2(x[cases], GROUND_TRUTH[cases]) for x in (GOOD, BAD))
    assert table["n"].tolist() == [5, 6, 5]
    # the third falls as closely as the first rises
    assert table["difference"].tolist() == pytest.approx([good - bad, 2 * signed_r2(GOOD, GROUND_TRUTH), bad + good])
    p = [swap_all(first, second, GROUND_TRUTH[cases], CLUSTERS[cases])
         for first, second in ((GOOD[cases], BAD[cases]), (BAD[cases], -GOOD[cases]))]  # fmt: skip
    assert table["p"].tolist() == pytest.approx([p[0], swap_all(GOOD, -GOOD, GROUND_TRUTH, CLUSTERS), p[1]])
    assert table["low"].isna().all()  # four clusters are too few


def test_the_interval_is_of_the_difference_of_r2():
    values = {"good": GOOD, "bad": BAD}
    row = paired_tests.compare_r2(values, GROUND_TRUTH, np.arange(6), n_resamples=80, seed=4).iloc[0]
    drawn = [cases for cases in np.random.default_rng(4).integers(0, 6, (80, 6)) if len(set(cases)) > 1]
    r2 = [[signed_r2(x[cases], GROUND_TRUTH[cases]) for cases in drawn] for x in (GOOD, BAD)]
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.percentile(np.subtract(*r2), expanded_levels(6))))


def test_constants_and_single_clusters_cannot_be_compared():
    assert np.isnan(swap_permutation_test(GOOD, BAD, GROUND_TRUTH, np.zeros(6), 99, 1))
    for sides in ((GOOD, np.ones(6), GROUND_TRUTH), (GOOD, BAD, np.ones(6))):
        assert np.isnan(swap_permutation_test(*sides, CLUSTERS, 99, 1))
    values = {"a": GOOD, "b": np.ones(6), "c": np.full(6, np.nan)}
    table = paired_tests.compare_r2(values, GROUND_TRUTH, CLUSTERS)
    assert table[["difference", "low", "high", "p"]].isna().all(axis=None)
    assert table[["n", "clusters"]].to_numpy().tolist() == [[6, 4], [0, 0], [0, 0]]
