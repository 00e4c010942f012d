"""The test of two correlations with the same ground truth, against all exchanges written out and by what must hold."""

from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from biassay.statistics import paired_tests, swap_permutation_tests

GROUND_TRUTH = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 7.0])
GOOD = np.array([1.5, 2.5, 2.0, 5.5, 4.0, 6.0])
BAD = np.array([3.0, -1.0, 2.0, 0.0, 4.0, 1.0])
CLUSTERS = np.array(["a", "a", "b", "b", "c", "d"])


def listed(first, second, ground_truth, clusters):
    """p over all ways to exchange clusters of the standardised scores, turned to correlate positively."""
    z = [scipy.stats.zscore(x) * np.sign(scipy.stats.pearsonr(x, ground_truth)[0]) for x in (first, second)]
    found = []
    for ways in product((False, True), repeat=len(set(clusters))):
        swapped = np.array([dict(zip(sorted(set(clusters)), ways, strict=True))[name] for name in clusters])
        pair = np.where(swapped, z[1], z[0]), np.where(swapped, z[0], z[1])
        r2 = [scipy.stats.pearsonr(x, ground_truth)[0] ** 2 for x in pair]
        found.append(abs(r2[0] - r2[1]))
    return np.mean(np.array(found) >= found[0] - 1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_all_exchanges(sign):
    expected = listed(GOOD, BAD, GROUND_TRUTH, CLUSTERS)
    assert 0 < expected < 1
    assert swap_permutation_tests.swap_permutation_test(
        GOOD, sign * BAD, GROUND_TRUTH, CLUSTERS, 16, 1
    ) == pytest.approx(expected)
    assert swap_permutation_tests.swap_permutation_test(
        sign * BAD, GOOD, GROUND_TRUTH, CLUSTERS, 16, 1
    ) == pytest.approx(expected)


def test_every_case_a_cluster():
    expected = listed(GOOD, BAD, GROUND_TRUTH, np.arange(6))
    assert swap_permutation_tests.swap_permutation_test(GOOD, BAD, GROUND_TRUTH, np.arange(6), 64, 1) == pytest.approx(
        expected
    )


def test_random_exchanges_come_near_and_count_the_observed_one():
    expected = listed(GOOD, BAD, GROUND_TRUTH, CLUSTERS)
    drawn = swap_permutation_tests.swap_permutation_test(GOOD, BAD, GROUND_TRUTH, CLUSTERS, 15, 1)
    assert drawn * 16 == pytest.approx(round(drawn * 16))  # (k + 1) / (15 + 1)
    random = np.random.default_rng(3)
    ground_truth = random.standard_normal(40)
    near, far = ground_truth + 0.1 * random.standard_normal(40), random.standard_normal(40)
    assert swap_permutation_tests.swap_permutation_test(
        near, far, ground_truth, np.arange(40), 499, 1
    ) == pytest.approx(1 / 500)
    assert expected == pytest.approx(
        swap_permutation_tests.swap_permutation_test(GOOD, BAD, GROUND_TRUTH, CLUSTERS, 9999, 1)
    )


def test_what_cannot_be_tested():
    assert np.isnan(swap_permutation_tests.swap_permutation_test(GOOD, BAD, GROUND_TRUTH, np.zeros(6), 99, 1))
    assert np.isnan(swap_permutation_tests.swap_permutation_test(GOOD, np.ones(6), GROUND_TRUTH, CLUSTERS, 99, 1))
    assert np.isnan(swap_permutation_tests.swap_permutation_test(GOOD, BAD, np.ones(6), CLUSTERS, 99, 1))
    table = swap_permutation_tests.compare(
        {"a": GOOD, "b": np.ones(6), "c": np.full(6, np.nan)}, GROUND_TRUTH, CLUSTERS
    )
    assert table[["difference", "low", "high", "p"]].isna().all(axis=None)
    assert table[["n", "clusters"]].to_numpy().tolist() == [[6, 4], [0, 0], [0, 0]]


@given(st.integers(0, 1000), st.floats(0.1, 9), st.floats(-5, 5))
def test_a_score_in_another_unit_is_the_same_score(seed, factor, shift):
    random = np.random.default_rng(seed)
    x, z, y = random.standard_normal((3, 8))
    assert swap_permutation_tests.swap_permutation_test(x, -factor * x + shift, y, np.arange(8), 256, 1) == 1
    p = swap_permutation_tests.swap_permutation_test(x, z, y, np.arange(8), 256, 1)
    assert swap_permutation_tests.swap_permutation_test(
        factor * x + shift, z, y, np.arange(8), 256, 1
    ) == pytest.approx(p)
    assert p * 256 == pytest.approx(round(p * 256))


def test_false_alarms_are_as_many_as_the_level_says():
    """Scores that follow the ground truth alike, with repeats in clusters: p < .05 in about 5 % of the draws."""
    random, found = np.random.default_rng(2), []
    for _ in range(400):
        ground_truth = np.repeat(random.standard_normal(12), 2)
        x, z = (
            ground_truth + np.repeat(random.standard_normal((2, 12)), 2, axis=1) + 0.2 * random.standard_normal((2, 24))
        )
        found.append(
            swap_permutation_tests.swap_permutation_test(x, z, ground_truth, np.repeat(np.arange(12), 2), 4096, 1)
        )
    assert 0.02 < np.mean(np.array(found) < 0.05) < 0.085


def test_a_table_has_a_row_a_pair_over_the_cases_that_both_have():
    values = {"good": GOOD, "bad": np.where(np.arange(6) == 3, np.nan, BAD), "other": -GOOD}
    table = swap_permutation_tests.compare(values, GROUND_TRUTH, CLUSTERS, n_resamples=50, seed=2)
    assert list(table) == paired_tests.COLUMNS
    assert [tuple(pair) for pair in table[["first", "second"]].to_numpy()] == [
        ("good", "bad"), ("good", "other"), ("bad", "other")
    ]  # fmt: skip
    cases = np.arange(6) != 3
    r2 = [scipy.stats.pearsonr(x[cases], GROUND_TRUTH[cases])[0] ** 2 for x in (GOOD, BAD)]
    assert table["n"].tolist() == [5, 6, 5]
    assert table["difference"].tolist() == pytest.approx([r2[0] - r2[1], 0, r2[1] - r2[0]])
    p = listed(GOOD[cases], BAD[cases], GROUND_TRUTH[cases], CLUSTERS[cases])
    assert table["p"].tolist() == pytest.approx([p, 1, p])
    assert table["low"].isna().all()  # four clusters are too few
    many = swap_permutation_tests.compare(
        {"good": GOOD, "bad": BAD}, GROUND_TRUTH, np.arange(6), n_resamples=80, seed=4
    ).iloc[0]
    drawn, found = np.random.default_rng(4).integers(0, 6, (80, 6)), []
    for rows in drawn:
        if len(set(rows)) > 1:
            found.append(
                np.corrcoef(GOOD[rows], GROUND_TRUTH[rows])[0, 1] ** 2
                - np.corrcoef(BAD[rows], GROUND_TRUTH[rows])[0, 1] ** 2
            )
    assert (many["low"], many["high"]) == pytest.approx(tuple(np.percentile(found, [2.5, 97.5])))
