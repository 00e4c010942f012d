"""One metric on one question: value, test, interval, noise, power, silhouettes, and what that means."""

from dataclasses import dataclass, field
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing import chance
from biassay.auditing.bound_metrics import SIDES, BoundMetric, bind, is_contrast
from biassay.auditing.lists import Used
from biassay.auditing.material import Material
from biassay.numerics.seeds import seed_of
from biassay.numerics.statistics import holm
from biassay.studies.silhouette import scores, values
from biassay.support import registry

LEVEL, POWER = 0.05, 0.8
Z = 0.8416  # normal quantile of POWER
FOUND, NOISE, NONE, UNDEFINED = "found", "noise", "none", "undefined"
FINDINGS = {
    FOUND: "an association that neither the permutation nor random words explain",
    NOISE: "its test finds an association, but random words give as much",
    NONE: "no association found",
    UNDEFINED: "no value",
}
ASSOCIATION, LABELS, LEANING = "groups and targets", "targets only", "groups only"
POINTS = 24  # sizes of a silhouette, at most about


@dataclass(frozen=True)
class Settings:
    """Draws: permutations for p, resamples for the interval, random words for the noise, orders of the silhouettes."""

    permutations: int = 999
    resamples: int = 200
    random_words: int = 99
    shuffles: int = 30
    seed: int = 1


@dataclass(frozen=True)
class Score:
    """A row of the table, and the silhouettes, a row a size."""

    row: dict
    silhouettes: pd.DataFrame = field(default_factory=pd.DataFrame)


def score(name: str, module: ModuleType, used: Used, material: Material, settings: Settings) -> Score:
    """Score one metric; raises ValueError, saying why, for a metric that cannot be asked the question."""
    groups, targets = ([material.stacked(words) for words in used.lists(side).values()] for side in SIDES)
    bound = bind(module, used.question, groups, targets)
    declared = bound.module.METRIC.range("set", chance.count(bound))
    seeds = [seed_of(settings.seed, purpose) for purpose in range(4)]
    value = bound.value()
    row = {"source": material.name, "test": used.question.name, "metric": name}
    row |= {"level": "difference of lists" if is_contrast(bound.module) else "set", "value": value}
    row |= {"asks": LABELS if bound.references is None else ASSOCIATION} | declared._asdict()
    if np.isnan(value):
        empty = dict.fromkeys(
            (
                "low",
                "high",
                "p",
                "min_p_value",
                "noise",
                "p_random",
                "min_detectable_effect",
                "robustness",
                "words_needed",
            ),
            np.nan,
        )
        why = bound.module.METRIC.set.undefined or "the metric does not say why"
        return Score(row | empty | {"permuted": "", "words": _words(bound), "undefined": why, "of_groups": ""})
    test = chance.permuted(bound, name, settings.permutations, seeds[0])
    drawn = chance.resampled(bound, settings.resamples, seeds[1])
    drawn = drawn[np.isfinite(drawn)]
    low, high = np.quantile(drawn, [0.025, 0.975]) if len(drawn) > 1 else (np.nan, np.nan)
    noise, p_random = _noise(bound, value, chance.random_words(bound, used, material, settings.random_words, seeds[2]))
    shown, needs = silhouettes(bound, settings)
    row |= {"low": float(low), "high": float(high), "p": test.p, "min_p_value": test.least, "permuted": test.what}
    row |= {
        "noise": noise,
        "p_random": p_random,
        "min_detectable_effect": _min_detectable_effect(bound, test.null, drawn),
        **needs,
    }
    row |= {"words": _words(bound), "undefined": "", "of_groups": _towards(bound, used, value)}
    return Score(row, shown.assign(**{key: row[key] for key in ("source", "test", "metric")}))


def finding(p: float, p_random: float, value: float) -> str:
    """What is found, one of FINDINGS: by the test at 5 % (p corrected by the caller), and against random words."""
    if np.isnan(value) or np.isnan(p):
        return UNDEFINED if np.isnan(value) else NONE
    if p > LEVEL:
        return NONE
    return NOISE if p_random > LEVEL else FOUND


def with_findings(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of one source with p corrected by Holm over the metrics of a test that ask the same, and what is found."""
    table["p_holm"] = table.groupby(["test", "asks"], sort=False)["p"].transform(lambda p: holm(p.to_numpy(float)))
    table["finding"] = [finding(row.p_holm, row.p_random, row.value) for row in table.itertuples(index=False)]
    return table


def silhouettes(bound: BoundMetric, settings: Settings) -> tuple[pd.DataFrame, dict]:
    """The metric's silhouettes for both sides that can grow, and robustness and words needed, the worse of the two.

    Only of metrics that tell many values at once, and of lists with two steps or more.
    """
    tables, robust, needed = [], [np.nan], [np.nan]
    declared = bound.module.METRIC.range("set", chance.count(bound))
    for growing in SIDES:
        question = bound.question(growing)
        if question is None or not bound.fast(growing):
            continue
        step = len(question.sizes) * max(1, -(-max(question.sizes) // POINTS))
        if 2 * step // len(question.sizes) > min(question.sizes):
            continue
        growth = values.growth(question, growing, step, settings.shuffles, settings.seed)
        try:
            found = values.values(bound.module, question, growth)
        except registry.PluginError:
            raise
        except ValueError:  # a fast path for two groups, asked about more
            continue
        if not np.isfinite(found).any():
            continue
        tables.append(scores.curves(found, growth.words).assign(growing=growing))
        bounds = scores.bounds(declared, found)
        robust.append(float(scores.robustness(found, growth.words, bounds)[-1]))
        need = scores.needed(found, growth.words, declared.b_0)
        needed.append(need / growth.words[-1] if np.isfinite(need) else 1.0)
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    least, most = (np.nan, np.nan) if len(robust) == 1 else (np.nanmin(robust), np.nanmax(needed))
    return table, {"robustness": float(least), "words_needed": float(most)}


def _noise(bound: BoundMetric, value: float, drawn: np.ndarray) -> tuple[float, float]:
    """How far from b_0 one of twenty sets of random words is, and the share of sets as far as the value."""
    drawn = chance.distance(drawn[np.isfinite(drawn)], bound)
    if len(drawn) < 20:
        return np.nan, np.nan
    far = chance.distance(np.array([value]), bound)[0]
    return float(np.quantile(drawn, 0.95)), float((1 + (drawn >= far - chance.ROUNDING).sum()) / (1 + len(drawn)))


def _min_detectable_effect(bound: BoundMetric, null: np.ndarray, drawn: np.ndarray) -> float:
    """How far from b_0 a value has to be for the test to find it in 80 % of draws of such words.

    The 95 % quantile of the null's distances, and .84 standard deviations of the value over words drawn again, as if
    that were normal and the same whatever the value. inf where it is out of the metric's range.
    """
    null = chance.distance(null[np.isfinite(null)], bound)
    if len(null) < 20 or len(drawn) < 20:
        return np.nan
    least = float(np.quantile(null, 0.95) + Z * drawn.std())
    b_min, b_max, b_0, _ = bound.module.METRIC.range("set", chance.count(bound))
    reach = max(abs(end - (b_0 or 0)) if end is not None else np.inf for end in (b_min, b_max))
    return least if least <= reach else np.inf


def _words(bound: BoundMetric) -> int:
    """Number of words that the value is of."""
    sides = [bound.scored, bound.references] if bound.references else [bound.scored]
    return sum(len(rows) for side in sides for rows in bound.lists(side))


def _towards(bound: BoundMetric, used: Used, value: float) -> str:
    """What the sign of a value says, in words; "" where it has none."""
    b_0, signed = bound.module.METRIC.range("set", chance.count(bound))[2:]
    if not signed or b_0 is None or value == b_0 or bound.references is None:
        return ""
    groups, targets = list(used.groups), list(used.targets)
    turned = (value < b_0) != (bound.module.__name__ == "biassay.metrics.rnd")  # whose sign is of the second group
    group = groups[1] if turned else groups[0]
    if bound.labelled and len(targets) == 2:
        return f"{group} nearer {targets[0]}"
    return f"towards {group}"
