"""The contract of every metric on vectors, also of one added later or named in config.yaml under own_metrics:
declaration, shape, range, invariances, undefined values, cases at the edge."""

import re

import numpy as np
import pytest
import yaml

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.evaluation import evaluate
from biassay.words import references
from tests.running import ROOT

D, COUNT, NAN = 8, 30, np.nan
OWN = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))["own_metrics"]
ALL = {name: metrics.load(path) for name, path in ({name: name for name in registry.names("metrics")} | OWN).items()}
MODULES = {name: module for name, module in ALL.items() if module.METRIC.takes not in metrics.ENTRIES}
LABEL_BASED = [name for name, module in MODULES.items() if module.METRIC.groups == (0, 0)]


def possible_counts(module):
    """Numbers of groups, or of labels for label-based metrics, that a metric is tried with."""
    declared = module.METRIC
    low, high = declared.groups
    if declared.groups == (0, 0):
        limits = [declared.n_labels(level, 0) for level in declared.levels]
        low = max(limit[0] for limit in limits)
        high = min((limit[1] for limit in limits if limit[1] is not None), default=None)
    return [n for n in (2, 3, 5) if n >= low and (high is None or n <= high)]


CASES = [(name, n) for name, module in MODULES.items() for n in possible_counts(module)]
LEVELS = [(name, n, level) for name, n in CASES for level in MODULES[name].METRIC.levels]
each_case = pytest.mark.parametrize(("name", "n"), CASES)
each_level = pytest.mark.parametrize(("name", "n", "level"), LEVELS)


def count_labels(module, n):
    """Number of different labels for n groups."""
    labelled = [level for level, declared in module.METRIC.levels.items() if declared.labels]
    return min(module.METRIC.n_labels(labelled[0], n)[1] or n, n) if labelled else 2


def draw_case(name, n, seed=0):
    """Random targets, groups and labels: the labels in equal shares."""
    random, module = np.random.default_rng(seed), MODULES[name]
    targets = random.standard_normal((COUNT, D))
    groups = [random.standard_normal((4, D)) + 0.3 for _ in range(n)] if name not in LABEL_BASED else []
    return targets, groups, np.arange(COUNT) % count_labels(module, n)


def measure_levels(name, targets, groups, labels):
    """Both values; metrics of associations get e = |v·u| of the targets."""
    module = MODULES[name]
    if module.METRIC.takes == "associations":
        targets, groups = np.linalg.norm(targets, axis=1), [targets @ rows.T for rows in groups]
    word, whole = evaluate(module, targets, groups, labels)
    return {"word": word, "set": whole}


def value(level, name, *arguments):
    return np.asarray(measure_levels(name, *arguments)[level])


def is_inside(name, n, level, found):
    bounds = MODULES[name].METRIC.range(level, n)
    low = -np.inf if bounds.b_min is None else bounds.b_min - 1e-12
    high = np.inf if bounds.b_max is None else bounds.b_max + 1e-12
    return bool(np.all((found >= low) & (found <= high)))


@pytest.mark.parametrize("name", ALL)
def test_declaration(name):
    module, declared = ALL[name], ALL[name].METRIC
    assert declared.summary
    assert declared.source
    assert module.__doc__
    for level in declared.levels:
        assert getattr(module, metrics.FUNCTIONS[level]).__doc__
    if declared.aggregate:
        assert set(declared.levels) == {"word", "set"}
    if name not in OWN:
        years = set(re.findall(r"\b(?:19|20)\d\d\b", declared.source))
        assert years <= {key[-4:] for key in declared.cite}, "a paper of its source is not cited"
        assert all(references.find(key) for key in declared.cite)
        assert declared.avoid


@each_level
@pytest.mark.parametrize("seed", range(2))
def test_shape_range_and_the_same_value_twice(name, n, level, seed):
    case, bounds = draw_case(name, n, seed), MODULES[name].METRIC.range(level, n)
    found = value(level, name, *case)
    assert found.shape == ((COUNT,) if level == "word" else ())
    assert is_inside(name, n, level, found)
    assert bounds.b_0 is None or is_inside(name, n, level, bounds.b_0)
    np.testing.assert_array_equal(value(level, name, *case), found)


@each_level
def test_values_are_independent_of_rotations_precision_and_lengths(name, n, level):
    """Of lengths only where the metric declares so."""
    random, declared = np.random.default_rng(3), MODULES[name].METRIC
    rotation = np.linalg.qr(random.standard_normal((D, D)))[0]
    changes = [(lambda rows: rows @ rotation, 1e-6), (lambda rows: rows.astype(np.float32), 1e-4)]
    if declared.scale_invariant and declared.takes != "associations":
        changes.append((lambda rows: rows * random.uniform(0.2, 5, (len(rows), 1)), 1e-9))
    targets, groups, labels = draw_case(name, n)
    expected = value(level, name, targets, groups, labels)
    for change, tolerance in changes:
        found = value(level, name, change(targets), [change(rows) for rows in groups], labels)
        np.testing.assert_allclose(found, expected, atol=tolerance)


@each_case
def test_levels_follow_from_each_other(name, n):
    """Word-level values do not depend on other targets; the set-level value aggregates them as declared."""
    declared, (targets, groups, labels) = MODULES[name].METRIC, draw_case(name, n)
    found = measure_levels(name, targets, groups, labels)
    if declared.takes == "vectors" and declared.word and not declared.word.labels:
        alone = measure_levels(name, targets[:3], groups, labels[:3])["word"]
        np.testing.assert_allclose(alone, found["word"][:3], atol=1e-12)
    if declared.aggregate:
        words = found["word"] if declared.aggregate == "mean" else np.abs(found["word"])
        assert found["set"] == pytest.approx(words.mean())


@each_level
def test_swapped_groups_change_the_sign_or_nothing(name, n, level):
    declared, (targets, groups, labels) = MODULES[name].METRIC, draw_case(name, n)
    swapped = value(level, name, targets, groups[1::-1] + groups[2:], labels)
    if declared.range(level, n).signed:
        np.testing.assert_allclose(swapped, -value(level, name, targets, groups, labels), atol=1e-12)
    elif not declared.levels[level].labels:
        np.testing.assert_allclose(swapped, value(level, name, targets, groups, labels), atol=1e-9)


def unbiased_cases(name, n):
    """Cases without bias: targets orthogonal to mirrored groups, identical groups, labels without information."""
    targets, groups, labels = draw_case(name, n)
    neutral, flat = targets.copy(), [rows.copy() for rows in groups]
    neutral[:, : D // 2] = 0
    for rows in flat:
        rows[:, D // 2 :] = 0
    yield neutral, [flat[0] * np.where(np.arange(D) == number, -1, 1) for number in range(len(flat))], labels
    yield targets, [groups[0]] * n if groups else [], labels
    classes = count_labels(MODULES[name], n)
    yield np.repeat(targets[: COUNT // classes], classes, axis=0), groups, labels
    if name in LABEL_BASED:
        random = np.random.default_rng(1)
        yield random.standard_normal((400, D)), groups, random.permutation(400) % classes


@each_level
def test_b_0_is_reached_without_bias(name, n, level):
    b_0 = MODULES[name].METRIC.range(level, n).b_0
    if b_0 is not None:
        found = [value(level, name, *case) for case in unbiased_cases(name, n)]
        assert any(np.allclose(one, b_0, atol=0.08 if name in LABEL_BASED else 1e-9) for one in found), found


@each_level
def test_a_broken_vector_never_gives_a_number_nor_a_warning(name, n, level):
    """Zero vectors are like any other where lengths count."""
    declared = MODULES[name].METRIC
    for broken in (np.nan, 0.0) if declared.scale_invariant else (np.nan,):
        targets, groups, labels = draw_case(name, n)
        targets[0] = broken
        with np.errstate(divide="raise", invalid="raise"):
            found = value(level, name, targets, groups, labels)
        assert np.isnan(np.atleast_1d(found)[0])
        if level == "word" and not declared.word.labels:
            assert np.isfinite(found[1:]).all()
        targets, groups, labels = draw_case(name, n)
        if groups and declared.takes != "associations":
            groups[0][1] = broken
            with np.errstate(divide="raise", invalid="raise"):
                assert np.isnan(value(level, name, targets, groups, labels)).all()


IDENTICAL_GROUPS = {
    "direct_bias": (NAN, NAN), "ect": (None, 0), "first_order": (0, None), "gweat": (None, 0), "ripa": (NAN, NAN),
    "rnd": (0, 0), "rnsb": (None, 0), "same": (NAN, NAN), "same_skew": (None, NAN), "same_stereotype": (None, NAN),
    "second_order_cosine": (0, None), "second_order_nnd": (0, None), "weat": (0, NAN), "weat_p_value": (None, 1),
}  # fmt: skip


@pytest.mark.parametrize(("name", "n"), [case for case in CASES if case[0] in IDENTICAL_GROUPS])
def test_identical_groups(name, n):
    targets, groups, labels = draw_case(name, n)
    with np.errstate(divide="raise", invalid="raise"):
        found = measure_levels(name, targets, [groups[0]] * n, labels)
    for level, expected in zip(("word", "set"), IDENTICAL_GROUPS[name], strict=True):
        if expected is not None:
            np.testing.assert_allclose(found[level], expected, atol=1e-12)


@each_case
def test_a_single_target_and_a_wrong_number_of_groups(name, n):
    (targets, groups, labels), declared = draw_case(name, n), MODULES[name].METRIC
    if all(level.labels for level in declared.levels.values()):
        with pytest.raises(ValueError, match="different labels, got 1"):
            evaluate(MODULES[name], targets[:1], groups, np.array([0]))
    else:
        for level, found in measure_levels(name, targets[:1], groups, None).items():
            assert found is None or is_inside(name, n, level, found) or name == "ect"
    if declared.groups[1] is not None:
        with pytest.raises(ValueError, match="groups, got"):
            evaluate(MODULES[name], targets, [targets] * (declared.groups[1] + 1), labels)
