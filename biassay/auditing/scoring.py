"""One metric on one test: value, permutation test, interval, random words, power and silhouettes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing.bound_metrics import DIFFERENCE, BoundMetric, NotApplicable, bind, row_numbers
from biassay.auditing.findings import ASSOCIATION, MAX_UNDEFINED, TARGETS_ONLY
from biassay.auditing.questions import SIDES
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.statistics.intervals import percentile_interval
from biassay.statistics.permutation_tests import smallest_share
from biassay.statistics.seeds import seed_of
from biassay.studies.silhouette import scores, values

Z = 0.8416  # normal quantile of a power of 80 %
MAX_SIZES = 24  # of a silhouette, approximately
ROUNDING = 1e-9  # values closer than this are equal
BLOCK = 60  # words of neighbouring ranks that random words are drawn from
MAX_SLOW, MAX_DIFFERENCES = 59, 399  # samples without a fast path; permutations for differences of lists
MIN_SAMPLES = 20  # for a quantile of random words or permutations


@dataclass(frozen=True)
class Settings:
    """Numbers of samples, and the seed.

    permutations: for p. resamples: for the interval. random_words: sets of random words. shuffles: of silhouettes.
    """

    permutations: int = 999
    resamples: int = 200
    random_words: int = 199
    shuffles: int = 30
    seed: int = 1


@dataclass(frozen=True)
class Score:
    """Rows of the table of metrics and of silhouettes (one per size), or the reason why the metric does not apply.

    variants: the value with the texts encoded in another way, by the name of that way.
    """

    rows: list[dict] = field(default_factory=list)
    silhouettes: pd.DataFrame = field(default_factory=pd.DataFrame)
    reason: str = ""
    variants: dict[str, float] = field(default_factory=dict)


def score(
    name: str,
    module: ModuleType,
    used: UsedWords,
    source: SourceVectors,
    settings: Settings,
    samples: dict | None = None,
) -> Score:
    """Score one metric on one test; samples: those that the metrics of the test share, empty at first."""
    samples = {} if samples is None else samples
    try:
        lists = {side: [source.stack(words) for words in used.side(side).values()] for side in SIDES}
        bound = replace(bind(module, used.question, lists), samples=samples)
    except NotApplicable as error:
        return Score(reason=str(error))
    value = bound.value()
    row = {"metric": name, "level": bound.level, "value": value, **bound.range._asdict(), "n_words": bound.n_words}
    row["sides"] = ASSOCIATION if bound.references else TARGETS_ONLY
    row["scored"] = bound.scored if module.METRIC.scored == "groups" else ""
    if np.isnan(value):
        return Score([row | {"reason": bound.module.METRIC.set.undefined or "the metric does not say why"}])
    seeds = [seed_of(settings.seed, purpose) for purpose in range(3)]
    test = permutation_test(bound, settings.permutations, seeds[0])
    p = np.maximum(p_value(test.far), test.min_p_value)  # a draw can miss assignments that are as far
    resampled = resample_values(bound, settings.resamples, seeds[1])
    resampled = resampled[np.isfinite(resampled)]
    low, high = percentile_interval(resampled)
    if bound.references is None:  # reassigned targets are random lists of targets
        random_far, p_random = test.far, p
    else:
        random_values = random_word_values(bound, used, source, settings.random_words, seeds[2])
        random_far = distances(np.append(value, random_values), bound)
        p_random = p_value(random_far)
    curves, summary = silhouettes(bound, settings)
    variants = variant_values(bound, used, source)
    if any(np.isfinite(list(variants.values()))):
        summary |= {
            "variant_low": np.nanmin(list(variants.values())),
            "variant_high": np.nanmax(list(variants.values())),
        }
    row |= {
        "ci_low": low, "ci_high": high, "p": p, "permuted": test.far, "min_p_value": test.min_p_value,
        "permutation_test": test.description, "random_q95": upper_quantile(random_far[1:]),
        "p_random": p_random, "random": random_far,
        "min_detectable_effect": np.nan if np.isnan(p) else min_detectable_effect(bound.range, test.far[1:], resampled),
        **summary,
        "direction": describe_direction(bound, used, value),
    }  # fmt: skip
    return Score([row], curves, variants=variants)


def variant_values(bound: BoundMetric, used: UsedWords, source: SourceVectors) -> dict[str, float]:
    """Compute the value for each other way to encode the words, by its name."""
    return {
        variant: bound.value(**{
            side: [np.stack([rows[word] for word in words]) for words in used.side(side).values()] for side in SIDES
        })
        for variant, rows in source.variants.items()
    }  # fmt: skip


def silhouettes(bound: BoundMetric, settings: Settings) -> tuple[pd.DataFrame, dict]:
    """Compute the silhouettes of both sides, and the worse of their two values of robustness and of share_needed.

    Only for metrics with a fast path, and for lists with at least two sizes. The sentences of a word grow together.
    """
    tables, robustness, needed = [], [], []
    for growing in SIDES:
        if growing not in (bound.scored, bound.references) or not bound.has_fast_path(growing):
            continue
        if bound.level == DIFFERENCE and growing == bound.references:  # of single words, only lists of words
            continue
        inputs, t = bound.inputs(growing), bound.lists[growing][0].shape[1]
        by_word = replace(inputs, sizes=[size // t for size in inputs.sizes])
        step = len(by_word.sizes) * max(1, -(-max(by_word.sizes) // MAX_SIZES))
        if 2 * step // len(by_word.sizes) > min(by_word.sizes):
            continue
        words = values.draw_growth(by_word, growing, step, settings.shuffles, settings.seed)
        growth = replace(words, shuffles=[row_numbers(order, t) for order in words.shuffles], sizes=words.sizes * t)
        try:
            subset_values = values.measure_subsets(bound.module, inputs, growth)
        except registry.PluginError:
            raise
        except ValueError:  # for example a fast path for two groups, called with more
            continue
        if not np.isfinite(subset_values).any():
            continue
        tables.append(scores.summarise_values(subset_values, words.n_words).assign(growing=growing))
        robustness.append(scores.robustness(subset_values, words.n_words, bound.range)[-1])
        n_needed = scores.count_words_needed(subset_values, words.n_words, bound.range.b_0)
        needed.append(n_needed / words.n_words[-1] if np.isfinite(n_needed) else 1.0)
    if not tables:
        return pd.DataFrame(), {}
    return pd.concat(tables, ignore_index=True), {"robustness": np.fmin.reduce(robustness), "share_needed": max(needed)}


def upper_quantile(far: np.ndarray) -> float:
    """Return the 95 % quantile of distances, or undefined if too few are defined."""
    far = far[np.isfinite(far)]
    return float(np.quantile(far, 0.95)) if len(far) >= MIN_SAMPLES else np.nan


def p_value(far: np.ndarray) -> float:
    """Return (k + 1) / (n + 1) for k of n distances that are at least as far as the first one, or undefined.

    NaN if the first one or more than 5 % are undefined, if there are fewer than 19, or if all are equal.
    """
    if np.isnan(far[0]) or len(far) < MIN_SAMPLES or np.isnan(far).mean() > MAX_UNDEFINED:
        return np.nan
    if np.nanmax(far) - np.nanmin(far) <= ROUNDING:
        return np.nan
    return float((1 + (~(far[1:] < far[0] - ROUNDING)).sum()) / len(far))


def min_detectable_effect(declared: Range, far: np.ndarray, resampled: np.ndarray) -> float:
    """Return the distance from b_0 that a value needs for the test to find it in 80 % of samples of such words.

    The 95 % quantile of the null's distances plus 0.84 standard deviations of the resampled values, as if these were
    normal with the same spread whatever the value. Infinite if it exceeds the metric's range; NaN without a spread.
    """
    if len(resampled) < MIN_SAMPLES or not np.ptp(resampled) > ROUNDING:
        return np.nan
    effect = float(upper_quantile(far) + Z * resampled.std())
    b_min, b_max, b_0, _ = declared
    reach = max(abs(end - (b_0 or 0)) if end is not None else np.inf for end in (b_min, b_max))
    return np.inf if effect > reach else effect


def describe_direction(bound: BoundMetric, used: UsedWords, value: float) -> str:
    """Say which group the sign of a value points to; "" if it has no sign."""
    _, _, b_0, signed = bound.range
    if not signed or b_0 is None or value == b_0 or bound.references is None:
        return ""
    targets = list(used.targets)
    group = list(used.groups)[int(bound.module.METRIC.towards_first(value - b_0) < 0)]
    return f"{group} nearer {targets[0]}" if bound.is_labelled and len(targets) == 2 else f"towards {group}"


@dataclass(frozen=True)
class PermutationTest:
    """Distances of the value and under permutation (1 + n,), the smallest p that they can give, what was permuted."""

    far: np.ndarray
    min_p_value: float
    description: str


def permutation_test(bound: BoundMetric, permutations: int, seed: int) -> PermutationTest:
    """Test whether a value depends on which words are in which list, by reassigning words with list sizes kept.

    The words of the groups are reassigned; for label-based metrics, and for WEAT and gWEAT with targets as X and Y,
    those of the targets, and values at least as large are counted.
    """
    side = bound.scored if bound.references is None or bound.module.METRIC.scored == "groups" else "groups"
    limit = permutations if bound.has_fast_path(side) else MAX_SLOW
    if bound.level == DIFFERENCE:
        limit = MAX_DIFFERENCES
    far = distances(permute_values(bound, side, min(permutations, limit), seed), bound)
    sizes = list(map(len, bound.lists[side]))
    is_symmetric = len(sizes) == 2 or bound.references in (None, side)
    return PermutationTest(far, max(1 / len(far), smallest_share(sizes, is_symmetric)), f"{side} reassigned")


def permute_values(bound: BoundMetric, side: str, permutations: int, seed: int) -> np.ndarray:
    """Compute the value, then values with the words of a side reassigned to its lists: (1 + permutations,)."""
    lists = bound.lists[side]
    pooled, sizes = np.concatenate(lists), list(map(len, lists))
    orders = np.tile(np.arange(len(pooled)), (1 + permutations, 1))
    orders[1:] = np.random.default_rng(seed).permuted(orders[1:], axis=1)
    if bound.references is None and hasattr(bound.module, "set_bias_by_labels"):
        labels = np.repeat(np.arange(len(sizes)), sizes)[np.argsort(orders, axis=1)]
        return metrics.call(bound.module, "set_bias_by_labels", pooled[:, 0], [], labels)  # one row per word
    parts = np.split(orders, np.cumsum(sizes)[:-1], axis=1)
    return bound.values_from_pools("permuted", side, [pooled] * len(lists), parts)


def distances(metric_values: np.ndarray, bound: BoundMetric) -> np.ndarray:
    """Return the distances of values from b_0, or from 0 without b_0; with their sign for a metric without references.

    Such a metric, of labels, finds lists that can be distinguished better than by chance, not worse.
    """
    differences = metric_values - (bound.range.b_0 or 0.0)
    return differences if bound.references is None else np.abs(differences)


def resample_values(bound: BoundMetric, resamples: int, seed: int) -> np.ndarray:
    """Compute values with the words of every list resampled with replacement; return an array (resamples,).

    Groups whose i-th words are paired are resampled together. The array is empty for label-based metrics, in which a
    word drawn twice would be its own neighbour.
    """
    if bound.references is None or not resamples:
        return np.empty(0)
    if "draws" not in bound.samples:
        random, sizes = np.random.default_rng(seed), [len(rows) for side in SIDES[::-1] for rows in bound.lists[side]]
        draws = [[random.integers(size, size=size) for size in sizes] for _ in range(resamples)]
        by_list, n = list(map(np.stack, zip(*draws, strict=True))), len(bound.lists["targets"])
        groups = [by_list[n]] * len(by_list[n:]) if bound.paired else by_list[n:]
        bound.samples["draws"] = {"targets": by_list[:n], "groups": groups}
    return bound.resampled_values(bound.samples["draws"])


def random_word_values(
    bound: BoundMetric, used: UsedWords, source: SourceVectors, samples: int, seed: int
) -> np.ndarray:
    """Compute values with random words in place of the targets: (samples,), at most 59 without a fast path.

    Empty if the source has too few random words.
    """
    sizes = list(map(len, bound.lists["targets"]))
    if len(source.pool) < 2 * sum(sizes):
        return np.empty(0)
    if "random" not in bound.samples:
        words, pools, parts = [word for target_list in used.targets.values() for word in target_list], [], []
        drawn, picks = draw_random_words(words, source, samples, seed)
        for of_list in np.split(picks, np.cumsum(sizes)[:-1], axis=1):
            picked, numbers = np.unique(of_list, return_inverse=True)
            pools.append(source.stack([drawn[number] for number in picked]))
            parts.append(numbers.reshape(of_list.shape))
        bound.samples["random"] = pools, parts
    pools, parts = bound.samples["random"]
    if not bound.has_fast_path("targets"):
        parts = [numbers[:MAX_SLOW] for numbers in parts]
    return bound.values_from_pools("random", "targets", pools, parts) if samples else np.empty(0)


def draw_random_words(
    words: Sequence[str], source: SourceVectors, samples: int, seed: int
) -> tuple[list[str], np.ndarray]:
    """Draw a random word of a similar rank for every word: spellings, and numbers of spellings (samples, n).

    Words and random words are sorted by rank, where ranks are known, and cut into blocks of about 60. Each sample
    shuffles every block, so that a word and the random words of its block have the same chance: if the words are
    themselves random, p-values are exact.
    """
    random, drawn = np.random.default_rng(seed), sorted({*words, *source.pool})
    if source.ranks is not None:
        drawn.sort(key=source.ranks.get)
    n_blocks = 1 if source.ranks is None else max(1, len(drawn) // BLOCK)
    place, picks = {word: number for number, word in enumerate(drawn)}, np.empty((samples, len(words)), np.int64)
    places = np.array([place[word] for word in words])
    for block in np.array_split(np.arange(len(drawn)), n_blocks):
        columns = np.flatnonzero((places >= block[0]) & (places <= block[-1]))
        if len(columns):
            shuffled = random.permuted(np.tile(block, (samples, 1)), axis=1)
            picks[:, columns] = shuffled[:, places[columns] - block[0]]
    return drawn, picks
