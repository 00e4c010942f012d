"""Verdicts on a metric's properties, each with a counterexample or the effort of the search (same-2021 §3.3)."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np

from biassay.core import guard
from biassay.measurement.metric import TAKES
from biassay.studies.properties import search
from biassay.studies.properties.settings import (
    ScoredMetric,
    Setting,
    make_settings,
    measure_bias,
    measure_order,
    measure_skew,
    measure_stereotype,
)

PROPERTIES = ("comparable", "trustworthy", "skew", "stereotype")
ADJECTIVES = {"trustworthy": "biased", "skew": "skewed", "stereotype": "stereotyped"}  # of the targets
MARGIN = 0.2  # minimum bias, skew or stereotype of targets, as a share of the largest possible difference
SPREAD = 0.02  # minimum difference between the extremes of two settings, as a share of the largest span
YES, NO, CONDITIONAL, NOT_APPLICABLE = "yes", "no", "conditional", "not applicable"


@dataclass(frozen=True)
class Example:
    """Groups and targets with the metric's value: a counterexample, or one half of it."""

    setting: str
    groups: list[list[list[float]]]
    targets: list[list[float]]
    labels: list[int]
    value: float


@dataclass(frozen=True)
class Verdict:
    """Result of the search for one property at one level of a metric."""

    level: str
    n_groups: int
    property: str
    verdict: str  # YES: no counterexample found; CONDITIONAL: only if the labels agree with the stereotypes
    reason: str
    n_evaluations: int = 0  # for this property and those before it
    min_distance: float = float("nan")  # the smallest |b − b_0| of biased targets / span, unless b = b_0 for some
    examples: list[Example] = field(default_factory=list)


def read_verdicts(path: str | Path) -> list[dict]:
    """Read the verdicts on a metric, each with the fields of Verdict."""
    with guard.reading(path, "file of verdicts"):
        return json.loads(Path(path).read_text("utf-8"))


def explain_not_applicable(module: ModuleType) -> str:
    """Explain why the properties do not apply to a metric; "" if they apply."""
    metric = module.METRIC
    if metric.exempt:
        return metric.exempt
    if metric.takes != "vectors":
        return f"it takes {TAKES[metric.takes]}, not vectors with associations s(w, A_i)"
    if metric.groups == (0, 0):
        return "it is label-based and has no groups"
    if all(level.b_0 is None for level in metric.levels.values()):
        return "none of its values means no bias"
    return ""


def check_metric(module: ModuleType, *, n_starts: int = 4, seed: int = 1) -> list[Verdict]:
    """Check the properties of every level of a metric by search.

    The search uses two groups in 2 and 3 dimensions, and three groups in 3 dimensions if the metric takes three. It
    starts with 2 dimensions, because their counterexamples can be drawn.
    """
    if reason := explain_not_applicable(module):
        return [
            Verdict(level, 2, name, NOT_APPLICABLE, reason)
            for level in module.METRIC.levels for name in (PROPERTIES if level == "set" else PROPERTIES[:2])
        ]  # fmt: skip
    min_groups, max_groups = module.METRIC.groups
    with np.errstate(all="ignore"):
        return [
            verdict
            for n_groups in range(max(2, min_groups), min(3, max_groups or 3) + 1)
            for level in module.METRIC.levels
            for verdict in _check_level(ScoredMetric(module, level, n_groups), n_starts, seed)
        ]


def _check_level(scored: ScoredMetric, n_starts: int, seed: int) -> list[Verdict]:
    random = np.random.default_rng([seed, 7])
    settings = make_settings(scored.n_groups, scored.n_groups, seed)
    if scored.n_groups == 2:  # hand-made settings are the same in more dimensions
        settings += [setting for setting in make_settings(2, 3, seed) if setting.name.startswith("random")]
    extremes = [(setting, search.find_extremes(scored, setting, n_starts, random)) for setting in settings]
    extremes = [(setting, ends) for setting, ends in extremes if ends is not None]
    if not extremes:
        names = PROPERTIES if scored.level == "set" else PROPERTIES[:2]
        return [_judge(scored, name, NOT_APPLICABLE, "its value is undefined in all settings") for name in names]
    verdicts = [_check_comparable(scored, extremes)]
    spans = [(setting, max(high[0] - low[0], 1e-9)) for setting, (low, high) in extremes]
    checks = {"trustworthy": measure_bias, "skew": measure_skew, "stereotype": measure_stereotype}
    for name, premise in checks.items():
        if scored.level == "set" or name == "trustworthy":
            verdicts.append(_check_implied(scored, name, premise, spans, n_starts, random))
    return verdicts


def _judge(scored: ScoredMetric, name: str, verdict: str, reason: str, **results: object) -> Verdict:
    return Verdict(scored.level, scored.n_groups, name, verdict, reason, scored.n_evaluations, **results)


def _check_comparable(scored: ScoredMetric, extremes: list) -> Verdict:
    """Check Definition 5: the extremes over targets are equal in all settings."""
    max_span = max((high[0] - low[0] for _, (low, high) in extremes), default=0.0)
    top = max(extremes, key=lambda pair: pair[1][1][0])
    longer = scored(10 * top[1][1][1], top[0])
    if abs(longer - top[1][1][0]) > SPREAD * max_span:
        reason = f"unbounded: vectors ten times as long give {longer:.3g} instead of {top[1][1][0]:.3g}"
        example = _example(scored, top[0], 10 * top[1][1][1], longer)
        return _judge(scored, "comparable", NO, reason, examples=[example])
    for end, name in ((1, "largest"), (0, "smallest")):
        by_value = sorted(extremes, key=lambda pair: pair[1][end][0])
        low, high = by_value[0][1][end][0], by_value[-1][1][end][0]
        if high - low > SPREAD * max_span:
            names = by_value[0][0].name, by_value[-1][0].name
            reason = f"the {name} value is {low:.3f} in the setting {names[0]!r} and {high:.3f} in {names[1]!r}"
            examples = [_example(scored, s, ends[end][1], ends[end][0]) for s, ends in (by_value[0], by_value[-1])]
            return _judge(scored, "comparable", NO, reason, examples=examples)
    low, high = (float(np.median([ends[end][0] for _, ends in extremes])) for end in (0, 1))
    reason = f"extremes {low:.3f} and {high:.3f} in all {len(extremes)} settings"
    return _judge(scored, "comparable", YES, reason)


def _check_implied(scored: ScoredMetric, name: str, premise, spans: list, n_starts: int, random) -> Verdict:
    """Check Definitions 6–8: b ≠ b_0 if the premise holds; for trustworthiness, also b = b_0 if it does not hold."""
    min_distance, example = _find_missed(scored, [premise], spans, n_starts, random)
    if example is not None:
        if name == "stereotype" and scored.module.METRIC.set.labels:
            distance, missed = _find_missed(scored, [premise, measure_order], spans, n_starts, random)
            if missed is None and distance < np.inf:  # infinite if no targets of the search follow the stereotypes
                reason = "b = b_0 if the lists do not follow the stereotypes; no counterexample if they do (Theorem 6)"
                return _judge(scored, name, CONDITIONAL, reason, examples=[example])
        reason = f"b = b_0 for {ADJECTIVES[name]} targets (setting {example.setting!r})"
        return _judge(scored, name, NO, reason, examples=[example])
    if name == "trustworthy":
        for setting, span in spans:
            _, targets = search.find_false_positive(scored, setting, span, n_starts, random)
            if targets is not None:
                value = scored(targets, setting)
                result = "is undefined" if np.isnan(value) else f"= {value:.3f} instead of {scored.b_0:g}"
                reason = f"b {result} for targets equally near all groups (setting {setting.name!r})"
                example = _example(scored, setting, targets, value)
                return _judge(scored, name, NO, reason, min_distance=min_distance, examples=[example])
    reason = f"no counterexample; the smallest |b − b_0| is {min_distance:.2g} of the span"
    return _judge(scored, name, YES, reason, min_distance=min_distance)


def _find_missed(
    scored: ScoredMetric, premises: list, spans: list, n_starts: int, random
) -> tuple[float, Example | None]:
    min_distance = np.inf
    for setting, span in spans:
        margins = [(premise, MARGIN * setting.width) for premise in premises]
        distance, targets = search.find_missed_bias(scored, setting, margins, span, n_starts, random)
        min_distance = min(min_distance, distance)
        if targets is not None:
            return min_distance, _example(scored, setting, targets, scored(targets, setting))
    return min_distance, None


def _example(scored: ScoredMetric, setting: Setting, targets: np.ndarray, value: float) -> Example:
    has_labels = scored.module.METRIC.levels[scored.level].labels
    return Example(
        setting.name, [rows.tolist() for rows in setting.groups], targets.tolist(),
        scored.labels.tolist() if has_labels else [], float(value),
    )  # fmt: skip
