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

COLUMNS = ["bias", "model", "share", "order", "test", "p", "least_p"]
# A test that was published with a metric, as a metric with its options.
OWN = {"weat": ("weat_p_value", {"alternative": "two_sided", "exact_words": 32, "permutations": 9999})}
PUBLISHED, REASSIGNED = "its own permutation test", "groups reassigned"
ALL = 10  # times as many draws where all words are taken, of which there is one test a bias and model
ROUNDING = 1e-9  # values nearer than this are equal


def run(
    metric: str,
    options: dict,
    b_0: float | None,
    reference: Reference,
    share: float,
    orders: int,
    draws: int,
    seed: int,
) -> pd.DataFrame:
    """p-values of a metric for all biases and both models: on a share of the words of each list, in random orders, and
    on all words (share 1). `least_p` is the least that a test can give. Nothing for a metric without groups or b_0.
    """
    module, rows = metrics.load(metric), []
    if module.METRIC.groups == (0, 0) or b_0 is None:
        return pd.DataFrame(columns=COLUMNS)
    test = PUBLISHED if metric in OWN else REASSIGNED
    for bias in reference.lists:
        paired = bias in reference.paired
        for model in MODELS:
            lists = [reference.arrays(model, bias, which) for which in values.TYPES]
            for order, part in enumerate(parts(*lists, share, orders, seed, paired=paired)):
                p = p_value(metric, module, *part, b_0, draws, seed, options)
                rows.append([bias, model, share, order, test, *p])
            p = p_value(metric, module, *lists, b_0, ALL * (draws + 1) - 1, seed, options)
            rows.append([bias, model, 1.0, 0, test, *p])
    return pd.DataFrame(rows, columns=COLUMNS)


def parts(
    groups: list[np.ndarray], concepts: list[np.ndarray], share: float, orders: int, seed: int, *, paired: bool
) -> Iterator[list[list[np.ndarray]]]:
    """Groups and concepts (m_i, d), of each a share of the words, two or more, in so many random orders.

    Equal sizes and seeds give equal parts, whatever the model and the metric.
    """
    drawn = []
    for lists, aligned in ((groups, paired), (concepts, False)):
        sizes = [len(rows) for rows in lists]
        of_lists = grow(sizes, len(sizes), orders, [seed, len(values.TYPES)], aligned=aligned).orders
        drawn.append([order[:, : max(2, round(share * size))] for order, size in zip(of_lists, sizes, strict=True)])
    for order in range(orders):
        yield [
            [rows[chosen[order]] for rows, chosen in zip(lists, of_lists, strict=True)]
            for lists, of_lists in zip((groups, concepts), drawn, strict=True)
        ]


def p_value(
    metric: str, module: ModuleType, groups: list[np.ndarray], concepts: list[np.ndarray], b_0: float, draws: int,
    seed: int, options: dict,
) -> tuple[float, float]:  # fmt: skip
    """p of a metric's value on two groups and two concepts, and the least p that its test can give.

    WEAT has the test that was published with it, two-sided. Other metrics: how often the words of both groups,
    reassigned to them at random with the groups' sizes kept, give a value as far from b_0, (k + 1)/(draws + 1). NaN
    where the value is undefined or does not depend on who is in which group.
    """
    if metric in OWN:
        name, chosen = OWN[metric]
        test = metrics.load(name)
        question = values.ask(test.METRIC, groups, concepts, "groups")
        p = test.set_bias(question.targets, question.attributes, question.labels, **chosen, seed=seed)
        ways = comb(len(question.targets), len(groups[0]))
        return p, 1 / (ways if len(question.targets) <= chosen["exact_words"] else chosen["permutations"] + 1)
    far = np.abs(reassigned(module, groups, concepts, draws, seed, options) - b_0)
    if np.isnan(far[0]) or np.nanmax(far) - np.nanmin(far) <= ROUNDING:
        return np.nan, 1 / (draws + 1)
    return float((1 + (~(far[1:] < far[0] - ROUNDING)).sum()) / (draws + 1)), 1 / (draws + 1)


def reassigned(
    module: ModuleType, groups: list[np.ndarray], concepts: list[np.ndarray], draws: int, seed: int, options: dict
) -> np.ndarray:
    """Values with the groups as they are, then with their words reassigned at random: (1 + draws,).

    They are values of growing lists, of one size, each of which is all words of both groups.
    """
    pooled, first = np.concatenate(groups), len(groups[0])
    orders = np.tile(np.arange(len(pooled)), (1 + draws, 1))
    orders[1:] = np.random.default_rng(seed).permuted(orders[1:], axis=1)
    question = values.ask(module.METRIC, [pooled, pooled], concepts, "groups")
    drawn = Growth([orders, np.roll(orders, -first, axis=1)], np.array([[first, len(pooled) - first]]))
    return values.values(module, question, drawn, **options)[:, 0]
