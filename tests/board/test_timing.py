"""How long a value takes: what is asked of a metric, and how calls are counted."""

import numpy as np
import pytest

from biassay.core import registry
from biassay.measurement import evaluation
from biassay.measurement import metric as metrics
from biassay.studies.board import timing

VECTORS = [name for name in registry.names("metrics") if metrics.load(name).METRIC.takes not in metrics.ENTRIES]


@pytest.mark.parametrize("name", VECTORS)
def test_every_metric_of_vectors_has_a_value_of_the_query(name):
    module = metrics.load(name)
    targets, groups, labels = timing._query(module, np.random.default_rng(1))
    level = "set" if "set" in module.METRIC.levels else "word"
    assert np.isfinite(evaluation.evaluate_level(module, level, targets, groups, labels)).all()
    assert len(targets) == 40
    if module.METRIC.takes == "vectors":
        assert targets.shape == (40, 300)
    assert [group.shape for group in groups] in ([], [(20, 300)] * 2, [(40, 20)] * 2)
    if labels is not None:
        assert labels.tolist() == [0] * 20 + [1] * 20


@pytest.fixture
def clock(monkeypatch):
    """A clock by which a call of the metric takes what the list says, the last one for ever."""
    seconds, now = [], [0.0]

    def value(*_, **__):
        now[0] += seconds.pop(0) if len(seconds) > 1 else seconds[0]

    monkeypatch.setattr(timing, "perf_counter", lambda: now[0])
    monkeypatch.setattr(timing.evaluation, "evaluate_level", value)
    return seconds


def test_median_and_quartiles_of_the_measurements_in_milliseconds(clock):
    """The call that compiles and the one that tells how often to repeat do not count."""
    clock += [9.0, 0.01, 0.01, 0.02, 0.03, 0.04, 0.09]
    assert timing.time_metric("mine", "weat", {}, 5, 1) == {
        "metric": "mine", "level": "set", "median": pytest.approx(30), "low": pytest.approx(20),
        "high": pytest.approx(40), "repeats": 5,
    }  # fmt: skip


def test_short_calls_are_repeated_within_a_measurement(clock):
    """Of a call of 2 ms, two are within 5 ms."""
    clock += [9.0, 0.002, 0.001, 0.003, 0.004, 0.006, 0.002]
    found = timing.time_metric("mine", "weat", {}, 3, 1)
    assert [found[key] for key in ("low", "median", "high")] == [
        pytest.approx(value) for value in (2.0, 2.0, 3.5)
    ]  # of 2, 5 and 2


def test_options_are_given(monkeypatch):
    given = []
    monkeypatch.setattr(timing, "MIN_SECONDS", 0)
    monkeypatch.setattr(timing.evaluation, "evaluate_level", lambda *_, **options: given.append(options))
    timing.time_metric("ect_raw", "ect", {"raw": True}, 2, 1)
    assert given == [{"raw": True}] * 4
