"""Believable results of Bias Silhouette Analysis, for the tests of tables and figures."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED

METRICS = {  # b_min, b_max, b_0, value on the biased and on the unbiased model
    "ect": (0, 2, 0, 0.35, 0.12),
    "ect_raw": (-1, 1, 0, 0.65, 0.88),
    "rnsb": (0, 1, 0, 0.3, 0.02),
    "weat": (-2, 2, 0, 1.23, 0.1),
    "same": (0, 1, 0, 0.11, 0.04),
    "mac": (0, 2, 1, 0.93, 0.97),
    "ripa": (-1, 1, None, 0.4, 0.1),
    "gweat": (-1, 1, 0, 0.013, 0.002),
    "mine": (None, None, None, 5.0, 2.0),
}
RELATIVE = ("ripa", "gweat", "mine")
WORDS = {"groups": (82, 2), "targets": (290, 6)}
QUANTILES = {"min": 0, "max": 1, "q05": 0.05, "q25": 0.25, "q75": 0.75, "q95": 0.95}


def write(folder, biases=("gender", "ethnicity"), metrics=METRICS, long=6484, shuffles=60):
    """Write silhouettes.csv, scores.csv and convergence.csv; `long` targets for all biases but gender."""
    random = np.random.default_rng(3)
    curves, scores, convergence = [], [], []
    for bias in biases:
        for kind, (words, step) in WORDS.items():
            words = long if kind == "targets" and bias != "gender" else words
            k = np.minimum(np.arange(step, words + step, step), words)
            for metric in metrics:
                keys = {"bias": bias, "list": kind, "metric": metric}
                rows, row, converged = _metric(random, k, shuffles, *METRICS[metric])
                curves += [{**keys, **point} for point in rows]
                scores.append({**keys, "relative": metric in RELATIVE, **row, "n_words": words, "n_shuffles": shuffles})
                convergence += [{**keys, **point} for point in converged]
    for name, rows in (("silhouettes", curves), ("scores", scores), ("convergence", convergence)):
        pd.DataFrame(rows).to_csv(folder / f"{name}.csv", index=False)


def judged(folder, metrics):
    """Write false_positives.csv and comparisons.csv: WEAT is ahead of the others, and finds bias where there is
    none."""
    false_positives, tests = [], []
    for bias in ("all", "gender", "ethnicity"):
        for metric in metrics:
            for share in (0.5, 1.0):
                found = {"false_positive_rate": 0.57 if metric == "weat" else 0.02, "power": 0.98} if share < 1 else {}
                test = PUBLISHED if metric == "weat" else REASSIGNED
                row = {
                    "metric": metric,
                    "test": test,
                    "bias": bias,
                    "share": share,
                    "false_positive_rate": 1,
                    "power": 1,
                }
                false_positives.append(row | found)
            false_positives.append(row | {"test": "95 % of the shuffles", "share": 0.5})
        for kind in WORDS:
            for first, second in combinations(metrics, 2):
                row = {"bias": bias, "list": kind, "first": first, "second": second}
                row |= {"difference": 0.2 if first == "weat" else -0.2, "p_holm": 0.01}
                tests += [row | {"score": score} for score in ("accuracy", "auc", "steadiness")]
    pd.DataFrame(false_positives).to_csv(folder / "false_positives.csv", index=False)
    pd.DataFrame(tests).to_csv(folder / "comparisons.csv", index=False)


def few(folder):
    """The same of four metrics and short lists, where that will do."""
    metrics = ("ect_raw", "weat", "ripa", "mine")
    write(folder, metrics=metrics, long=600, shuffles=12)
    judged(folder, metrics)
    return folder


def _metric(random, k, shuffles, b_min, b_max, b_0, *values):
    """Curves of both models, a row of scores, and scores by number of shuffles."""
    curves, row = [], {"b_min": b_min, "b_max": b_max, "b_0": b_0}
    low, high = (-6, 6) if b_min is None else (b_min, b_max)
    measured = {}
    for model, value in zip(("biased", "unbiased"), values, strict=True):
        noise = random.normal(size=(shuffles, len(k))) * np.sqrt(k[-1] / k - 1) / np.sqrt(k[-1]) * (high - low) / 12
        runs = np.clip(value + noise.cumsum(axis=1) / np.arange(1, len(k) + 1) ** 0.5, low, high)
        runs[:, -1] = value
        points = {key: np.quantile(runs, q, axis=0) for key, q in QUANTILES.items()}
        points |= {"n_words": k, "mean": runs.mean(axis=0), "n_undefined": (k < 4).astype(int)}
        curves += pd.DataFrame(points).assign(model=model).to_dict("records")
        within = (np.abs(runs - value) <= 0.05 * abs(value)).mean(axis=0) >= 0.95
        row |= {f"value_{model}": value, f"words_needed_{model}": k[np.flatnonzero(~within)[-1] + 1]}
        measured[model] = runs
    converged = [{"n_shuffles": n, **_scores(k, measured, n, low, high, b_0)} for n in range(1, shuffles + 1)]
    code = None if b_0 is None else 0.5 + (converged[-1]["accuracy"] - 0.5) * (high - b_0) / (high - low)
    final = {key: value for key, value in converged[-1].items() if key != "n_shuffles"}
    return (
        curves,
        row | {**final, "accuracy_published_code": code, "auc": None if b_0 is None else 0.9},
        converged,
    )


def _scores(k, measured, n, low, high, b_0):
    """Robustness on both models and accuracy, from the first n shuffles."""
    areas = {model: np.trapezoid(np.ptp(runs[:n], axis=0), k) for model, runs in measured.items()}
    scores = {f"robustness_{model}": 1 - area / ((high - low) * k[-1]) for model, area in areas.items()}
    if b_0 is None:
        return {**scores, "accuracy": None}
    means = {model: np.abs(runs[:n].mean(axis=0)) for model, runs in measured.items()}
    between = np.trapezoid(means["biased"] - means["unbiased"], k)
    return {**scores, "accuracy": 0.5 + 0.5 * between / ((high - b_0) * k[-1])}
