"""Cases at the edge, for every metric: each has a stated value or a clear error."""

import numpy as np
import pytest

from biassay.measurement.evaluation import evaluate
from tests.metrics.test_contract import CASES, COUNT, LEVELS, MODULES, case, value, values

NAN = np.nan
IDENTICAL_GROUPS = {
    "direct_bias": (NAN, NAN),
    "ect": (None, 0),
    "first_order": (0, None),
    "gweat": (None, 0),
    "ripa": (NAN, NAN),
    "rnd": (0, 0),
    "rnsb": (None, 0),
    "same": (NAN, NAN),
    "same_skew": (None, NAN),
    "same_stereotype": (None, NAN),
    "second_order_cosine": (0, None),
    "second_order_nnd": (0, None),
    "weat": (0, NAN),
    "weat_p_value": (None, 1),
}


def inside(name, n, level, found):
    bounds = MODULES[name].METRIC.range(level, n)
    low = -np.inf if bounds.b_min is None else bounds.b_min - 1e-12
    high = np.inf if bounds.b_max is None else bounds.b_max + 1e-12
    return bool(np.all((found >= low) & (found <= high)))


@pytest.mark.parametrize(("name", "n"), [one for one in CASES if MODULES[one[0]].METRIC.groups != (0, 0)])
def test_identical_groups(name, n):
    targets, groups, labels = case(name, n)
    found = dict(zip(("word", "set"), values(name, targets, [groups[0]] * n, labels), strict=True))
    expected = dict(zip(found, IDENTICAL_GROUPS.get(name, (None, None)), strict=True))
    for level in MODULES[name].METRIC.levels:
        if expected[level] is None:  # a metric that is not in the table, or MAC: a case like any other
            assert inside(name, n, level, found[level]) or np.isnan(found[level]).all()
        else:
            np.testing.assert_allclose(found[level], expected[level], atol=1e-12)


@pytest.mark.parametrize(("name", "n"), [one for one in CASES if one[0] not in ("classification", "clustering")])
def test_undefined_values_come_without_a_warning(name, n):
    targets, groups, labels = case(name, n)
    alike = np.repeat(targets[:1], COUNT, axis=0)
    zero = np.concatenate([targets[:-1], 0 * targets[:1]])
    with np.errstate(divide="raise", invalid="raise"):
        values(name, targets, [groups[0]] * n if groups else [], labels)
        values(name, alike, groups, labels)
        values(name, zero, groups, labels)
        values(name, targets, [rows * (np.arange(4) > 0)[:, None] for rows in groups], labels)


@pytest.mark.parametrize(("name", "n"), [("same", 3), ("same_skew", 3), ("same_stereotype", 3), ("direct_bias", 3)])
def test_two_identical_groups_among_three_are_left_out(name, n):
    targets, groups, labels = case(name, n)
    found = values(name, targets, [groups[0], groups[1], groups[1]], labels)[1]
    assert 0 < found < 1


@pytest.mark.parametrize("name", ["weat", "same", "weat_p_value"])
def test_the_same_words_in_another_order_are_identical_groups(name):
    targets, groups, labels = case(name, 2)
    found = values(name, targets, [groups[0], groups[0][::-1]], labels)[1]
    np.testing.assert_equal(found, IDENTICAL_GROUPS[name][1])


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_one_word_groups(name, n, level):
    targets, groups, labels = case(name, n)
    found = value(level, name, targets, [rows[:1] for rows in groups], labels)
    assert np.isfinite(found).all()
    assert inside(name, n, level, found)


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_more_groups_than_dimensions(name, n, level):
    targets, groups, labels = case(name, n)
    found = value(level, name, targets[:, : max(1, n - 2)], [rows[:, : max(1, n - 2)] for rows in groups], labels)
    if name == "weat_p_value" or n > 2:
        assert np.isfinite(found).all()
    assert inside(name, n, level, found[np.isfinite(found)])


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_targets_that_are_group_words_and_duplicates(name, n, level):
    targets, groups, labels = case(name, n)
    for number, rows in enumerate(groups):
        targets[number] = targets[-number - 1] = rows[0]
    found = value(level, name, targets, [np.concatenate([rows, rows[:1]]) for rows in groups], labels)
    assert np.isfinite(found).all()
    assert inside(name, n, level, found)


@pytest.mark.parametrize(("name", "n"), [one for one in CASES if one[1] == 3 and one[0] != "first_order"])
def test_groups_of_unequal_size(name, n):
    targets, groups, labels = case(name, n)
    for found in values(name, targets, [rows[: 4 - number] for number, rows in enumerate(groups)], labels):
        assert found is None or np.isfinite(found).all()


@pytest.mark.parametrize(("name", "n"), CASES)
def test_a_single_target(name, n):
    targets, groups, _ = case(name, n)
    declared = MODULES[name].METRIC
    if all(level.labels for level in declared.levels.values()):
        with pytest.raises(ValueError, match="different labels, got 1"):
            evaluate(MODULES[name], targets[:1], groups, np.array([0]))
        return
    for level, found in zip(("word", "set"), values(name, targets[:1], groups, None), strict=True):
        assert found is None or inside(name, n, level, np.asarray(found)) or name == "ect"


@pytest.mark.parametrize("name", [name for name in MODULES if MODULES[name].METRIC.groups[1] is not None])
def test_a_wrong_number_of_groups(name):
    targets, groups, labels = (
        np.eye(4),
        [np.eye(4)] * (1 if MODULES[name].METRIC.groups == (0, 0) else 3),
        [0, 1, 0, 1],
    )
    with pytest.raises(ValueError, match="groups, got"):
        evaluate(MODULES[name], targets, groups, np.array(labels))


def test_labels_that_do_not_fit():
    targets, groups, labels = case("weat", 2)
    for wrong, message in (
        (labels[1:], rf"labels: .*\({COUNT},\)"),
        (labels + 1, "labels: .*the numbers from 0"),
        (np.arange(COUNT) % 3, "2 different labels, got 3"),
        (labels * 0, "2 different labels, got 1"),
    ):
        with pytest.raises(ValueError, match=message):
            evaluate(MODULES["weat"], targets, groups, wrong)
