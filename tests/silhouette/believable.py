"""Believable results of Bias Silhouette Analysis, for the tests of tables and figures."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.studies.silhouette.reassignment import FORMS, PUBLISHED, REASSIGNED
from tests.running import ROOT

METRICS = {  # b_min, b_max, b_0, value on the biased and on the unbiased model
    "ect_raw": (-1, 1, 0, 0.65, 0.88),
    "weat": (-2, 2, 0, 1.23, 0.1),
    "ripa": (-1, 1, None, 0.4, 0.1),
    "mine": (None, None, None, 5.0, 2.0),
}
PUBLISHED_SCORES = ROOT / "resources/published/silhouette.csv"
RELATIVE = ("ripa", "mine")
BIASES = ("gender", "ethnicity")
QUANTILES = {"min": 0, "max": 1, "q05": 0.05, "q25": 0.25, "q75": 0.75, "q95": 0.95}


def few(folder, words=(("groups", 24, 2), ("targets", 60, 6)), shuffles=5):
    """Write silhouettes.csv, scores.csv, convergence.csv, false_positives.csv and comparisons.csv.

    WEAT is ahead of the others, and has many false positives. `words` are types of list, sizes and steps.
    """
    random = np.random.default_rng(3)
    curves, scores, convergence, tests = [], [], [], []
    for bias in BIASES:
        for kind, n_words, step in words:
            for metric, (b_min, b_max, b_0, *values) in METRICS.items():
                keys = {"bias": bias, "list": kind, "metric": metric}
                row = {"relative": metric in RELATIVE, "b_min": b_min, "b_max": b_max, "b_0": b_0}
                k = np.arange(step, n_words + 1, step)
                for model, value in zip(("biased", "unbiased"), values, strict=True):
                    runs = value * (1 + random.normal(size=(shuffles, len(k))) * (1 / k - 1 / k[-1]))
                    points = {key: np.quantile(runs, q, axis=0) for key, q in QUANTILES.items()}
                    points |= {"n_words": k, "mean": runs.mean(axis=0), "n_undefined": (k < 4).astype(int)}
                    curves.append(pd.DataFrame(points).assign(**keys, model=model))
                    row |= {
                        f"value_{model}": value,
                        f"words_needed_{model}": k[1],
                        f"robustness_{model}": 1 - value / 9,
                    }
                accuracy = (
                    {}
                    if b_0 is None
                    else {"accuracy": 0.7, "accuracy_published_code": 0.6, "relative_accuracy": 0.8, "auc": 0.9}
                )
                scores.append(keys | row | accuracy | {"n_words": n_words, "n_shuffles": shuffles})
                for n in range(1, shuffles + 1):
                    parts = {name: row[name] + 0.01 / n for name in ("robustness_biased", "robustness_unbiased")}
                    convergence.append(keys | {"n_shuffles": n, "accuracy": accuracy.get("accuracy")} | parts)
            for first, second in combinations(METRICS, 2):
                pair = {"bias": bias, "list": kind, "first": first, "second": second}
                pair |= {"difference": 0.2 if first == "weat" else -0.2, "p_holm": 0.01}
                tests += [pair | {"score": score} for score in ("accuracy", "auc", "steadiness")]
    false_positives = [
        {"metric": metric, "form": form, "test": PUBLISHED if metric == "weat" else REASSIGNED[form], "bias": bias,
         "share": share, "power": 0.98, "false_positive_rate": 0.57 if metric == "weat" else 0.02}
        for bias in ("all", *BIASES) for metric in METRICS for form in FORMS for share in (0.5, 1.0)
    ]  # fmt: skip
    pd.concat(curves).to_csv(folder / "silhouettes.csv", index=False)
    tables = {"scores": scores, "convergence": convergence, "false_positives": false_positives, "comparisons": tests}
    for name, rows in tables.items():
        pd.DataFrame(rows).to_csv(folder / f"{name}.csv", index=False)
    return folder
