"""The tables of a grid of models: models, their bias by occupation, and scores."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from biassay.support import registry

MODELS = ("model", "distribution", "mean", "spread", "repeat", "r2", "kept")
BIAS = ("model", "occupation", "training", "unmasking")
SCORES = ("model", "level", "occupation", "value")
SUBSETS = ("model", "draw", "value", "full")
DIRECTIONS = ("model", "first", "second", "angle")
LEVELS = ("sample", "set")


@dataclass(frozen=True)
class Grid:
    """Models (a row each, by the model's number) and p(male) by model and occupation.

    training: share of male pronouns trained on; unmasking: mean p(male) that a model gives; both (models, occupations).
    """

    models: pd.DataFrame
    training: pd.DataFrame
    unmasking: pd.DataFrame

    @property
    def kept(self) -> pd.DataFrame:
        """The models that have learned their bias, so the gate."""
        return self.models[self.models["kept"]]


@dataclass(frozen=True)
class Scores:
    """Scores of one metric; None for a level that it lacks. sample: (models, occupations); set: (models,)."""

    sample: pd.DataFrame | None
    set: pd.Series | None


def read(path: str, columns: Iterable[str]) -> pd.DataFrame:
    """Read a CSV table; raises ValueError if it lacks one of the columns."""
    table = pd.read_csv(path, dtype={"occupation": str})
    missing = [name for name in columns if name not in table]
    if missing:
        raise ValueError(f"{path}: lacks the columns {', '.join(missing)}; it has {', '.join(table)}")
    return table


def load(models: str, bias: str) -> Grid:
    """Read models.csv and bias.csv. Raises ValueError, naming the file, for tables that do not fit each other."""
    table = read(models, MODELS)
    if table["kept"].dtype != bool:
        raise ValueError(f"{models}: kept: {table['kept'].unique()[:3].tolist()}; choices: True, False")
    if table["model"].duplicated().any():
        raise ValueError(f"{models}: model {table['model'][table['model'].duplicated()].iloc[0]} stands twice")
    table = table.set_index("model")
    known = read(bias, BIAS)
    _check_models(bias, known, table.index)
    missing = table.index.difference(known["model"])
    if len(missing):
        raise ValueError(f"{bias}: lacks model {missing[0]}, which {models} has")
    wide = {name: _wide(bias, known, name).reindex(table.index) for name in ("training", "unmasking")}
    return Grid(table, **wide)


def scores(grid: Grid, path: str) -> Scores:
    """Read the scores of a metric on both levels, in the order of the grid; NaN where a row is missing.

    Raises ValueError, naming the file, for an unknown model, level or occupation, and for a row that stands twice.
    """
    table = read(path, SCORES)
    _check_models(path, table, grid.models.index)
    registry.check_names(f"{path}: level", table["level"].unique(), LEVELS)
    sample, of_sets = (table[table["level"] == level] for level in LEVELS)
    registry.check_names(f"{path}: occupation", sample["occupation"].unique(), grid.training.columns)
    if of_sets["model"].duplicated().any():
        raise ValueError(f"{path}: the set of model {of_sets['model'][of_sets['model'].duplicated()].iloc[0]} is twice")
    return Scores(
        _wide(path, sample, "value").reindex_like(grid.training) if len(sample) else None,
        of_sets.set_index("model")["value"].reindex(grid.models.index) if len(of_sets) else None,
    )


def subsets(grid: Grid, path: str) -> pd.DataFrame:
    """Read a metric's values of random parts of the occupations; only those of models that are kept."""
    table = read(path, SUBSETS)
    _check_models(path, table, grid.models.index)
    return table[table["model"].isin(grid.kept.index)]


def _wide(path: str, table: pd.DataFrame, column: str) -> pd.DataFrame:
    twice = table.duplicated(["model", "occupation"])
    if twice.any():
        row = table[twice].iloc[0]
        raise ValueError(f"{path}: {row['occupation']!r} of model {row['model']} stands twice")
    return table.pivot(index="model", columns="occupation", values=column)


def _check_models(path: str, table: pd.DataFrame, known: pd.Index) -> None:
    for model in table["model"].unique():
        if model not in known:
            raise ValueError(f"{path}: unknown model {model}; models.csv has {len(known)}, {known[0]} to {known[-1]}")
