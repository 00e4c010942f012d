"""Settings that are searched in, a metric's values in them, and the premises of the properties, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from biassay.measurement.metric import Level, Metric
from biassay.statistics.directions import principal_components
from biassay.studies.properties import settings as module
from biassay.studies.properties.settings import ScoredMetric, Setting, make_settings, measure_associations

X, Y, Z = np.eye(3)
PLANE = Setting("plane", [np.array([[2.0, 0.0]]), np.array([[0.0, 5.0]])])  # â: (1, 0) and (0, 1)


def by_name(groups, dimensions, seed=1):
    return {setting.name: setting.groups for setting in make_settings(groups, dimensions, seed)}


def test_hand_made_settings_of_two_groups():
    found = by_name(2, 2)
    x, y = np.eye(2)
    expected = {
        "orthogonal": ([x], [y]), "opposite": ([x], [-x]),
        "crossed pairs": ([-x + 2 * y, -x - 2 * y], [x - 2 * y, x + 2 * y]),
        "tight and wide": ([x, x], [y + x, y - x]), "near": ([x], [x + y / 2]),
    }  # fmt: skip
    assert list(found) == [*expected, "random 1", "random 2", "random 3"]
    for name, groups in expected.items():
        for got, rows in zip(found[name], groups, strict=True):
            np.testing.assert_allclose(got, rows)
    crossed = Setting("", found["crossed pairs"])
    assert abs(principal_components(crossed.groups)[0] @ (crossed.means[0] - crossed.means[1])) < 1e-9  # Theorem 12
    assert list(by_name(2, 3)) == list(found)
    np.testing.assert_allclose(by_name(2, 3)["near"], [[X], [X + Y / 2]])


def test_settings_of_three_groups():
    found = by_name(3, 3)
    assert list(found) == ["orthogonal", "near", "random 1", "random 2", "random 3"]
    np.testing.assert_allclose(found["orthogonal"], [[X], [Y], [Z]])
    np.testing.assert_allclose(found["near"], [[X], [X + Y / 2], [X + Z / 2]])


def test_random_settings_depend_on_seed_groups_and_dimensions():
    found = by_name(2, 3)
    assert {group.shape for name in ("random 1", "random 2", "random 3") for group in found[name]} == {(3, 3)}
    values = [by_name(*arguments)["random 1"][0][0, 0] for arguments in ((2, 2), (2, 3), (3, 3), (2, 2, 5))]
    assert len(set(values)) == 4
    np.testing.assert_array_equal(by_name(2, 2)["random 2"], by_name(2, 2)["random 2"])


@pytest.mark.parametrize(("gap", "distinct"), [(0.04, False), (0.06, True)])
def test_settings_whose_groups_are_alike_are_left_out(gap, distinct):
    near = np.array([[np.cos(gap), np.sin(gap)]])
    assert module._is_distinct(Setting("", [np.array([[0.0, 1]]), np.array([[1.0, 0]]), near])) == distinct
    assert module._is_distinct(Setting("", [near, np.array([[1.0, 0]]), np.array([[0.0, 1]])])) == distinct


def scored(level, groups=2, **options):
    """A metric that says which arguments it was called with."""
    calls = []

    def function(targets, *arguments):
        calls.append((targets, *arguments))
        return np.log(targets[:, 0] - 1) if level == "word" else targets.sum()

    declared = Level(lambda n: -float(n), 4.0, 0.5, **options)
    metric = SimpleNamespace(__name__="made", METRIC=Metric("", "", groups=(2, None), **{level: declared}))
    setattr(metric, f"{level}_bias", function)
    return ScoredMetric(metric, level, groups), calls


def test_a_metric_of_samples_has_one_target():
    found, calls = scored("word")
    assert found.n_targets == 1
    assert found(np.array([[3.0, 0.0]]), PLANE) == pytest.approx(np.log(2))
    with np.errstate(invalid="ignore"):
        assert np.isnan(found(np.array([[0.5, 0.0]]), PLANE))
    assert found.n_evaluations == 2
    assert all((rows == given).all() for rows, given in zip(calls[0][1], PLANE.groups, strict=True))
    assert len(calls[0]) == 2
    assert (found.b_0, tuple(found.range)) == (0.5, (-2, 4, 0.5, False))


def test_a_metric_of_sets_has_two_targets_a_label():
    found, calls = scored("set")
    assert (found.n_targets, found.labels.tolist()) == (4, [0, 0, 1, 1])
    assert found(np.ones((4, 2)), PLANE) == 8
    assert len(calls[0]) == 2
    found, calls = scored("set", groups=3, labels=True)
    assert (found.n_targets, found.labels.tolist()) == (6, [0, 0, 1, 1, 2, 2])
    assert found.range.b_min == -3
    found(np.ones((6, 2)), PLANE)
    assert calls[0][2].tolist() == found.labels.tolist()
    assert scored("set", groups=3)[0].n_targets == 4


def test_associations_are_mean_cosines():
    found = measure_associations(np.array([[3.0, 4.0], [0.0, 0.0], [-2.0, 0.0]]), PLANE)
    np.testing.assert_allclose(found, [[0.6, 0.8], [np.nan, np.nan], [-1, 0]])


def test_premises_of_three_groups():
    """s of two targets with three groups: .8, 0, .6 and 0, 1, 0; their differences from the first group 0, −.8, −.2 and
    0, 1, 0."""
    setting = Setting("", [X[None], Y[None], Z[None]])
    targets = np.array([[0.8, 0.0, 0.6], [0.0, 3.0, 0.0]])
    assert module.measure_bias(targets, setting) == pytest.approx(1.0)
    assert module.measure_bias(targets[:1], setting) == pytest.approx(0.8)
    assert module.measure_skew(targets, setting) == pytest.approx(0.2)  # means .4, .5, .3
    assert module.measure_stereotype(targets, setting) == pytest.approx(1.8)  # first less second: .8 and −1
    assert module.measure_stereotype(targets[:1], setting) == 0


def test_premise_of_order():
    """X apart from Y by the smallest gap between their s(w, A) − s(w, B)."""
    angles = np.arccos(np.array([0.8, 0.3, -0.5, 0.2]) / 2**0.5) - np.pi / 4  # cos − sin has these values
    rows = np.column_stack([np.cos(angles), np.sin(angles)])
    assert module.measure_order(rows, PLANE) == pytest.approx(0.1)
    assert module.measure_order(rows[[1, 2, 0, 3]], PLANE) == pytest.approx(-1.3)
    three = Setting("three", [X[None], Y[None], Z[None]])
    targets = np.array([[0.8, 0.0, 0.6], [0.6, 0.8, 0.0], [0.0, 0.8, 0.6]])  # lists of one word
    assert module.measure_order(targets, three) == pytest.approx(0.6)  # of the second and third list
