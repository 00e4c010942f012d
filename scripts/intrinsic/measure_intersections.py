"""Groups of two attributes at once, as each model joins them for an occupation, beside those planted."""

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap, divergence
from biassay.studies.intrinsic import biases, intersections, scores, tables
from biassay.support import logs

FIGURES = ["r", "r_product", "r_divergence", "information"]


def main(
    plan: str, models: str, bias: str, encoded: list[str], pairs: list[list[str]], resamples: int, seed: int,
    summary: str, groups: str,
) -> None:  # fmt: skip
    study = tables.load(models, bias)
    chunks = tables.chunks(plan, study, len(encoded))
    rows, cells = [], []
    for first, second in pairs:
        for model in study.grid.index:
            of_model = study.bias[study.bias["model"] == model]
            folder = f"{encoded[chunks[model]]}/{model}"
            n, sizes = len(study.occupations), {name: len(study.groups(name)) for name in (first, second)}
            own = {name: scores.unmasked(folder, name, n, size).mean(axis=1) for name, size in sizes.items()}
            given = scores.unmasked(folder, second, n, sizes[first] + 1, sizes[second], given=first)
            found = intersections.joint(own[first], given)
            data = [biases.probabilities(of_model, name, "data").to_numpy() for name in (first, second)]
            ground_truth = data[0][:, :, None] * data[1][:, None]
            rows.append(
                (first, second, model, *figures(found, ground_truth, own[first][:, :, None] * own[second][:, None]))
            )
            cells.append(by_group(study, first, second, found, ground_truth))
    table = pd.DataFrame(rows, columns=["first", "second", "model", *FIGURES])
    summarise(table, study, resamples, seed).to_csv(summary, index=False, float_format="%.6g")
    columns = ["first", "second", "first_group", "second_group", "p_model", "p_data"]
    found = pd.concat(cells) if cells else pd.DataFrame(columns=columns)
    found.groupby(columns[:4], sort=False).mean().reset_index().to_csv(groups, index=False, float_format="%.6g")


def figures(found: np.ndarray, ground_truth: np.ndarray, product: np.ndarray) -> list[float]:
    """FIGURES of one model: r of joint probabilities with the data's, of the product of its own marginals with these,
    of the joint divergences by occupation, and mean mutual information."""
    flat = [divergence.from_uniform(p.reshape(len(p), -1)) for p in (found, ground_truth)]
    pairs = [(found, ground_truth), (product, ground_truth), flat]
    return [*(float(np.corrcoef(x.ravel(), y.ravel())[0, 1]) for x, y in pairs),
            float(intersections.information(found).mean())]  # fmt: skip


def by_group(study: tables.Study, first: str, second: str, found: np.ndarray, ground_truth: np.ndarray) -> pd.DataFrame:
    """Mean probability over occupations of each two groups, by the model and in the data."""
    groups = [(group, other) for group in study.groups(first) for other in study.groups(second)]
    table = pd.DataFrame(groups, columns=["first_group", "second_group"])
    return table.assign(
        first=first, second=second, p_model=found.mean(axis=0).ravel(), p_data=ground_truth.mean(axis=0).ravel()
    )


def summarise(table: pd.DataFrame, study: tables.Study, n_resamples: int, seed: int) -> pd.DataFrame:
    """Means of FIGURES over models, with 95 % bootstrap intervals, distributions drawn as wholes."""
    rows = []
    for (first, second), of_pair in table.groupby(["first", "second"], sort=False):
        clusters = study.grid["distribution"].loc[of_pair["model"]].to_numpy()
        for figure in FIGURES:
            values = of_pair[figure].to_numpy()
            low, high = cluster_bootstrap.confidence_interval(
                lambda w, values=values: cluster_bootstrap.weighted_means(values, w), clusters, n_resamples, seed
            )
            rows.append((first, second, figure, len(values), values.mean(), low, high))
    return pd.DataFrame(rows, columns=["first", "second", "statistic", "models", "mean", "low", "high"])


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        plan=snakemake.input.plan,
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        encoded=list(snakemake.input.encoded),
        pairs=snakemake.params.pairs,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        summary=snakemake.output.summary,
        groups=snakemake.output.groups,
    )
