"""Verdicts on a metric's properties, each with its counterexample or with how hard was searched (same-2021 §3.3)."""

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement.metric import TAKES
from biassay.studies.properties import search
from biassay.studies.properties.settings import Scored, Setting, biased, ordered, settings, skewed, stereotyped
from biassay.support import csv_tables, guard

PROPERTIES = ("comparable", "trustworthy", "skew", "stereotype")
MARGIN = 0.2  # of the largest difference possible: how biased, skewed or stereotyped targets must be
SPREAD = 0.02  # of the largest span: how far extremes of two settings must lie apart
YES, NO, CONDITIONAL, NOT_APPLICABLE = "yes", "no", "conditional", "not applicable"


KINDS = csv_tables.column_types(
    text="metric level property verdict published?", integer="n_groups n_evaluations", number="min_distance?", boolean="agrees?"
)
READ = "metric level n_groups property verdict reason n_evaluations published"


@dataclass(frozen=True)
class Example:
    """Attribute sets and targets with the metric's value: a counterexample, or a half of one."""

    setting: str
    groups: list[list[list[float]]]
    targets: list[list[float]]
    labels: list[int]
    value: float


@dataclass(frozen=True)
class Verdict:
    """What a search said of one property of one level of a metric.

    verdict: yes (no counterexample found), no, conditional (only if labels agree with the stereotypes), or not
    applicable. reason: in words. closest: without counterexample, the least |b − b_0| that biased targets had, as a
    share of the metric's span. evaluations: of the metric, up to here.
    """

    level: str
    n_groups: int
    property: str
    verdict: str
    reason: str
    n_evaluations: int = 0
    min_distance: float = float("nan")
    examples: list[Example] = field(default_factory=list)


def read(path: str | Path) -> list[dict]:
    """Read the verdicts on a metric, each with the fields of Verdict; ValueError, naming the file, if it lacks some."""
    with guard.reading(path, "file of verdicts"):
        found = json.loads(Path(path).read_text("utf-8"))
        for verdict in found:
            if lacking := {field.name for field in fields(Verdict)} - set(verdict):
                raise ValueError(f"a verdict lacks {min(lacking)!r}")
    return found


def table(path: str | Path) -> pd.DataFrame:
    """Read properties.csv: verdicts on all metrics beside the published ones."""
    return csv_tables.read(path, READ, KINDS)


def reason_not_applicable(module: ModuleType) -> str:
    """Why the properties make no sense for a metric, "" if they do."""
    metric = module.METRIC
    if metric.exempt:
        return metric.exempt
    if metric.takes != "vectors":
        return f"it takes {TAKES[metric.takes]}, not vectors with associations s(w, A_i)"
    if metric.groups == (0, 0):
        return "it is label-based and has no groups"
    if all(level.b_0 is None for level in metric.levels.values()):
        return "no value of it means that there is no bias"
    return ""


def judge(module: ModuleType, *, n_starts: int = 4, seed: int = 1) -> list[Verdict]:
    """Judge every level of a metric by search, with two groups in 2 and 3 dimensions, and, where it takes them, three
    groups in 3 dimensions. The order of dimensions makes for counterexamples that can be drawn.
    """
    exempt = reason_not_applicable(module)
    most = module.METRIC.groups[1] or 3
    verdicts = []
    for groups in range(max(2, module.METRIC.groups[0]), min(3, most) + 1) if not exempt else [2]:
        for level in module.METRIC.levels:
            for name in PROPERTIES if level == "set" else PROPERTIES[:2]:
                if exempt:
                    verdicts.append(Verdict(level, groups, name, NOT_APPLICABLE, exempt))
            if not exempt:
                verdicts += _judge_level(Scored(module, level, groups), groups, n_starts, seed)
    return verdicts


def _judge_level(scored: Scored, groups: int, n_starts: int, seed: int) -> list[Verdict]:
    random = np.random.default_rng([seed, 7])
    spaces = settings(groups, groups, seed)
    if groups == 2:  # hand-made settings are the same in more dimensions
        spaces += [setting for setting in settings(2, 3, seed) if setting.name.startswith("random")]
    found = [(setting, search.extremes(scored, setting, n_starts, random)) for setting in spaces]
    found = [(setting, ends) for setting, ends in found if ends is not None]
    verdicts = [_comparable(scored, groups, found)]
    spans = [(setting, max(high[0] - low[0], 1e-9)) for setting, (low, high) in found]
    checks = {"trustworthy": biased, "skew": skewed, "stereotype": stereotyped}
    for name, premise in checks.items():
        if scored.level == "set" or name == "trustworthy":
            verdicts.append(_implied(scored, groups, name, premise, spans, n_starts, random))
    return verdicts


def _comparable(scored: Scored, groups: int, found: list) -> Verdict:
    """Definition 5: the extremes over targets are the same for all attribute sets."""
    wide = max((high[0] - low[0] for _, (low, high) in found), default=0.0)
    top = max(found, key=lambda pair: pair[1][1][0])
    longer = scored(10 * top[1][1][1], top[0])
    if abs(longer - top[1][1][0]) > SPREAD * wide:
        reason = f"unbounded: vectors ten times as long give {longer:.3g} in place of {top[1][1][0]:.3g}"
        example = _example(scored, top[0], 10 * top[1][1][1], longer)
        return Verdict(scored.level, groups, "comparable", NO, reason, scored.n_evaluations, examples=[example])
    for which, name in ((1, "greatest"), (0, "least")):
        by_value = sorted(found, key=lambda pair: pair[1][which][0])
        low, high = by_value[0][1][which][0], by_value[-1][1][which][0]
        if high - low > SPREAD * wide:
            names = by_value[0][0].name, by_value[-1][0].name
            reason = f"the {name} value is {low:.3f} with {names[0]} groups, {high:.3f} with {names[1]} groups"
            examples = [_example(scored, s, ends[which][1], ends[which][0]) for s, ends in (by_value[0], by_value[-1])]
            return Verdict(scored.level, groups, "comparable", NO, reason, scored.n_evaluations, examples=examples)
    low, high = (float(np.median([ends[which][0] for _, ends in found])) for which in (0, 1))
    reason = f"extremes {low:.3f} and {high:.3f} in all of {len(found)} settings"
    return Verdict(scored.level, groups, "comparable", YES, reason, scored.n_evaluations)


def _implied(scored: Scored, groups: int, name: str, premise, spans: list, n_starts: int, random) -> Verdict:
    """Definitions 6–8: targets for which the premise holds have b ≠ b_0; for trustworthiness the reverse as well."""
    closest, example = _missed(scored, [premise], spans, n_starts, random)
    if example is not None:
        conditional = name == "stereotype" and scored.module.METRIC.set.labels and groups == 2
        if conditional and _missed(scored, [premise, ordered], spans, n_starts, random)[1] is None:
            reason = "missed where X and Y do not follow the stereotypes; none missed where they do (Theorem 6)"
            return Verdict(
                scored.level, groups, name, CONDITIONAL, reason, scored.n_evaluations, examples=[example]
            )  # fmt: skip
        reason = f"b = b_0 on {_ADJECTIVES[name]} targets, {example.setting} groups"
        return Verdict(scored.level, groups, name, NO, reason, scored.n_evaluations, examples=[example])
    if name == "trustworthy":
        for setting, span in spans:
            distance, targets = search.false_positive(scored, setting, span, n_starts, random)
            if targets is not None:
                value = scored(targets, setting)
                what = "is undefined" if np.isnan(value) else f"= {value:.3f} in place of {scored.b_0:g}"
                reason = f"b {what} on targets equally near all groups, {setting.name} groups"
                example = _example(scored, setting, targets, value)
                return Verdict(scored.level, groups, name, NO, reason, scored.n_evaluations, distance, [example])
    reason = f"no counterexample; the least |b − b_0| was {closest:.2g} of the span"
    return Verdict(scored.level, groups, name, YES, reason, scored.n_evaluations, closest)


_ADJECTIVES = {"trustworthy": "biased", "skew": "skewed", "stereotype": "stereotyped"}


def _missed(scored: Scored, premises: list, spans: list, n_starts: int, random) -> tuple[float, Example | None]:
    closest = np.inf
    for setting, span in spans:
        margins = [(premise, MARGIN * setting.width) for premise in premises]
        distance, targets = search.shows_b_0(scored, setting, margins, span, n_starts, random)
        closest = min(closest, distance)
        if targets is not None:
            return closest, _example(scored, setting, targets, scored(targets, setting))
    return closest, None


def _example(scored: Scored, setting: Setting, targets: np.ndarray, value: float) -> Example:
    labelled = scored.module.METRIC.levels[scored.level].labels
    return Example(
        setting.name, [rows.tolist() for rows in setting.groups], targets.tolist(),
        scored.labels.tolist() if labelled else [], float(value),
    )  # fmt: skip
