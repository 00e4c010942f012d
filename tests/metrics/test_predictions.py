"""The contract of every metric of predictions, also of one added later or named in config.yaml under own_metrics."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from biassay import measure_predictions
from biassay.measurement import metric as metrics
from tests.metrics.test_contract import ALL, OWN

MODULES = {name: module for name, module in ALL.items() if module.METRIC.takes == "predictions"}
COUNTS = [
    (name, n)
    for name, module in MODULES.items()
    for n in (2, 3, 5)
    if module.METRIC.groups[0] <= n <= (module.METRIC.groups[1] or n)
]
FEW = settings(max_examples=40)


def case(n, seed, texts=60, c=3):
    """Predictions of several classes a text and names of groups, in a mixed order that begins with the first group."""
    random = np.random.default_rng(seed)
    predictions, ground_truth = random.integers(0, 2, (2, texts, c))
    groups = np.array([f"g{number}" for number in range(n)])[np.append(0, random.permutation(np.arange(1, texts) % n))]
    return {
        "predictions": predictions,
        "ground_truth": ground_truth,
        "groups": groups,
        "order": [f"g{number}" for number in range(n)],
    }


def measured(name, given):
    return measure_predictions(OWN.get(name, name), **given)


@pytest.mark.parametrize("name", MODULES)
def test_declaration(name):
    declared = MODULES[name].METRIC
    assert declared.summary
    assert declared.source
    assert MODULES[name].__doc__
    for level in declared.levels:
        assert getattr(MODULES[name], metrics.FUNCTIONS[level]).__doc__


@pytest.mark.parametrize(("name", "n"), COUNTS)
@FEW
@given(seed=st.integers(0, 10**6), texts=st.integers(5, 60), c=st.integers(1, 5))
def test_shape_and_range(name, n, seed, texts, c):
    found = measured(name, case(n, seed, texts, c))
    for level, values in (("word", found.word), ("set", found.set)):
        if values is not None:
            limits, known = found.ranges[level], np.atleast_1d(values)[~np.isnan(np.atleast_1d(values))]
            assert np.shape(values) == ((c,) if level == "word" else ())
            assert limits.b_min is None or (known >= limits.b_min).all()
            assert limits.b_max is None or (known <= limits.b_max).all()


@pytest.mark.parametrize(("name", "n"), COUNTS)
@FEW
@given(seed=st.integers(0, 10**6))
def test_the_order_of_texts_says_nothing(name, n, seed):
    given = case(n, seed, 30)
    mixed = np.random.default_rng(seed).permutation(30)
    first = measured(name, given)
    again = measured(name, given | {key: given[key][mixed] for key in ("predictions", "ground_truth", "groups")})
    assert first.n_positives == again.n_positives
    for level in MODULES[name].METRIC.levels:
        np.testing.assert_allclose(getattr(again, level), getattr(first, level), atol=1e-12)


@pytest.mark.parametrize(("name", "n"), COUNTS)
@FEW
@given(seed=st.integers(0, 10**6))
def test_two_swapped_groups_turn_the_sign_or_nothing(name, n, seed):
    given = case(n, seed)
    first, second, *rest = given["order"]
    found, exchanged = measured(name, given), measured(name, given | {"order": [second, first, *rest]})
    for level in MODULES[name].METRIC.levels:
        turned = -getattr(found, level) if found.ranges[level].signed else getattr(found, level)
        np.testing.assert_allclose(getattr(exchanged, level), turned, atol=1e-12)


@pytest.mark.parametrize(("name", "n"), COUNTS)
@FEW
@given(seed=st.integers(0, 10**6), texts=st.integers(5, 60))
def test_predictions_without_a_mistake_are_without_bias(name, n, seed, texts):
    given = case(n, seed, texts)
    found = measured(name, given | {"predictions": given["ground_truth"]})
    assume(not found.undefined)
    for level in MODULES[name].METRIC.levels:
        assert (np.asarray(getattr(found, level)) == found.ranges[level].b_0).all()


@pytest.mark.parametrize(("name", "n"), COUNTS)
def test_the_set_value_follows_from_the_word_level_and_no_input_changes(name, n):
    given, before = case(n, 1), case(n, 1)
    found = measured(name, given)
    aggregate = MODULES[name].METRIC.aggregate
    if aggregate:
        assert found.set == pytest.approx((found.word if aggregate == "mean" else np.abs(found.word)).mean())
    for key, value in before.items():
        np.testing.assert_array_equal(given[key], value)
