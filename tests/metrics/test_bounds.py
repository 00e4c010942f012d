"""Declared ranges are reached at both ends, and never left, not even by rounding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.evaluation import evaluate
from biassay.metrics import direct_bias, ect, rnd, rnsb, same
from biassay.statistics.geometry import mean_unit
from biassay.statistics.growth import grow

X, Y = np.array([[2.0, 0, 0]]), np.array([[0.0, 3, 0]])
OPPOSITE = [X, -X]
XY = np.array([0, 0, 1, 1])
LINE = [X, -X, np.concatenate([X, -X])]  # means x, −x, 0: every difference lies along x
PLANE = [X, Y, -Y]  # x, y, −y: their differences span the plane of x and y
RAMP = np.array([[np.cos(a), np.sin(a), 0] for a in (0.1, 0.4, 0.9, 1.3)])  # nearer x at first, then nearer y
TWINS = np.concatenate([X, X, Y, Y])
Z = np.array([[0.0, 0, 1]])
# targets, groups, labels, options: at the least and at the greatest value of a level
ENDS = {
    ("weat", "word"): ((-X, OPPOSITE, None), (X, OPPOSITE, None)),
    ("weat", "set"): ((np.concatenate([Y, Y, X, X]), [X, Y], XY), (np.concatenate([X, X, Y, Y]), [X, Y], XY)),
    ("mac", "word"): ((X, [X, 2 * X], None), (-X, [X, 2 * X], None)),
    ("mac", "set"): ((X, [X], None), (-X, [X], None)),
    ("direct_bias", "word"): ((Z, PLANE, None), (X - Y, PLANE, None)),
    ("direct_bias", "set"): ((Z, [X, Y], None), (X / 2 - Y / 3, [X, Y], None)),
    ("same", "word"): ((Y / 3 - X / 2, [X, Y], None), (X / 2 - Y / 3, [X, Y], None)),
    ("same", "set"): ((Z, [X, Y], None), (np.concatenate([X, -X]), OPPOSITE, None)),
    ("same_skew", "set"): ((-X, OPPOSITE, None), (X, OPPOSITE, None)),
    ("same_stereotype", "set"): ((np.concatenate([X, X]), OPPOSITE, None), (np.concatenate([X, -X]), OPPOSITE, None)),
    ("ect", "set"): ((RAMP, [X, 2 * X], None), (RAMP, [X, Y], None)),
    ("rnsb", "set"): (
        (np.concatenate([X, -X]), [Y, Z], np.array([1, 0])),
        (np.concatenate([X, -X]), [1e4 * X, -1e4 * X], np.array([1, 0])),
    ),
    ("clustering", "set"): ((TWINS, [], np.array([0, 1, 0, 1])), (TWINS, [], np.array([1, 1, 0, 0]))),
    ("classification", "set"): (None, (np.repeat(TWINS, 2, axis=0), [], np.repeat([0, 1], 4))),
    ("neighbours", "word"): ((TWINS, [], np.array([0, 1, 0, 1])), (TWINS, [], XY)),
    ("neighbours", "set"): ((TWINS, [], np.array([1, 0, 1, 0])), (TWINS, [], XY)),
    ("weat_p_value", "set"): ((TWINS, [X, Y], XY), (TWINS, [X, Y], 1 - XY)),
    ("second_order_cosine", "word"): ((-X, OPPOSITE, None), (X, OPPOSITE, None)),
    ("second_order_nnd", "word"): ((-X, OPPOSITE, None), (X, OPPOSITE, None)),
}
OPTIONS = {
    ("neighbours", 0): {"n_neighbors": 1},
    ("neighbours", 1): {"n_neighbors": 1},
    ("weat_p_value", 0): {"strict": True},
}


REACHED = [(*key, end) for key, cases in ENDS.items() for end in (0, 1) if cases[end]]


@pytest.mark.parametrize(("name", "level", "end"), REACHED)
def test_an_end_is_reached(name, level, end):
    module = metrics.load(name)
    targets, groups, labels = ENDS[name, level][end]
    found = evaluate(module, targets, groups, labels, **OPTIONS.get((name, end), {}))[level == "set"]
    n = len(np.unique(labels)) if not groups else len(groups)
    np.testing.assert_allclose(found, module.METRIC.range(level, n)[end], atol=1e-12)


def test_the_table_has_every_level_with_an_end():
    bounded = set()
    for name in registry.names("metrics"):
        module = metrics.load(name)
        if module.METRIC.takes not in metrics.ENTRIES:  # tpr_gap: test_tpr_gap.py
            ranges = {level: module.METRIC.range(level, 2) for level in module.METRIC.levels}
            bounded |= {(name, level) for level, bounds in ranges.items() if bounds.b_max is not None}
    assert bounded == set(ENDS)


@pytest.mark.parametrize(("name", "level"), [("same", "word"), ("same", "set"), ("same_skew", "set")])
def test_three_groups_reach_0_and_1(name, level):
    for target, expected in ((Z, 0), (-X, 1)):
        values = evaluate(metrics.load(name), target, LINE)
        assert values[level == "set"] == pytest.approx(expected, abs=1e-12)
    assert evaluate(metrics.load("same_stereotype"), np.concatenate([X, -X]), LINE)[1] == pytest.approx(1)


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_rounding_leads_nowhere_out_of_the_range(seed):
    random = np.random.default_rng(seed)
    groups = [random.standard_normal((3, 4)) for _ in range(5)]
    targets = random.standard_normal((20, 4))
    difference = (mean_unit(groups[0]) - mean_unit(groups[1])) * random.uniform(0.1, 9, (20, 1))
    assert np.abs(same.word_bias(np.concatenate([difference, -difference]), groups[:2])).max() <= 1
    # five groups span the four dimensions: every target has the length 1
    for values in (same.word_bias(targets, groups), direct_bias.word_bias(targets, groups)):
        assert values.max() <= 1
        np.testing.assert_allclose(values, 1)
    growth = grow([3, 3], 2, 2, [seed], aligned=True)
    pairs = [groups[0], -groups[0]]
    assert direct_bias.set_bias_growing_groups(groups[0][:1], pairs, growth).max() <= 1
    raw = ect.set_bias(targets, [groups[0], groups[0][::-1]], raw=True)
    assert 1 - 1e-12 <= raw <= 1
    assert -1 <= ect.set_bias(targets, [groups[0], -groups[0]], raw=True) <= 1e-12 - 1


def test_equal_probabilities_never_diverge_by_less_than_0():
    words, labels = np.array([[1.0, 0], [-1, 0]]), np.array([1, 0])
    for x in np.linspace(-3, 3, 61):
        for n in (2, 3, 5, 7):
            assert 0 <= rnsb.set_bias(words, [np.array([[x, 0.0]])] * n, labels) <= 1e-12


def test_a_target_that_is_a_group_has_the_distance_0_on_the_fast_path_too():
    """1 − 2 + 1 may come out below 0: its root is 0, not NaN."""
    words, alone = np.random.default_rng(1).standard_normal((40, 2, 50)), grow([1, 1], 2, 1, [1])
    for first, second in words:
        groups = [first[None], second[None]]
        found = rnd.set_bias_growing_groups(first[None], groups, alone)
        np.testing.assert_allclose(found, [rnd.word_bias(first[None], groups)], atol=1e-7)
