"""Rank models by scores (Table 3): how often does the model with more bias have the larger score?"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.downstream import agreement, ranking, tables

DOWNSTREAM, PLANTED = "downstream", "planted"
KEYS = ["set", "attribute", "version", "group_words"]
COLUMNS = [*KEYS, "ground_truth", "score", "n_models", "n_cases", "n_low_bias", "n_high_bias", "n_pairs",
           "ranking_accuracy", "low", "high", "chance", "chance_low", "chance_high", "p"]  # fmt: skip


def main(
    models: str, bias: str, scores: dict[str, str], published: str, sources: dict[str, str], n_resamples: int,
    seed: int, out: str,
) -> None:  # fmt: skip
    all_models, all_bias = tables.read_table(models, ["name"]), tables.read_table(bias, tables.BIAS)
    cases = {
        metric: agreement.match_cases(tables.read_table(path, tables.SCORES), all_bias)
        for metric, path in scores.items()
    }
    rows = [row for metric, part in cases.items() for row in rank_by_bias(metric, part, n_resamples, seed)]
    if "strength" in all_models:
        strengths = all_models.dropna(subset="strength").set_index("name")["strength"]
        chosen = (all_bias["n_directions"] == 0) & all_bias["is_valid"].astype(bool)
        of_bias = all_bias[chosen].assign(group_words="raw", value=lambda table: table["bias"])
        for metric, part in [*cases.items(), (DOWNSTREAM, of_bias)]:
            rows += rank_by_strength(metric, part, strengths, n_resamples, seed)
    table = pd.DataFrame(rows, columns=COLUMNS)
    table["p_holm"] = table.groupby("ground_truth")["p"].transform(lambda p: correct_holm(p.to_numpy()))
    groups = table.groupby([*KEYS, "ground_truth"])
    table["rank"] = groups["ranking_accuracy"].rank(method="min", ascending=False)
    numbers = tables.read_published(published, "T3")
    table["published"] = [numbers.get((sources[row.set], row.attribute, row.score), np.nan)
                          if row.ground_truth == DOWNSTREAM and row.version != "raw" else np.nan
                          for row in table.itertuples()]  # fmt: skip
    table.to_csv(out, index=False, float_format="%.6g")


def rank_by_bias(metric: str, cases: pd.DataFrame, n_resamples: int, seed: int) -> Iterator[dict]:
    """Yield rankings by downstream bias, one per set, attribute, version and kind of group words."""
    for key, part in cases.groupby(KEYS, sort=False):
        values, bias = (
            part.pivot(index="model", columns="n_directions", values=name).to_numpy(float) for name in ("value", "bias")
        )
        row = ranking.evaluate_ranking(values, bias, False, n_resamples, seed=seed)
        yield dict(zip([*KEYS, "ground_truth", "score"], [*key, DOWNSTREAM, metric], strict=True)) | row


def rank_by_strength(
    metric: str, cases: pd.DataFrame, strengths: pd.Series, n_resamples: int, seed: int
) -> Iterator[dict]:
    """Yield rankings of the models with planted bias by its strength, from vectors that are not debiased."""
    chosen = cases[
        (cases["n_directions"] == 0) & (cases["group_words"] == "raw") & cases["model"].isin(strengths.index)
    ]
    for key, part in chosen.groupby(KEYS, sort=False):
        values, ground_truth = (column.to_numpy(float)[:, None] for column in (part["value"], strengths[part["model"]]))
        row = ranking.evaluate_ranking(values, ground_truth, True, n_resamples, seed=seed)
        yield dict(zip([*KEYS, "ground_truth", "score"], [*key, PLANTED, metric], strict=True)) | row


if __name__ == "__main__":
    scripts.run(main, snakemake, scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)))
