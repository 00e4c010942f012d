"""What an audit finds: p corrected over its tests and metrics, findings, and clusters of metrics that agree."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage

from biassay.auditing.result import TABLES

LEVEL = 0.05
MAX_UNDEFINED = 0.05  # share of permutations or of sets of random words
MIN_CORRELATION = 0.95  # of the metrics of a cluster
FOUND, UNSPECIFIC, NONE, UNDEFINED = "found", "unspecific", "none", "undefined"
TOO_FEW, UNTESTED = "too few", "not tested"
INCONCLUSIVE = UNDEFINED, TOO_FEW, UNTESTED  # findings of metrics that an audit does not count
FINDINGS = {
    FOUND: "an association that neither permutations nor random words (for pairs: neutral sentences) explain",
    UNSPECIFIC: "permutations do not explain the value, but it is not clearly farther from no bias than with random "
    "words (for pairs: neutral sentences)",
    NONE: "no association found, which does not show that there is none",
    TOO_FEW: "no permutation of these words or pairs can give a corrected p of 0.05 or less",
    UNTESTED: "one of the two comparisons is impossible",
    UNDEFINED: "no value",
}
ASSOCIATION, TARGETS_ONLY, GROUPS_ONLY = "groups and targets", "targets only", "groups only"  # sides that are compared
NULLS = {"p": "permuted", "p_random": "random"}  # columns of p and of the distances behind it, the value's own first
GROUPS_REASSIGNED = "groups reassigned"  # what a permutation test changes
STEREOTYPES_EXCHANGED = "stereotypes exchanged among pairs with the same words"
RANDOM_WORDS, NEUTRAL_SENTENCES = "random words", "neutral sentences"  # what random values are of
QUANTILES = (np.arange(20) + 0.5) / 20  # of null distributions: each stands for 5 % of the samples
REASONS = {
    "p": "permutations do not change its value, or leave too many undefined",
    "p_random": "there are no random words, or too many of their values are undefined",
}


def add_findings(table: pd.DataFrame) -> pd.DataFrame:
    """Add corrected p, the finding, the reason of a missing one, and the cluster to the rows of one source.

    p is corrected over all tests and metrics of the source that compare the same sides, so that the chance of any
    `found` among them is at most 5 % if no value differs from those of permutations, or none from random ones.
    """
    table = table.assign(cluster=0, p_corrected=np.nan, p_random_corrected=np.nan, is_possible=True)
    for p, column in NULLS.items():
        for _, rows in table[table[p].notna()].groupby("sides"):
            distances = [_unbound(getattr(row, column), row) for row in rows.itertuples()]
            table.loc[rows.index, f"{p}_corrected"] = correct_jointly(rows[p].to_numpy(float), distances)
            is_limited = rows["min_p_value"] > 1 / rows[column].map(len)
            if p == "p" and is_limited.any():  # with more samples than reassignments, it depends on the words
                is_reachable = find_reachable(distances) & (rows["min_p_value"] <= LEVEL)
                table.loc[rows.index, "is_possible"] = ~is_limited | is_reachable
    for _, rows in table.groupby(["test", "sides"]):
        table.loc[rows.index, "cluster"] = cluster_metrics(rows["random"].tolist())
    columns = ["p_corrected", "p_random_corrected", "value", "is_possible"]
    table["finding"] = [classify(*cells) for cells in table[columns].itertuples(index=False)]
    cause = np.where(table["p"].isna(), REASONS["p"], REASONS["p_random"])
    reasons = table["reason"].mask(table["finding"] == UNTESTED, cause)
    return table.assign(reason=reasons.mask(table["finding"] == TOO_FEW, FINDINGS[TOO_FEW]))


def null_quantiles(table: pd.DataFrame) -> pd.DataFrame:
    """Return QUANTILES of the distances under permutation and with random words, for metrics that have them."""
    rows = []
    for row in table.itertuples():
        for null in NULLS.values():
            distances = getattr(row, null)
            if isinstance(distances, np.ndarray) and np.isfinite(distances[1:]).sum() >= len(QUANTILES):
                values = np.nanquantile(distances[1:], QUANTILES)
                place = row.source, row.test, row.metric, row.level, null
                rows += [(*place, *pair) for pair in zip(QUANTILES, values, strict=True)]
    return pd.DataFrame(rows, columns=TABLES["nulls"])


def name_nulls(permutation_test: str) -> tuple[str, str]:
    """Name both null distributions of a metric that compares groups with targets, by its permutation test."""
    if permutation_test == STEREOTYPES_EXCHANGED:
        return "exchanged stereotypes", NEUTRAL_SENTENCES
    return f"permuted {permutation_test.partition(' ')[0]}", RANDOM_WORDS


def classify(p: float, p_random: float, value: float, is_possible: bool = True) -> str:
    """Return the finding, one of FINDINGS, by both corrected p at 5 %.

    is_possible: whether the words are enough for a corrected p of 5 %.
    """
    if np.isnan(value):
        return UNDEFINED
    if p > LEVEL and not is_possible:
        return TOO_FEW
    if np.isnan(p) or np.isnan(p_random):
        return UNTESTED
    if p > LEVEL:
        return NONE
    return UNSPECIFIC if p_random > LEVEL else FOUND


def correct_jointly(p: np.ndarray, distances: list[np.ndarray]) -> np.ndarray:
    """Correct p-values (m,) of m hypotheses tested with the same samples: Westfall and Young's (1993) step-down max-T.

    The k-th entry of every array of distances (1 + n_i,) is of the same sample, the first one of the data; arrays of
    fewer samples are repeated. Distances are scaled to a median of 0 and a 95 % quantile of 1. The corrected p of the
    largest is the share of samples in which any is as large, that of the next leaves out the largest, and so on.
    An undefined sample counts as at least as far as the data, but only in the p of its own hypothesis. Returns
    corrected p (m,), none below p.
    """
    return np.maximum(_step_down(_align(distances), 0), p)


def find_reachable(distances: list[np.ndarray]) -> np.ndarray:
    """Return whether the corrected p of each hypothesis can be LEVEL or less, with any of the samples as the data."""
    scaled = _align(distances)
    farthest = np.argsort(-scaled.max(axis=1))[: int(LEVEL * len(scaled))]  # p of all other samples is above LEVEL
    is_reachable = np.zeros(len(distances), bool)
    for sample in farthest:
        is_reachable |= _step_down(scaled, sample) <= LEVEL
        if is_reachable.all():
            break
    return is_reachable


def cluster_metrics(distances: list[np.ndarray | None]) -> np.ndarray:
    """Number clusters, from 1, of metrics whose distances over the same samples correlate with 0.95 on average.

    Average linkage of 1 − r; without distances, a metric is its own cluster.
    """
    if len(distances) < 2:
        return np.ones(len(distances), int)
    dissimilarity = [1 - _correlate(*pair) for pair in combinations(distances, 2)]
    numbers = fcluster(linkage(dissimilarity, "average"), 1 - MIN_CORRELATION, "distance")
    return pd.factorize(numbers)[0] + 1


def _correlate(first: np.ndarray | None, second: np.ndarray | None) -> float:
    """Return Pearson's r of the samples that both have; 0 if there are too few, or one does not vary."""
    if not (isinstance(first, np.ndarray) and isinstance(second, np.ndarray)):
        return 0.0
    pairs = np.stack([values[1 : min(len(first), len(second))] for values in (first, second)])
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    if pairs.shape[1] < 20 or np.ptp(pairs, axis=1).min() <= 1e-12:
        return 0.0
    return float(np.corrcoef(pairs)[0, 1])


def _align(distances: list[np.ndarray]) -> np.ndarray:
    """Scale distances, and repeat the samples of short arrays: (samples, m)."""
    n = max(map(len, distances)) - 1
    return np.column_stack([[far[0], *np.resize(far[1:], n)] for far in map(_scale, distances)])


def _step_down(scaled: np.ndarray, sample: int) -> np.ndarray:
    """Compute step-down p (m,) of one of the samples (n, m), compared with all, itself included."""
    order = np.argsort(-scaled[sample], kind="stable")
    largest = np.maximum.accumulate(scaled[:, order[::-1]], axis=1)[:, ::-1]
    corrected = np.empty(len(order))
    corrected[order] = np.maximum.accumulate((largest >= scaled[sample, order] - 1e-9).mean(axis=0))
    return corrected


def _unbound(far: np.ndarray, row: tuple) -> np.ndarray:
    """Spread distances near the end of a metric's range (arctanh), where those of WEAT lie close together."""
    reach = np.max([row.b_max - row.b_0, row.b_0 - row.b_min])  # NaN if an end is
    return far if row.sides == TARGETS_ONLY or not np.isfinite(reach) else np.arctanh(np.minimum(far / reach, 1 - 1e-9))


def _scale(far: np.ndarray) -> np.ndarray:
    """Scale distances to a median of 0 and a 95 % quantile of 1; undefined ones are -inf."""
    defined = far[np.isfinite(far)]
    median, q95 = np.quantile(defined, [0.5, 0.95])
    scale = q95 - median if q95 - median > 1e-12 else defined.std()
    return np.where(np.isnan(far), -np.inf, (far - median) / (scale or 1.0))
