"""Fast paths of growing lists against the metric itself, called on every subset."""

import numpy as np
import pytest

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.metrics import ect, rnsb, same_stereotype
from biassay.statistics.growth import Growth, grow
from biassay.studies.silhouette import values

MODULES = {name: metrics.load(name) for name in registry.names("metrics")}
HOOKS = [
    (name, side)
    for name, module in MODULES.items()
    for side in ("targets", "groups")
    if hasattr(module, f"set_bias_growing_{side}")
]
# sizes of the two lists that grow and words taken at a time: the one exhausted first, the other, both at once and at
# the first step; the last step takes fewer words than the others
SHAPES = [((3, 8), 4), ((7, 2), 2), ((5, 5), 4), ((4, 4), 8), ((2, 3), 2)]


def question(name, side, sizes, seed):
    """Targets, groups and mixed labels: two lists of `sizes` on the side that grows, others of other sizes.

    A word stands twice in a list, and another in both.
    """
    random = np.random.default_rng(seed)
    grown, fixed = ([random.standard_normal((m, 4)) + 0.3 for m in pair] for pair in (sizes, (5, 3)))
    for lists in (grown, fixed):
        lists[0][1], lists[1][1] = 2 * lists[0][0], lists[0][0]
    targets, groups = (grown, fixed) if side == "targets" else (fixed, grown)
    labels = np.repeat([0, 1], [len(rows) for rows in targets])
    mixed = random.permutation(len(labels))
    return np.concatenate(targets)[mixed], groups, labels[mixed]


def growth_of(name, side, sizes, step, labels):
    """Orders of both lists, or of the targets as one list where the metric takes no labels."""
    if side == "targets" and not MODULES[name].METRIC.set.labels:
        return grow([sum(sizes)], step, 4, [1])
    return grow(list(sizes), step, 4, [1])


def fast(name, side, targets, groups, labels, growth, **options):
    with_labels = [labels] if MODULES[name].METRIC.set.labels else []
    return getattr(MODULES[name], f"set_bias_growing_{side}")(targets, groups, *with_labels, growth, **options)


def direct(name, side, targets, groups, labels, growth, **options):
    """The metric on each subset, one after another."""
    used_labels = labels if MODULES[name].METRIC.set.labels else None
    role = {"targets": "scored", "groups": "references"}[side]
    inputs = values.MetricInputs(targets, groups, used_labels, role, [], paired=True)
    return values.measure_each_subset(MODULES[name], inputs, growth, **options)


def compare(name, side, arguments, growth, **options):
    with np.errstate(invalid="ignore"):
        expected = direct(name, side, *arguments, growth, **options)
    found = fast(name, side, *arguments, growth, **options)
    assert found.shape == (growth.n_shuffles, len(growth.sizes))
    tolerance = 3e-4 if name == "rnsb" else 1e-9  # RNSB's classifiers are fitted in single precision
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
    return found


@pytest.mark.parametrize(("name", "side"), HOOKS)
@pytest.mark.parametrize(("sizes", "step"), SHAPES)
def test_every_subset_has_the_value_of_the_metric(name, side, sizes, step):
    arguments = question(name, side, sizes, seed=sum(sizes))
    growth = growth_of(name, side, sizes, step, arguments[2])
    found = compare(name, side, arguments, growth)
    # the last step has all words, in whatever order; where words make pairs, the order makes others
    with_labels = [arguments[2]] if MODULES[name].METRIC.set.labels else []
    everything = MODULES[name].set_bias(*arguments[:2], *with_labels)
    if not (MODULES[name].METRIC.paired and side == "groups"):
        np.testing.assert_allclose(found[:, -1], everything, rtol=0, atol=3e-4 if name == "rnsb" else 1e-9)


OPTIONS = [
    ("weat", {"ddof": 1}), ("weat", {"ddof": 2}), ("ect", {"raw": True}), ("rnsb", {"c": 4.0}),
    ("direct_bias", {"c": 2.0}), ("ripa", {"direction": "pairs"}), ("ripa", {"n_pairings": 3, "seed": 5}),
    ("ripa", {"direction": "pairs", "n_pairings": 3, "seed": 5}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), OPTIONS)
@pytest.mark.parametrize("side", ["targets", "groups"])
def test_options_are_followed(name, options, side):
    if (name, side) in HOOKS and not (side == "groups" and "n_pairings" in options):
        arguments = question(name, side, (3, 6), seed=5)
        if "n_pairings" in options:
            arguments[1][0] = arguments[1][0][:3]
        compare(name, side, arguments, growth_of(name, side, (3, 6), 2, arguments[2]), **options)


@pytest.mark.parametrize("side", ["targets", "groups"])
@pytest.mark.parametrize("name", ["weat", "ect"])
def test_equal_associations_are_undefined(name, side):
    targets = np.repeat([[1.0, 2, 0]], 6, axis=0)
    groups = [np.eye(3)[[0, 0, 0]], np.eye(3)[[1, 1, 1]]]
    arguments = targets, groups, np.array([0, 1, 0, 1, 0, 1])
    assert np.isnan(compare(name, side, arguments, growth_of(name, side, (3, 3), 2, arguments[2]))).all()


def test_cosines_are_tied_where_they_differ_by_rounding_only():
    """Concept words at cosines .1, .1 + 3e-13 and .5, .3: a tie of the first two, in every way to compute it."""
    for gap, tied in ((3e-13, True), (2e-12, False)):
        x = np.array([0.1, 0.1 + gap, 0.5, 0.3])
        y = np.array([0.2, 0.1, 0.4, 0.3])
        targets = np.column_stack([x, y, np.sqrt(1 - x**2 - y**2)])
        groups = [np.array([[1.0, 0, 0]]), np.array([[0, 1.0, 0]])]
        # ranks by y are 2 1 4 3; by x 1 2 4 3, thus ρ = 1 − 6·2/(4·15), or tied 1½ 1½ 4 3
        # −1 −1 1½ ½ by −½ −1½ 1½ ½ is 4½, their squares 4½ and 5
        rho = 4.5 / np.sqrt(4.5 * 5) if tied else 1 - 6 * 2 / 60
        assert ect.set_bias(targets, groups, raw=True) == pytest.approx(rho)
        whole = Growth([np.array([[0, 1, 2, 3]])], np.array([[4]]))
        assert ect.set_bias_growing_targets(targets, groups, whole, raw=True) == pytest.approx(rho)
        assert ect.set_bias_growing_groups(targets, groups, grow([1, 1], 2, 1, [1]), raw=True) == pytest.approx(rho)


@pytest.mark.parametrize(("sizes", "step"), SHAPES)
def test_compiled_ranks_of_ect_are_those_of_each_subset(monkeypatch, sizes, step):
    monkeypatch.setattr(ect, "MAX_SORTED", 0)
    arguments = question("ect", "targets", sizes, seed=1)
    compare("ect", "targets", arguments, growth_of("ect", "targets", sizes, step, arguments[2]))


def test_a_small_spread_far_from_0_keeps_its_digits():
    """Values near 1 that differ by 1e-7: the mean of squares less the square of the mean would leave rounding."""
    random = np.random.default_rng(3)
    targets = np.array([1.0, 0, 0]) + 4e-4 * random.standard_normal((12, 3))
    groups = [np.array([[1.0, 0, 0]]), np.array([[-1.0, 0, 0]])]
    growth = grow([12], 4, 5, [1])
    arguments = targets, groups, None
    found = fast("same_stereotype", "targets", *arguments, growth)
    assert found.max() < 1e-6
    np.testing.assert_allclose(found, direct("same_stereotype", "targets", *arguments, growth), rtol=1e-6)
    assert same_stereotype.set_bias(*arguments[:2]) == pytest.approx(found[0, -1], rel=1e-6)


def test_classifiers_are_kept_for_other_groups_and_made_anew_for_another_c():
    targets, groups, labels = question("rnsb", "targets", (5, 6), seed=4)
    growth = grow([5, 6], 4, 3, [1])
    first = rnsb.set_bias_growing_targets(targets, groups, labels, growth)
    for others, c in ((groups, 1.0), (groups[::-1], 1.0), ([groups[0][:2], groups[1][1:]], 1.0), (groups, 9.0)):
        found = rnsb.set_bias_growing_targets(targets, others, labels, growth, c=c)
        fresh = rnsb.set_bias_growing_targets(targets, others, labels, grow([5, 6], 4, 3, [1]), c=c)
        np.testing.assert_array_equal(found, fresh)
    assert len(growth.cache) == 2
    assert not np.allclose(first, found)
