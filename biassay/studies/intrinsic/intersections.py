"""Two attributes at once: joint probabilities of their groups for an occupation."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import rel_entr

from biassay.statistics import divergence
from biassay.statistics.correlation import pearson
from biassay.statistics.intervals import interval_of_mean
from biassay.studies.intrinsic.scores import read_unmasking
from biassay.studies.intrinsic.tables import Study, select_probabilities

STATISTICS = ["r", "r_product", "r_divergence", "information"]
KEYS = ["first", "second", "first_group", "second_group"]


def measure_intersections(
    study: Study, folders: Mapping[int, Path], pairs: Iterable[list[str]]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compare the joint probabilities of two attributes' groups in the models of the grid with those in the data.

    Returns STATISTICS of each pair of attributes and model, and, by pair of groups, the probabilities p_model and
    p_data, averaged over occupations and models.
    """
    rows, cells, n = [], [pd.DataFrame(columns=[*KEYS, "p_model", "p_data"])], len(study.occupations)
    for pair in pairs:
        sizes = [len(study.groups(name)) for name in pair]
        groups = pd.MultiIndex.from_product(map(study.groups, pair), names=KEYS[2:])
        for model in study.grid.index:
            folder, of_model = folders[model], study.bias[study.bias["model"] == model]
            marginals = [
                read_unmasking(folder, name, n, size).mean(axis=1) for name, size in zip(pair, sizes, strict=True)
            ]
            conditional = read_unmasking(folder, pair[1], n, sizes[0] + 1, sizes[1], condition=pair[0]).mean(axis=1)
            joint = marginals[0][:, :, None] * conditional[:, :-1]  # p(a) p(b | a), without the neutral sentences
            ground_truth = _product(*(select_probabilities(of_model, name, "data").to_numpy() for name in pair))
            rows.append((*pair, model, *compute_statistics(joint, ground_truth, _product(*marginals))))
            means = {"p_model": joint.mean(axis=0).ravel(), "p_data": ground_truth.mean(axis=0).ravel()}
            cells.append(pd.DataFrame(means, groups).reset_index().assign(first=pair[0], second=pair[1]))
    by_model = pd.DataFrame(rows, columns=["first", "second", "model", *STATISTICS])
    by_group = pd.concat(cells[1:] or cells).groupby(KEYS, sort=False).mean().reset_index()
    return by_model, by_group


def summarise(by_model: pd.DataFrame, study: Study, n_resamples: int, seed: int) -> pd.DataFrame:
    """Average STATISTICS over models, with 95 % bootstrap intervals over whole distributions."""
    rows = []
    for pair, table in by_model.groupby(["first", "second"], sort=False):
        clusters = study.grid["distribution"].loc[table["model"]].to_numpy()
        for name in STATISTICS:
            values = table[name].to_numpy()
            interval = interval_of_mean(values, clusters, n_resamples, seed)
            rows.append((*pair, name, len(values), values.mean(), *interval))
    return pd.DataFrame(rows, columns=["first", "second", "statistic", "models", "mean", "low", "high"])


def compute_statistics(joint: np.ndarray, ground_truth: np.ndarray, product: np.ndarray) -> list[float]:
    """Compute STATISTICS of one model from probabilities (occupations, first groups, second groups).

    They are r with the data's joint probabilities: of the model's own, of the product of its marginals, and of the
    divergences by occupation; and the mean mutual information.
    """
    divergences = [divergence.from_uniform(p.reshape(len(p), -1)) for p in (joint, ground_truth)]
    pairs = [(joint, ground_truth), (product, ground_truth), divergences]
    r = [float(pearson(x.ravel(), y.ravel())[0]) for x, y in pairs]
    return [*r, float(mutual_information(joint).mean())]


def _product(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return first[:, :, None] * second[:, None]


def mutual_information(p: np.ndarray) -> np.ndarray:
    """Compute the mutual information of two attributes given the occupation, in nats: (n,).

    It is 0 where they are independent, as in the planted data. p: joint probabilities (n, a, b).
    """
    return rel_entr(p, p.sum(axis=2, keepdims=True) * p.sum(axis=1, keepdims=True)).sum(axis=(1, 2))
