"""Models with planted bias to train: grids of distributions and repeats, and training jobs.

A model's data depend only on the main seed and on its own distribution and repeat, not on the rest of the grid.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pandas as pd

from biassay.core import csv_tables
from biassay.statistics.seeds import RESOLUTION, seed_of, step

GRID, DETECTION = "grid", "detection"
PRONOUNS, SENTENCES = 2, 12  # purposes of seeds
COLUMNS = ["purpose", "distribution", "min_p", "max_p", "strength", "repeat", "seed"]


def plan_normal(
    means: Sequence[float], spreads: Sequence[float], repeats: int, chunk: int, *, seed: int
) -> pd.DataFrame:
    """List the models of a grid of μ and σ: model, distribution, mean, spread, repeat, seed (of its data), and job."""
    rows = [
        (number, mean, spread, repeat, seed_of(seed, PRONOUNS, step(mean), step(spread), repeat))
        for number, (mean, spread) in enumerate(product(means, spreads))
        for repeat in range(repeats)
    ]
    table = pd.DataFrame(rows, columns=["distribution", "mean", "spread", "repeat", "seed"])
    models = _check_seeds(table, "means, spreads").rename_axis("model").reset_index()
    return assign_jobs(models, ["mean", "spread"], chunk, GRID)


def plan_several(
    min_p: Sequence[float], max_p: Sequence[float], repeats: int, detection: Mapping, chunk: int, *, seed: int
) -> pd.DataFrame:
    """Return `grid` and, in jobs of its own, `detection_grid`, numbered (model), with the columns of `assign_jobs`."""
    whole = grid(min_p, max_p, repeats, seed=seed)
    strengths = detection_grid(**detection, seed=seed, first=len(min_p) * len(max_p))
    parts = [
        assign_jobs(part, ["min_p", "max_p", "strength"], chunk, purpose)
        for purpose, part in ((GRID, whole), (DETECTION, strengths))
        if len(part)
    ]
    return pd.concat(parts, ignore_index=True).rename_axis("model").reset_index()


def assign_jobs(models: pd.DataFrame, values: Sequence[str], size: int, purpose: str) -> pd.DataFrame:
    """Add the training job of each model, `chunk`, and its number in the job, `place`.

    A job has whole repeats of all distributions, as many as fit into `size` models, or `size` distributions of one
    repeat. Most jobs remain as they are if the grid grows: the distributions are in the order of the last of their
    `values` in the lists of the grid, so that those with a value appended to the longest list are at the end.
    """
    models = models.astype(dict.fromkeys(values, float))  # 0 is 0.0 in all grids: Snakemake compares jobs as text
    last = pd.DataFrame({name: pd.factorize(models[name])[0] for name in values}).max(axis=1)
    rank = models.groupby([last, "distribution"]).ngroup()
    repeats = models["repeat"] // max(1, size // models["distribution"].nunique())
    jobs = f"{purpose}_" + repeats.astype(str) + "_" + (rank // size).astype(str)
    place = models.assign(rank=rank).sort_values(["repeat", "rank"]).groupby(jobs).cumcount()
    return models.assign(chunk=jobs, place=place)


def grid(min_p: Sequence[float], max_p: Sequence[float], repeats: int, *, seed: int) -> pd.DataFrame:
    """List the models of the paper's grid, one row per model: COLUMNS, with strength 1 and the seed of its data."""
    rows = _list_models(GRID, [(low, high, 1.0) for low, high in product(min_p, max_p)], repeats, seed)
    return _check_seeds(rows, "min_p, max_p")


def detection_grid(
    min_p: float, max_p: float, strengths: Sequence[float], repeats: int, *, seed: int, first: int
) -> pd.DataFrame:
    """List models of one minP and maxP by strength, from 0 (equal groups) to 1 (as in the grid), as `grid` does.

    Distributions are numbered from `first`.
    """
    rows = _list_models(DETECTION, [(min_p, max_p, float(value)) for value in strengths], repeats, seed, first)
    return _check_seeds(rows, "strengths")


def _list_models(
    purpose: str, distributions: Sequence[tuple[float, float, float]], repeats: int, seed: int, first: int = 0
) -> pd.DataFrame:
    rows = [
        (purpose, number, *values, repeat, seed_of(seed, SENTENCES, *map(step, values), purpose == GRID, repeat))
        for number, values in enumerate(distributions, first)
        for repeat in range(repeats)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _check_seeds(models: pd.DataFrame, names: str) -> pd.DataFrame:
    """Raise ValueError if two models have the same data, because their values round to the same number."""
    if models["seed"].duplicated().any():
        raise ValueError(f"{names}: expected values that differ by {1 / RESOLUTION:g} or more")
    return models


def model_folders(plan: str, encoded: Sequence[str]) -> dict[int, Path]:
    """Find the folder of each model of a plan among the folders of its training jobs."""
    folders = {Path(path).name: Path(path) for path in encoded}
    table = csv_tables.read(plan, "model chunk place", csv_tables.column_types(text="chunk", integer="model place"))
    return {row.model: folders[row.chunk] / str(row.place) for row in table.itertuples()}
