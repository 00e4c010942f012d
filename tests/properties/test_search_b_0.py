"""The search for targets with or without the value of no bias, by each of its ways on functions with known zeros."""

import numpy as np
import pytest

from biassay.studies.properties import search
from biassay.studies.properties.settings import measure_bias
from tests.properties.functions import HALF, PLANE, Given, gap, random


def shown(function, n_starts=1, margin=0.3, span=2.0, premise=measure_bias, b_0=0.0, targets=1):
    scored = Given(function, targets=targets, b_0=b_0)
    distance, found = search.find_missed_bias(scored, PLANE, [(premise, margin)], span, n_starts, random())
    if found is not None:
        assert premise(found, PLANE) >= 0.99 * margin
        assert abs(scored(found, PLANE) - b_0) < 2e-5 * span
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
    return distance, found is not None


def test_no_bias_shown_at_a_candidate_that_the_premise_holds_for():
    assert shown(lambda t: t[0, 0]) == (0, True)
    assert shown(lambda t: t[0, 0] + 3, b_0=3) == (0, True)


def test_without_a_zero_the_least_distance_is_told():
    assert shown(lambda t: 3.0, b_0=1, span=4) == (0.5, False)
    assert shown(lambda t: 1 + abs(gap(t)), n_starts=0) == (pytest.approx(1), False)  # at ± X and ± Y
    distance, found = shown(lambda t: 1 + abs(gap(t)))
    assert 0.65 <= distance < 0.8  # .65 where the premise just holds
    assert not found
    assert shown(lambda t: np.nan) == (np.inf, False)


@pytest.mark.parametrize("direction", [1, -1])
def test_a_zero_between_two_signs_is_found_by_bisection(direction):
    assert shown(lambda t: direction * (gap(t) - 0.5), n_starts=0) == (0, True)
    assert shown(lambda t: direction * (gap(t) - 0.2), n_starts=0)[1] is False  # there the premise does not hold


def test_a_zero_that_is_touched_is_found_by_least_squares():
    touches = {n_starts: shown(lambda t: (gap(t) - 0.5) ** 2 + 0.0, n_starts=n_starts) for n_starts in (0, 2)}
    assert touches[0][1] is False
    assert 0 < touches[2][0] < 1e-5
    assert touches[2][1]


def test_what_counts_as_no_bias_and_as_holding():
    for value, expected in ((0.9e-5, True), (1.1e-5, False)):
        assert shown(lambda t, value=value: 4 * value, span=4.0)[1] == expected
    for value, expected in ((0.9995, True), (0.9985, False)):
        assert shown(lambda t: 0.0, premise=lambda t, s, value=value: value, margin=1.0)[1] == expected


def test_every_premise_must_hold():
    scored, margins = Given(lambda t: 0.0), [(measure_bias, 0.3), (lambda t, s: t[0, 0] - t[0, 1], 1.3)]
    _, found = search.find_missed_bias(scored, PLANE, margins, 1.0, 1, random())
    assert found[0, 0] - found[0, 1] > 1.29
    impossible = [(measure_bias, 5.0), (measure_bias, 0.3)]
    assert search.find_missed_bias(scored, PLANE, impossible, 1.0, 1, random()) == (np.inf, None)


@pytest.mark.parametrize(("value", "is_false_positive"), [(0.004, False), (0.006, True), (-0.006, True)])
def test_false_positives_are_values_on_neutral_targets(value, is_false_positive):
    scored = Given(lambda t: 1 + value if abs(gap(t)) < 1e-9 else 7.0, targets=4, b_0=1)
    distance, found = search.find_false_positive(scored, PLANE, 5.0, 2, random())
    assert distance == pytest.approx(abs(value) / 5)
    assert (found is not None) == is_false_positive
    assert scored.n_evaluations == 1 + 4 * 2
    if is_false_positive:
        np.testing.assert_allclose(np.abs(found), HALF)
