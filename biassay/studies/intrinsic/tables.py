"""The tables of the study's models: which there are, their bias, and the scores of a metric."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pandas as pd

from biassay.language_models.group_distributions import DETECTION, GRID
from biassay.studies.intrinsic import biases
from biassay.support import csv_tables, registry
from biassay.words import files

KINDS = csv_tables.column_types(
    text="output purpose attribute group level metric labels? occupation? first second statistic against",
    integer="model distribution repeat seed chunk attempt row n models subset n_sampled n_sentences distributions "
    "clusters attempts min_sentences?",
    number="min_p max_p strength? r? r_gender? r_ethnicity? r_religion? planted data unmasking value? r_mean? r_std? "
    "low? high? p? p_holm? mean? std? difference? difference_from_first? std_difference? within_std? sign_flip_rate? published? "
    "published_max? divergence? max_detection_rate? detection_rate? undefined? disagreement?",
    boolean="best learned",
)
PLAN = "model purpose seed chunk"
ATTEMPTS = "model attempt row r best"
MODELS = "model purpose distribution strength repeat r"
ANSWERED = "model purpose attempts learned r"
PLANNED = "model attribute occupation group planted data"
BIAS = ("model", "attribute", "occupation", "group", *biases.BIASES)
SCORES = ("model", "attribute", "labels", "level", "occupation", "value")
SUBSETS = ("model", "attribute", "labels", "subset", "value")
RESULTS = {  # what is read of the tables of results, by name
    "words": "attribute first second models n r_mean",
    "signs": "attribute first second models n r_mean",
    "comparisons": "attribute against first second difference p_holm",
    "sets": "attribute labels first second models distributions r",
    "set_comparisons": "attribute labels against first second difference p_holm",
    "power": "attribute metric strength divergence detection_rate",
    "min_detectable_effect": "attribute metric strength divergence max_detection_rate undefined",
    "reliability": "attribute n_sentences n_sampled mean std disagreement min_sentences published",
    "reliability_curve": "attribute n mean std disagreement",
    "retraining_variability": "attribute metric distributions difference_from_first difference sign_flip_rate published",
    "intersections": "first second statistic mean low high",
}
FULL = ("reliability", "reliability_curve", "retraining_variability")  # of these, those that always have rows
WORD, SET, LEAKING = LEVELS = ("word", "set", "leaking")
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

    @property
    def occupations(self) -> list[str]:
        return self.bias["occupation"].drop_duplicates().tolist()

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


def read(path: str, columns: str | Iterable[str], **options: object) -> pd.DataFrame:
    """Read a table of the study with these columns, as `support.csv_tables.read` does; its KINDS are known."""
    gaps = {"value": [""], "r": [""]}
    return csv_tables.read(
        path, columns, KINDS, keep_default_na=False, na_values=gaps, dtype={"occupation": str}, **options
    )


def result(path: str, name: str) -> pd.DataFrame:
    """Read a table of RESULTS."""
    return csv_tables.read(path, RESULTS[name], KINDS, allow_empty=name not in FULL)


def printed(path: str, output: str) -> pd.DataFrame:
    """Read what the paper prints as one of its tables or figures."""
    known = KINDS | {"attribute": "text?"}
    return csv_tables.read(path, "output attribute metric value", known, comment="#").query("output == @output")


def plan(path: str, **chunks: int) -> pd.DataFrame:
    """Read plan.csv, as `support.csv_tables.read_plan` does."""
    return csv_tables.read_plan(path, PLAN, KINDS, **chunks)


def chunks(path: str, study: "Study", number: int) -> pd.Series:
    """The chunk of each model of the study, by the model's number, from plan.csv."""
    table = plan(path, chunks=number)
    csv_tables.check_rows(path, table, {"model": study.models.index})
    return table.set_index("model")["chunk"]


def attempts(folder: str | Path, models: Iterable[int] | None = None) -> pd.DataFrame:
    """Read attempts.csv of a folder of trained or encoded models: each has one best attempt, and all `models` have."""
    path = Path(folder) / "attempts.csv"
    table = csv_tables.read(path, ATTEMPTS, KINDS)
    csv_tables.check_rows(path, table[table["best"]], {"model": table["model"].unique() if models is None else models})
    return table


def planned(path: str, models: Iterable[int], columns: str | Iterable[str] = PLANNED) -> pd.DataFrame:
    """Read probabilities of groups: each of the models has a row for each attribute, occupation and group."""
    table = read(path, columns)
    for name in table["attribute"].unique():
        files.check_name(f"{path}: attribute", name)
    csv_tables.check_grid(path, table, "model", models, ["attribute", "occupation", "group"])
    return table


def load(models: str, bias: str) -> Study:
    """Read models.csv and bias.csv; raises ValueError, naming the file, for tables that do not fit each other."""
    table = read(models, MODELS)
    csv_tables.check_rows(models, table, {"model": table["model"].unique()})
    registry.check_names(f"{models}: purpose", table["purpose"].unique(), (GRID, DETECTION))
    return Study(table.set_index("model"), planned(bias, table["model"], BIAS))


def scores(study: Study, path: str) -> pd.DataFrame:
    """Read the scores of a metric, a row a model, attribute, kind of labels, level and occupation ("" of a set).

    Raises ValueError, naming the file, for unknown models, attributes or levels.
    """
    table = read(path, SCORES, allow_empty=True)
    for column, known in (("level", LEVELS), ("labels", LABELS), ("attribute", study.attributes)):
        registry.check_names(f"{path}: {column}", table[column].unique(), known)
    keys = ["attribute", "labels", "level"]
    for (attribute, labels, level), of in table.groupby(keys, sort=False):
        models = study.detection if labels == PLANTED else study.grid if labels != UNLABELLED else study.models
        words = study.occupations if level == WORD else [""]
        csv_tables.check_rows(
            f"{path}: {attribute}", of, {"model": models.index, "level": [level], "occupation": words}
        )
    return table


def samples(table: pd.DataFrame, attribute: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """A metric's scores of occupations, (models, occupations) as in `like`; None if it has none of the attribute."""
    chosen = table[(table["attribute"] == attribute) & (table["level"] == WORD) & (table["labels"] == UNLABELLED)]
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
    if "word" not in module.METRIC.levels:
        return {}
    table, found = scores(study, path), {}
    for attribute in study.attributes:
        values = samples(table, attribute, study.divergence(attribute, "data", study.grid.index))
        if values is not None:
            found[attribute] = values, module.METRIC.range("word", len(study.groups(attribute))).signed
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
