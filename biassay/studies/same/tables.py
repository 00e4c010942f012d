"""Tables of the study: models, their bias by occupation, and scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import csv_tables, registry
from biassay.language_models import templates
from biassay.measurement import occupation_embeddings
from biassay.measurement.occupation_embeddings import UNRATED, OccupationEmbeddings

GROUPS = ("male", "female")  # a positive score leans to the first group, as a high p(male) does

KINDS = csv_tables.column_types(
    text="output quantity metric ground_truth against level first second step word stereotype? occupation? category? "
    "note?",
    integer="model distribution repeat seed chunk n models clusters distributions subset",
    number="mean spread? training? unmasking cosine angle? r? r2? p? p_holm? low? high? value? full_value? published? "
    "r2_mean? r2_std? upper_bound? share_of_upper_bound? share_significant? share_negative? difference? angle_mean? "
    "angle_std? due_to_sign? due_to_direction? example_model? r2_same? r2_same_unsigned? r2_direct_bias? noise_ratio? "
    "within_std? deviation? effect_size? same? same_skew? same_stereotype? undefined?",
    boolean="learned signed relative",
)
PLAN = "model chunk seed"
OCCUPATIONS = "word stereotype"
TRAINING = "model occupation training"
MODELS = "model distribution mean spread repeat r2 learned"
BIAS = "model occupation training unmasking"
SCORES = "model level occupation value"
SUBSETS = "model subset value full_value"
PRINTED = "output metric quantity value"
DIRECTIONS = "model first second angle"
RESULTS = {  # columns read from each table of results
    "correlations": "model learned ground_truth metric signed against n r2",
    "summary": "ground_truth metric against signed models r2_mean low high r2_std upper_bound share_of_upper_bound "
    "share_significant published",
    "comparisons": "ground_truth against first second clusters difference p_holm",
    "differences": "model r2_same r2_direct_bias difference angle",
    "angles": "category models angle_mean example_model",
    "sets": "metric signed against ground_truth n r2 low high p p_holm published",
    "set_comparisons": "against first second difference p_holm",
    "retraining_variability": "metric distributions difference low high noise_ratio note published",
    "subsampling_variability": "metric models deviation low high relative published",
    "effect_size": "model step x_1 x_2 y_1 y_2 s_x_1 s_x_2 s_y_1 s_y_2 effect_size same same_skew same_stereotype",
}
LEVELS = ("word", "set")


@dataclass(frozen=True)
class Grid:
    """Models and their p(male) by occupation.

    Attributes
    ----------
    models : DataFrame
        One row per model, indexed by its number.
    training : DataFrame of shape (models, occupations)
        Share of male pronouns in the training sentences.
    unmasking : DataFrame of shape (models, occupations)
        Mean p(male) that the model predicts.
    """

    models: pd.DataFrame
    training: pd.DataFrame
    unmasking: pd.DataFrame

    @property
    def learned_models(self) -> pd.DataFrame:
        """The models that learned their bias: R² of at least min_r2."""
        return self.models[self.models["learned"]]


@dataclass(frozen=True)
class Scores:
    """Scores of one metric; None for a level that it lacks. word: (models, occupations); set: (models,)."""

    word: pd.DataFrame | None
    set: pd.Series | None


def read(path: str, columns: str | Iterable[str], **options: object) -> pd.DataFrame:
    """Read a table of the study, as `csv_tables.read` does."""
    return csv_tables.read(path, columns, KINDS, dtype={"occupation": str, "word": str}, **options)


def read_results(paths: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    """Read the tables of RESULTS. Tables of metrics may be empty: perhaps no metric of the study has such values."""
    return {name: read(paths[name], RESULTS[name], allow_empty=name != "angles") for name in RESULTS if name in paths}


def read_plan(path: str, **chunks: int) -> pd.DataFrame:
    """Read plan.csv, as `csv_tables.read_plan` does."""
    return csv_tables.read_plan(path, PLAN, KINDS, **chunks)


def read_occupations(path: str) -> pd.DataFrame:
    """Read occupations.csv: one row per word with its stereotype, "" for none."""
    table = read(path, OCCUPATIONS, keep_default_na=False)
    csv_tables.check_rows(path, table, {"word": table["word"].unique()})
    registry.check_names(f"{path}: stereotype", table["stereotype"].unique(), (*GROUPS, ""))
    return table


def model_folders(path: str, encoded: Sequence[str]) -> dict[int, Path]:
    """Find the folder of each model among the folders of its chunks, by plan.csv."""
    plan = read_plan(path, chunks=len(encoded))
    return {model: Path(encoded[chunk]) / str(model) for model, chunk in zip(plan["model"], plan["chunk"], strict=True)}


def read_embeddings(folder: Path, pooling: str, stereotypes: Sequence[str]) -> OccupationEmbeddings:
    """Read one pooling of a model's sentences, with groups, and labels from `stereotypes`, in the order of GROUPS."""
    embedded = occupation_embeddings.read(folder, pooling, len(stereotypes), len(templates.GROUPS))
    groups = [embedded.groups[templates.GROUPS.index(name)] for name in GROUPS]
    labels = np.array([GROUPS.index(name) if name else UNRATED for name in stereotypes])
    return replace(embedded, groups=groups, labels=labels)


def load_grid(models: str, bias: str) -> Grid:
    """Read models.csv and bias.csv. Raises ValueError, naming the file, if the tables do not fit each other."""
    table, biases = read(models, MODELS), read(bias, BIAS)
    csv_tables.check_rows(models, table, {"model": table["model"].unique()})
    csv_tables.check_rows(bias, biases, {"model": table["model"], "occupation": biases["occupation"].unique()})
    table = table.set_index("model")
    wide = {name: _wide(biases, name).reindex(table.index) for name in ("training", "unmasking")}
    return Grid(table, **wide)


def read_scores(grid: Grid, path: str) -> Scores:
    """Read a metric's scores on both levels, in the order of the grid; NaN where a score is undefined.

    Raises ValueError, naming the file, unless a level has no scores or one per model and occupation.
    """
    table = read(path, SCORES)
    registry.check_names(f"{path}: level", table["level"].unique(), LEVELS)
    of_words, of_sets = (table[table["level"] == level] for level in LEVELS)
    models, words = grid.models.index, grid.training.columns
    if len(of_words):
        csv_tables.check_rows(path, of_words, {"model": models, "occupation": words})
    if len(of_sets):
        csv_tables.check_rows(path, of_sets, {"model": models, "level": ["set"]})
    return Scores(
        _wide(of_words, "value").reindex_like(grid.training) if len(of_words) else None,
        of_sets.set_index("model")["value"].reindex(models) if len(of_sets) else None,
    )


def read_subsets(grid: Grid, path: str) -> pd.DataFrame:
    """Read a metric's values on random subsets of the occupations, for the models that learned their bias."""
    table = read(path, SUBSETS, allow_empty=True)
    if len(table):
        csv_tables.check_rows(path, table, {"model": grid.models.index, "subset": range(table["subset"].max() + 1)})
    return table[table["model"].isin(grid.learned_models.index)]


def _wide(table: pd.DataFrame, column: str) -> pd.DataFrame:
    return table.pivot(index="model", columns="occupation", values=column)
