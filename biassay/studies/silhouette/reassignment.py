"""p-values of a metric: random reassignment of words to the two groups, or to the two lists of targets."""

import inspect
from collections.abc import Mapping
from itertools import combinations
from math import comb
from types import ModuleType

import numpy as np

from biassay.measurement import metric as metrics
from biassay.metrics import weat_p_value
from biassay.statistics import permutation_tests
from biassay.statistics.growth import Growth
from biassay.studies.silhouette import values

FORMS = ("groups", "targets")  # lists whose words are reassigned
# Tests that were published with a metric: the module of the test, and its options.
PUBLISHED_TESTS = {"weat": (weat_p_value, {"alternative": "two_sided", "max_exact_words": 32, "permutations": 9999})}
PUBLISHED, REASSIGNED = "its own permutation test", {form: f"{form} reassigned" for form in FORMS}
CONTRAST_PERMUTATIONS = 9999  # of scores of words, which are computed once
REPEATS_ARE_RARE = 10  # ways to choose a list, per permutation, above which they are drawn independently
ROUNDING = 1e-9  # values closer than this are equal
Sample = list[list[np.ndarray]]  # the vectors of two groups and of two lists of targets


def find_obstacle(module: ModuleType, b_0: float | None, form: str, options: Mapping[str, object] | None = None) -> str:
    """Say why a metric with these options has no test of a form; "" if it has one."""
    declared = module.METRIC
    if declared.groups == (0, 0):
        return "it takes no groups"
    low, high = declared.groups
    if not low <= 2 <= (high or 2):
        return "it does not take two groups"
    if b_0 is None:
        return "it has no value without bias"
    if form == "targets" and ((options or {}).get("n_directions") or 1) > 1:
        return "its scores of words have a sign along one direction only"
    if form == "groups" or declared.set.labels or hasattr(module, "signed_word_bias"):
        return ""
    if declared.word is None:
        return "it pools the lists and has no score of a word"
    return "" if declared.range("word", 2).signed else "its scores of words have no sign"


def compute_p_values(
    metric: str, module: ModuleType, form: str, samples: list[Sample], b_0: float, permutations: int, seed: int,
    options: dict, level: float | None = None,
) -> tuple[np.ndarray, float]:  # fmt: skip
    """Compute the p-values (n,) of a metric for n samples of equal sizes, and the smallest possible one.

    Form "groups" reassigns the words of both groups to the groups, and "targets" those of both lists of targets to the
    lists, at random and with unchanged sizes. The statistic is

    - for WEAT, that of its published test, whose X and Y are the reassigned lists;
    - for groups, and for a metric that distinguishes the lists of targets: |b − b_0|;
    - for targets of another metric: the absolute difference of the lists' mean scores of words, with their sign.

    p = (k + 1) / (n + 1) for k of n reassignments with as large a statistic, all of them if they are few. p is NaN if
    the statistic is undefined, or does not depend on the assignment. With a level, a sample's reassignments end once
    they show that p is above the level; that p is their share.
    """
    if form == "targets" and (metric in PUBLISHED_TESTS or not module.METRIC.set.labels):
        scores = np.stack([_score_words(module, *sample, options) for sample in samples])
        size = len(samples[0][1][0])
        p = permutation_tests.compare_parts(scores, size, CONTRAST_PERMUTATIONS, seed)
        sizes = [size, scores.shape[1] - size]
        min_p_value = max(1 / (CONTRAST_PERMUTATIONS + 1), permutation_tests.smallest_share(sizes))
        return np.maximum(p, min_p_value), min_p_value  # a draw can miss assignments that are as far
    if metric in PUBLISHED_TESTS:
        return _run_published_test(metric, samples, seed)
    lists = samples[0][FORMS.index(form)]
    n_words, size = sum(map(len, lists)), len(lists[0])
    orders = draw_orders(n_words, size, permutations, seed)
    parts = np.split(orders, [max(1, len(orders) // 4)] if level else [])
    has_cache = form == "groups" and len({id(groups) for groups, _ in samples}) == 1
    caches = [{} if has_cache else None for _ in parts]
    p = np.full(len(samples), np.nan)
    for number, sample in enumerate(samples):
        distances = np.empty(0)
        for part, shuffles in enumerate(parts):
            found = reassign(module, form, *sample, shuffles, options, caches[part], seed_of_pairs=1 + part)
            distances = np.append(distances, np.abs(found - b_0))
            p[number] = _compute_share(distances)
            if level and p[number] * len(distances) > level * len(orders) + ROUNDING:
                break
    exchanged = np.stack([orders[0], np.roll(orders[0], size)])
    is_symmetric = np.ptp(np.abs(reassign(module, form, *samples[0], exchanged, options) - b_0)) <= ROUNDING
    return p, max(1 / len(orders), permutation_tests.smallest_share([size, n_words - size], is_symmetric))


def draw_orders(n_words: int, size: int, permutations: int, seed: int) -> np.ndarray:
    """Draw orders (n, n_words) of two lists, whose first `size` words are the first list; the first order is as it is.

    If there are few ways to choose the first list, each is used once at most: repeats of the lists as they are, or
    exchanged, could keep p above any level.
    """
    random = np.random.default_rng(seed)
    orders, n_ways = np.tile(np.arange(n_words), (1 + permutations, 1)), comb(n_words, size)
    if n_ways > REPEATS_ARE_RARE * permutations:
        orders[1:] = random.permuted(orders[1:], axis=1)
        return orders
    ways = np.array(list(combinations(range(n_words), size)))  # the first is the list itself
    chosen = 1 + random.choice(n_ways - 1, min(permutations, n_ways - 1), replace=False)
    is_second = np.ones((1 + len(chosen), n_words))
    np.put_along_axis(is_second, ways[np.append(0, chosen)], 0, axis=1)
    orders = np.argsort(is_second + random.random(is_second.shape) / 2, axis=1)  # in random order within each list
    orders[0] = np.arange(n_words)
    return orders


def _score_words(module: ModuleType, groups: list[np.ndarray], targets: list[np.ndarray], options: dict) -> np.ndarray:
    """Score the words of both lists of targets, with a sign; options of the set level alone do not matter."""
    name = "signed_word_bias" if hasattr(module, "signed_word_bias") else "word_bias"
    accepted = inspect.signature(getattr(module, name)).parameters
    options = {option: value for option, value in options.items() if option in accepted}
    return metrics.call(module, name, np.concatenate(targets), groups, **options)


def _run_published_test(metric: str, samples: list[Sample], seed: int) -> tuple[np.ndarray, float]:
    """Run the published test of a metric with the groups as X and Y; the samples share the partitions of many words."""
    test, options = PUBLISHED_TESTS[metric]
    inputs = [values.assign_inputs(test.METRIC, *sample, "groups") for sample in samples]
    n_words, size = len(inputs[0].scored), len(samples[0][0][0])
    if n_words > options["max_exact_words"]:
        scores = np.stack([metrics.load(metric).word_bias(one.scored, one.references) for one in inputs])
        p = permutation_tests.compare_parts(scores, size, options["permutations"], seed)
        return p, 1 / (options["permutations"] + 1)
    p = [test.set_bias(one.scored, one.references, one.labels, **options, seed=seed) for one in inputs]
    return np.array(p), permutation_tests.smallest_share([size, n_words - size])


def _compute_share(distances: np.ndarray) -> float:
    """Compute the share of distances as large as the first; NaN if it is undefined or all are equal."""
    if np.isnan(distances[0]) or np.nanmax(distances) - np.nanmin(distances) <= ROUNDING:
        return np.nan
    return float((1 + (~(distances[1:] < distances[0] - ROUNDING)).sum()) / len(distances))


def reassign(
    module: ModuleType, form: str, groups: list[np.ndarray], targets: list[np.ndarray], shuffles: np.ndarray,
    options: dict, cache: dict | None = None, seed_of_pairs: int = 1,
) -> np.ndarray:  # fmt: skip
    """Measure the bias with the words of the groups or of the targets in each order (n, n_words): (n,).

    The reassigned lists are growing lists of a single size; each holds the words of both. cache: what is computed from
    the reassigned lists alone, for calls with the same ones.
    """
    lists = groups if form == "groups" else targets
    pooled, size = np.concatenate(lists), len(lists[0])
    if form == "groups":
        inputs = values.assign_inputs(module.METRIC, [pooled, pooled], targets, "groups")
    elif (by_labels := getattr(module, "set_bias_by_labels", None)) and values.accepts(by_labels, options):
        labels = (np.argsort(shuffles, axis=1) >= size).astype(int)
        return metrics.call(module, "set_bias_by_labels", pooled, groups, labels, **options)
    else:  # the metric scores the targets, by list, even if it usually scores the groups
        labels = np.repeat([0, 1], len(pooled))
        sizes = [len(pooled), len(pooled)]
        inputs = values.MetricInputs(np.concatenate([pooled, pooled]), groups, labels, "scored", sizes, paired=True)
    orders = [shuffles, np.roll(shuffles, -size, axis=1)]
    growth = Growth(orders, np.array([[size, len(pooled) - size]]), {} if cache is None else cache, (seed_of_pairs,))
    return values.measure_subsets(module, inputs, growth, **options)[:, 0]
