"""Agreement of set-level scores with summaries of the unmasking bias of all occupations (same-2021 §5.3)."""

from collections.abc import Mapping

import pandas as pd

from biassay.statistics import correlation, paired_tests
from biassay.studies.same.agreement import SIGNED, UNSIGNED
from biassay.studies.same.tables import Grid

SUMMARIES = {"mean": SIGNED, "std": UNSIGNED, "absolute": UNSIGNED}  # the ground truth of each summary of p(male)
COLUMNS = ["metric", "signed", "against", "ground_truth", "n", "r", "r2", "low", "high", "p"]


def summarise_unmasking(grid: Grid) -> dict[str, pd.Series]:
    """Summarise p(male) over the occupations of each model that learned its bias: mean, std (ddof 0), Σ|0.5 − p|."""
    p_male = grid.unmasking.loc[grid.learned_models.index]
    absolute = (0.5 - p_male).abs().sum(axis=1, min_count=1)
    return {"mean": p_male.mean(axis=1), "std": p_male.std(axis=1, ddof=0), "absolute": absolute}


def comparable_scores(against: str, values: pd.Series, signed: bool) -> pd.Series:
    """Convert scores to those compared with a summary: signed scores lose their sign for unsigned summaries."""
    return values.abs() if signed and SUMMARIES[against] == UNSIGNED else values


def correlate_sets(
    grid: Grid, sets: Mapping[str, pd.Series], signed: Mapping[str, bool], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Correlate set-level scores with summaries of the unmasking bias, over the models that learned it (Figure 9).

    The mean of p(male) is signed. Unsigned metrics are correlated with it too, as in the paper, although they cannot
    follow its sign. Pearson's test treats repeats as independent, as the paper does.

    Parameters
    ----------
    grid : Grid
    sets : mapping of str to Series
        Scores by metric, (models,).
    signed : mapping of str to bool
        Whether the metric's scores have a sign.

    Returns
    -------
    DataFrame
        One row per metric and summary (`against`): n models, r, r2, the 95 % bootstrap interval of r2 over whole
        distributions (low, high), p of Pearson's test, and p_holm, corrected for all rows.
    """
    rows = []
    for metric, values in sets.items():
        for against, summary in summarise_unmasking(grid).items():
            scores = comparable_scores(against, values, signed[metric])
            pair = pd.DataFrame({"x": scores.reindex(summary.index), "y": summary}).astype(float).dropna()
            x, y = pair["x"].to_numpy(), pair["y"].to_numpy()
            r, p, n = correlation.pearson(x, y)
            clusters = grid.models.loc[pair.index, "distribution"].to_numpy()
            low, high = correlation.cluster_interval(x, y, clusters, n_resamples, seed, squared=True)
            rows.append(
                {"metric": metric, "signed": signed[metric], "against": against, "ground_truth": SUMMARIES[against],
                 "n": n, "r": r, "r2": r**2, "low": low, "high": high, "p": p}
            )  # fmt: skip
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(p_holm=paired_tests.correct_holm(table["p"].to_numpy(float)))


def compare_metrics(
    grid: Grid, sets: Mapping[str, pd.Series], signed: Mapping[str, bool], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Test whether the set-level R² of one metric is larger than that of another.

    Only signed metrics are compared on the mean.

    Returns
    -------
    DataFrame
        One row per summary of p(male) (`against`) and pair of metrics, with the columns of
        `paired_tests.compare_r2` (clusters are distributions) and p_holm, corrected for the pairs of a summary.
    """
    parts, clusters = [], grid.learned_models["distribution"].to_numpy()
    for against, summary in summarise_unmasking(grid).items():
        values = {
            metric: comparable_scores(against, scores, signed[metric]).reindex(summary.index).to_numpy(float)
            for metric, scores in sets.items() if signed[metric] or SUMMARIES[against] == UNSIGNED
        }  # fmt: skip
        tests = paired_tests.compare_r2(values, summary.to_numpy(float), clusters, n_resamples=n_resamples, seed=seed)
        tests.insert(0, "against", against)
        parts.append(tests.assign(p_holm=paired_tests.correct_holm(tests["p"].to_numpy(float))))
    return pd.concat(parts, ignore_index=True)
