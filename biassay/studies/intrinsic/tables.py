"""Tables of the study: models, their bias, and scores."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pandas as pd

from biassay.core import csv_tables, registry
from biassay.language_models.planted.grids import DETECTION, GRID
from biassay.measurement.evaluation import compute_range
from biassay.statistics import divergence
from biassay.studies.agreement import bias_magnitude, orient_scores

KINDS = csv_tables.column_types(
    text="purpose attribute? group level labels? occupation? output metric",
    integer="model distribution repeat subset",
    number="strength r? planted data unmasking value?",
)
MODELS = "model purpose distribution strength repeat r"
PLANNED = "model attribute occupation group planted data"
BIAS = f"{PLANNED} unmasking"
SCORES = ["model", "attribute", "labels", "level", "occupation", "value"]
SUBSETS = ["model", "attribute", "labels", "subset", "value"]
PRINTED = "output attribute metric value"
WORD, SET = LEVELS = ("word", "set")
NOISY, IDEAL, PLANTED, UNLABELLED = LABELS = ("noisy", "ideal", "planted", "")
ByAttribute = dict[str, dict[str, pd.DataFrame]]  # and metric


class Study(NamedTuple):
    """Models, one row each, indexed by number, and their probabilities of groups, with the columns BIAS."""

    models: pd.DataFrame
    bias: pd.DataFrame

    @property
    def grid(self) -> pd.DataFrame:
        """The models of the paper's grid of distributions."""
        return self.models[self.models["purpose"] == GRID]

    @property
    def detection(self) -> pd.DataFrame:
        """The models for detection, with biases of several strengths."""
        return self.models[self.models["purpose"] == DETECTION]

    @property
    def attributes(self) -> list[str]:
        return self.bias["attribute"].drop_duplicates().tolist()

    @property
    def occupations(self) -> list[str]:
        return self.bias["occupation"].drop_duplicates().tolist()

    def groups(self, attribute: str) -> list[str]:
        """List the groups of an attribute in their order."""
        return self.bias.loc[self.bias["attribute"] == attribute, "group"].drop_duplicates().tolist()

    def first_group(self, attribute: str, bias: str) -> pd.DataFrame:
        """Select the probability of an attribute's first group by one bias: (models of the grid, occupations)."""
        first = select_probabilities(self.bias, attribute, bias).iloc[:, 0]
        return first.unstack("occupation")[self.occupations].reindex(self.grid.index)

    def divergence(self, attribute: str, bias: str, models: pd.Index) -> pd.DataFrame:
        """Compute the Jensen–Shannon divergence of one bias from equal groups, in nats: (models, occupations)."""
        wide = select_probabilities(self.bias, attribute, bias)
        values = pd.Series(divergence.from_uniform(wide.to_numpy()), wide.index)
        return values.unstack("occupation")[self.occupations].reindex(models)


def select_probabilities(bias: pd.DataFrame, attribute: str, name: str) -> pd.DataFrame:
    """Select the probabilities of one bias: one row per (model, occupation), one column per group."""
    rows = bias[bias["attribute"] == attribute]
    wide = rows.pivot(index=["model", "occupation"], columns="group", values=name)
    order = pd.MultiIndex.from_frame(rows[["model", "occupation"]].drop_duplicates())
    return wide.loc[order, rows["group"].drop_duplicates()]


def read(path: str | Path, columns: str | Iterable[str], **options: object) -> pd.DataFrame:
    """Read a table of the study, as `csv_tables.read` does. Only value and r may be NaN: "nan" may be a word."""
    names = {"keep_default_na": False, "na_values": {"value": [""], "r": [""]}, "dtype": {"occupation": str}}
    return csv_tables.read(path, columns, KINDS, **names, **options)


def load_study(models: str | Path, bias: str | Path) -> Study:
    """Read models.csv and bias.csv."""
    return Study(read(models, MODELS).set_index("model"), read(bias, BIAS))


def read_scores(path: str | Path) -> pd.DataFrame:
    """Read the scores of a metric: one row per model, attribute, labels, level and occupation ("" for a set)."""
    table = read(path, SCORES, allow_empty=True)
    registry.check_names(f"{path}: level", table["level"].unique(), LEVELS)
    registry.check_names(f"{path}: labels", table["labels"].unique(), LABELS)
    return table


def word_scores(table: pd.DataFrame, attribute: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """Select a metric's scores of occupations, (models, occupations) as in `like`; None if there are none."""
    rows = table[(table["attribute"] == attribute) & (table["level"] == WORD) & (table["labels"] == UNLABELLED)]
    if not len(rows):
        return None
    return rows.pivot(index="model", columns="occupation", values="value").reindex_like(like)


def select_word_scores(
    study: Study, by_metric: Mapping[str, pd.DataFrame], modules: Mapping[str, ModuleType]
) -> tuple[ByAttribute, ByAttribute]:
    """Select scores of occupations by attribute and metric: (models of the grid, occupations).

    Returns the magnitudes of the scores, and the signed scores with their sign; attributes without signed scores are
    left out of the latter.
    """
    words: ByAttribute = {attribute: {} for attribute in study.attributes}
    signed: ByAttribute = {}
    for attribute in study.attributes:
        like = study.divergence(attribute, "data", study.grid.index)
        for name, table in by_metric.items():
            values = word_scores(table, attribute, like)
            if values is None:
                continue
            bounds = modules[name].METRIC.range("word", len(study.groups(attribute)))
            words[attribute][name] = bias_magnitude(values, modules[name], bounds)
            if bounds.signed:
                signed.setdefault(attribute, {})[name] = orient_scores(values, modules[name], bounds)
    return words, signed


def select_set_scores(
    study: Study, by_metric: Mapping[str, pd.DataFrame], modules: Mapping[str, ModuleType], options: Mapping[str, dict]
) -> dict[tuple[str, str], dict[str, pd.Series]]:
    """Select magnitudes of set-level scores by (attribute, kind of labels) and metric: (models of the grid,).

    Scores without labels are listed under both kinds.
    """
    sets: dict = {(attribute, labels): {} for attribute in study.attributes for labels in (NOISY, IDEAL)}
    for (attribute, labels), scores in sets.items():
        for name, table in by_metric.items():
            is_shown = (table["attribute"] == attribute) & (table["level"] == SET)
            values = table[is_shown & table["labels"].isin([labels, UNLABELLED])].set_index("model")["value"]
            if len(values):
                bounds = compute_range(modules[name], "set", len(study.groups(attribute)), None, options[name])
                scores[name] = bias_magnitude(values.reindex(study.grid.index), modules[name], bounds)
    return sets
