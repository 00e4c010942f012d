"""Reliability of downstream bias: by hand, without any bias, and with bias of known size."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from biassay.studies.downstream import reliability
from biassay.studies.downstream.classifiers import summarise
from biassay.studies.downstream.reliability import FEW, NOISE, UNDEFINED, UNSURE

CLASSES = 4


def make_texts(random, n=400):
    labels = np.eye(CLASSES, dtype=int)[np.arange(n) % CLASSES]
    return labels, (random.random(n) < 0.4).astype(int), np.arange(n) // CLASSES % 2


def predict(random, labels, groups, gaps):
    """Draw probabilities (models, n, classes) of classifiers that recognise group 0 more often, by their gap."""
    recall = 0.6 + np.asarray(gaps)[:, None] * (0.5 - groups)
    hits = random.random(recall.shape) < recall
    return np.where(labels == 1, hits[:, :, None], 0.0)


def judge(bias, measured, units=None, seed=1, models=None, gap_std=None):
    units = np.arange(len(bias)) if units is None else units
    floor, high, p = reliability.test_floor(bias, measured.chance)
    gap_std = bias if gap_std is None else gap_std
    table = pd.DataFrame({"bias": bias, "gap_std": gap_std, "floor": floor, "floor_high": high, "p": p})
    table["model"] = np.arange(len(bias)) if models is None else models
    return reliability.judge(table, measured.halves, units, "models", 200, seed=seed)


@pytest.mark.parametrize("n_groups", [2, 3])
def test_gaps_are_those_of_the_classifiers(n_groups):
    random = np.random.default_rng(1)
    labels, _, folds = make_texts(random, 120)
    labels[:30, 1] = 1  # texts of two classes
    groups, probabilities = random.integers(n_groups, size=120), random.random((2, 120, CLASSES))
    groups[(folds == 0) & (labels[:, 3] == 1)] = 0  # a fold without a gap of this class
    hits = np.moveaxis((probabilities > 0.5) & (labels == 1), 0, 1).astype(np.float32)
    members = np.eye(n_groups, dtype=np.float32)[groups].T[None]
    found = reliability.compute_gaps(members, hits, labels == 1, folds)
    expected = [
        summarise(of_model, labels, groups, folds, classes=list("abcd"), names=list("xyz")[:n_groups], min_quality={},
                  n_resamples=10)[1]["gap"]
        for of_model in probabilities
    ]  # fmt: skip
    np.testing.assert_allclose(found, [expected], rtol=1e-6)


def test_permutations_keep_strata_and_halves_halve_them(monkeypatch):
    random = np.random.default_rng(2)
    labels, groups, folds = make_texts(random)
    drawn = []
    monkeypatch.setattr(
        reliability, "compute_gaps", lambda members, *_: drawn.append(members) or np.zeros((len(members), 1))
    )
    monkeypatch.setattr(reliability, "BLOCK", 1)
    options = {"n_groups": 2, "seed": 3}
    measured = reliability.measure_gaps(np.zeros((1, *labels.shape)), labels, groups, folds, **options)
    assert measured.chance.shape == (reliability.PERMUTATIONS, 1)
    assert measured.halves.shape == (reliability.SPLITS, 2, 1)
    members = np.eye(2)[groups].T
    strata = [(folds == fold) & (labels[:, number] == 1) for fold in (0, 1) for number in range(CLASSES)]
    permuted, halves = drawn[0][0], drawn[-1]
    assert (permuted != members).any()
    np.testing.assert_array_equal(halves.sum(axis=0), members)
    for rows in strata:
        np.testing.assert_array_equal(permuted[:, rows].sum(axis=1), members[:, rows].sum(axis=1))
        for half in halves:
            assert (np.abs(half[:, rows].sum(axis=1) - members[:, rows].sum(axis=1) / 2) <= 0.5).all()


@pytest.mark.parametrize("n_groups", [2, 3])
def test_classifiers_without_bias_are_at_the_floor_and_not_ranked(n_groups):
    """The rate of p ≤ .05 is 5 %, and at most 5 % of studies without any bias rank their models."""
    random, significant, ranked, values, ratios = np.random.default_rng(4), [], [], [], []
    n_studies, n_models = 60, 8
    for seed in range(n_studies):
        labels, groups, folds = make_texts(random)
        groups[random.random(len(groups)) < (n_groups - 2) / 3] = 2  # a third, if there are three
        probabilities = predict(random, labels, groups, np.zeros(n_models))
        measured = reliability.measure_gaps(probabilities, labels, groups, folds, n_groups=n_groups, seed=seed)
        hits = np.moveaxis(probabilities > 0.5, 0, 1).astype(np.float32)
        inputs = np.eye(n_groups, dtype=np.float32)[groups].T[None], hits, labels == 1, folds
        bias, gap_std = (reliability.compute_gaps(*inputs, spread)[0] for spread in ("variance", "std"))
        row = judge(bias, measured, gap_std=gap_std)
        ratios.append(row["noise_sd"] / row["sd"])
        significant.append(row["n_above"])
        ranked.append(row["reason"] == "")
        values.append(row["reliability"])
        assert abs(row["floor"] - bias.mean()) < 0.04
    assert np.median(ratios) == pytest.approx(1, abs=0.15)
    low, high = binom.ppf([0.001, 0.999], n_studies * n_models, 0.05)
    assert low <= sum(significant) <= high
    assert sum(ranked) <= binom.ppf(0.99, n_studies, 0.05)
    assert abs(np.mean(values)) < 0.2


@pytest.mark.parametrize("rho", [0.5, 0.8])
def test_shares_of_known_spread_have_the_reliability_of_theory(rho):
    """Var(share) = v + noise, noise = mean of p (1 − p) / n; reliability v / (v + noise)."""
    random, n, n_models = np.random.default_rng(5), 200, 400
    noise = 0.25 / n
    p = np.clip(0.5 + random.normal(0, np.sqrt(noise * rho / (1 - rho)), n_models), 0, 1)
    pairs = random.random((n_models, n)) < p[:, None]
    row = judge(pairs.mean(axis=1), reliability.measure_shares(pairs, np.arange(n), seed=1))
    assert row["reliability"] == pytest.approx(rho, abs=0.06)
    assert row["low"] < rho < row["high"]
    assert row["noise_sd"] == pytest.approx(np.sqrt(noise), rel=0.05)
    assert (row["n_models"], row["reason"]) == (n_models, "")
    assert [row["floor"], row["floor_high"]] == pytest.approx([0.5, 0.5 + 1.645 * np.sqrt(noise)], abs=0.01)
    observed = random.permutation(n_models)[:300]
    pairs_of_models = p[observed, None] < p[observed]
    share = pairs.mean(axis=1)[observed]
    accuracy = (share[:, None] < share)[pairs_of_models].mean()
    assert row["upper_accuracy"] == pytest.approx(accuracy, abs=0.04)
    assert row["upper_r"] == pytest.approx(np.corrcoef(p, pairs.mean(axis=1))[0, 1], abs=0.05)


def test_pairs_without_bias_are_not_ranked():
    random, ranked, significant, n_studies = np.random.default_rng(6), 0, 0, 200
    for seed in range(n_studies):
        pairs = random.random((8, 60)) < 0.5
        row = judge(pairs.mean(axis=1), reliability.measure_shares(pairs, np.arange(60), seed=seed))
        ranked += row["reason"] == ""
        significant += row["p_spread"] < 0.05
        assert row["reason"] in ("", NOISE, UNSURE)
    assert ranked <= significant <= binom.ppf(0.999, n_studies, 0.05)


def test_chance_and_halves_of_clusters_by_hand():
    preferred, clusters = np.array([[1.0, 1, 0.5, 0, 0, 1]]), np.array(["a", "a", "a", "b", "b", "c"])
    chance, halves = reliability.measure_shares(preferred, clusters, seed=1)
    np.testing.assert_allclose(np.unique(chance.round(9)), np.arange(0.5, 6) / 6)
    expected = {(2.5 / 5, 1), (3.5 / 4, 0), (1 / 3, 2.5 / 3)}  # the first half is the larger one
    assert {tuple(two.ravel().round(9)) for two in halves} == {tuple(np.round(two, 9)) for two in expected}


def test_a_preference_for_one_group_is_no_stereotype():
    """Models prefer one group by different amounts, whatever the occupation; stereotypes of occupations are random.

    About 5 % of the shares are above chance, and of the studies rank the models; with pairs as clusters, far more.
    """
    random, n, n_models, n_studies, above, ranked = np.random.default_rng(8), 150, 10, 60, np.zeros(2), np.zeros(2)
    for seed in range(n_studies):
        occupations, preference = np.arange(n) % 14, random.uniform(0.5, 1, (n_models, 1))
        is_first = random.integers(2, size=14)[occupations] == 0  # the first group is the stereotypical one
        preferred = (random.random((n_models, n)) < np.where(is_first, preference, 1 - preference)).astype(float)
        for number, clusters in enumerate((occupations, np.arange(n))):
            row = judge(preferred.mean(axis=1), reliability.measure_shares(preferred, clusters, seed=seed))
            above[number] += row["n_above"] / n_models / n_studies
            ranked[number] += (row["reason"] == "") / n_studies
    assert above[0] < 0.1 < above[1]
    assert ranked[0] < 0.15
    assert ranked[1] > 0.2


def test_a_split_with_a_constant_half_does_not_count():
    random = np.random.default_rng(3)
    whole = random.random((6, 2, 7))
    whole[:, 1] = whole[:, 0] + 0.3 * random.random((6, 7))
    constant = np.stack([np.ones(7), np.arange(7.0)])[None]
    bias, chance = whole.mean(axis=(0, 1)), np.zeros((9, 7))
    rows = [judge(bias, reliability.Measured(chance, halves)) for halves in (whole, np.concatenate([whole, constant]))]
    for name in ("reliability", "low", "high"):
        assert np.isfinite(rows[0][name])
        assert rows[1][name] == pytest.approx(rows[0][name])


def test_few_units_and_large_gaps():
    random = np.random.default_rng(7)
    labels, groups, folds = make_texts(random)
    gaps = np.linspace(0, 0.6, 8)
    probabilities = predict(random, labels, groups, gaps)
    measured = reliability.measure_gaps(probabilities, labels, groups, folds, n_groups=2, seed=1)
    row = judge(gaps, measured)
    assert row["reason"] == ""
    assert row["reliability"] > 0.8
    assert row["n_above"] >= 5
    assert judge(gaps, measured, units=np.arange(8) // 2)["reason"] == FEW
    assert judge(np.where(gaps > 0.5, np.nan, gaps), measured)["reason"] == UNDEFINED
    outlier = reliability.measure_gaps(
        predict(random, labels, groups, np.eye(8)[0] * 0.6), labels, groups, folds, n_groups=2, seed=1
    )
    row = judge(np.eye(8)[0] * 0.6, outlier)  # resamples without the outlier have no reliability
    assert row["low"] < 0 < row["reliability"]
    assert row["p_spread"] < 0.05
    assert row["reason"] == UNSURE
    equal = judge(np.zeros(8), measured)  # halves differ in other things than bias, which is no reliability
    assert [equal["reason"], equal["n_models"]] == [NOISE, 8]
    assert np.isnan([equal[name] for name in ("reliability", "low", "high", "upper_r", "upper_accuracy")]).all()
    assert judge(gaps[:1], reliability.Measured(measured.chance[:, :1], measured.halves[:, :, :1]))["reason"] == FEW


@pytest.mark.parametrize(("r", "expected"), [(0, 0), (0.5, 2 / 3), (1, 1), (-0.5, -2 / 3)])
def test_length_correction_by_hand(r, expected):
    assert reliability.lengthen(r) == pytest.approx(expected)


def test_floor_by_hand():
    mean, high, p = reliability.test_floor(np.array([0.3, 0.1]), np.array([[0.1, 0.2], [0.3, 0.2], [0.2, 0.2]]))
    assert (mean.tolist(), p.tolist()) == (pytest.approx([0.2, 0.2]), [2 / 4, 4 / 4])
    assert high == pytest.approx([0.29, 0.2])
    assert np.isnan(reliability.test_floor(np.array([np.nan]), np.ones((3, 1)))[2]).all()


def test_a_class_is_predicted_above_the_threshold():
    labels, groups, folds = make_texts(np.random.default_rng(8))
    at, above = (np.where(groups[:, None] == 0, value, 0.0) * labels for value in (0.5, 0.51))
    options = {"n_groups": 2, "seed": 1}
    halves = reliability.measure_gaps(np.stack([at, above]), labels, groups, folds, **options).halves
    assert (halves[..., 0] == 0).all()
    assert (halves[..., 1] == 1).all()


def test_a_bias_rounded_in_a_table_equals_its_chance():
    assert reliability.test_floor(np.array([float(f"{2 / 3:.9g}")]), np.full((9, 1), 2 / 3))[2] == [1.0]


def test_noise_by_hand():
    """Differences of the halves are 1, 0 and 2, with variance 1; both halves together have a quarter of it."""
    halves = np.array([[[3.0, 1, 4], [2, 1, 2]]])
    row = judge(np.array([2.5, 1, 3]), reliability.Measured(np.zeros((9, 3)), halves))
    r = np.corrcoef(halves[0])[0, 1]
    found = [row[name] for name in ("noise_sd", "reliability", "mean_bias")]
    assert found == pytest.approx([0.5, 2 * r / (1 + r), 6.5 / 3])
    assert row["p_spread"] == 1 / 2  # the one split gives less than the models' deviation of 1.04
    assert (row["n_above"], row["reason"]) == (0, FEW)
    more = np.concatenate([halves, [[[0.0, 0, 0], [2, 0, -2.2]]]])  # by the second it is 1.05
    row = judge(np.array([2.5, 1, 3]), reliability.Measured(np.zeros((9, 3)), more))
    assert [row["p_spread"], row["noise_sd"]] == pytest.approx([2 / 3, np.sqrt((0.25 + 1.1033333) / 2)])


def test_classifiers_of_one_model_are_not_further_models():
    random, n_classifiers = np.random.default_rng(9), 3
    bias, halves = random.random(6), random.random((20, 2, 6))
    one = judge(bias, reliability.Measured(np.zeros((9, 6)), halves))
    repeated, models = np.repeat(halves, n_classifiers, axis=2), np.repeat(np.arange(6), n_classifiers)
    measured = reliability.Measured(np.zeros((9, 18)), repeated)
    three = judge(np.repeat(bias, n_classifiers), measured, units=models, models=models)
    for name in ("n_models", "sd", "noise_sd", "p_spread"):
        assert three[name] == pytest.approx(one[name])
