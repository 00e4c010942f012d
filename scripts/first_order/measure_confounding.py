"""Measure how much the bias score of an occupation depends on the planted bias of its partner."""

from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.statistics.correlation import standardised_slopes
from biassay.statistics.intervals import draw_resamples
from biassay.studies.first_order import planted_bias, tables

KEYS = ["corpus", "embedding", "space", "method", "word_list"]
N_RESAMPLES = 500


def main(scores: list[str], ground_truths: list[str], seed: int, out: str) -> None:
    table = pd.concat(map(tables.read_scores, scores))
    causes = {Path(path).parent.name: planted_bias.read_own_and_partner(path) for path in ground_truths}
    rows = []
    for key, group in table.groupby(KEYS, sort=False):
        probabilities = causes.get(key[0])
        if probabilities is None or probabilities["own"].nunique() < 2:  # real text, or the unbiased control
            continue
        group = group.set_index("word")["bias"].to_frame().join(probabilities, how="inner").dropna()
        resamples = draw_resamples(len(group), N_RESAMPLES, seed)
        slopes = standardised_slopes(group["bias"].to_numpy(), group[["own", "partner"]].to_numpy(), resamples)
        row = dict(zip(KEYS, key, strict=True)) | {"n": len(group)}
        for cause, (slope, low, high) in zip(("own", "partner"), slopes, strict=True):
            row |= {f"{cause}_slope": slope, f"{cause}_slope_low": low, f"{cause}_slope_high": high}
        rows.append(row)
    columns = [*KEYS, "n", *(f"{cause}_slope{end}" for cause in ("own", "partner") for end in ("", "_low", "_high"))]
    pd.DataFrame(rows, columns=columns).to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
