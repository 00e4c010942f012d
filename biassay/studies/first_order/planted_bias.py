"""The bias that the generator planted: its values, its influence on scores of partners, and false positives without."""

import numpy as np
import pandas as pd

from biassay.core import csv_tables
from biassay.statistics import correlation, intervals
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.first_order.tables import KEYS, SLOPES

COLUMNS = ["bias", "word", "group", "category", "probability", "partner"]
N_RESAMPLES = 500
MIN_WORDS = 10  # of confounded occupations; slopes of fewer say nothing
LEVEL = 0.05
FAMILY = KEYS[:4]  # tests of one score are counted and corrected together
TEST = ["word_list", "statistics", "correlation"]


def read_percentages(ground_truth: str) -> dict[str, pd.Series]:
    """Read the planted percentages of female words in the context of gender-neutral occupations, by word.

    Returns
    -------
    dict of Series
        "planted": all occupations; "planted_confounded": those with a partner; "planted_clear": those without. Empty
        for the unbiased control, in which all percentages are equal.
    """
    rows = _read_female(ground_truth)
    rows = rows[rows["category"] == "n"]
    if rows["probability"].nunique() == 1:
        return {}
    values = pd.Series(100 * rows["probability"].to_numpy(float), index=rows["word"])
    is_confounded = (rows["partner"] != "").to_numpy()
    return {"planted": values, "planted_confounded": values[is_confounded], "planted_clear": values[~is_confounded]}


def read_own_and_partner(ground_truth: str) -> pd.DataFrame:
    """Read the planted probabilities of confounded occupations (own) and of their partners (partner), and the partners'
    names (name), by word."""
    rows = _read_female(ground_truth).set_index("word")
    own = rows["probability"]
    confounded = rows[rows["partner"] != ""]
    names = confounded["partner"]
    return pd.DataFrame({"own": own[confounded.index], "partner": names.map(own), "name": names})


def measure_confounding(biases: pd.DataFrame, causes: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Measure how much the bias score of an occupation depends on the planted bias of its partner.

    Returns one row per score, a row of `biases` by word: standardised slopes on an occupation's own probability and on
    its partner's, from `read_own_and_partner`, with 95 % intervals; none for equal probabilities, NaN for fewer than
    MIN_WORDS words.
    """
    rows, causes = [], causes.reindex(biases.columns)
    probabilities = causes[["own", "partner"]].to_numpy(float).T
    for key, bias in zip(biases.index, biases.to_numpy(), strict=True) if causes["own"].nunique() > 1 else ():
        is_complete = np.isfinite(bias) & np.isfinite(probabilities).all(axis=0)
        slopes = np.full((2, 3), np.nan)
        if is_complete.sum() >= MIN_WORDS:
            names = causes["name"][is_complete].to_numpy(str)
            slopes = estimate_slopes(bias[is_complete], probabilities[:, is_complete], names, seed)
        rows.append([*key, is_complete.sum(), *slopes.ravel()])
    return pd.DataFrame(rows, columns=[*KEYS, "n", *SLOPES])


def estimate_slopes(bias: np.ndarray, probabilities: np.ndarray, partners: np.ndarray, seed: int) -> np.ndarray:
    """Estimate standardised slopes of the bias of occupations (n,) on two probabilities (2, n): (2, 3).

    A row has a slope and its 95 % bootstrap interval over partners (n,), because scores of occupations with the same
    partner are alike; the interval is NaN for fewer than `intervals.MIN_CLUSTERS` partners.
    """

    def measure(weights: np.ndarray) -> np.ndarray:
        """Compute both slopes for each row of weights (n_resamples, n): (2, n_resamples)."""
        r = correlation.weighted_correlations(probabilities, bias, weights)
        between = correlation.weighted_correlations(*probabilities, weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (r - between * r[::-1]) / (1 - between**2)

    limits = [
        intervals.confidence_interval(lambda weights, row=row: measure(weights)[row], partners, N_RESAMPLES, seed)
        for row in range(2)
    ]
    return np.column_stack([measure(np.ones((1, len(bias)))), limits])


def count_false_positives(correlations: pd.DataFrame) -> pd.DataFrame:
    """Count the significant correlations with statistics of each score, on corpora without bias.

    Returns one row per score: the share of significant tests before and after Holm's correction, and the largest
    correlation.
    """
    kinds = [
        correlations[[*FAMILY, *TEST[:2], "n"]].assign(
            correlation=kind, value=correlations[kind], p=correlations[f"{kind}_p"]
        )
        for kind in correlation.CORRELATIONS
    ]
    rows = []
    for key, tests in pd.concat(kinds).dropna(subset="p").groupby(FAMILY, sort=False):
        rates = [(p < LEVEL).mean() for p in (tests["p"], correct_holm(tests["p"].to_numpy()))]
        largest = tests.iloc[tests["value"].abs().to_numpy().argmax()]
        rows.append([*key, len(tests), *rates, *largest[["value", *TEST, "n", "p"]]])
    columns = [*FAMILY, "n_tests", "false_positive_rate", "false_positive_rate_holm", "largest"]
    return pd.DataFrame(rows, columns=[*columns, *(f"largest_{name}" for name in (*TEST, "n", "p"))])


def _read_female(ground_truth: str) -> pd.DataFrame:
    rows = csv_tables.read(ground_truth, COLUMNS, {"probability": "number"}, keep_default_na=False)
    return rows[(rows["bias"] == "gender") & (rows["group"] == "female")]
