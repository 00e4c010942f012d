"""How often a score ranks two models as their bias does: by hand, by chance in small cases, what cannot change it."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from biassay.studies.downstream import ranking
from biassay.studies.downstream.ranking import all_pairs, extreme_pairs, ranking_accuracy

NONE = {"low", "high", "chance", "chance_low", "chance_high", "p"}


def pairs_of(matrix):
    return [tuple(pair) for pair in np.argwhere(matrix).tolist()]


@pytest.mark.parametrize(
    ("bias", "expected"),
    [
        ([0, 1, 1, 1, 2], [(0, 4)]),  # 1 ± √.4
        ([0, 1], []),  # none is more than a standard deviation away: ½ ± ½
        ([0.1 + 0.2, 0.3, 0.3], []),  # rounding is no spread
        ([np.nan, 0, 1, 1, np.nan, 1, 2], [(1, 6)]),
        ([0, 1, 1, 1, 1, 1, 9], []),  # one side only
        ([-2, 1, 1, 0, 0, 0], []),  # 1 is the mean and a standard deviation, and not above
        ([], []),
    ],
)
def test_extremes_by_hand(bias, expected):
    assert pairs_of(extreme_pairs(np.array(bias, float))) == expected


def test_accuracy_by_hand():
    pairs = all_pairs(np.array([0, 0, 1, 2]))  # 0 < 2, 3; 1 < 2, 3; 2 < 3
    assert ranking_accuracy(np.array([1.0, 2, 3, 4]), pairs) == 1
    assert ranking_accuracy(np.array([4.0, 3, 2, 1]), pairs) == 0
    assert ranking_accuracy(np.array([1.0, 3, 2, 2]), pairs) == (1 + 1 + 0 + 0 + 0.5) / 5
    assert ranking_accuracy(np.array([0.1 + 0.2, 0.3, 0.3, 0.3]), pairs) == 0.5
    assert np.isnan(ranking_accuracy(np.array([1.0, 2, 3, 4]), np.zeros((4, 4), bool)))
    assert np.isnan(ranking_accuracy(np.array([1.0, 2, 3, np.nan]), pairs))
    assert ranking_accuracy(np.array([np.nan, 2, 3, 4]), all_pairs(np.array([np.nan, 0, 1, 2]))) == 1


VALUES = arrays(np.float64, 7, elements=st.integers(-20, 20).map(lambda i: i / 4))


@settings(max_examples=30)
@given(scores=VALUES, bias=VALUES, is_planted=st.booleans())
def test_the_negative_score_is_right_where_the_score_is_wrong(scores, bias, is_planted):
    pairs = all_pairs(bias) if is_planted else extreme_pairs(bias)
    found = ranking_accuracy(scores, pairs)
    np.testing.assert_allclose(ranking_accuracy(-scores, pairs), 1 - found)
    for rising in (lambda x: 3 * x + 1, np.exp, lambda x: x**3, np.arctan):
        np.testing.assert_equal(ranking_accuracy(rising(scores), pairs), found)
    order = np.random.default_rng(1).permutation(7)
    np.testing.assert_allclose(ranking_accuracy(scores[order], pairs[np.ix_(order, order)]), found)
    np.testing.assert_array_equal(extreme_pairs(2 * bias - 5), extreme_pairs(bias))
    np.testing.assert_array_equal(extreme_pairs(-bias), extreme_pairs(bias).T)


@pytest.mark.parametrize("select", [all_pairs, extreme_pairs])
def test_chance_and_intervals_are_of_all_permutations_and_resamples(select):
    random = np.random.default_rng(2)
    bias = random.normal(size=(5, 2))
    scores = bias + random.normal(size=(5, 2))
    row, pairs = ranking.evaluate_ranking(scores, bias, select, 1500, seed=4), select(bias.ravel())
    chance = np.array([ranking_accuracy(scores[list(order)].ravel(), pairs) for order in permutations(range(5))])
    observed = row["ranking_accuracy"]
    assert observed == chance[0]
    tails = (chance >= observed - 1e-9).mean(), (chance <= observed + 1e-9).mean()
    assert 0 < row["p"] == pytest.approx(min(1, 2 * min(tails)), abs=0.04)
    assert row["chance"] == pytest.approx(chance.mean(), abs=0.03)
    assert [row["chance_low"], row["chance_high"]] == pytest.approx(np.percentile(chance, (2.5, 97.5)), abs=0.06)
    drawn = [list(rows) for rows in product(range(5), repeat=5)]
    resampled = [ranking_accuracy(scores[rows].ravel(), select(bias[rows].ravel())) for rows in drawn]
    assert [row["low"], row["high"]] == pytest.approx(np.nanpercentile(resampled, (2.5, 97.5)), abs=0.06)
    assert row == ranking.evaluate_ranking(scores, bias, select, 1500, seed=4)
    few = ranking.evaluate_ranking(scores[:4], bias[:4], all_pairs, 50, seed=4)
    assert np.isnan([few["low"], few["high"]]).all()
    assert np.isfinite([few["p"], few["chance_low"]]).all()


def test_p_counts_the_observed_exchange():
    ground_truth = np.arange(8.0)[:, None]
    row = ranking.evaluate_ranking(ground_truth, ground_truth, all_pairs, 199, seed=1)
    assert row["p"] == 2 / 200
    assert ranking.evaluate_ranking(-ground_truth, ground_truth, all_pairs, 199, seed=1)["p"] == 2 / 200
    assert ranking.evaluate_ranking(np.ones((8, 1)), ground_truth, all_pairs, 19, seed=1)["p"] == 1


def test_what_does_not_count_and_what_is_undefined():
    bias = np.array([[0.0, 1], [1, 1], [1, np.nan], [1, 2], [np.nan, np.nan]])
    scores = np.array([[1.0, 9], [8, 8], [7, np.nan], [7, 5], [np.nan, 3]])
    row = ranking.evaluate_ranking(scores, bias, extreme_pairs, 60, seed=2)
    assert [
        row[key] for key in ("n_models", "n_cases", "n_low_bias", "n_high_bias", "n_pairs", "ranking_accuracy")
    ] == [4, 7, 1, 1, 1, 1]
    assert np.isnan(row["low"])  # four models
    assert 0 <= row["chance_low"] <= row["chance_high"] <= 1
    one_below = ranking.evaluate_ranking(
        np.arange(4.0)[:, None], np.array([[0.0], [1], [1], [1]]), all_pairs, 20, seed=2
    )
    assert [one_below[key] for key in ("n_low_bias", "n_high_bias", "n_pairs")] == [1, 3, 3]
    nothing = ranking.evaluate_ranking(scores, np.ones((5, 2)), extreme_pairs, 60, seed=2)
    assert [nothing[key] for key in ("n_low_bias", "n_high_bias", "n_pairs")] == [0, 0, 0]
    lacking = ranking.evaluate_ranking(np.where(bias == 0, np.nan, scores), bias, extreme_pairs, 60, seed=2)
    for of in (nothing, lacking):
        assert set(of) == set(row)
        assert np.isnan([of[key] for key in (*NONE, "ranking_accuracy")]).all()
    assert lacking["n_pairs"] == 1


# accuracy and p of a test, by whether bias was planted and the score that all models have; 5 and 6 are bias downstream
TESTED = {
    (False, 1): (0.9, 0.01), (False, 2): (0.6, 0.04), (False, 3): (0.9, 0.03), (False, 4): (0.8, np.nan),
    (True, 1): (0.2, 0.02), (True, 2): (0.8, 0.5), (True, 3): (0.9, 0.2), (True, 4): (np.nan, np.nan),
    (True, 5): (1.0, 0.001), (True, 6): (0.7, 0.1),
}  # fmt: skip


def test_p_is_corrected_within_a_kind_of_bias_and_ranks_are_within_a_set(monkeypatch):
    """Holm's p on paper: 3 tests of downstream bias, whatever the set, and 5 of planted bias; the most accurate is 1st.

    Debiased vectors, and models without planted bias, have no part in the rankings by planted bias.
    """
    models = pd.DataFrame({"name": list("abc"), "strength": [0, 1, np.nan]})
    keys = [("gender", "scrubbed", name, model, k) for k in (0, 1) for name in ("bios", "web") for model in "cba"]
    cases = pd.DataFrame(keys, columns=["attribute", "version", "set", "model", "n_directions"])
    is_web = cases["set"] == "web"
    bias = cases.assign(bias=np.where(cases["n_directions"] == 1, 90, 5 + is_web), is_valid=True)
    cases = cases.assign(group_words="raw", bias=bias["bias"])
    matched = pd.concat([cases.assign(metric=name, value=n + is_web) for name, n in (("same", 1), ("mac", 3))])
    given = []

    def evaluate(scores, bias, select, n_resamples, *, seed):
        is_planted = select is all_pairs
        given.append((is_planted, scores.shape, bias.ravel().tolist(), n_resamples, seed))
        accuracy, p = TESTED[is_planted, int(scores[0, 0])]
        return {"ranking_accuracy": accuracy, "p": p, "n_pairs": 1}

    monkeypatch.setattr(ranking, "evaluate_ranking", evaluate)
    table = ranking.rank_models(matched, bias, models, 30, seed=7)
    table = table.set_index(["ground_truth", "score", "set"])
    assert {key: [row["p_holm"], row["rank"]] for key, row in table.iterrows()} == {
        ("downstream", "same", "bios"): [0.03, 1], ("downstream", "same", "web"): [0.06, 2],
        ("downstream", "mac", "bios"): [0.06, 1],
        ("downstream", "mac", "web"): pytest.approx([np.nan, 1], nan_ok=True),
        ("planted", "same", "bios"): [0.08, 3], ("planted", "same", "web"): [0.5, 1],
        ("planted", "mac", "bios"): pytest.approx([0.4, 2]),
        ("planted", "mac", "web"): pytest.approx([np.nan] * 2, nan_ok=True),
        ("planted", "downstream", "bios"): [0.005, 1], ("planted", "downstream", "web"): pytest.approx([0.3, 2]),
    }  # fmt: skip
    assert [row for row in given if row[0]] == [(True, (2, 1), [1, 0], 30, 7)] * 6  # in the scores b is before a
    expected = [(False, (3, 2), [value, 90] * 3, 30, 7) for value in (5, 6)] * 2
    assert [row for row in given if not row[0]] == expected
