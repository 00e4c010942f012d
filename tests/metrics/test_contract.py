"""The contract of every metric on vectors, also of one added later or named in config.yaml under own_metrics:
declaration, shape, range, invariances, undefined values."""

import numpy as np
import pytest
import yaml

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.evaluation import evaluate
from tests.running import ROOT

D, COUNT = 8, 30
OWN = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))["own_metrics"]
ALL = {name: metrics.load(path) for name, path in ({name: name for name in registry.names("metrics")} | OWN).items()}
MODULES = {name: module for name, module in ALL.items() if module.METRIC.takes not in metrics.ENTRIES}


def counts(module):
    """Numbers of groups, or of labels for tests of labels only, that a metric is tried with."""
    declared = module.METRIC
    least, most = declared.groups
    if declared.groups == (0, 0):
        least, most = max(declared.n_labels(level, 0)[0] for level in declared.levels), None
        tops = [declared.n_labels(level, 0)[1] for level in declared.levels]
        most = min((top for top in tops if top is not None), default=None)
    return [n for n in (2, 3, 5) if n >= least and (most is None or n <= most)]


CASES = [(name, n) for name, module in MODULES.items() for n in counts(module)]
LEVELS = [(name, n, level) for name, n in CASES for level in MODULES[name].METRIC.levels]


def n_labels(module, n):
    """Number of different labels for n groups."""
    labelled = [level for level, declared in module.METRIC.levels.items() if declared.labels]
    return min(module.METRIC.n_labels(labelled[0], n)[1] or n, n) if labelled else 2


def case(name, n, seed=0):
    """Random targets, groups and labels: the labels in equal shares."""
    random = np.random.default_rng(seed)
    module = MODULES[name]
    targets = random.standard_normal((COUNT, D))
    groups = [random.standard_normal((4, D)) + 0.3 for _ in range(n)] if module.METRIC.groups != (0, 0) else []
    return targets, groups, np.arange(COUNT) % n_labels(module, n)


def values(name, targets, groups, labels):
    """Sample and set values; metrics of associations see e = |v·u| of their targets."""
    module = MODULES[name]
    if module.METRIC.takes == "associations":
        return evaluate(module, np.linalg.norm(targets, axis=1), [targets @ rows.T for rows in groups], labels)
    return evaluate(module, targets, groups, labels)


def value(level, *arguments):
    return np.asarray(values(*arguments)[level == "set"])


def moved(change, targets, groups, labels):
    """The case with a function applied to every array of vectors."""
    return change(targets), [change(rows) for rows in groups], labels


@pytest.mark.parametrize("name", MODULES)
def test_declaration(name):
    declared = MODULES[name].METRIC
    assert declared.summary
    assert declared.source
    assert MODULES[name].__doc__
    for level in declared.levels:
        assert getattr(MODULES[name], metrics.FUNCTIONS[level]).__doc__
    if declared.aggregate:
        assert set(declared.levels) == {"word", "set"}


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
@pytest.mark.parametrize("seed", range(5))
def test_shape_and_range(name, n, level, seed):
    found = value(level, name, *case(name, n, seed))
    bounds = MODULES[name].METRIC.range(level, n)
    assert found.shape == ((COUNT,) if level == "word" else ())
    assert np.isfinite(found).all()
    assert bounds.b_min is None or (found >= bounds.b_min - 1e-12).all()
    assert bounds.b_max is None or (found <= bounds.b_max + 1e-12).all()
    if bounds.b_0 is not None:
        assert bounds.b_min is None or bounds.b_0 >= bounds.b_min
        assert bounds.b_max is None or bounds.b_0 <= bounds.b_max


@pytest.mark.parametrize(("name", "n"), CASES)
def test_word_level_values_without_labels_do_not_depend_on_other_targets(name, n):
    declared = MODULES[name].METRIC
    if declared.takes != "vectors" or not declared.word or declared.word.labels:
        pytest.skip("not claimed")
    targets, groups, labels = case(name, n)
    alone = values(name, targets[:3], groups, labels[:3])[0]
    np.testing.assert_allclose(alone, values(name, targets, groups, labels)[0][:3], atol=1e-12)


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_rotation_changes_nothing(name, n, level):
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((D, D)))[0]
    rotated = moved(lambda rows: rows @ rotation, *case(name, n))
    np.testing.assert_allclose(value(level, name, *rotated), value(level, name, *case(name, n)), atol=1e-6)


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_lengths_do_not_count_where_the_metric_says_so(name, n, level):
    if not MODULES[name].METRIC.scale_invariant or MODULES[name].METRIC.takes == "associations":
        pytest.skip("not claimed")
    random = np.random.default_rng(3)
    scaled = moved(lambda rows: rows * random.uniform(0.2, 5, (len(rows), 1)), *case(name, n))
    np.testing.assert_allclose(value(level, name, *scaled), value(level, name, *case(name, n)), atol=1e-9)


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_swapped_groups_turn_the_sign_or_nothing(name, n, level):
    declared = MODULES[name].METRIC
    targets, groups, labels = case(name, n)
    exchanged = value(level, name, targets, groups[1::-1] + groups[2:], labels)
    if declared.range(level, n).signed:
        np.testing.assert_allclose(exchanged, -value(level, name, targets, groups, labels), atol=1e-12)
    elif not declared.levels[level].labels:
        np.testing.assert_allclose(exchanged, value(level, name, targets, groups, labels), atol=1e-9)


def unbiased(name, n):
    """Cases without bias: targets orthogonal to mirrored groups, identical groups, labels that say nothing."""
    targets, groups, labels = case(name, n)
    neutral, flat = targets.copy(), [rows.copy() for rows in groups]
    neutral[:, : D // 2] = 0
    mirrored = []
    for number, rows in enumerate(flat):
        rows[:, D // 2 :] = 0
        mirrored.append(flat[0] * np.where(np.arange(D) == number, -1, 1))
    yield neutral, mirrored, labels
    yield targets, [groups[0]] * n if groups else [], labels
    classes = n_labels(MODULES[name], n)
    yield np.repeat(targets[: COUNT // classes], classes, axis=0), groups, labels
    random = np.random.default_rng(1)
    yield random.standard_normal((400, D)), groups, random.permutation(400) % classes


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_b_0_is_reached_without_bias(name, n, level):
    b_0 = MODULES[name].METRIC.range(level, n).b_0
    if b_0 is None:
        pytest.skip("no value says that there is no bias")
    label_test = MODULES[name].METRIC.groups == (0, 0)
    cases = list(unbiased(name, n))
    found = [value(level, name, *one) for one in (cases if label_test else cases[:3])]
    assert any(np.allclose(one, b_0, atol=0.08 if label_test else 1e-9) for one in found), found


@pytest.mark.parametrize(("name", "n"), CASES)
def test_the_set_value_follows_from_the_word_level(name, n):
    word, of_set = values(name, *case(name, n))
    aggregate = MODULES[name].METRIC.aggregate
    if aggregate:
        assert of_set == pytest.approx((word if aggregate == "mean" else np.abs(word)).mean())


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_single_precision_is_near(name, n, level):
    single = moved(lambda rows: rows.astype(np.float32), *case(name, n))
    np.testing.assert_allclose(value(level, name, *single), value(level, name, *case(name, n)), atol=1e-4)


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
def test_the_same_call_gives_the_same_value_and_changes_no_input(name, n, level):
    arguments = case(name, n)
    first = value(level, name, *arguments)
    np.testing.assert_array_equal(value(level, name, *arguments), first)
    for before, after in zip(case(name, n)[1], arguments[1], strict=True):
        np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(case(name, n)[0], arguments[0])


@pytest.mark.parametrize(("name", "n", "level"), LEVELS)
@pytest.mark.parametrize("broken", [np.nan, 0.0])
@pytest.mark.parametrize("where", ["target", "group"])
def test_a_broken_vector_never_gives_a_number(name, n, level, broken, where):
    targets, groups, labels = case(name, n)
    declared = MODULES[name].METRIC
    if broken == 0 and not declared.scale_invariant:
        pytest.skip("a vector of length 0 is like any other where lengths count")
    if where == "group":
        if not groups or declared.takes == "associations":
            pytest.skip("no vectors of groups")
        groups[0][1] = broken
        assert np.isnan(value(level, name, targets, groups, labels)).all()
        return
    targets[0] = broken
    found = value(level, name, targets, groups, labels)
    assert np.isnan(np.atleast_1d(found)[0])
    if level == "word" and not declared.word.labels:
        assert np.isfinite(found[1:]).all()
