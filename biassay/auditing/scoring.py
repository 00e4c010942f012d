"""One metric on one test: value, permutation test, interval, random words, power, silhouettes, and the finding."""

from dataclasses import dataclass, field
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing import chance
from biassay.auditing.bound_metrics import SIDES, BoundMetric, bind, is_difference_of_lists
from biassay.auditing.source_vectors import SourceVectors
from biassay.auditing.word_lists import UsedWords
from biassay.core import registry
from biassay.statistics.paired_tests import correct_holm
from biassay.statistics.seeds import seed_of
from biassay.studies.silhouette import scores, values

LEVEL, POWER = 0.05, 0.8
Z = 0.8416  # normal quantile of POWER
FOUND, NOISE, NONE, UNDEFINED = "found", "noise", "none", "undefined"
FINDINGS = {
    FOUND: "an association that neither permuted groups nor random words explain",
    NOISE: "the permutation test finds an association, but random words give one as large",
    NONE: "no association",
    UNDEFINED: "no value",
}
ASSOCIATION, TARGETS_ONLY, GROUPS_ONLY = "groups and targets", "targets only", "groups only"
MAX_SIZES = 24  # of a silhouette, approximately


@dataclass(frozen=True)
class Settings:
    """Numbers of samples, and the seed.

    permutations: for p. resamples: for the interval. random_words: sets of random words. shuffles: of silhouettes.
    """

    permutations: int = 999
    resamples: int = 200
    random_words: int = 99
    shuffles: int = 30
    seed: int = 1


@dataclass(frozen=True)
class Score:
    """A row of the table of metrics, and the silhouettes, with one row per size."""

    row: dict
    silhouettes: pd.DataFrame = field(default_factory=pd.DataFrame)


def score(name: str, module: ModuleType, used: UsedWords, source: SourceVectors, settings: Settings) -> Score:
    """Score one metric on one test; raises NotApplicable, with the reason, for a metric that does not apply."""
    groups, targets = ([source.stack(words) for words in used.lists(side).values()] for side in SIDES)
    bound = bind(module, used.question, groups, targets)
    declared = bound.module.METRIC.range("set", chance.n_range_lists(bound))
    seeds = [seed_of(settings.seed, purpose) for purpose in range(4)]
    value = bound.value()
    row = {"source": source.name, "test": used.question.name, "metric": name}
    row |= {"level": "difference of lists" if is_difference_of_lists(bound.module) else "set", "value": value}
    row |= {"sides": TARGETS_ONLY if bound.references is None else ASSOCIATION} | declared._asdict()
    if np.isnan(value):
        missing = ("ci_low", "ci_high", "p", "min_p_value", "random_q95", "p_random", "min_detectable_effect",
                   "robustness", "share_needed")  # fmt: skip
        reason = bound.module.METRIC.set.undefined or "the metric does not say why"
        row |= dict.fromkeys(missing, np.nan) | {"permutation_test": "", "n_words": _n_words(bound)}
        return Score(row | {"undefined": reason, "direction": ""})
    test = chance.permutation_test(bound, name, settings.permutations, seeds[0])
    resampled = chance.resample_values(bound, settings.resamples, seeds[1])
    resampled = resampled[np.isfinite(resampled)]
    low, high = np.quantile(resampled, [0.025, 0.975]) if len(resampled) > 1 else (np.nan, np.nan)
    random_values = chance.random_word_values(bound, used, source, settings.random_words, seeds[2])
    random_q95, p_random = _compare_with_random_words(bound, value, random_values)
    curves, sizes = silhouettes(bound, settings)
    row |= {"ci_low": float(low), "ci_high": float(high), "p": test.p, "min_p_value": test.min_p_value}
    row |= {"permutation_test": test.description, "random_q95": random_q95, "p_random": p_random}
    row |= {"min_detectable_effect": _min_detectable_effect(bound, test.null, resampled), **sizes}
    row |= {"n_words": _n_words(bound), "undefined": "", "direction": _direction(bound, used, value)}
    return Score(row, curves.assign(**{key: row[key] for key in ("source", "test", "metric")}))


def classify(p: float, p_random: float, value: float) -> str:
    """Return the finding, one of FINDINGS, by a corrected p and by the p against random words, both at 5 %."""
    if np.isnan(value) or np.isnan(p):
        return UNDEFINED if np.isnan(value) else NONE
    if p > LEVEL:
        return NONE
    return NOISE if p_random > LEVEL else FOUND


def add_findings(table: pd.DataFrame) -> pd.DataFrame:
    """Add p_holm, corrected over the metrics of a test that compare the same sides, and the finding to each row."""
    table["p_holm"] = table.groupby(["test", "sides"], sort=False)["p"].transform(
        lambda p: correct_holm(p.to_numpy(float))
    )
    table["finding"] = [classify(row.p_holm, row.p_random, row.value) for row in table.itertuples(index=False)]
    return table


def silhouettes(bound: BoundMetric, settings: Settings) -> tuple[pd.DataFrame, dict]:
    """Compute the silhouettes of both sides, and the worse of their two values of robustness and of share_needed.

    Only for metrics with a fast path, and for lists with at least two sizes.
    """
    tables, robustness, needed = [], [np.nan], [np.nan]
    declared = bound.module.METRIC.range("set", chance.n_range_lists(bound))
    for growing in SIDES:
        question = bound.question(growing)
        if question is None or not bound.has_fast_path(growing):
            continue
        step = len(question.sizes) * max(1, -(-max(question.sizes) // MAX_SIZES))
        if 2 * step // len(question.sizes) > min(question.sizes):
            continue
        growth = values.draw_growth(question, growing, step, settings.shuffles, settings.seed)
        try:
            subset_values = values.measure_subsets(bound.module, question, growth)
        except registry.PluginError:
            raise
        except ValueError:  # for example a fast path for two groups, called with more
            continue
        if not np.isfinite(subset_values).any():
            continue
        tables.append(scores.summarise_values(subset_values, growth.n_words).assign(growing=growing))
        bounds = scores.complete_range(declared, subset_values)
        robustness.append(float(scores.robustness(subset_values, growth.n_words, bounds)[-1]))
        n_needed = scores.count_words_needed(subset_values, growth.n_words, declared.b_0)
        needed.append(n_needed / growth.n_words[-1] if np.isfinite(n_needed) else 1.0)
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    worst = (np.nan, np.nan) if len(robustness) == 1 else (np.nanmin(robustness), np.nanmax(needed))
    return table, {"robustness": float(worst[0]), "share_needed": float(worst[1])}


def _compare_with_random_words(bound: BoundMetric, value: float, random_values: np.ndarray) -> tuple[float, float]:
    """Return the 95 % quantile of random words' distances from b_0, and the share of them as far as the value."""
    random_values = chance.distances(random_values[np.isfinite(random_values)], bound)
    if len(random_values) < 20:
        return np.nan, np.nan
    far = chance.distances(np.array([value]), bound)[0]
    n_as_far = (random_values >= far - chance.ROUNDING).sum()
    return float(np.quantile(random_values, 0.95)), float((1 + n_as_far) / (1 + len(random_values)))


def _min_detectable_effect(bound: BoundMetric, null: np.ndarray, resampled: np.ndarray) -> float:
    """Return the distance from b_0 that a value needs for the test to find it in 80 % of samples of such words.

    The 95 % quantile of the null's distances plus 0.84 standard deviations of the resampled values, as if these were
    normal with the same spread whatever the value. Infinite if it exceeds the metric's range.
    """
    null = chance.distances(null[np.isfinite(null)], bound)
    if len(null) < 20 or len(resampled) < 20:
        return np.nan
    effect = float(np.quantile(null, 0.95) + Z * resampled.std())
    b_min, b_max, b_0, _ = bound.module.METRIC.range("set", chance.n_range_lists(bound))
    reach = max(abs(end - (b_0 or 0)) if end is not None else np.inf for end in (b_min, b_max))
    return effect if effect <= reach else np.inf


def _n_words(bound: BoundMetric) -> int:
    """Count the words that the value depends on."""
    sides = [bound.scored, bound.references] if bound.references else [bound.scored]
    return sum(len(rows) for side in sides for rows in bound.lists(side))


def _direction(bound: BoundMetric, used: UsedWords, value: float) -> str:
    """Say which group the sign of a value points to; "" if it has no sign."""
    b_0, signed = bound.module.METRIC.range("set", chance.n_range_lists(bound))[2:]
    if not signed or b_0 is None or value == b_0 or bound.references is None:
        return ""
    groups, targets = list(used.groups), list(used.targets)
    is_second = (value < b_0) != (bound.module.__name__ == "biassay.metrics.rnd")  # positive towards the second group
    group = groups[1] if is_second else groups[0]
    if bound.labelled and len(targets) == 2:
        return f"{group} nearer {targets[0]}"
    return f"towards {group}"
