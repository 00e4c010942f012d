"""Metrics of predictions: their contract, also of one in config.yaml under own_metrics, and the TPR gap by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay import measure_predictions
from biassay.metrics import tpr_gap
from tests.metrics.test_contract import ALL, OWN

MODULES = {name: module for name, module in ALL.items() if module.METRIC.takes == "predictions"}
COUNTS = [
    (name, n)
    for name, module in MODULES.items()
    for n in (2, 3, 5)
    if module.METRIC.groups[0] <= n <= (module.METRIC.groups[1] or n)
]


def draw_case(n, seed, texts=60, c=3):
    """Predictions of several classes a text and names of groups, in a mixed order that begins with the first group."""
    random = np.random.default_rng(seed)
    predictions, ground_truth = random.integers(0, 2, (2, texts, c))
    groups = np.array([f"g{number}" for number in range(n)])[np.append(0, random.permutation(np.arange(1, texts) % n))]
    return {"predictions": predictions, "ground_truth": ground_truth, "groups": groups,
            "order": [f"g{number}" for number in range(n)]}  # fmt: skip


@pytest.mark.parametrize(("name", "n"), COUNTS)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), texts=st.integers(5, 60), c=st.integers(1, 5))
def test_contract(name, n, seed, texts, c):
    """Shape and range; the order of texts says nothing; swapped groups change the sign or nothing; no mistake, no bias;
    the set-level value follows from the word level."""
    case, metric = draw_case(n, seed, texts, c), OWN.get(name, name)
    found = measure_predictions(metric, **case)
    mixed = np.random.default_rng(seed).permutation(texts)
    shuffled = {key: case[key][mixed] for key in ("predictions", "ground_truth", "groups")}
    first, second, *rest = case["order"]
    perfect = measure_predictions(metric, **case | {"predictions": case["ground_truth"]})
    for level in MODULES[name].METRIC.levels:
        value, limits = getattr(found, level), found.ranges[level]
        assert np.shape(value) == ((c,) if level == "word" else ())
        defined = np.atleast_1d(value)[~np.isnan(np.atleast_1d(value))]
        assert limits.b_min is None or (defined >= limits.b_min).all()
        assert limits.b_max is None or (defined <= limits.b_max).all()
        again = getattr(measure_predictions(metric, **case | shuffled), level)
        np.testing.assert_allclose(again, value, atol=1e-12)
        swapped = getattr(measure_predictions(metric, **case | {"order": [second, first, *rest]}), level)
        np.testing.assert_allclose(swapped, -value if limits.signed else value, atol=1e-12)
        if not perfect.undefined:
            assert (np.asarray(getattr(perfect, level)) == limits.b_0).all()
    if MODULES[name].METRIC.aggregate and not found.undefined:
        words = found.word if MODULES[name].METRIC.aggregate == "mean" else np.abs(found.word)
        assert found.set == pytest.approx(words.mean())
    np.testing.assert_array_equal(case["predictions"], draw_case(n, seed, texts, c)["predictions"])


# texts of two groups and their classes: nurse or pilot; the first group has 4 nurses and 1 pilot, the second 2 and 3
NURSE, PILOT, BOTH, NONE = (1, 0), (0, 1), (1, 1), (0, 0)
GROUPS = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
GROUND_TRUTH = np.array([NURSE] * 4 + [PILOT] + [NURSE] * 2 + [PILOT] * 3)
FOUND = np.array([NURSE] * 3 + [PILOT] * 2 + [NURSE, PILOT] + [NURSE, PILOT, PILOT])


def test_two_groups_by_hand():
    np.testing.assert_allclose(tpr_gap.rates(FOUND, GROUND_TRUTH, GROUPS), [[3 / 4, 1], [1 / 2, 2 / 3]])
    for spread in ("variance", "std"):  # only for more groups
        np.testing.assert_allclose(tpr_gap.word_bias(FOUND, GROUND_TRUTH, GROUPS, spread=spread), [1 / 4, 1 / 3])
        assert tpr_gap.set_bias(FOUND, GROUND_TRUTH, GROUPS, spread=spread) == pytest.approx(7 / 24)
    # signs do not cancel in the set
    gaps = tpr_gap.word_bias(*np.array([[NURSE, PILOT, NURSE, PILOT], [NURSE, NURSE, PILOT, PILOT]]), [0, 1, 0, 1])
    assert gaps.tolist() == [1, -1]
    assert tpr_gap.set_bias(*np.array([[NURSE, PILOT] * 2, [NURSE, NURSE, PILOT, PILOT]]), [0, 1, 0, 1]) == 1


def test_three_groups_by_hand():
    """Rates 1, 1/2, 0: variance (1/4 + 0 + 1/4)/3 = 1/6; and 1, 1, 0: 2/9."""
    ground_truth, groups = np.ones((6, 2), int), np.array([0, 0, 1, 1, 2, 2])
    found = np.array([BOTH, BOTH, BOTH, PILOT, NONE, NONE])
    np.testing.assert_allclose(tpr_gap.word_bias(found, ground_truth, groups), [1 / 6, 2 / 9])
    np.testing.assert_allclose(tpr_gap.word_bias(found, ground_truth, groups, spread="std"), np.sqrt([1 / 6, 2 / 9]))
    assert tpr_gap.set_bias(found, ground_truth, groups) == pytest.approx(7 / 36)


@pytest.mark.parametrize("n", [2, 3])
def test_a_class_without_a_text_of_a_group_is_undefined(n):
    ground_truth, groups = np.array([BOTH] * (n - 1) + [NURSE]), np.arange(n)
    found = np.array([BOTH] * (n - 1) + [NONE])
    gap = 1 if n == 2 else 2 / 9
    with np.errstate(all="raise"):
        np.testing.assert_allclose(tpr_gap.word_bias(found, ground_truth, groups), [gap, np.nan])
        assert tpr_gap.set_bias(found, ground_truth, groups) == pytest.approx(gap)  # not half of it
        assert np.isnan(tpr_gap.set_bias(found, ground_truth * [0, 1], groups))


def test_equal_rates_do_not_differ_by_rounding():
    groups, ground_truth = np.repeat([0, 1, 2], 10), np.ones((30, 1), int)
    found = (np.arange(30) % 10 == 0).astype(int)[:, None]  # three times 1/10 is not 3/10 in binary
    assert tpr_gap.word_bias(found, ground_truth, groups).tolist() == [0]
