"""Permutation tests of a metric on random parts of word lists, and their rates of false positives and power."""

from collections.abc import Iterator
from math import comb
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.statistics import intervals
from biassay.statistics.growth import Growth, grow
from biassay.studies.silhouette import curves, values
from biassay.studies.silhouette.reference import MODELS, Reference

COLUMNS = ["bias", "model", "share", "shuffle", "test", "p", "min_p_value"]
# Tests that were published with a metric: the module of the test, and its options.
PUBLISHED_TESTS = {"weat": ("weat_p_value", {"alternative": "two_sided", "max_exact_words": 32, "permutations": 9999})}
PUBLISHED, REASSIGNED = "its own permutation test", "groups reassigned"
BAND = "95 % of the shuffles"  # name of the test by the interval of the shuffles
ALL_WORDS_FACTOR = 10  # the one test on all words of a bias and model uses this many times as many permutations
ROUNDING = 1e-9  # values closer than this are equal
LEVEL = 0.05
RATES = {"unbiased": "false_positive_rate", "biased": "power"}


def run_tests(
    metric: str, options: dict, b_0: float | None, reference: Reference, share: float, shuffles: int, permutations: int,
    seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Test a metric for all biases and both models, on random parts of the lists and on all words (share 1).

    Returns one row per bias, model and part; none for a metric without groups or b_0. `min_p_value` is the smallest p
    that the test can return.
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
    """Compute the p-value of a metric's value for two groups and two target lists, and the smallest possible one.

    WEAT has its published test, two-sided. The test of another metric reassigns the words of both groups to the groups
    at random, with the groups' sizes unchanged: p = (k + 1) / (permutations + 1) for k values as far from b_0. p is NaN
    if the value is undefined, or does not depend on the assignment to groups.
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
    module: ModuleType, groups: list[np.ndarray], targets: list[np.ndarray], permutations: int, seed: int, options: dict
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


def test_bands(
    biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, declared: Range, share: float
) -> pd.DataFrame:
    """Test whether 95 % of the shuffles, with a share of the words of a list, are on one side of b_0.

    Returns one row per model with values, and `is_significant`; none for a metric whose values are all on one side.
    """
    b_min, b_max, b_0, _ = declared
    step, rows = int(np.argmin(np.abs(words - share * words[-1]))), []
    if b_0 is not None and b_0 not in (b_min, b_max):
        for model, model_values in zip(MODELS, (biased[:, step], unbiased[:, step]), strict=True):
            if np.isfinite(model_values).any():
                low, high = np.nanquantile(model_values, (LEVEL / 2, 1 - LEVEL / 2))
                rows.append([model, share, BAND, not low <= b_0 <= high])
    return pd.DataFrame(rows, columns=["model", "share", "test", "is_significant"])


def summarise_tests(tests: pd.DataFrame, bands: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Summarise the tests of each metric in `names`: on each bias, and on all.

    Returns the number of tests on both models, the rate of significant ones with Wilson's interval, and the median p.
    """
    keys = ["metric", "test", "bias", "share"]
    tests = tests.dropna(subset="p").assign(is_significant=lambda table: table["p"] <= LEVEL)
    tests = pd.concat([part for part in (tests, bands) if len(part)] or [tests])
    tests = tests.sort_values("metric", key=lambda column: column.map(names.index), kind="stable")
    tests = pd.concat([tests.assign(bias="all"), curves.sort_by_bias(tests)])
    rows = [[*key, *_summarise_rates(part).values()] for key, part in tests.groupby(keys, sort=False)]
    table = pd.DataFrame(rows, columns=[*keys, *_summarise_rates(tests)])
    return table.sort_values("metric", key=lambda column: column.map(names.index), kind="stable")


def _summarise_rates(tests: pd.DataFrame) -> dict:
    row = {}
    for model, name in RATES.items():
        part = tests[tests["model"] == model]
        n, n_significant = len(part), int(part["is_significant"].sum())
        low, high = intervals.wilson_interval(n_significant, n)
        row |= {f"n_{model}": n, name: n_significant / n if n else np.nan, f"{name}_low": low, f"{name}_high": high}
        row[f"p_{model}"] = format_median_p(part["p"].median(), part["min_p_value"].max())
    return row


def format_median_p(p: float, min_p_value: float) -> str:
    """Format a p-value with two digits; "<=" marks the smallest p that the test can return; "" for none."""
    if np.isnan(p):
        return ""
    return f"{p:.2g}" if p > min_p_value * (1 + 1e-9) else f"<= {min_p_value:.2g}"
