"""Tables of the study: models, their bias by occupation, and scores."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.core import csv_tables, registry
from biassay.language_models import templates
from biassay.measurement import occupation_embeddings
from biassay.measurement.occupation_embeddings import UNRATED, OccupationEmbeddings

GROUPS = ("male", "female")  # a positive score leans to the first group, as a high p(male) does
KINDS = csv_tables.column_types(
    text="level first second output quantity metric occupation?",
    integer="model distribution repeat subset",
    number="mean spread training? unmasking r2? value? full_value? angle?",
    boolean="learned",
)
MODELS = "model distribution mean spread repeat r2 learned"
BIAS = "model occupation training unmasking"
SCORES = "model level occupation value"
SUBSETS = "model subset value full_value"
PRINTED = "output metric quantity value"
DIRECTIONS = "model first second angle"


class Grid(NamedTuple):
    """Models, one row each, and their p(male) in the training sentences and by unmasking: (models, occupations)."""

    models: pd.DataFrame
    training: pd.DataFrame
    unmasking: pd.DataFrame

    @property
    def learned_models(self) -> pd.DataFrame:
        """The models that learned their bias: R² of at least min_r2."""
        return self.models[self.models["learned"]]


class Scores(NamedTuple):
    """Scores of one metric; None for a level that it lacks. word: (models, occupations); set: (models,)."""

    word: pd.DataFrame | None
    set: pd.Series | None


def read(path: str | Path, columns: str | Iterable[str], **options: object) -> pd.DataFrame:
    """Read a table of the study, as `csv_tables.read` does."""
    return csv_tables.read(path, columns, KINDS, dtype={"occupation": str}, **options)


def read_occupations(path: str | Path) -> pd.DataFrame:
    """Read occupations.csv: one row per word with its stereotype, "" for none."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def read_embeddings(folder: Path, pooling: str, stereotypes: Sequence[str]) -> OccupationEmbeddings:
    """Read one pooling of a model's sentences, with groups, and labels from `stereotypes`, in the order of GROUPS."""
    embedded = occupation_embeddings.read(folder, pooling, len(stereotypes), len(templates.GROUPS))
    groups = [embedded.groups[templates.GROUPS.index(name)] for name in GROUPS]
    return replace(embedded, groups=groups, labels=label_occupations(stereotypes))


def label_occupations(stereotypes: Iterable[str]) -> np.ndarray:
    """Return the labels (n,) of occupations, in the order of GROUPS, from their stereotypes."""
    return np.array([GROUPS.index(name) if name else UNRATED for name in stereotypes])


def load_grid(models: str | Path, bias: str | Path) -> Grid:
    """Read models.csv and bias.csv."""
    table, biases = read(models, MODELS).set_index("model"), read(bias, BIAS)
    training, unmasking = (_by_occupation(biases, name).reindex(table.index) for name in ("training", "unmasking"))
    return Grid(table, training, unmasking)


def read_scores(grid: Grid, path: str | Path) -> Scores:
    """Read a metric's scores on both levels, in the order of the grid; NaN where a score is undefined."""
    table = read(path, SCORES)
    registry.check_names(f"{path}: level", table["level"].unique(), Scores._fields)
    words, sets = (table[table["level"] == level] for level in Scores._fields)
    return Scores(
        _by_occupation(words, "value").reindex_like(grid.training) if len(words) else None,
        sets.set_index("model")["value"].reindex(grid.models.index) if len(sets) else None,
    )


def _by_occupation(table: pd.DataFrame, column: str) -> pd.DataFrame:
    return table.pivot(index="model", columns="occupation", values=column)
