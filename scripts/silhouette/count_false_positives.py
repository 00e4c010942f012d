"""Count how often tests conclude bias on the unbiased model (false positives) and on the biased one (power)."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.report import curves
from biassay.statistics.intervals import wilson_interval
from biassay.studies.silhouette import false_positives, tables
from biassay.studies.silhouette.reference import MODELS

LEVEL = 0.05
BAND = "95 % of the shuffles"  # name of the test by the interval of the shuffles
KEYS = ["metric", "test", "bias", "share"]
SHARES = {"unbiased": "false_positive_rate", "biased": "power"}


def main(tests: list[str], values: list[str], names: list[str], variants: list[dict], share: float, out: str) -> None:
    tables_of_tests = []
    for name, variant, tests_file, values_file in zip(names, variants, tests, values, strict=True):
        b_0 = variant["range"] or metrics.load(variant["metric"]).METRIC.range("set", 2)
        bands = list(test_bands(tables.read_values(values_file), b_0, share))
        bands = pd.DataFrame(bands, columns=[*false_positives.COLUMNS, "concluded"])
        table = tables.read_result(tests_file, "tests")
        table["concluded"] = table["p"] <= LEVEL
        tables_of_tests += [part.assign(metric=name) for part in (table.dropna(subset="p"), bands) if len(part)]
    all_tests = (
        pd.concat(tables_of_tests)
        if tables_of_tests
        else pd.DataFrame(columns=[*false_positives.COLUMNS, "concluded", "metric"])
    )
    all_tests = pd.concat([all_tests.assign(bias="all"), curves.sort_by_bias(all_tests)])
    order = {name: number for number, name in enumerate(names)}
    rows = [
        dict(zip(KEYS, key, strict=True)) | summarise_tests(part) for key, part in all_tests.groupby(KEYS, sort=False)
    ]
    table = pd.DataFrame(rows, columns=[*KEYS, *summarise_tests(all_tests)])
    table = table.sort_values("metric", key=lambda column: column.map(order), kind="stable")
    table.to_csv(out, index=False, float_format="%.4g")


def test_bands(arrays: dict[str, np.ndarray], limits: tuple, share: float) -> Iterator[list]:
    """Test whether 95 % of the shuffles, with a share of the words of a list, are on one side of b_0.

    Yields one row per list and model; none for a metric whose values cannot be on both sides.
    """
    b_min, b_max, b_0 = limits[:3]
    if b_0 is None or b_0 in (b_min, b_max):
        return
    for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
        words = arrays[f"{place}/words"]
        step = int(np.argmin(np.abs(words - share * words[-1])))
        for model in MODELS:
            values = arrays[f"{place}/{model}"][:, step]
            if np.isfinite(values).any():
                low, high = np.nanquantile(values, (LEVEL / 2, 1 - LEVEL / 2))
                yield [place.split("/")[0], model, share, place, BAND, np.nan, np.nan, not low <= b_0 <= high]


def summarise_tests(tests: pd.DataFrame) -> dict:
    """Summarise the tests on both models: their number, the rate of concluded bias with its interval, the median p."""
    row = {}
    for model, name in SHARES.items():
        part = tests[tests["model"] == model]
        n, n_concluded = len(part), int(part["concluded"].sum())
        low, high = wilson_interval(n_concluded, n)
        row |= {f"n_{model}": n, name: n_concluded / n if n else np.nan, f"{name}_low": low, f"{name}_high": high}
        row[f"p_{model}"] = format_median_p(part["p"].median(), part["min_p_value"].max())
    return row


def format_median_p(p: float, min_p_value: float) -> str:
    """Format a p-value with two digits; "<=" marks the smallest p that the test can return; "" for none."""
    if np.isnan(p):
        return ""
    return f"{p:.2g}" if p > min_p_value * (1 + 1e-9) else f"<= {min_p_value:.2g}"


if __name__ == "__main__":
    scripts.run(main, snakemake)
