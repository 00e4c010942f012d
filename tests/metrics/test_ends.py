"""Declared ranges are reached at both ends, and never left by rounding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.measurement import metric as metrics
from biassay.measurement.evaluation import evaluate
from biassay.metrics import direct_bias, ect, rnsb, same
from biassay.statistics.geometry import mean_unit
from biassay.statistics.growth import grow

X, Y, Z = np.array([[2.0, 0, 0]]), np.array([[0.0, 3, 0]]), np.array([[0.0, 0, 1]])
OPPOSITE, TWINS, XY = [X, -X], np.concatenate([X, X, Y, Y]), np.array([0, 0, 1, 1])
LINE = [X, -X, np.concatenate([X, -X])]  # means x, −x, 0: every difference lies along x
PLANE = [X, Y, -Y]  # their differences span the plane of x and y
RAMP = np.array([[np.cos(a), np.sin(a), 0] for a in (0.1, 0.4, 0.9, 1.3)])  # nearer x at first, then nearer y
SENTIMENT = np.concatenate([X, -X]), np.array([1, 0])
# targets, groups, labels, options at the lower and at the upper bound of a level
ENDS = [
    ("weat", "word", (-X, OPPOSITE), (X, OPPOSITE)),
    ("weat", "set", (TWINS[::-1], [X, Y], XY), (TWINS, [X, Y], XY)),
    ("mac", "set", (X, [X]), (-X, [X])),
    ("direct_bias", "word", (Z, PLANE), (X - Y, PLANE)),
    ("same", "word", (Y / 3 - X / 2, [X, Y]), (X / 2 - Y / 3, [X, Y])),
    ("same", "set", (Z, [X, Y]), (np.concatenate(OPPOSITE), OPPOSITE)),
    ("same", "word", (Z, LINE), (-X, LINE)),
    ("same_skew", "set", (-X, OPPOSITE), (X, OPPOSITE)),
    ("same_skew", "set", (Z, LINE), (-X, LINE)),
    ("same_stereotype", "set", (np.concatenate([X, X]), OPPOSITE), (np.concatenate(OPPOSITE), OPPOSITE)),
    ("same_stereotype", "set", (np.concatenate([X, X]), LINE), (np.concatenate(OPPOSITE), LINE)),
    ("ect", "set", (RAMP, [X, 2 * X]), (RAMP, [X, Y])),
    ("rnsb", "set", (SENTIMENT[0], [Y, Z], SENTIMENT[1]), (SENTIMENT[0], [1e4 * X, -1e4 * X], SENTIMENT[1])),
    ("clustering", "set", (TWINS, [], np.array([0, 1, 0, 1])), (TWINS, [], np.array([1, 1, 0, 0]))),
    ("classification", "set", None, (np.repeat(TWINS, 2, axis=0), [], np.repeat([0, 1], 4))),
    (
        "neighbours",
        "word",
        (TWINS, [], np.array([0, 1, 0, 1]), {"n_neighbors": 1}),
        (TWINS, [], XY, {"n_neighbors": 1}),
    ),
    ("weat_p_value", "set", (TWINS, [X, Y], XY, {"strict": True}), (TWINS, [X, Y], 1 - XY)),
    ("second_order_cosine", "word", (-X, OPPOSITE), (X, OPPOSITE)),
    ("second_order_nnd", "word", (-X, OPPOSITE), (X, OPPOSITE)),
]


@pytest.mark.parametrize(("name", "level", "lower", "upper"), ENDS)
def test_both_ends_are_reached(name, level, lower, upper):
    module = metrics.load(name)
    for end, case in enumerate((lower, upper)):
        if case:
            targets, groups, labels, options = (*case, None, {})[:4] if len(case) == 2 else (*case, {})[:4]
            found = evaluate(module, targets, groups, labels, **options)[level == "set"]
            n = len(groups) or len(np.unique(labels))
            np.testing.assert_allclose(found, module.METRIC.range(level, n)[end], atol=1e-12)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_rounding_never_leaves_the_range(seed):
    random = np.random.default_rng(seed)
    groups = [random.standard_normal((3, 4)) for _ in range(5)]
    targets = random.standard_normal((20, 4))
    difference = (mean_unit(groups[0]) - mean_unit(groups[1])) * random.uniform(0.1, 9, (20, 1))
    assert np.abs(same.word_bias(np.concatenate([difference, -difference]), groups[:2])).max() <= 1
    # five groups span the four dimensions: every target has the length 1
    for values in (same.word_bias(targets, groups), direct_bias.word_bias(targets, groups)):
        assert values.max() <= 1
        np.testing.assert_allclose(values, 1)
    growth, pairs = grow([3, 3], 2, 2, [seed], aligned=True), [groups[0], -groups[0]]
    assert direct_bias.set_bias_growing_groups(groups[0][:1], pairs, growth).max() <= 1
    assert 1 - 1e-12 <= ect.set_bias(targets, [groups[0], groups[0][::-1]], raw=True) <= 1
    assert -1 <= ect.set_bias(targets, pairs, raw=True) <= 1e-12 - 1
    for n in (2, 3, 5):
        words = np.array([[1.0, 0], [-1, 0]])
        assert 0 <= rnsb.set_bias(words, [random.standard_normal((1, 2))] * n, np.array([1, 0])) <= 1e-12
