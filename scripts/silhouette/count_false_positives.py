"""Count how often bias is concluded on the unbiased model, where there is none, and on the biased one."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.measurement import metric as metrics
from biassay.numerics import statistics as stats
from biassay.studies.silhouette import false_positives, tables
from biassay.studies.silhouette.reference import MODELS
from biassay.support import logs

LEVEL = 0.05
BAND = "95 % of the shuffles"  # the name of the interval's test
KEYS = ["metric", "test", "bias", "share"]
SHARES = {"unbiased": "false_positive_rate", "biased": "power"}


def main(tests: list[str], values: list[str], names: list[str], variants: list[dict], share: float, out: str) -> None:
    found = []
    for name, variant, tested, measured in zip(names, variants, tests, values, strict=True):
        b_0 = variant["range"] or metrics.load(variant["metric"]).METRIC.range("set", 2)
        bands = list(excluded(tables.measured(measured), b_0, share))
        bands = pd.DataFrame(bands, columns=[*false_positives.COLUMNS, "concluded"])
        table = tables.result(tested, "tests")
        table["concluded"] = table["p"] <= LEVEL
        found += [part.assign(metric=name) for part in (table.dropna(subset="p"), bands) if len(part)]
    every = pd.concat(found) if found else pd.DataFrame(columns=[*false_positives.COLUMNS, "concluded", "metric"])
    every = pd.concat([every.assign(bias="all"), curves.sort_by_bias(every)])
    shuffle = {name: number for number, name in enumerate(names)}
    rows = [dict(zip(KEYS, key, strict=True)) | counted(part) for key, part in every.groupby(KEYS, sort=False)]
    table = pd.DataFrame(rows, columns=[*KEYS, *counted(every)])
    table = table.sort_values("metric", key=lambda column: column.map(shuffle), kind="stable")
    table.to_csv(out, index=False, float_format="%.4g")


def excluded(arrays: dict[str, np.ndarray], limits: tuple, share: float) -> Iterator[list]:
    """Whether 95 % of the shuffles, of a share of the words of a list, lie on one side of b_0, a row a list and model.

    Nothing for a metric whose values cannot lie on both sides.
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


def counted(tests: pd.DataFrame) -> dict:
    """Tests on both models: how many, in which share of them bias is concluded, with Wilson's interval; median p."""
    row = {}
    for model, name in SHARES.items():
        part = tests[tests["model"] == model]
        n, k = len(part), int(part["concluded"].sum())
        low, high = stats.wilson_interval(k, n)
        row |= {f"n_{model}": n, name: k / n if n else np.nan, f"{name}_low": low, f"{name}_high": high}
        row[f"p_{model}"] = shown(part["p"].median(), part["min_p_value"].max())
    return row


def shown(p: float, least: float) -> str:
    """A p-value with two figures, or that it is at most the least that the test can give; empty for none."""
    if np.isnan(p):
        return ""
    return f"{p:.2g}" if p > least * (1 + 1e-9) else f"<= {least:.2g}"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        tests=list(snakemake.input.tests),
        values=list(snakemake.input.values),
        names=snakemake.params.names,
        variants=snakemake.params.variants,
        share=snakemake.params.share,
        out=snakemake.output[0],
    )
