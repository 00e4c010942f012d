"""The search for extremes: what it starts from, and what it finds in functions whose extremes are known."""

import numpy as np
import pytest

from biassay.studies.properties import search
from biassay.studies.properties.settings import Setting, measure_associations
from tests.properties.functions import HALF, PLANE, SPACE, THREE, Given, X, Y, gap, random


def has(directions, *wanted):
    return all(any(np.allclose(row, want) for row in directions) for want in wanted)


def test_special_directions():
    """Both ways along differences, means, what is orthogonal to the differences, and half-way between them."""
    found = list(search.generate_directions(PLANE))
    assert len(found) == 10
    assert has(found, X, -X, Y, -Y, [HALF, -HALF], [-HALF, HALF], [HALF, HALF], [-HALF, -HALF])
    found = list(search.generate_directions(THREE))
    assert len(found) == 14
    assert has(found, *np.eye(3), *-np.eye(3), [HALF, -HALF, 0], [HALF, 0, -HALF], -np.ones(3) / 3**0.5)
    mixed = np.array([HALF, -HALF, 0]) + np.ones(3) / 3**0.5
    assert has(found, mixed / 2**0.5) or has(found, (np.array([2**0.5, -(2**0.5), 0]) - mixed) / 2**0.5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
    assert len(list(search.generate_directions(Setting("opposite", [X[None], -X[None]])))) == 10


@pytest.mark.parametrize(("setting", "left"), [(PLANE, 1), (SPACE, 2), (THREE, 1)])
def test_neutral_directions_are_equally_near_all_groups(setting, left):
    found = search.neutral_basis(setting)
    assert found.shape == (left, setting.dimensions)
    np.testing.assert_allclose(found @ found.T, np.eye(left), atol=1e-12)
    np.testing.assert_allclose(np.ptp(measure_associations(found, setting), axis=1), 0, atol=1e-12)


def test_three_groups_in_a_plane_leave_nothing_neutral():
    crowd = Setting("crowd", [X[None], Y[None], -X[None]])
    assert search.neutral_basis(crowd).shape == (0, 2)
    assert search.find_false_positive(Given(lambda t: 1.0), crowd, 1.0, 1, random()) == (0.0, None)


def test_candidates_are_alike_apart_by_label_or_across_labels():
    assert [rows.shape for rows in search.generate_candidates(Given(gap), PLANE)] == [(1, 2)] * 10
    found = list(search.generate_candidates(Given(gap, targets=4), PLANE))
    assert len(found) == 10 + 2 * 90
    assert has([rows.ravel() for rows in found[:10]], np.tile(X, 4), np.tile(-Y, 4))
    assert has([rows.ravel() for rows in found[10::2]], [*X, *X, *Y, *Y], [*Y, *Y, *-X, *-X])
    assert has([rows.ravel() for rows in found[11::2]], [*X, *Y, *X, *Y], [*-X, *Y, *-X, *Y])
    assert len(list(search.generate_candidates(Given(gap, targets=2), PLANE))) == 190
    starts = list(search._starts(Given(gap), PLANE, 2, random()))
    assert len(starts) == 10 + 16
    assert {rows.shape for rows in starts} == {(1, 2)}


def test_extremes_at_candidates_need_no_optimisation_where_the_bounds_are_met():
    scored = Given(gap, b_min=-(2**0.5), b_max=2**0.5)
    (least, at_least), (most, at_most) = search.find_extremes(scored, PLANE, 2, random())
    assert (least, most) == pytest.approx((-(2**0.5), 2**0.5))
    np.testing.assert_allclose([at_least[0], at_most[0]], [[-HALF, HALF], [HALF, -HALF]])
    assert scored.n_evaluations == 10
    scored = Given(gap, b_min=-(2**0.5))
    search.find_extremes(scored, PLANE, 2, random())
    assert scored.n_evaluations > 20


def test_extremes_between_candidates_are_found_by_optimisation():
    """cos of the angle to a direction that nothing special about the setting names, with bounds far away."""
    aim = np.array([np.cos(0.3), np.sin(0.3)])
    scored = Given(lambda t: 3 * (t[0] @ aim) / np.linalg.norm(t), b_min=-3.2, b_max=3.5)
    (least, at_least), (most, at_most) = search.find_extremes(scored, PLANE, 1, random())
    assert (least, most) == pytest.approx((-3, 3), abs=1e-6)
    np.testing.assert_allclose([at_least[0], at_most[0]], [-aim, aim], atol=1e-3)
    assert max(scored(rows, PLANE) for rows in search.generate_candidates(scored, PLANE)) < 2.9
    (least, _), (most, _) = search.find_extremes(scored, PLANE, 0, random())
    assert -2.9 < least < most < 2.9


def test_undefined_values_are_no_extremes():
    assert search.find_extremes(Given(lambda t: np.nan), PLANE, 1, random()) is None
    scored = Given(lambda t: t[0, 0] if np.isclose(np.abs(t), 1).any() else np.nan)  # at ± X and ± Y alone
    (least, _), (most, _) = search.find_extremes(scored, PLANE, 2, random())
    assert (least, most) == (-1, 1)
