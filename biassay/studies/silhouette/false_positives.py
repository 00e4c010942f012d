"""Would bias be concluded? Permutation tests of a metric on random parts of word lists, on both reference models."""

from collections.abc import Iterator
from math import comb
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import metric as metrics
from biassay.numerics.growth import Growth, grow
from biassay.studies.silhouette import values
from biassay.studies.silhouette.reference import MODELS, Reference

COLUMNS = ["bias", "model", "share", "shuffle", "test", "p", "min_p_value"]
# A test that was published with a metric, as a metric with its options.
OWN = {"weat": ("weat_p_value", {"alternative": "two_sided", "max_exact_words": 32, "permutations": 9999})}
PUBLISHED, REASSIGNED = "its own permutation test", "groups reassigned"
ALL = 10  # times as many draws where all words are taken, of which there is one test a bias and model
ROUNDING = 1e-9  # values nearer than this are equal


def run(
    metric: str,
    options: dict,
    b_0: float | None,
    reference: Reference,
    share: float,
    shuffles: int,
    permutations: int,
    seed: int,
) -> pd.DataFrame:
    """p-values of a metric for all biases and both models: on a share of the words of each list, in random orders, and
    on all words (share 1). `min_p_value` is the least that a test can give. Nothing for a metric without groups or b_0.
    """
    module, rows = metrics.load(metric), []
    if module.METRIC.groups == (0, 0) or b_0 is None:
        return pd.DataFrame(columns=COLUMNS)
    test = PUBLISHED if metric in OWN else REASSIGNED
    for bias in reference.lists:
        paired = bias in reference.paired
        for model in MODELS:
            lists = [reference.arrays(model, bias, which) for which in values.TYPES]
            for shuffle, part in enumerate(parts(*lists, share, shuffles, seed, paired=paired)):
                p = p_value(metric, module, *part, b_0, permutations, seed, options)
                rows.append([bias, model, share, shuffle, test, *p])
            p = p_value(metric, module, *lists, b_0, ALL * (permutations + 1) - 1, seed, options)
            rows.append([bias, model, 1.0, 0, test, *p])
    return pd.DataFrame(rows, columns=COLUMNS)


def parts(
    groups: list[np.ndarray], targets: list[np.ndarray], share: float, shuffles: int, seed: int, *, paired: bool
) -> Iterator[list[list[np.ndarray]]]:
    """Groups and targets (m_i, d), of each a share of the words, two or more, in so many random orders.

    Equal sizes and seeds give equal parts, whatever the model and the metric.
    """
    drawn = []
    for lists, aligned in ((groups, paired), (targets, False)):
        sizes = [len(rows) for rows in lists]
        of_lists = grow(sizes, len(sizes), shuffles, [seed, len(values.TYPES)], aligned=aligned).shuffles
        drawn.append([shuffle[:, : max(2, round(share * size))] for shuffle, size in zip(of_lists, sizes, strict=True)])
    for shuffle in range(shuffles):
        yield [
            [rows[chosen[shuffle]] for rows, chosen in zip(lists, of_lists, strict=True)]
            for lists, of_lists in zip((groups, targets), drawn, strict=True)
        ]


def p_value(
    metric: str, module: ModuleType, groups: list[np.ndarray], targets: list[np.ndarray], b_0: float,
    permutations: int,
    seed: int, options: dict,
) -> tuple[float, float]:  # fmt: skip
    """p of a metric's value on two groups and two targets, and the least p that its test can give.

    WEAT has the test that was published with it, two-sided. Other metrics: how often the words of both groups,
    reassigned to them at random with the groups' sizes kept, give a value as far from b_0, (k + 1)/(draws + 1). NaN
    where the value is undefined or does not depend on who is in which group.
    """
    if metric in OWN:
        name, chosen = OWN[metric]
        test = metrics.load(name)
        question = values.assign_inputs(test.METRIC, groups, targets, "groups")
        p = test.set_bias(question.scored, question.references, question.labels, **chosen, seed=seed)
        ways = comb(len(question.scored), len(groups[0]))
        return p, 1 / (ways if len(question.scored) <= chosen["max_exact_words"] else chosen["permutations"] + 1)
    far = np.abs(reassigned(module, groups, targets, permutations, seed, options) - b_0)
    if np.isnan(far[0]) or np.nanmax(far) - np.nanmin(far) <= ROUNDING:
        return np.nan, 1 / (permutations + 1)
    return float((1 + (~(far[1:] < far[0] - ROUNDING)).sum()) / (permutations + 1)), 1 / (permutations + 1)


def reassigned(
    module: ModuleType,
    groups: list[np.ndarray],
    targets: list[np.ndarray],
    permutations: int,
    seed: int,
    options: dict,
) -> np.ndarray:
    """Values with the groups as they are, then with their words reassigned at random: (1 + draws,).

    They are values of growing lists, of one size, each of which is all words of both groups.
    """
    pooled, first = np.concatenate(groups), len(groups[0])
    shuffles = np.tile(np.arange(len(pooled)), (1 + permutations, 1))
    shuffles[1:] = np.random.default_rng(seed).permuted(shuffles[1:], axis=1)
    question = values.assign_inputs(module.METRIC, [pooled, pooled], targets, "groups")
    drawn = Growth([shuffles, np.roll(shuffles, -first, axis=1)], np.array([[first, len(pooled) - first]]))
    return values.measure_subsets(module, question, drawn, **options)[:, 0]
