"""The tables of the study's models: which there are, their bias, and the scores of a metric."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType

import pandas as pd

from biassay.language_models.group_distributions import DETECTION, GRID
from biassay.studies.intrinsic import biases
from biassay.support import registry

MODELS = ("model", "purpose", "distribution", "strength", "repeat", "r")
BIAS = ("model", "attribute", "occupation", "group", *biases.BIASES)
SCORES = ("model", "attribute", "labels", "level", "occupation", "value")
SUBSETS = ("model", "attribute", "labels", "draw", "value")
SAMPLE, SET, LEAKING = LEVELS = ("sample", "set", "leaking")
NOISY, IDEAL, PLANTED, UNLABELLED = LABELS = ("noisy", "ideal", "planted", "")


@dataclass(frozen=True)
class Study:
    """Models (a row each, by the model's number) and their probabilities of groups (BIAS)."""

    models: pd.DataFrame
    bias: pd.DataFrame

    @property
    def grid(self) -> pd.DataFrame:
        """The models of the paper's grid."""
        return self.models[self.models["purpose"] == GRID]

    @property
    def detection(self) -> pd.DataFrame:
        """The models of different strengths."""
        return self.models[self.models["purpose"] == DETECTION]

    @property
    def attributes(self) -> list[str]:
        return self.bias["attribute"].drop_duplicates().tolist()

    def groups(self, attribute: str) -> list[str]:
        """The groups of an attribute, in their order."""
        return self.bias.loc[self.bias["attribute"] == attribute, "group"].drop_duplicates().tolist()

    def first_group(self, attribute: str, bias: str) -> pd.DataFrame:
        """Probability of an attribute's first group by one bias: (models of the grid, occupations)."""
        chosen = self.bias[(self.bias["attribute"] == attribute) & (self.bias["group"] == self.groups(attribute)[0])]
        like = self.divergence(attribute, bias, self.grid.index)
        return chosen.pivot(index="model", columns="occupation", values=bias).reindex_like(like)

    def divergence(self, attribute: str, bias: str, models: pd.Index) -> pd.DataFrame:
        """How far groups are from equal by one bias, JSD in nats: (models, occupations)."""
        return biases.by_occupation(self.bias, attribute, bias).reindex(models)


def read(path: str, columns: Iterable[str]) -> pd.DataFrame:
    """Read a CSV table; raises ValueError if it lacks one of the columns."""
    table = pd.read_csv(path, keep_default_na=False, na_values={"value": [""], "r": [""]}, dtype={"occupation": str})
    missing = [name for name in columns if name not in table]
    if missing:
        raise ValueError(f"{path}: lacks the columns {', '.join(missing)}; it has {', '.join(table)}")
    return table


def load(models: str, bias: str) -> Study:
    """Read models.csv and bias.csv; raises ValueError, naming the file, for tables that do not fit each other."""
    table, found = read(models, MODELS), read(bias, BIAS)
    if table["model"].duplicated().any():
        raise ValueError(f"{models}: model {table['model'][table['model'].duplicated()].iloc[0]} stands twice")
    registry.check_names(f"{models}: purpose", table["purpose"].unique(), (GRID, DETECTION))
    if odd := set(found["model"]) ^ set(table["model"]):
        raise ValueError(f"{bias}: model {min(odd)} stands in one of it and {models} only")
    return Study(table.set_index("model"), found)


def scores(study: Study, path: str) -> pd.DataFrame:
    """Read the scores of a metric, a row a model, attribute, kind of labels, level and occupation ("" of a set).

    Raises ValueError, naming the file, for unknown models, attributes or levels.
    """
    table = read(path, SCORES)
    for column, known in (("level", LEVELS), ("labels", LABELS), ("attribute", study.attributes)):
        registry.check_names(f"{path}: {column}", table[column].unique(), known)
    if len(odd := set(table["model"]) - set(study.models.index)):
        raise ValueError(f"{path}: unknown model {min(odd)}; models.csv has {len(study.models)}")
    return table


def samples(table: pd.DataFrame, attribute: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """A metric's scores of occupations, (models, occupations) as in `like`; None if it has none of the attribute."""
    chosen = table[(table["attribute"] == attribute) & (table["level"] == SAMPLE) & (table["labels"] == UNLABELLED)]
    if not len(chosen):
        return None
    return chosen.pivot(index="model", columns="occupation", values="value").reindex_like(like)


def of_sets(table: pd.DataFrame, attribute: str, labels: str, level: str, models: pd.Index) -> pd.Series | None:
    """Scores of sets with one kind of labels, or without if the metric takes none: (models,); None for no scores."""
    chosen = table[(table["attribute"] == attribute) & (table["level"] == level)]
    chosen = chosen[chosen["labels"].isin([labels, UNLABELLED])]
    return chosen.set_index("model")["value"].reindex(models) if len(chosen) else None


def word_scores(study: Study, path: str, module: ModuleType) -> dict[str, tuple[pd.DataFrame, bool]]:
    """Scores of occupations by attribute, (models of the grid, occupations), and whether they have a sign.

    Attributes that the metric has no scores of are left out.
    """
    if "sample" not in module.METRIC.levels:
        return {}
    table, found = scores(study, path), {}
    for attribute in study.attributes:
        values = samples(table, attribute, study.divergence(attribute, "data", study.grid.index))
        if values is not None:
            found[attribute] = values, module.METRIC.range("sample", len(study.groups(attribute))).signed
    return found


def set_answers(study: Study, path: str, module: ModuleType) -> dict[tuple[str, str, str], pd.Series]:
    """How far a metric says that all occupations together are biased, by attribute, kind of labels and level: (models
    of the grid,), as absolute values. Scores that need no labels stand under both kinds."""
    if "set" not in module.METRIC.levels:
        return {}
    table, found = scores(study, path), {}
    for attribute in study.attributes:
        for labels in (NOISY, IDEAL):
            for level in (SET, LEAKING):
                values = of_sets(table, attribute, labels, level, study.grid.index)
                if values is not None:
                    found[attribute, labels, level] = values.abs()
    return found
