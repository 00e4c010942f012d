"""Verdicts on metrics built to have every property, or to lack a chosen one; counterexamples are computed again."""

from types import SimpleNamespace

import numpy as np
import pytest

from biassay.measurement.metric import Level, Metric
from biassay.metrics import gweat, weat
from biassay.statistics.geometry import unit
from biassay.studies.properties import settings, verdicts
from tests.properties.functions import PLANE, Given, X, Y

NAMES = ("comparable", "trustworthy", "skew", "stereotype")


def apart(targets, groups):
    """s(w, A) − s(w, B), and its largest value possible, ‖â − b̂‖."""
    gap = unit(groups[0]).mean(axis=0) - unit(groups[1]).mean(axis=0)
    return unit(targets) @ gap, np.linalg.norm(gap)


def along(targets, groups):
    """The share of its largest value possible: SAME, −1 to 1."""
    values, most = apart(targets, groups)
    return values / most


def false_positive(targets, groups):
    """One half on neutral targets."""
    return np.sqrt(0.25 + 0.75 * along(targets, groups) ** 2).mean()


def undefined(targets, groups):
    x = along(targets, groups)
    return (x**2 / np.where(np.abs(x) < 1e-7, np.nan, np.abs(x))).mean()


METRICS = {  # each as a function of a set's targets and groups: verdicts in the order of NAMES
    "all": (lambda t, a: np.abs(along(t, a)).mean(), ["yes", "yes", "yes", "yes"]),
    "spans differ": (lambda t, a: np.abs(apart(t, a)[0]).mean(), ["no", "yes", "yes", "yes"]),
    "lengths count": (lambda t, a: np.abs(along(t, a) * np.linalg.norm(t, axis=1)).mean(), ["no", "yes", "yes", "yes"]),
    "false positive": (false_positive, ["yes", "no", "yes", "yes"]),
    "undefined": (undefined, ["yes", "no", "yes", "yes"]),
    "skew alone": (lambda t, a: np.abs(along(t, a).mean()), ["yes", "no", "yes", "no"]),
    "stereotype alone": (lambda t, a: along(t, a).std(), ["yes", "no", "no", "yes"]),
    "nothing": (lambda t, a: 0.0, ["yes", "no", "no", "no"]),
    "never defined": (lambda t, a: np.nan, ["not applicable"] * 4),
}  # fmt: skip


def made(function):
    """A metric of sets whose value without bias is 1."""
    level = Level(1.0, None, 1.0)
    metric = Metric("", "", set=level)
    return SimpleNamespace(__name__="made", METRIC=metric, set_bias=lambda t, a: 1.0 + function(t, a))


@pytest.fixture(scope="module")
def judged():
    """Verdicts on METRICS and on WEAT's sets, in two settings in the plane."""
    chosen = ("orthogonal", "near")
    everything = settings.make_settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "make_settings", lambda *given: [s for s in everything(*given) if s.name in chosen])
        found = {name: verdicts.check_metric(made(function), n_starts=1) for name, (function, _) in METRICS.items()}
        return found | {"weat": [v for v in verdicts.check_metric(weat, n_starts=1) if v.level == "set"]}


def arrays(example):
    return np.array(example.targets), [np.array(rows) for rows in example.groups]


def check(example, function, premise):
    """The value of a counterexample, and that it is b_0 although the premise holds by a fifth of what is possible."""
    value = 1 + function(*arrays(example))
    assert example.value == pytest.approx(value, abs=1e-9, nan_ok=True)
    s, most = apart(*arrays(example))
    if premise:
        held = {"trustworthy": np.abs(s).max(), "skew": abs(s.mean()), "stereotype": np.ptp(s)}[premise]
        assert held > 0.199 * most
        assert value == pytest.approx(1, abs=1e-4)
    return s, value


@pytest.mark.parametrize("name", METRICS)
def test_what_a_metric_lacks_is_found_and_nothing_else(judged, name):
    (function, expected), found = METRICS[name], judged[name]
    assert [(v.level, v.n_groups, v.property) for v in found] == [("set", 2, name) for name in NAMES]
    assert [v.verdict for v in found] == expected
    assert all(len(v.examples) == (v.verdict == "no") for v in found[1:])
    evaluations = [v.n_evaluations for v in found]
    assert 0 < evaluations[0] <= evaluations[1] <= evaluations[2] <= evaluations[3]
    for verdict in found[1:]:
        is_false_positive = "equally near all groups" in verdict.reason
        for example in verdict.examples:
            s, value = check(example, function, not is_false_positive and verdict.property)
            assert (len(example.targets), example.labels) == (4, [])
            if is_false_positive:
                assert np.abs(s).max() < 1e-9
                assert np.isnan(value) == (name == "undefined")
        if verdict.verdict == "yes" or is_false_positive:
            assert 0 < verdict.min_distance < np.inf


def test_weat_is_stereotype_sensitive_if_labels_follow_the_stereotypes(judged):
    found = dict(zip(NAMES, judged["weat"], strict=True))
    assert [verdict.verdict for verdict in found.values()] == ["yes", "no", "no", "conditional"]
    (example,) = found["stereotype"].examples
    assert example.labels == [0, 0, 1, 1]
    s, most = apart(*arrays(example))
    assert np.ptp(s) > 0.199 * most
    assert s[:2].mean() == pytest.approx(s[2:].mean(), abs=1e-4)


def test_gweat_of_three_groups_is_stereotype_sensitive_if_labels_follow_the_stereotypes(monkeypatch):
    monkeypatch.setattr(verdicts, "make_settings", lambda *given: settings.make_settings(*given)[:1])
    verdict = verdicts._check_level(settings.ScoredMetric(gweat, "set", 3), 1, 1)[-1]
    assert (verdict.property, verdict.verdict) == ("stereotype", "conditional")


def ends(setting, low, high):
    return setting, ((low, np.tile(-X, (4, 1))), (high, np.tile(X, (4, 1))))


class Constant(Given):
    """A metric of sets that has one value."""

    level, n_groups = "set", 2
    module = SimpleNamespace(__name__="made", METRIC=Metric("", "", set=Level(0.0, None)))

    def __init__(self, value):
        super().__init__(lambda t: value, targets=4)


@pytest.mark.parametrize(
    ("extremes", "longer", "verdict", "settings_of_examples"),
    [
        ([(-1, 1), (-1, 0.97)], 1.0, "yes", []),
        ([(-1, 1), (-1, 0.95)], 1.0, "no", ["other", "plane"]),  # the largest values
        ([(-1, 1), (-0.9, 1)], 1.0, "no", ["plane", "other"]),  # the smallest values
        ([(-1, 0.99), (-1, 1)], 1.05, "no", ["other"]),  # unbounded
        ([(-1, 0.99), (-1, 1)], 1.03, "yes", []),
    ],
)
def test_comparable_by_a_fiftieth_of_the_widest_span(extremes, longer, verdict, settings_of_examples):
    other = settings.Setting("other", [X[None], -Y[None]])
    found = [ends(setting, *pair) for setting, pair in zip((PLANE, other), extremes, strict=True)]
    result = verdicts._check_comparable(Constant(longer), found)
    assert (result.verdict, [example.setting for example in result.examples]) == (verdict, settings_of_examples)


@pytest.mark.parametrize(("groups", "expected"), [((2, 2), [2]), ((1, None), [2, 3]), ((3, None), [3])])
def test_levels_and_groups_that_are_checked(monkeypatch, groups, expected):
    calls = []

    def check_level(scored, *rest):
        calls.append((scored.level, scored.n_groups, *rest))
        return []

    monkeypatch.setattr(verdicts, "_check_level", check_level)
    level = Level(0.0, 1.0)
    metric = Metric("", "", groups=groups, word=level, set=level)
    made_metric = SimpleNamespace(__name__="made", METRIC=metric, word_bias=None, set_bias=None)
    verdicts.check_metric(made_metric, n_starts=5, seed=6)
    assert calls == [(level, n, 5, 6) for n in expected for level in ("word", "set")]


LEVELS = {"word": Level(0.0, 1.0), "set": Level(0.0, 1.0)}


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"exempt": "for a reason"}, "for a reason"),
        ({"takes": "predictions"}, "predictions"),
        ({"groups": (0, 0)}, "no groups"),
        ({"word": Level(0, 1, None), "set": Level(0, 1, None)}, "no bias"),
    ],
)
def test_metrics_without_properties(options, part):
    module = SimpleNamespace(__name__="made", METRIC=Metric("", "", **(LEVELS | options)))
    found = verdicts.check_metric(module)
    keys = [("word", name) for name in NAMES[:2]] + [("set", name) for name in NAMES]
    assert [(v.level, v.n_groups, v.property, v.verdict) for v in found] == [
        (level, 2, name, "not applicable") for level, name in keys
    ]
    assert all(part in verdict.reason for verdict in found)
