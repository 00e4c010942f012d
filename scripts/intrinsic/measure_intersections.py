"""Compare the joint probabilities of two attributes' groups in each model with those in the data."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.statistics import correlation, divergence, intervals
from biassay.studies.intrinsic import biases, intersections, scores, tables

STATISTICS = ["r", "r_product", "r_divergence", "information"]


def main(
    plan: str, models: str, bias: str, encoded: list[str], pairs: list[list[str]], resamples: int, seed: int,
    summary: str, groups: str,
) -> None:  # fmt: skip
    study = tables.load_study(models, bias)
    chunks = tables.read_chunks(plan, study, len(encoded))
    rows, cells = [], []
    for first, second in pairs:
        for model in study.grid.index:
            of_model = study.bias[study.bias["model"] == model]
            folder = f"{encoded[chunks[model]]}/{model}"
            n, sizes = len(study.occupations), {name: len(study.groups(name)) for name in (first, second)}
            own = {name: scores.read_unmasking(folder, name, n, size).mean(axis=1) for name, size in sizes.items()}
            conditional = scores.read_unmasking(folder, second, n, sizes[first] + 1, sizes[second], condition=first)
            joint = intersections.joint_probabilities(own[first], conditional)
            data = [biases.probabilities(of_model, name, "data").to_numpy() for name in (first, second)]
            ground_truth = data[0][:, :, None] * data[1][:, None]
            product = own[first][:, :, None] * own[second][:, None]
            rows.append((first, second, model, *statistics(joint, ground_truth, product)))
            cells.append(mean_by_group(study, first, second, joint, ground_truth))
    table = pd.DataFrame(rows, columns=["first", "second", "model", *STATISTICS])
    summarise(table, study, resamples, seed).to_csv(summary, index=False, float_format="%.6g")
    columns = ["first", "second", "first_group", "second_group", "p_model", "p_data"]
    by_group = pd.concat(cells) if cells else pd.DataFrame(columns=columns)
    by_group.groupby(columns[:4], sort=False).mean().reset_index().to_csv(groups, index=False, float_format="%.6g")


def statistics(joint: np.ndarray, ground_truth: np.ndarray, product: np.ndarray) -> list[float]:
    """Compute STATISTICS of one model.

    They are r with the data's joint probabilities: of the model's own, of the product of its marginals, and of the
    divergences by occupation; and the mean mutual information.
    """
    divergences = [divergence.from_uniform(p.reshape(len(p), -1)) for p in (joint, ground_truth)]
    pairs = [(joint, ground_truth), (product, ground_truth), divergences]
    return [*(correlation.pearson(x.ravel(), y.ravel())[0] for x, y in pairs),
            float(intersections.mutual_information(joint).mean())]  # fmt: skip


def mean_by_group(
    study: tables.Study, first: str, second: str, joint: np.ndarray, ground_truth: np.ndarray
) -> pd.DataFrame:
    """Average the joint probabilities of two groups over occupations, in the model and in the data."""
    groups = [(group, other) for group in study.groups(first) for other in study.groups(second)]
    table = pd.DataFrame(groups, columns=["first_group", "second_group"])
    return table.assign(
        first=first, second=second, p_model=joint.mean(axis=0).ravel(), p_data=ground_truth.mean(axis=0).ravel()
    )


def summarise(table: pd.DataFrame, study: tables.Study, n_resamples: int, seed: int) -> pd.DataFrame:
    """Average STATISTICS over models, with 95 % bootstrap intervals over whole distributions."""
    rows = []
    for (first, second), of_pair in table.groupby(["first", "second"], sort=False):
        clusters = study.grid["distribution"].loc[of_pair["model"]].to_numpy()
        for statistic in STATISTICS:
            values = of_pair[statistic].to_numpy()
            interval = intervals.interval_of_mean(values, clusters, n_resamples, seed)
            rows.append((first, second, statistic, len(values), values.mean(), *interval))
    return pd.DataFrame(rows, columns=["first", "second", "statistic", "models", "mean", "low", "high"])


if __name__ == "__main__":
    scripts.run(main, snakemake)
