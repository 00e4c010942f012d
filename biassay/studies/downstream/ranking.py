"""Pairwise ranking accuracy: how often a score orders two different models as their bias does (same-2024, Table 3).

The declared form ranks all pairs of models, one case each: vectors that are not debiased, raw group words, one kind of
texts. The published form ranks all classifiers, debiased ones too, with more than a standard deviation above the mean
against those as far below; a model is never compared with its own debiased copies. Cases of one unit are resampled and
permuted together: the models, or, if they have several base models, the bases.
"""

from collections import Counter
from collections.abc import Callable
from math import factorial, prod

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from biassay.statistics.intervals import MIN_CLUSTERS, wilson_interval
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.downstream.reliability import bound_accuracy

TOLERANCE = 1e-12  # smaller differences of bias count as ties
PERMUTATIONS, BLOCK = 99_999, 10_000  # so many that p hardly depends on the draws; rows computed at a time
ROUNDING = 1e-7  # a smaller spread over models is rounding of the stored single-precision vectors
DOWNSTREAM, PLANTED = "downstream", "planted"  # kinds of ground truth
DECLARED, OTHER_TEXTS, PUBLISHED = "declared", "other_texts", "published"  # forms
DECLARED_TEXTS = ("raw", "")  # their ground truth is the more reliable one; "" is of pairs
RAW = "raw"  # group words
Pairs = Callable[[np.ndarray], np.ndarray]  # `extreme_pairs` or `all_pairs`
KEYS = ["set", "attribute", "version", "group_words"]
COLUMNS = ["form", *KEYS, "ground_truth", "score", "unit", "n_models", "n_cases", "n_pairs", "ranking_accuracy", "low",
           "high", "chance", "chance_low", "chance_high", "p", "reliability", "upper_bound", "reason"]  # fmt: skip
UNDEFINED = ["ranking_accuracy", "low", "high", "chance", "chance_low", "chance_high", "p"]
NO_PAIRS, CONSTANT, MISSING = "no two models differ in bias", "the scores differ by rounding only", "a score is missing"


def rank_models(
    cases: pd.DataFrame, bias: pd.DataFrame, models: pd.DataFrame, reliability: pd.DataFrame, n_resamples: int, *,
    seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Rank models by each metric's `cases`, and models with planted bias by downstream bias too.

    Returns COLUMNS, p_holm (corrected over the rows of a form and ground truth) and rank (of the scores of a set).
    """
    rows = rank_by_bias(cases, models, reliability, n_resamples, seed)
    if "strength" in models:
        valid = bias[bias["is_valid"].astype(bool)]
        of_bias = valid.assign(group_words=RAW, value=valid["bias"], metric=DOWNSTREAM)
        rows += rank_by_strength(pd.concat([cases, of_bias]), models, n_resamples, seed)
    table = pd.DataFrame(rows, columns=COLUMNS)
    by_form = table.groupby(["form", "ground_truth"])["p"]
    table["p_holm"] = by_form.transform(lambda p: correct_holm(p.to_numpy()))
    accuracies = table.groupby(["form", *KEYS, "ground_truth"])["ranking_accuracy"]
    return table.assign(rank=accuracies.rank(method="min", ascending=False))


def rank_by_bias(
    cases: pd.DataFrame, models: pd.DataFrame, reliability: pd.DataFrame, n_resamples: int, seed: int
) -> list[dict]:
    """Rank by downstream bias, where its reliability gives no reason not to."""
    rows, judged = [], reliability.set_index(["set", "attribute", "version", "form"])
    for (metric, *key), part in cases.groupby(["metric", *KEYS], sort=False):
        forms = [(find_form(key[2]), part[part["n_directions"] == 0], all_pairs)] if key[3] == RAW else []
        for form, chosen, select_pairs in (*forms, (PUBLISHED, part, extreme_pairs)):
            wide = chosen.pivot(index="model", columns="n_directions", values=["value", "bias"]).astype(float)
            units, unit = find_units(models, wide.index)
            row = evaluate_ranking(
                wide["value"].to_numpy(), wide["bias"].to_numpy(), select_pairs, units, n_resamples, seed=seed
            )
            known = judged.loc[(*key[:3], form)] if (*key[:3], form) in judged.index else {"reason": NO_PAIRS}
            row |= {"unit": unit, "reliability": known.get("reliability", np.nan)}
            row["upper_bound"] = known["upper_accuracy"] if form != PUBLISHED and "upper_accuracy" in known else np.nan
            if known["reason"]:
                row |= dict.fromkeys(UNDEFINED, np.nan) | {"reason": known["reason"]}
            rows.append(
                dict(zip(KEYS, key, strict=True)) | {"form": form, "ground_truth": DOWNSTREAM, "score": metric} | row
            )
    return rows


def rank_by_strength(cases: pd.DataFrame, models: pd.DataFrame, n_resamples: int, seed: int) -> list[dict]:
    """Rank the models with planted bias by its strength, which has no noise, from vectors that are not debiased."""
    strengths = models.dropna(subset="strength").set_index("name")["strength"]
    is_plain = (cases["n_directions"] == 0) & (cases["group_words"] == RAW)
    planted = cases[is_plain & cases["model"].isin(strengths.index)]
    rows = []
    for (metric, *key), part in planted.groupby(["metric", *KEYS], sort=False):
        values, ground_truth = (column.to_numpy(float)[:, None] for column in (part["value"], strengths[part["model"]]))
        row = evaluate_ranking(values, ground_truth, all_pairs, part["model"].to_numpy(), n_resamples, seed=seed)
        row |= {"unit": "models", "reliability": 1.0, "upper_bound": bound_accuracy(1.0)}
        key = dict(zip(KEYS, key, strict=True))
        rows.append(key | {"form": find_form(key["version"]), "ground_truth": PLANTED, "score": metric} | row)
    return rows


def find_form(version: str) -> str:
    """Return the form of a ranking of models by one case each."""
    return DECLARED if version in DECLARED_TEXTS else OTHER_TEXTS


def find_units(models: pd.DataFrame, names: pd.Index | pd.Series) -> tuple[np.ndarray, str]:
    """Return the unit of each named model, its base model if there are several, and what the units are."""
    bases = models.set_index("name")["base"].reindex(names).to_numpy()
    return (bases, "bases") if len(np.unique(bases)) > 1 else (names.to_numpy(), "models")


def evaluate_ranking(
    scores: np.ndarray, bias: np.ndarray, select_pairs: Pairs, units: np.ndarray, n_resamples: int, *, seed: int
) -> dict[str, float | int | str]:
    """Compare a ranking of models by scores with chance; scores and bias are of shape (models, variants).

    Cases do not count if their bias is NaN, or if the scores of their variant differ by rounding only. Pairs are of
    different models. low, high: 95 % bootstrap interval over units (models,), each resample with its own pairs, NaN
    below MIN_CLUSTERS; if it has no width, Wilson's interval for as many pairs as share no unit. chance, chance_low,
    chance_high: mean and middle 95 % of the accuracies with the scores of whole units permuted, among units of equally
    many models. p: twice the share of these accuracies in the smaller tail, at least `smallest_p`, NaN if there are no
    two such units.
    """
    counted = np.where(np.isfinite(bias), scores, np.nan)
    spread = np.fmax.reduce(counted, axis=0, initial=-np.inf) - np.fmin.reduce(counted, axis=0, initial=np.inf)
    is_constant = (spread <= ROUNDING) & np.isfinite(spread)
    bias = np.where(is_constant, np.nan, bias)
    members = [np.flatnonzero(units == unit) for unit in dict.fromkeys(units)]

    def choose(rows: np.ndarray) -> np.ndarray:
        models = np.repeat(rows, bias.shape[1])
        return select_pairs(bias[rows].ravel()) & (models[:, None] != models[None])

    pairs = choose(np.arange(len(scores)))
    observed = ranking_accuracy(scores.ravel(), pairs)
    row = dict.fromkeys(UNDEFINED, np.nan) | {
        "n_models": int(np.isfinite(bias).any(axis=1).sum()), "n_cases": int(np.isfinite(bias).sum()),
        "n_pairs": int(pairs.sum()), "ranking_accuracy": observed, "reason": "",
    }  # fmt: skip
    if np.isnan(observed):
        return row | {"reason": CONSTANT if is_constant.all() else MISSING if pairs.any() else NO_PAIRS}
    random = np.random.default_rng(seed)
    sizes = np.array([len(rows) for rows in members])
    if len(set(sizes.tolist())) < len(sizes):
        numbers = [min(BLOCK, PERMUTATIONS - start) for start in range(0, PERMUTATIONS, BLOCK)]
        orders = (_permute_units(members, sizes, n, random) for n in numbers)
        permuted = np.concatenate(
            [ranking_accuracies(scores[order].reshape(len(order), -1), pairs) for order in orders]
        )
        permuted = permuted[np.isfinite(permuted)]
        if len(permuted):
            row["chance_low"], row["chance_high"] = np.percentile(permuted, (2.5, 97.5)).tolist()
            tails = (permuted >= observed - TOLERANCE).sum(), (permuted <= observed + TOLERANCE).sum()
            p = max(smallest_p(bias, members), 2 * (1 + min(tails)) / (1 + len(permuted)))
            row |= {"chance": float(permuted.mean()), "p": float(min(1, p))}
    if len(members) >= MIN_CLUSTERS:
        drawn = random.integers(0, len(members), (n_resamples, len(members)))
        rows = (np.concatenate([members[unit] for unit in units_drawn]) for units_drawn in drawn.tolist())
        resampled = np.array([ranking_accuracy(scores[chosen].ravel(), choose(chosen)) for chosen in rows])
        if np.isfinite(resampled).any():
            low, high = np.nanpercentile(resampled, (2.5, 97.5)).tolist()
            if low == high:  # all pairs are right, or all wrong
                n = count_disjoint_pairs(pairs, np.repeat(units, bias.shape[1]))
                low, high = wilson_interval(round(observed * n), n)
            row |= {"low": low, "high": high}
    return row


def count_disjoint_pairs(pairs: np.ndarray, units: np.ndarray) -> int:
    """Count the pairs (n, n) that can be chosen so that no two of them share a unit (n,).

    It is half of a matching of each unit with another one, rounded down, which odd rings of pairs can make too large.

    >>> count_disjoint_pairs(all_pairs(np.arange(9)), np.arange(9))
    4
    """
    numbers = np.unique(units, return_inverse=True)[1]
    low, high = numbers[np.stack(np.nonzero(pairs))]
    linked = np.zeros([numbers.max() + 1] * 2, np.int8)
    linked[low, high] = linked[high, low] = 1
    np.fill_diagonal(linked, 0)
    return int((maximum_bipartite_matching(csr_array(linked)) >= 0).sum()) // 2


def smallest_p(bias: np.ndarray, members: list[np.ndarray]) -> float:
    """Return twice the share of the observed order among all orders of units of equally many models.

    Orders of units with equal bias (models, variants) count as one; `members` are the rows of each unit.

    >>> smallest_p(np.array([[0.0], [0.0], [1.0], [1.0]]), [np.array([row]) for row in range(4)])  # 2 of 6 orders
    0.3333333333333333
    """
    places = Counter(len(rows) for rows in members)
    equal = Counter(tuple(np.nan_to_num(bias[rows], nan=-np.inf).ravel()) for rows in members)
    return float(2 * prod(map(factorial, equal.values())) / prod(map(factorial, places.values())))


def _permute_units(members: list[np.ndarray], sizes: np.ndarray, n: int, random: np.random.Generator) -> np.ndarray:
    """Return n orders of the models (n, models), in which units of equal size have exchanged their places."""
    orders = np.empty((n, sizes.sum()), int)
    for size in np.unique(sizes):
        rows = np.stack([members[place] for place in np.flatnonzero(sizes == size)])
        units = random.permuted(np.tile(np.arange(len(rows)), (n, 1)), axis=1)
        orders[:, rows.ravel()] = rows[units].reshape(n, -1)
    return orders


def extreme_pairs(bias: np.ndarray) -> np.ndarray:
    """Return the pairs (i, j) in which i is below mean − std of the bias (n,) and j above mean + std (ddof 0).

    The result is a boolean matrix (n, n); NaN is in no pair.
    """
    values = bias[np.isfinite(bias)]
    if not len(values) or values.std() <= TOLERANCE:
        return np.zeros((len(bias), len(bias)), bool)
    low = bias < values.mean() - values.std() - TOLERANCE
    high = bias > values.mean() + values.std() + TOLERANCE
    return low[:, None] & high[None]


def all_pairs(bias: np.ndarray) -> np.ndarray:
    """Return all pairs (i, j) in which j has more bias (n,) than i, as a boolean matrix (n, n); NaN in no pair."""
    return bias[:, None] < bias[None] - TOLERANCE


def ranking_accuracy(scores: np.ndarray, pairs: np.ndarray) -> float:
    """Return the share of the pairs (i, j) in which j has the larger score (n,); a tie counts half.

    NaN without pairs, or if a case of a pair has no score.
    """
    return float(ranking_accuracies(scores[None], pairs)[0])


def ranking_accuracies(scores: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Compute `ranking_accuracy` for rows of scores (m, n): (m,)."""
    low, high = np.nonzero(pairs)
    if not len(low):
        return np.full(len(scores), np.nan)
    difference = scores[:, high] - scores[:, low]
    correct = np.where(np.abs(difference) < TOLERANCE, 0.5, difference > 0).mean(axis=1)
    return np.where(np.isnan(difference).any(axis=1), np.nan, correct)
