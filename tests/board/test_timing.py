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


@pytest.mark.parametrize(("seconds", "quartiles"), [
    ([9.0, 0.01, 0.01, 0.02, 0.03, 0.04, 0.09], (20.0, 30.0, 40.0)),  # the first two calls do not count
    ([9.0, 0.002, 0.001, 0.003, 0.004, 0.006, 0.002], (2.0, 2.0, 3.5)),  # of 2, 5 and 2: two calls are within 5 ms
])  # fmt: skip
def test_quartiles_in_milliseconds(monkeypatch, seconds, quartiles):
    now, given = [0.0], []

    def value(*_, **options):
        given.append(options)
        now[0] += seconds.pop(0) if len(seconds) > 1 else seconds[0]

    monkeypatch.setattr(timing, "perf_counter", lambda: now[0])
    monkeypatch.setattr(timing.evaluation, "evaluate_level", value)
    repeats = 5 if quartiles[0] == 20 else 3
    row = timing.time_metric("ect_raw", "ect", {"raw": True}, repeats, 1)
    assert [row[key] for key in ("low", "median", "high")] == pytest.approx(quartiles)
    assert (row["metric"], row["level"], row["repeats"]) == ("ect_raw", "set", repeats)
    assert {"raw": True} in given
    assert len({str(options) for options in given}) == 1
