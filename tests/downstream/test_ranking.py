"""How often a score ranks two models as their bias does: by hand, by chance in small cases, what cannot change it."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom

from biassay.studies.downstream import ranking
from biassay.studies.downstream.ranking import all_pairs, extreme_pairs, ranking_accuracy


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
    random = np.random.default_rng(6)
    bias = random.normal(size=(5, 2))
    scores = bias + random.normal(size=(5, 2))
    models = np.arange(5)

    def choose(rows):
        own = np.repeat(rows, 2)
        return select(bias[rows].ravel()) & (own[:, None] != own)

    row, pairs = ranking.evaluate_ranking(scores, bias, select, models, 1500, seed=4), choose(models)
    chance = np.array([ranking_accuracy(scores[list(order)].ravel(), pairs) for order in permutations(range(5))])
    observed = row["ranking_accuracy"]
    assert observed == chance[0]
    tails = (chance >= observed - 1e-9).mean(), (chance <= observed + 1e-9).mean()
    assert 0 < row["p"] == pytest.approx(min(1, 2 * min(tails)), abs=0.04)
    assert row["chance"] == pytest.approx(chance.mean(), abs=0.03)
    assert [row["chance_low"], row["chance_high"]] == pytest.approx(np.percentile(chance, (2.5, 97.5)), abs=0.06)
    drawn = [list(rows) for rows in product(range(5), repeat=5)]
    resampled = [ranking_accuracy(scores[rows].ravel(), choose(np.array(rows))) for rows in drawn]
    assert [row["low"], row["high"]] == pytest.approx(np.nanpercentile(resampled, (2.5, 97.5)), abs=0.06)
    assert row == ranking.evaluate_ranking(scores, bias, select, models, 1500, seed=4)


def test_a_ranking_without_an_error_has_an_interval():
    row = ranking.evaluate_ranking(*[np.arange(9.0)[:, None]] * 2, all_pairs, np.arange(9), 99, seed=1)
    assert row["high"] == 1
    assert row["low"] == pytest.approx(4 / (4 + 1.96**2), abs=1e-3)  # Wilson's, of four pairs of different models
    extreme = np.array([9.0, 1, 1, 1, 1, 1, 1, 1, -9])[:, None]  # one pair
    assert ranking.evaluate_ranking(extreme, extreme, extreme_pairs, np.arange(9), 99, seed=1)["low"] < 0.21
    star = np.eye(9)[:1].T  # all pairs share a model
    assert ranking.evaluate_ranking(star, star, all_pairs, np.arange(9), 99, seed=1)["low"] < 0.21


def test_p_is_not_below_the_smallest_possible_one():
    """Nine models of three strengths have 1,680 different orders; samples can find the right one too seldom."""
    ground_truth, scores = np.repeat([0, 0.5, 1], 3)[:, None], np.arange(9.0)[:, None]
    p = [ranking.evaluate_ranking(scores, ground_truth, all_pairs, np.arange(9), 5, seed=seed)["p"] for seed in (1, 2)]
    assert min(p) == pytest.approx(2 / 1680)


def test_cases_that_do_not_count():
    bias = np.array([[0.0, 1], [1, 1], [1, np.nan], [1, 2], [np.nan, np.nan]])
    scores = np.array([[1.0, 9], [8, 8], [7, np.nan], [7, 5], [np.nan, 3]])
    models = np.arange(5)
    row = ranking.evaluate_ranking(scores, bias, extreme_pairs, models, 60, seed=2)
    assert [row[key] for key in ("n_models", "n_cases", "n_pairs", "ranking_accuracy")] == [4, 7, 1, 1]
    assert 0 <= row["chance_low"] <= row["chance_high"] <= 1
    lacking = np.where(bias == 0, np.nan, scores)
    rounded = 0.3 + 1e-16 * np.arange(10).reshape(5, 2)
    for of, scored, reason in (
        (np.ones((5, 2)), scores, ranking.NO_PAIRS), (bias, lacking, ranking.MISSING),
        (bias, rounded, ranking.CONSTANT), (bias * np.nan, scores, ranking.NO_PAIRS),
    ):  # fmt: skip
        undefined = ranking.evaluate_ranking(scored, of, extreme_pairs, models, 60, seed=2)
        assert undefined["reason"] == reason
        assert set(undefined) == set(row)
        assert np.isnan([undefined[key] for key in ranking.UNDEFINED]).all()
    # A variant with rounded scores does not count, but the other one does.
    half = ranking.evaluate_ranking(np.column_stack([[1, 2, 3], [0, 1e-16, 0]]), np.ones((3, 2)).cumsum(axis=0),
                                    all_pairs, np.arange(3), 20, seed=1)  # fmt: skip
    assert [half[key] for key in ("n_cases", "n_pairs", "ranking_accuracy")] == [3, 3, 1]


def test_units_are_exchanged_and_resampled_as_a_whole():
    """Of the bases a (2 models), b (2), c (1), only a and b can be exchanged."""
    bases, truth = np.array(list("aabbc")), np.array([0.0, 1, 2, 3, 4])[:, None]
    row = ranking.evaluate_ranking(truth, truth, all_pairs, bases, 400, seed=1)
    exchanged = ranking_accuracy(np.array([2.0, 3, 0, 1, 4]), all_pairs(truth.ravel()))
    assert [row["chance_low"], row["chance_high"]] == [exchanged, 1]
    assert row["chance"] == pytest.approx((1 + exchanged) / 2, abs=0.05)
    assert np.isnan([row["low"], row["high"]]).all()  # three bases
    unequal = ranking.evaluate_ranking(truth, truth, all_pairs, np.array(list("aaabb")), 40, seed=1)
    assert unequal["ranking_accuracy"] == 1
    assert np.isnan([unequal["p"], unequal["chance"]]).all()
    models = pd.DataFrame({"name": list("xyz"), "base": ["x", "x", "z"]})
    units, unit = ranking.find_units(models, pd.Index(["z", "y"]))
    assert (units.tolist(), unit) == (["z", "x"], "bases")
    units, unit = ranking.find_units(models, pd.Index(["x", "y"]))
    assert (units.tolist(), unit) == (["x", "y"], "models")


def test_p_is_uniform_without_agreement(monkeypatch):
    monkeypatch.setattr(ranking, "PERMUTATIONS", 1999)
    random, n = np.random.default_rng(3), 300
    p = [
        ranking.evaluate_ranking(*random.normal(size=(2, 8, 1)), all_pairs, np.arange(8), 99, seed=seed)["p"]
        for seed in range(n)
    ]
    low, high = binom.ppf([0.001, 0.999], n, 0.05) / n
    assert low <= np.mean(np.array(p) <= 0.05) <= high


def test_forms_reasons_and_corrected_p():
    """Unreliable bias gives no ranking; Holm's correction and ranks are within a form and ground truth."""
    names = list("abcdef")
    models = pd.DataFrame({"name": names, "base": "a", "strength": [np.nan, 0, 0, 0.5, 1, 1]})
    rows = [
        ("bios", "gender", model, version, k, words, metric, number * sign + k, number)
        for metric, sign in (("same", 1.0), ("mac", -1.0))
        for version in ("raw", "scrubbed")
        for words, ks in (("raw", (0, 1)), ("debiased", (0, 1)))
        for k in ks
        for number, model in enumerate(names)
    ]
    columns = ["set", "attribute", "model", "version", "n_directions", "group_words", "metric", "value", "bias"]
    cases = pd.DataFrame(rows, columns=columns)
    keys = ["set", "attribute", "model", "version", "n_directions", "bias"]
    bias = cases[keys].drop_duplicates().assign(is_valid=True)
    forms = [("raw", "declared", ""), ("raw", "published", ""), ("scrubbed", "other_texts", "noise"),
             ("scrubbed", "published", "noise")]  # fmt: skip
    judged = pd.DataFrame(forms, columns=["version", "form", "reason"])
    judged = judged.assign(set="bios", attribute="gender", reliability=0.9, upper_accuracy=0.8)
    table = ranking.rank_models(cases, bias, models, judged, 199, seed=1)
    assert table["form"].value_counts().to_dict() == {"published": 8, "declared": 5, "other_texts": 5}
    of_bias = table[table["ground_truth"] == "downstream"].set_index(["form", "version", "score", "group_words"])
    declared = of_bias.loc[("declared", "raw", slice(None), "raw")]
    assert declared["ranking_accuracy"].to_dict() == {"same": 1, "mac": 0}
    assert declared["n_pairs"].tolist() == [15, 15]
    assert (declared["upper_bound"] == 0.8).all()
    assert declared["p_holm"].tolist() == (2 * declared["p"]).tolist()
    assert declared.loc[["same", "mac"], "rank"].tolist() == [1, 2]
    noise = of_bias[of_bias["reason"] == "noise"]
    assert set(noise.index.get_level_values("version")) == {"scrubbed"}
    assert noise[ranking.UNDEFINED].isna().all(axis=None)
    planted = table[(table["ground_truth"] == "planted") & (table["form"] == "declared")].set_index("score")
    assert planted["ranking_accuracy"].to_dict() == {"same": 1, "mac": 0, "downstream": 1}
    assert planted["n_pairs"].tolist() == [8] * 3
    assert (planted["upper_bound"] == 1).all()
