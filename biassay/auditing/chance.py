"""Values expected by chance: permuted groups, resampled words, random words in place of the targets."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial, prod

import numpy as np

from biassay.auditing.bound_metrics import BoundMetric, is_difference_of_lists
from biassay.auditing.source_vectors import SourceVectors
from biassay.auditing.word_lists import UsedWords
from biassay.measurement import metric as metrics

# Tests that were published with a metric: the metric of the p-value, and its options.
PUBLISHED = {"weat": ("weat_p_value", {"alternative": "two_sided", "max_exact_words": 32, "permutations": 9999})}
ROUNDING = 1e-9  # values closer than this are equal
NEAREST = 60  # random words of the nearest ranks, of which one is picked for a word
MAX_SLOW, MAX_DIFFERENCES = 59, 399  # permutations without a fast path; of differences of lists


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
