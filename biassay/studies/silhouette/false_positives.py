"""Permutation tests of a metric on random parts of word lists, for false positives and power."""

from collections.abc import Iterator
from math import comb
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import metric as metrics
from biassay.statistics.growth import Growth, grow
from biassay.studies.silhouette import values
from biassay.studies.silhouette.reference import MODELS, Reference

COLUMNS = ["bias", "model", "share", "shuffle", "test", "p", "min_p_value"]
# Tests that were published with a metric: the module of the test, and its options.
PUBLISHED_TESTS = {"weat": ("weat_p_value", {"alternative": "two_sided", "max_exact_words": 32, "permutations": 9999})}
PUBLISHED, REASSIGNED = "its own permutation test", "groups reassigned"
ALL_WORDS_FACTOR = 10  # the one test on all words of a bias and model uses this many times as many permutations
ROUNDING = 1e-9  # values closer than this are equal


def run_tests(
    metric: str,
    options: dict,
    b_0: float | None,
    reference: Reference,
    share: float,
    shuffles: int,
    permutations: int,
    seed: int,
) -> pd.DataFrame:
    """Test a metric for all biases and both models, on random parts of the lists and on all words (share 1).

    Returns
    -------
    DataFrame
        One row per bias, model and part. `min_p_value` is the smallest p that the test can return. Empty for a metric
        without groups or b_0.
    """
    module, rows = metrics.load(metric), []
    if module.METRIC.groups == (0, 0) or b_0 is None:
        return pd.DataFrame(columns=COLUMNS)
    test = PUBLISHED if metric in PUBLISHED_TESTS else REASSIGNED
    for bias in reference.lists:
        paired = bias in reference.paired
        for model in MODELS:
            lists = [reference.select_vectors(model, bias, list_type) for list_type in values.TYPES]
            for shuffle, part in enumerate(draw_parts(*lists, share, shuffles, seed, paired=paired)):
                p = compute_p_value(metric, module, *part, b_0, permutations, seed, options)
                rows.append([bias, model, share, shuffle, test, *p])
            n_permutations = ALL_WORDS_FACTOR * (permutations + 1) - 1
            p = compute_p_value(metric, module, *lists, b_0, n_permutations, seed, options)
            rows.append([bias, model, 1.0, 0, test, *p])
    return pd.DataFrame(rows, columns=COLUMNS)


def draw_parts(
    groups: list[np.ndarray], targets: list[np.ndarray], share: float, shuffles: int, seed: int, *, paired: bool
) -> Iterator[list[list[np.ndarray]]]:
    """Draw, for each shuffle, a share of the words of each group and target list, at least two words.

    Equal sizes and seeds give equal parts for every model and metric.
    """
    parts = []
    for lists, aligned in ((groups, paired), (targets, False)):
        sizes = [len(rows) for rows in lists]
        orders = grow(sizes, len(sizes), shuffles, [seed, len(values.TYPES)], aligned=aligned).shuffles
        parts.append([order[:, : max(2, round(share * size))] for order, size in zip(orders, sizes, strict=True)])
    for shuffle in range(shuffles):
        yield [
            [rows[indices[shuffle]] for rows, indices in zip(lists, list_parts, strict=True)]
            for lists, list_parts in zip((groups, targets), parts, strict=True)
        ]


def compute_p_value(
    metric: str, module: ModuleType, groups: list[np.ndarray], targets: list[np.ndarray], b_0: float,
    permutations: int, seed: int, options: dict,
) -> tuple[float, float]:  # fmt: skip
    """Compute the p-value of a metric's value for two groups and two target lists.

    WEAT has its published test, two-sided. The test of another metric reassigns the words of both groups to the groups
    at random, with the groups' sizes unchanged: p = (k + 1) / (permutations + 1) for k values as far from b_0.

    Returns
    -------
    p : float
        NaN if the value is undefined, or does not depend on the assignment to groups.
    min_p_value : float
        The smallest p that the test can return.
    """
    if metric in PUBLISHED_TESTS:
        name, test_options = PUBLISHED_TESTS[metric]
        test = metrics.load(name)
        inputs = values.assign_inputs(test.METRIC, groups, targets, "groups")
        p = test.set_bias(inputs.scored, inputs.references, inputs.labels, **test_options, seed=seed)
        is_exact = len(inputs.scored) <= test_options["max_exact_words"]
        n_assignments = comb(len(inputs.scored), len(groups[0]))
        return p, 1 / (n_assignments if is_exact else test_options["permutations"] + 1)
    distances = np.abs(reassign_groups(module, groups, targets, permutations, seed, options) - b_0)
    if np.isnan(distances[0]) or np.nanmax(distances) - np.nanmin(distances) <= ROUNDING:
        return np.nan, 1 / (permutations + 1)
    n_as_far = 1 + (~(distances[1:] < distances[0] - ROUNDING)).sum()
    return float(n_as_far / (permutations + 1)), 1 / (permutations + 1)


def reassign_groups(
    module: ModuleType,
    groups: list[np.ndarray],
    targets: list[np.ndarray],
    permutations: int,
    seed: int,
    options: dict,
) -> np.ndarray:
    """Measure the bias with the original groups, then with their words reassigned at random: (1 + permutations,).

    The reassigned groups are growing lists of a single size; each list holds the words of both groups.
    """
    pooled, size = np.concatenate(groups), len(groups[0])
    shuffles = np.tile(np.arange(len(pooled)), (1 + permutations, 1))
    shuffles[1:] = np.random.default_rng(seed).permuted(shuffles[1:], axis=1)
    inputs = values.assign_inputs(module.METRIC, [pooled, pooled], targets, "groups")
    growth = Growth([shuffles, np.roll(shuffles, -size, axis=1)], np.array([[size, len(pooled) - size]]))
    return values.measure_subsets(module, inputs, growth, **options)[:, 0]
