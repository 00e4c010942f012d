"""One metric on one test: value, permutation test, interval, random words, power, silhouettes, and the finding."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb, factorial, prod
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing.bound_metrics import BoundMetric, bind, is_difference_of_lists
from biassay.auditing.questions import SIDES
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.core import registry
from biassay.measurement import metric as metrics
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
# Tests that were published with a metric: the metric of the p-value, and its options.
PUBLISHED = {"weat": ("weat_p_value", {"alternative": "two_sided", "max_exact_words": 32, "permutations": 9999})}
ROUNDING = 1e-9  # values closer than this are equal
NEAREST = 60  # random words of the nearest ranks, of which one is picked for a word
MAX_SLOW, MAX_DIFFERENCES = 59, 399  # permutations without a fast path; of differences of lists


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
    declared = bound.module.METRIC.range("set", n_range_lists(bound))
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
    test = permutation_test(bound, name, settings.permutations, seeds[0])
    resampled = resample_values(bound, settings.resamples, seeds[1])
    resampled = resampled[np.isfinite(resampled)]
    low, high = np.quantile(resampled, [0.025, 0.975]) if len(resampled) > 1 else (np.nan, np.nan)
    random_values = random_word_values(bound, used, source, settings.random_words, seeds[2])
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
    declared = bound.module.METRIC.range("set", n_range_lists(bound))
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
    random_values = distances(random_values[np.isfinite(random_values)], bound)
    if len(random_values) < 20:
        return np.nan, np.nan
    far = distances(np.array([value]), bound)[0]
    n_as_far = (random_values >= far - ROUNDING).sum()
    return float(np.quantile(random_values, 0.95)), float((1 + n_as_far) / (1 + len(random_values)))


def _min_detectable_effect(bound: BoundMetric, null: np.ndarray, resampled: np.ndarray) -> float:
    """Return the distance from b_0 that a value needs for the test to find it in 80 % of samples of such words.

    The 95 % quantile of the null's distances plus 0.84 standard deviations of the resampled values, as if these were
    normal with the same spread whatever the value. Infinite if it exceeds the metric's range.
    """
    null = distances(null[np.isfinite(null)], bound)
    if len(null) < 20 or len(resampled) < 20:
        return np.nan
    effect = float(np.quantile(null, 0.95) + Z * resampled.std())
    b_min, b_max, b_0, _ = bound.module.METRIC.range("set", n_range_lists(bound))
    reach = max(abs(end - (b_0 or 0)) if end is not None else np.inf for end in (b_min, b_max))
    return effect if effect <= reach else np.inf


def _n_words(bound: BoundMetric) -> int:
    """Count the words that the value depends on."""
    sides = [bound.scored, bound.references] if bound.references else [bound.scored]
    return sum(len(rows) for side in sides for rows in bound.lists(side))


def _direction(bound: BoundMetric, used: UsedWords, value: float) -> str:
    """Say which group the sign of a value points to; "" if it has no sign."""
    b_0, signed = bound.module.METRIC.range("set", n_range_lists(bound))[2:]
    if not signed or b_0 is None or value == b_0 or bound.references is None:
        return ""
    groups, targets = list(used.groups), list(used.targets)
    is_second = (value < b_0) != (bound.module.__name__ == "biassay.metrics.rnd")  # positive towards the second group
    group = groups[1] if is_second else groups[0]
    if bound.labelled and len(targets) == 2:
        return f"{group} nearer {targets[0]}"
    return f"towards {group}"


@dataclass(frozen=True)
class PermutationTest:
    """p, the smallest p that the test can give, the values under permutation (n,), and what was permuted."""

    p: float
    min_p_value: float
    null: np.ndarray
    description: str


def permutation_test(bound: BoundMetric, name: str, permutations: int, seed: int) -> PermutationTest:
    """Test whether a value depends on which words are in which list, by reassigning words with list sizes kept.

    p = (k + 1) / (n + 1) for k of n permutations at least as far from b_0 as the value. The words of the groups are
    reassigned; for label-based metrics, and for WEAT as published with targets as X and Y, those of the targets. A
    metric without b_0 counts values at least as large. WEAT uses its published test, two-sided. p is NaN if the value
    is undefined or the same under all permutations.
    """
    side = bound.scored if name in PUBLISHED or bound.references is None else "groups"
    description = f"{side} reassigned"
    sizes = list(map(len, bound.lists(side)))
    fastest = permutations if bound.has_fast_path(side) else MAX_SLOW
    max_permutations = MAX_DIFFERENCES if is_difference_of_lists(bound.module) else fastest
    values = permute_values(bound, side, min(permutations, max_permutations), seed)
    min_p_value = max(1 / len(values), 1 / count_assignments(sizes))
    if name in PUBLISHED:
        p, min_p_value = _published_test(bound, name, seed)
        return PermutationTest(p, min_p_value, values[1:], "its own permutation test, two-sided")
    far = distances(values, bound)
    if np.isnan(far[0]) or np.nanmax(far) - np.nanmin(far) <= ROUNDING:
        return PermutationTest(np.nan, min_p_value, values[1:], description)
    p = float((1 + (~(far[1:] < far[0] - ROUNDING)).sum()) / len(far))
    return PermutationTest(p, min_p_value, values[1:], description)


def permute_values(bound: BoundMetric, side: str, permutations: int, seed: int) -> np.ndarray:
    """Compute the value, then values with the words of a side reassigned to its lists: (1 + permutations,)."""
    lists = bound.lists(side)
    pooled, sizes = np.concatenate(lists), list(map(len, lists))
    orders = np.tile(np.arange(len(pooled)), (1 + permutations, 1))
    orders[1:] = np.random.default_rng(seed).permuted(orders[1:], axis=1)
    if side == bound.scored and hasattr(bound.module, "set_bias_by_labels") and bound.references is None:
        labels = np.repeat(np.arange(len(sizes)), sizes)
        t, permuted_labels = pooled.shape[1], np.empty_like(orders)
        np.put_along_axis(permuted_labels, orders, np.broadcast_to(labels, orders.shape), axis=1)
        rows = pooled.reshape(-1, pooled.shape[-1])
        return metrics.call(bound.module, "set_bias_by_labels", rows, [], np.repeat(permuted_labels, t, axis=1))
    ends = np.cumsum(sizes)
    parts = [orders[:, end - size : end] for size, end in zip(sizes, ends, strict=True)]
    return bound.values_from_pools(side, [pooled] * len(lists), parts)


def count_assignments(sizes: list[int]) -> float:
    """Count the ways to assign words to lists of these sizes."""
    return comb(sum(sizes), sizes[0]) if len(sizes) == 2 else factorial(sum(sizes)) // prod(map(factorial, sizes))


def distances(values: np.ndarray, bound: BoundMetric) -> np.ndarray:
    """Return the distances of values from b_0; the values themselves for a metric without b_0."""
    b_0 = bound.module.METRIC.range("set", n_range_lists(bound)).b_0
    return values if b_0 is None or bound.references is None else np.abs(values - b_0)


def n_range_lists(bound: BoundMetric) -> int:
    """Return the number of lists that a metric's range depends on: of references, or of labels."""
    return len(bound.lists(bound.references or bound.scored))


def resample_values(bound: BoundMetric, resamples: int, seed: int) -> np.ndarray:
    """Compute values with the words of every list resampled with replacement; return an array (resamples,).

    Groups whose i-th words are paired are resampled together. The array is empty for label-based metrics, in which a
    word drawn twice would be its own neighbour.
    """
    if bound.references is None:
        return np.empty(0)
    random, resampled_values = np.random.default_rng(seed), np.empty(resamples)
    for resample in range(resamples):
        targets = [rows[random.integers(len(rows), size=len(rows))] for rows in bound.targets]
        picks = [random.integers(len(rows), size=len(rows)) for rows in bound.groups]
        groups = [rows[picks[0] if bound.paired else pick] for rows, pick in zip(bound.groups, picks, strict=True)]
        resampled_values[resample] = bound.value(groups, targets)
    return resampled_values


def random_word_values(
    bound: BoundMetric, used: UsedWords, source: SourceVectors, samples: int, seed: int
) -> np.ndarray:
    """Compute values with random words in place of the targets: (samples,).

    Where ranks are known, each random word has a frequency rank near that of the word it replaces. Empty for
    label-based metrics, whose permutation test answers the same question, without a fast path, and if the source has
    too few random words.
    """
    lists, pool = list(used.targets.values()), source.pool
    if bound.references is None or not bound.has_fast_path("targets") or len(pool) < 2 * sum(map(len, lists)):
        return np.empty(0)
    words = tuple(word for target_list in lists for word in target_list)
    if (words, samples, seed) not in source.random_picks:
        source.random_picks[words, samples, seed] = match_random_words(words, source, samples, seed)
    picks = source.random_picks[words, samples, seed]
    ends, pools, parts = np.cumsum(list(map(len, lists))), [], []
    for target_list, end in zip(lists, ends, strict=True):
        picked, numbers = np.unique(picks[:, end - len(target_list) : end], return_inverse=True)
        pools.append(source.stack([pool[number] for number in picked]))
        parts.append(numbers.reshape(samples, -1))
    return bound.values_from_pools("targets", pools, parts)


def match_random_words(words: Sequence[str], source: SourceVectors, samples: int, seed: int) -> np.ndarray:
    """Pick a random word of a similar rank for every word: (samples, n) numbers in the pool, unique within a sample."""
    random, pool = np.random.default_rng(seed), source.pool
    nearest = np.tile(np.arange(len(pool)), (len(words), 1))
    if source.ranks is not None:
        pool_ranks = np.log([source.ranks[word] for word in pool])
        apart = np.abs(np.log([source.ranks[word] for word in words])[:, None] - pool_ranks)
        nearest = np.argsort(apart, axis=1, kind="stable")
    picks = np.empty((samples, len(words)), np.int64)
    for row in picks:
        picked: set[int] = set()
        for position in random.permutation(len(words)):
            reach = NEAREST if source.ranks is not None else len(pool)
            while (pick := int(nearest[position, random.integers(min(reach, len(pool)))])) in picked:
                reach += 1
            row[position] = pick
            picked.add(pick)
    return picks


def _published_test(bound: BoundMetric, name: str, seed: int) -> tuple[float, float]:
    """Return p of the test published with a metric, and the smallest p that it can give.

    The rows of a word stay together: the test gets vectors that have the words' mean associations.
    """
    test, options = PUBLISHED[name]
    lists = bound.lists(bound.scored)
    references = [rows.reshape(-1, rows.shape[-1]) for rows in bound.lists(bound.references)]
    scored = np.concatenate(lists)
    s = metrics.load(name).word_bias(scored.reshape(-1, scored.shape[-1]), references)
    s = s.reshape(scored.shape[:2]).mean(axis=1)
    vectors = np.column_stack([s / 2, np.sqrt(np.maximum(0, 1 - s**2 / 4))])
    axis, labels = [np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])], np.repeat([0, 1], list(map(len, lists)))
    p = float(metrics.load(test).set_bias(vectors, axis, labels, **options, seed=seed))
    total = comb(len(labels), len(lists[0]))
    return p, 1 / (total if len(labels) <= options["max_exact_words"] else min(total, options["permutations"] + 1))
