"""What is judged where: levels, groups and settings; the verdict on comparability from given extremes."""

from types import SimpleNamespace

import numpy as np
import pytest

from biassay.measurement.metric import Level, Metric
from biassay.metrics import same
from biassay.studies.properties import verdicts
from biassay.studies.properties.settings import Setting
from tests.properties.functions import PLANE, Given, X, Y

NAMES = ("comparable", "trustworthy", "skew", "stereotype")


def ends(setting, low, high):
    return setting, ((low, np.tile(-X, (4, 1))), (high, np.tile(X, (4, 1))))


class ScoredMetric(Given):
    """A metric of sets that has one value."""

    level, module = "set", SimpleNamespace(METRIC=Metric("", "", set=Level(0.0, None)))

    def __init__(self, value):
        super().__init__(lambda t: value, targets=4)


OTHER = Setting("other", [X[None], -Y[None]])


@pytest.mark.parametrize(
    ("extremes", "longer", "verdict", "reason"),
    [
        ([(-1, 1), (-1, 0.97)], 1.0, "yes", "extremes -1.000 and 0.985 in all 2 settings"),
        ([(-1, 1), (-1, 0.95)], 1.0, "no", "the largest value is 0.950 in the setting 'other' and 1.000 in 'plane'"),
        ([(-1, 1), (-0.9, 1)], 1.0, "no", "the smallest value is -1.000 in the setting 'plane' and -0.900 in 'other'"),
        ([(-0.9, 1), (-1, 0.5)], 1.0, "no", "the largest value is 0.500 in the setting 'other' and 1.000 in 'plane'"),
        ([(-1, 0.99), (-1, 1)], 1.05, "no", "unbounded: vectors ten times as long give 1.05 instead of 1"),
        ([(-1, 0.99), (-1, 1)], 1.03, "yes", "extremes -1.000 and 0.995 in all 2 settings"),
        ([(2, 2), (2, 2)], 2.0, "yes", "extremes 2.000 and 2.000 in all 2 settings"),
    ],
)
def test_comparable_by_a_fiftieth_of_the_widest_span(extremes, longer, verdict, reason):
    found = [ends(setting, *pair) for setting, pair in zip((PLANE, OTHER), extremes, strict=True)]
    found = verdicts._check_comparable(ScoredMetric(longer), 2, found)
    assert (found.verdict, found.reason, found.n_evaluations) == (verdict, reason, 1)
    if "unbounded" in reason:
        (example,) = found.examples
        assert (example.setting, example.value, example.targets) == ("other", 1.05, [[10, 0]] * 4)
    elif verdict == "no":
        which = int("largest" in reason)
        shown = sorted((pair[which], s.name) for pair, s in zip(extremes, (PLANE, OTHER), strict=True))
        assert [(example.value, example.setting) for example in found.examples] == shown
        assert {tuple(row) for e in found.examples for row in e.targets} == {tuple(X if which else -X)}


def test_levels_and_groups_that_are_judged(monkeypatch):
    calls = []
    monkeypatch.setattr(verdicts, "_check_level", lambda scored, *rest: calls.append((scored.level, *rest)) or [])
    for groups, expected in (((2, 2), [2]), ((2, None), [2, 3]), ((1, None), [2, 3]), ((3, None), [3]), ((1, 2), [2])):
        calls.clear()
        level = Level(0.0, 1.0)
        metric = Metric("", "", groups=groups, word=level, set=level)
        functions = {"word_bias": None, "set_bias": None}
        verdicts.check_metric(SimpleNamespace(METRIC=metric, **functions), n_starts=5, seed=6)
        assert calls == [(level, n, 5, 6) for n in expected for level in ("word", "set")]


def test_settings_of_a_level_in_the_plane_and_in_space(monkeypatch):
    """Two groups: all in the plane, and the random ones in space too; three groups in space."""
    spaces = []

    def extremes(scored, setting, n_starts, random):
        spaces.append((setting.name, setting.dimensions, n_starts))

    monkeypatch.setattr(verdicts.search, "find_extremes", extremes)
    for groups in (2, 3):
        with pytest.raises(ValueError, match="max"):
            verdicts._check_level(verdicts.ScoredMetric(same, "word", groups), groups, 4, 1)
    names = ["orthogonal", "opposite", "crossed pairs", "tight and wide", "near"]
    lots = [f"random {number}" for number in (1, 2, 3)]
    expected = [(name, 2, 4) for name in (*names, *lots)] + [(name, 3, 4) for name in lots]
    assert spaces == expected + [(name, 3, 4) for name in ("orthogonal", "near", *lots)]


LEVELS = {"word": Level(0.0, 1.0), "set": Level(0.0, 1.0)}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"exempt": "for a reason"}, "for a reason"),
        ({"takes": "associations"}, "it takes explicit values, not vectors with associations s(w, A_i)"),
        ({"takes": "predictions"}, "it takes predictions, not vectors with associations s(w, A_i)"),
        ({"groups": (0, 0)}, "it is label-based and has no groups"),
        ({"word": Level(0, 1, None), "set": Level(0, 1, None)}, "none of its values means no bias"),
        ({"word": Level(0, 1, None)}, ""), ({}, ""),
    ],
)  # fmt: skip
def test_why_properties_do_not_apply(options, reason):
    module = SimpleNamespace(METRIC=Metric("", "", **(LEVELS | options)))
    assert verdicts.explain_not_applicable(module) == reason
    if reason:
        found = [(v.level, v.n_groups, v.property, v.verdict, v.reason) for v in verdicts.check_metric(module)]
        keys = [("word", name) for name in NAMES[:2]] + [("set", name) for name in NAMES]
        assert found == [(level, 2, name, "not applicable", reason) for level, name in keys]
        assert np.isnan(verdicts.check_metric(module)[0].min_distance)
