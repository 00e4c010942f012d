"""Rank models by scores (T3): how often has the one with more bias, downstream or planted, the larger score?"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from biassay.numerics.statistics import correct_holm
from biassay.studies.downstream import agreement, ranking, tables
from biassay.support import logs

DOWNSTREAM, PLANTED = "downstream", "planted"
KEYS = ["set", "attribute", "version", "terms"]


def main(
    models: str, bias: str, scores: dict[str, str], published: str, sources: dict[str, str], n_resamples: int,
    seed: int,
    out: str,
) -> None:  # fmt: skip
    found, of_bias = tables.read(models, ["name"]), tables.read(bias, tables.BIAS)
    cases = {metric: agreement.cases(tables.read(path, tables.SCORES), of_bias) for metric, path in scores.items()}
    rows = [row for metric, of in cases.items() for row in by_bias(metric, of, n_resamples, seed)]
    if "strength" in found:
        strengths = found.dropna(subset="strength").set_index("name")["strength"]
        counts = (of_bias["k"] == 0) & of_bias["counts"].astype(bool)
        itself = of_bias[counts].assign(terms="raw", value=lambda table: table["bias"])
        for metric, of in [*cases.items(), (DOWNSTREAM, itself)]:
            rows += by_strength(metric, of, strengths, n_resamples, seed)
    columns = [*KEYS, "ground_truth", "score", "models", "cases", "fewer", "more", "pairs", "accuracy", "low", "high",
               "chance", "chance_low", "chance_high", "p"]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    table["p_holm"] = table.groupby("ground_truth")["p"].transform(lambda p: correct_holm(p.to_numpy()))
    table["rank"] = table.groupby([*KEYS, "ground_truth"])["accuracy"].rank(method="min", ascending=False)
    known = tables.printed(published, "T3")
    table["published"] = [known.get((sources[row.set], row.attribute, row.score), np.nan)
                          if row.ground_truth == DOWNSTREAM and row.version != "raw" else np.nan
                          for row in table.itertuples()]  # fmt: skip
    table.to_csv(out, index=False, float_format="%.6g")


def by_bias(metric: str, cases: pd.DataFrame, n_resamples: int, seed: int) -> Iterator[dict]:
    """Rows of the bias downstream: of each set, attribute, version and kind of terms."""
    for key, of in cases.groupby(KEYS, sort=False):
        values, bias = (of.pivot(index="model", columns="k", values=name).to_numpy(float) for name in ("value", "bias"))
        row = ranking.test(values, bias, False, n_resamples, seed=seed)
        yield dict(zip([*KEYS, "ground_truth", "score"], [*key, DOWNSTREAM, metric], strict=True)) | row


def by_strength(metric: str, cases: pd.DataFrame, strengths: pd.Series, n_resamples: int, seed: int) -> Iterator[dict]:
    """Rows of the planted bias: of vectors that are not debiased, of the models that bias was planted in."""
    chosen = cases[(cases["k"] == 0) & (cases["terms"] == "raw") & cases["model"].isin(strengths.index)]
    for key, of in chosen.groupby(KEYS, sort=False):
        values, ground_truth = (part.to_numpy(float)[:, None] for part in (of["value"], strengths[of["model"]]))
        row = ranking.test(values, ground_truth, True, n_resamples, seed=seed)
        yield dict(zip([*KEYS, "ground_truth", "score"], [*key, PLANTED, metric], strict=True)) | row


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)),
        published=snakemake.input.published,
        sources=snakemake.params.sources,
        n_resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
