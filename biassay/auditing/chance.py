"""What chance gives: groups reassigned, words drawn again, random words in place of the targets."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial, prod

import numpy as np

from biassay.auditing.bound_metrics import BoundMetric, is_contrast
from biassay.auditing.lists import Used
from biassay.auditing.material import Material
from biassay.measurement import metric as metrics

# A test that was published with a metric, as a metric with its options.
OWN = {"weat": ("weat_p_value", {"alternative": "two_sided", "exact_words": 32, "permutations": 9999})}
ROUNDING = 1e-9  # values nearer than this are equal
NEAREST = 60  # random words of the nearest rank, of which one is drawn for a word
SLOW, CONTRASTS = 59, 399  # draws where a metric can only be asked anew for each; of differences of lists


@dataclass(frozen=True)
class Test:
    """p of a permutation test, the least p that it can give, its null values (n,), and what was permuted, in words."""

    __test__ = False  # for pytest

    p: float
    least: float
    null: np.ndarray
    what: str


def permuted(bound: BoundMetric, name: str, draws: int, seed: int) -> Test:
    """How often words reassigned to their lists at random, sizes kept, give a value as far from b_0: (k + 1)/(n + 1).

    The words of the groups are reassigned; of the targets, where a test of labels asks about them, or where WEAT has
    them as X and Y. WEAT has the test that was published with it, two-sided. A metric without b_0 counts values as
    large. p is NaN where the value is undefined or does not hang on who is where.
    """
    side = bound.scored if name in OWN or bound.references is None else "groups"
    what = f"{side} reassigned"
    sizes = list(map(len, bound.lists(side)))
    most = CONTRASTS if is_contrast(bound.module) else draws if bound.fast(side) else SLOW
    found = reassigned(bound, side, min(draws, most), seed)
    least = max(1 / len(found), 1 / ways(sizes))
    if name in OWN:
        p, least = _published(bound, name, seed)
        return Test(p, least, found[1:], "its own permutation test, two-sided")
    far = distance(found, bound)
    if np.isnan(far[0]) or np.nanmax(far) - np.nanmin(far) <= ROUNDING:
        return Test(np.nan, least, found[1:], what)
    return Test(float((1 + (~(far[1:] < far[0] - ROUNDING)).sum()) / len(far)), least, found[1:], what)


def reassigned(bound: BoundMetric, side: str, draws: int, seed: int) -> np.ndarray:
    """Values as the lists of a side are, then with its words reassigned to them: (1 + draws,)."""
    lists = bound.lists(side)
    pooled, sizes = np.concatenate(lists), list(map(len, lists))
    orders = np.tile(np.arange(len(pooled)), (1 + draws, 1))
    orders[1:] = np.random.default_rng(seed).permuted(orders[1:], axis=1)
    if side == bound.scored and hasattr(bound.module, "set_bias_by_labels") and bound.references is None:
        labels = np.repeat(np.arange(len(sizes)), sizes)
        t, of_draws = pooled.shape[1], np.empty_like(orders)
        np.put_along_axis(of_draws, orders, np.broadcast_to(labels, orders.shape), axis=1)
        rows = pooled.reshape(-1, pooled.shape[-1])
        return metrics.call(bound.module, "set_bias_by_labels", rows, [], np.repeat(of_draws, t, axis=1))
    ends = np.cumsum(sizes)
    parts = [orders[:, end - size : end] for size, end in zip(sizes, ends, strict=True)]
    return bound.drawn(side, [pooled] * len(lists), parts)


def ways(sizes: list[int]) -> float:
    """Number of ways to assign words to lists of these sizes."""
    return comb(sum(sizes), sizes[0]) if len(sizes) == 2 else factorial(sum(sizes)) // prod(map(factorial, sizes))


def distance(values: np.ndarray, bound: BoundMetric) -> np.ndarray:
    """How far values are from b_0; of a metric without it, the values."""
    b_0 = bound.module.METRIC.range("set", count(bound)).b_0
    return values if b_0 is None or bound.references is None else np.abs(values - b_0)


def count(bound: BoundMetric) -> int:
    """The number that a metric's range depends on: of attribute groups, or of labels."""
    return len(bound.lists(bound.references or bound.scored))


def resampled(bound: BoundMetric, draws: int, seed: int) -> np.ndarray:
    """Values with the words of every list drawn again, with repeats, pairs of the groups together: (draws,).

    Nothing for tests of labels: a word that is drawn twice would be its own neighbour.
    """
    if bound.references is None:
        return np.empty(0)
    random, found = np.random.default_rng(seed), np.empty(draws)
    for draw in range(draws):
        targets = [rows[random.integers(len(rows), size=len(rows))] for rows in bound.targets]
        picks = [random.integers(len(rows), size=len(rows)) for rows in bound.groups]
        groups = [rows[picks[0] if bound.paired else pick] for rows, pick in zip(bound.groups, picks, strict=True)]
        found[draw] = bound.value(groups, targets)
    return found


def random_words(bound: BoundMetric, used: Used, material: Material, draws: int, seed: int) -> np.ndarray:
    """Values with random words in place of the targets, as many and, where ranks are known, each of a rank near that
    of the word that it replaces: (draws,).

    Nothing for tests of labels, whose permutation says it, and where the source gave too few random words.
    """
    lists, pool = list(used.targets.values()), material.pool
    if bound.references is None or not bound.fast("targets") or len(pool) < 2 * sum(map(len, lists)):
        return np.empty(0)
    words = tuple(word for of_list in lists for word in of_list)
    if (words, draws, seed) not in material.kept:
        material.kept[words, draws, seed] = matched(words, material, draws, seed)
    picks = material.kept[words, draws, seed]
    ends, pools, parts = np.cumsum(list(map(len, lists))), [], []
    for of_list, end in zip(lists, ends, strict=True):
        taken, numbers = np.unique(picks[:, end - len(of_list) : end], return_inverse=True)
        pools.append(material.stacked([pool[number] for number in taken]))
        parts.append(numbers.reshape(draws, -1))
    return bound.drawn("targets", pools, parts)


def matched(words: Sequence[str], material: Material, draws: int, seed: int) -> np.ndarray:
    """Numbers of pool words that stand for words, none twice in a draw: (draws, n)."""
    random, pool = np.random.default_rng(seed), material.pool
    near = np.tile(np.arange(len(pool)), (len(words), 1))
    if material.ranks is not None:
        of_pool = np.log([material.ranks[word] for word in pool])
        apart = np.abs(np.log([material.ranks[word] for word in words])[:, None] - of_pool)
        near = np.argsort(apart, axis=1, kind="stable")
    found = np.empty((draws, len(words)), np.int64)
    for row in found:
        taken: set[int] = set()
        for place in random.permutation(len(words)):
            reach = NEAREST if material.ranks is not None else len(pool)
            while (pick := int(near[place, random.integers(min(reach, len(pool)))])) in taken:
                reach += 1
            row[place] = pick
            taken.add(pick)
    return found


def _published(bound: BoundMetric, name: str, seed: int) -> tuple[float, float]:
    """p of the test that was published with a metric, and the least that it can give; a word's rows stay together."""
    test, options = OWN[name]
    lists, flat = (
        bound.lists(bound.scored),
        [rows.reshape(-1, rows.shape[-1]) for rows in bound.lists(bound.references)],
    )
    scored = np.concatenate(lists)
    s = metrics.load(name).word_bias(scored.reshape(-1, scored.shape[-1]), flat)
    s = s.reshape(scored.shape[:2]).mean(axis=1)  # of a word, which is all that the test looks at
    line = np.column_stack([s / 2, np.sqrt(np.maximum(0, 1 - s**2 / 4))])  # vectors that have it
    axis, labels = [np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])], np.repeat([0, 1], list(map(len, lists)))
    p = float(metrics.load(test).set_bias(line, axis, labels, **options, seed=seed))
    total = comb(len(labels), len(lists[0]))
    return p, 1 / (total if len(labels) <= options["exact_words"] else min(total, options["permutations"] + 1))
