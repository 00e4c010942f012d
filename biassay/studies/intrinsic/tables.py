"""Tables of the study: models, their bias, and scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pandas as pd

from biassay.core import csv_tables, registry
from biassay.language_models.group_distributions import DETECTION, GRID
from biassay.studies.intrinsic import biases
from biassay.words import files

KINDS = csv_tables.column_types(
    text="output purpose attribute group level metric labels? occupation? first second statistic against",
    integer="model distribution repeat seed chunk attempt row n models subset n_sampled n_sentences distributions "
    "clusters attempts min_sentences?",
    number="min_p max_p strength? r? r_gender? r_ethnicity? r_religion? planted data unmasking value? r_mean? r_std? "
    "low? high? p? p_holm? mean? std? difference? difference_from_first? std_difference? within_std? "
    "sign_flip_rate? published? published_max? divergence? max_detection_rate? detection_rate? undefined? "
    "disagreement?",
    boolean="best learned",
)
PLAN = "model purpose seed chunk"
ATTEMPTS = "model attempt row r best"
MODELS = "model purpose distribution strength repeat r"
LEARNED = "model purpose attempts learned r"
PLANNED = "model attribute occupation group planted data"
BIAS = ("model", "attribute", "occupation", "group", *biases.BIASES)
SCORES = ("model", "attribute", "labels", "level", "occupation", "value")
SUBSETS = ("model", "attribute", "labels", "subset", "value")
RESULTS = {  # columns read from each table of results
    "words": "attribute first second models n r_mean low high",
    "signs": "attribute first second models n r_mean low high",
    "comparisons": "attribute against first second difference p_holm",
    "sets": "attribute labels first second models distributions r low high",
    "set_comparisons": "attribute labels against first second difference p_holm",
    "power": "attribute metric strength divergence detection_rate",
    "min_detectable_effect": "attribute metric strength divergence max_detection_rate undefined",
    "reliability": "attribute n_sentences n_sampled mean std disagreement min_sentences published",
    "reliability_curve": "attribute n mean std disagreement",
    "retraining_variability": "attribute metric distributions difference_from_first difference sign_flip_rate "
    "published",
    "intersections": "first second statistic mean low high",
}
NEVER_EMPTY = ("reliability", "reliability_curve", "retraining_variability")
WORD, SET, LEAKING = LEVELS = ("word", "set", "leaking")
NOISY, IDEAL, PLANTED, UNLABELLED = LABELS = ("noisy", "ideal", "planted", "")


@dataclass(frozen=True)
class Study:
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
        first = self.bias[(self.bias["attribute"] == attribute) & (self.bias["group"] == self.groups(attribute)[0])]
        like = self.divergence(attribute, bias, self.grid.index)
        return first.pivot(index="model", columns="occupation", values=bias).reindex_like(like)

    def divergence(self, attribute: str, bias: str, models: pd.Index) -> pd.DataFrame:
        """Compute the Jensen–Shannon divergence of one bias from equal groups, in nats: (models, occupations)."""
        return biases.divergence_by_occupation(self.bias, attribute, bias).reindex(models)


def read(path: str, columns: str | Iterable[str], **options: object) -> pd.DataFrame:
    """Read a table of the study, as `support.csv_tables.read` does. Only value and r may be NaN."""
    na_values = {"value": [""], "r": [""]}
    return csv_tables.read(
        path, columns, KINDS, keep_default_na=False, na_values=na_values, dtype={"occupation": str}, **options
    )


def read_result(path: str, name: str) -> pd.DataFrame:
    """Read a table of RESULTS."""
    return csv_tables.read(path, RESULTS[name], KINDS, allow_empty=name not in NEVER_EMPTY)


def read_published(path: str, output: str) -> pd.DataFrame:
    """Read the published values of one table or figure (`output`)."""
    kinds = KINDS | {"attribute": "text?"}
    return csv_tables.read(path, "output attribute metric value", kinds, comment="#").query("output == @output")


def read_plan(path: str, **chunks: int) -> pd.DataFrame:
    """Read plan.csv, as `support.csv_tables.read_plan` does."""
    return csv_tables.read_plan(path, PLAN, KINDS, **chunks)


def read_chunks(path: str, study: Study, n_chunks: int) -> pd.Series:
    """Read the chunk of each model of the study from plan.csv, indexed by the model's number."""
    table = read_plan(path, chunks=n_chunks)
    csv_tables.check_rows(path, table, {"model": study.models.index})
    return table.set_index("model")["chunk"]


def read_attempts(folder: str | Path, models: Iterable[int] | None = None) -> pd.DataFrame:
    """Read attempts.csv of a folder of models. Each of `models`, or of those in it, has exactly one best attempt."""
    path = Path(folder) / "attempts.csv"
    table = csv_tables.read(path, ATTEMPTS, KINDS)
    csv_tables.check_rows(path, table[table["best"]], {"model": table["model"].unique() if models is None else models})
    return table


def read_probabilities(path: str, models: Iterable[int], columns: str | Iterable[str] = PLANNED) -> pd.DataFrame:
    """Read probabilities of groups: one row per model, attribute, occupation and group."""
    table = read(path, columns)
    for name in table["attribute"].unique():
        files.check_name(f"{path}: attribute", name)
    csv_tables.check_grid(path, table, "model", models, ["attribute", "occupation", "group"])
    return table


def load_study(models: str, bias: str) -> Study:
    """Read models.csv and bias.csv. Raises ValueError, naming the file, if the tables do not fit each other."""
    table = read(models, MODELS)
    csv_tables.check_rows(models, table, {"model": table["model"].unique()})
    registry.check_names(f"{models}: purpose", table["purpose"].unique(), (GRID, DETECTION))
    return Study(table.set_index("model"), read_probabilities(bias, table["model"], BIAS))


def read_scores(study: Study, path: str) -> pd.DataFrame:
    """Read the scores of a metric: one row per model, attribute, kind of labels, level and occupation ("" for a set).

    Raises ValueError, naming the file, for unknown models, attributes, labels or levels.
    """
    table = read(path, SCORES, allow_empty=True)
    for column, names in (("level", LEVELS), ("labels", LABELS), ("attribute", study.attributes)):
        registry.check_names(f"{path}: {column}", table[column].unique(), names)
    keys = ["attribute", "labels", "level"]
    for (attribute, labels, level), part in table.groupby(keys, sort=False):
        models = study.detection if labels == PLANTED else study.grid if labels != UNLABELLED else study.models
        words = study.occupations if level == WORD else [""]
        csv_tables.check_rows(
            f"{path}: {attribute}", part, {"model": models.index, "level": [level], "occupation": words}
        )
    return table


def select_word_scores(table: pd.DataFrame, attribute: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """Select a metric's scores of occupations, (models, occupations) as in `like`; None if there are none."""
    rows = table[(table["attribute"] == attribute) & (table["level"] == WORD) & (table["labels"] == UNLABELLED)]
    if not len(rows):
        return None
    return rows.pivot(index="model", columns="occupation", values="value").reindex_like(like)


def select_set_scores(
    table: pd.DataFrame, attribute: str, labels: str, level: str, models: pd.Index
) -> pd.Series | None:
    """Select set-level scores with one kind of labels, or without labels if the metric takes none: (models,).

    Returns None if there are no scores.
    """
    rows = table[(table["attribute"] == attribute) & (table["level"] == level)]
    rows = rows[rows["labels"].isin([labels, UNLABELLED])]
    return rows.set_index("model")["value"].reindex(models) if len(rows) else None


def read_word_scores(study: Study, path: str, module: ModuleType) -> dict[str, tuple[pd.DataFrame, bool]]:
    """Read word-level scores by attribute, (models of the grid, occupations), and whether they are signed.

    Attributes without scores of the metric are left out.
    """
    if "word" not in module.METRIC.levels:
        return {}
    table, by_attribute = read_scores(study, path), {}
    for attribute in study.attributes:
        values = select_word_scores(table, attribute, study.divergence(attribute, "data", study.grid.index))
        if values is not None:
            by_attribute[attribute] = values, module.METRIC.range("word", len(study.groups(attribute))).signed
    return by_attribute


def read_set_scores(study: Study, path: str, module: ModuleType) -> dict[tuple[str, str, str], pd.Series]:
    """Read absolute set-level scores by attribute, kind of labels and level: (models of the grid,).

    Scores without labels are listed under both kinds.
    """
    if "set" not in module.METRIC.levels:
        return {}
    table, by_key = read_scores(study, path), {}
    for attribute in study.attributes:
        for labels in (NOISY, IDEAL):
            for level in (SET, LEAKING):
                values = select_set_scores(table, attribute, labels, level, study.grid.index)
                if values is not None:
                    by_key[attribute, labels, level] = values.abs()
    return by_key
