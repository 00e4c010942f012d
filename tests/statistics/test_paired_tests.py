"""Paired comparisons: signs turned by hand, clusters, missing values."""

from itertools import product

import numpy as np
import pytest

from biassay.statistics import paired_tests


def by_hand(sums):
    """Two-sided p of the sign-flip test: twice the smaller tail, the observed signs counted, at most 1."""
    totals = np.array([np.dot(signs, sums) for signs in product([1, -1], repeat=len(sums))])
    tails = (totals >= sum(sums) - 1e-12).mean(), (totals <= sum(sums) + 1e-12).mean()
    return min(1, 2 * min(tails))


@pytest.mark.parametrize("sums", [[1, 2, 3], [1, -2, 3, 4], [0.5, 0.5], [-1, -2, -3, -4, -5], [1, -1]])
def test_p_is_exact_for_few_clusters(sums):
    found = paired_tests.sign_flip_test(np.array(sums, float), np.arange(len(sums)), n_resamples=1000, seed=1)
    assert found == pytest.approx(by_hand(sums))


def test_five_of_five_cannot_be_significant():
    assert paired_tests.sign_flip_test(np.ones(5), np.arange(5), n_resamples=1000, seed=1) == pytest.approx(2 / 32)


def test_a_cluster_turns_as_a_whole():
    differences, clusters = np.array([1.0, 2, -1, 4, 5, 6]), np.array([7, 7, 3, 3, 9, 9])
    assert paired_tests.sign_flip_test(differences, clusters, n_resamples=1000, seed=1) == pytest.approx(
        by_hand([3, 3, 11])
    )


def test_many_clusters_are_sampled_with_the_observed_signs_counted():
    found = [paired_tests.sign_flip_test(np.ones(40), np.arange(40), n_resamples=999, seed=seed) for seed in (1, 1, 2)]
    assert found == pytest.approx([2 / 1000] * 3)
    random = np.random.default_rng(3).normal(0.2, 1, 40)
    assert paired_tests.sign_flip_test(random, np.arange(40), 999, 1) == paired_tests.sign_flip_test(
        random, np.arange(40), 999, 1
    )


def test_p_values_of_no_difference_are_uniform():
    random = np.random.default_rng(4)
    found = [
        paired_tests.sign_flip_test(random.normal(size=12), np.arange(12), n_resamples=499, seed=1) for _ in range(300)
    ]
    assert np.mean(np.array(found) < 0.1) == pytest.approx(0.1, abs=0.05)


def test_pairs_are_compared_where_both_have_values():
    values = {"a": [1.0, 2, 3, np.nan, 5, 9, 7], "b": [0.0, 1, 2, 3, np.inf, 6, 5], "c": [np.nan] * 7}
    table = paired_tests.compare(values, np.array(list("uvwxyzz")), n_resamples=2000, seed=1).set_index(
        ["first", "second"]
    )
    assert list(table.index) == [("a", "b"), ("a", "c"), ("b", "c")]
    row = table.loc["a", "b"]
    assert (row["n"], row["clusters"]) == (5, 4)
    assert row["difference"] == pytest.approx((1 + 1 + 1 + 3 + 2) / 5)
    assert row["p"] == pytest.approx(by_hand([1, 1, 1, 5]))
    assert np.isnan([row["low"], row["high"]]).all()  # four clusters say too little
    nothing = table.loc["a", "c"]
    assert nothing["n"] == 0
    assert np.isnan(nothing[["difference", "low", "high", "p"]].astype(float)).all()


def test_the_interval_is_of_the_mean_difference():
    random = np.random.default_rng(5)
    first, second = random.normal(size=(2, 200))
    row = paired_tests.compare({"a": first + 1, "b": second}, np.arange(200), n_resamples=2000, seed=1).iloc[0]
    half = 1.96 * (first - second).std() / np.sqrt(200)
    assert (row["low"], row["high"]) == pytest.approx((row["difference"] - half, row["difference"] + half), abs=0.03)
    assert row["p"] == pytest.approx(2 / 2001)
