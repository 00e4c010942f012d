"""Tables of the study: models, their bias, and scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pandas as pd

from biassay.core import csv_tables, registry
from biassay.language_models.planted.distributions import DETECTION, GRID
from biassay.statistics import divergence
from biassay.words import files

BIASES = ("planted", "data", "unmasking")

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
MODELS = "model purpose distribution strength repeat r"
LEARNED = "model purpose attempts learned r"
PLANNED = "model attribute occupation group planted data"
BIAS = ("model", "attribute", "occupation", "group", *BIASES)
SCORES = ("model", "attribute", "labels", "level", "occupation", "value")
SUBSETS = ("model", "attribute", "labels", "subset", "value")
RESULTS = {  # columns read from each table of results
    "words": "attribute first second models n r_mean low high",
    "signs": "attribute first second models n r_mean low high",
    "comparisons": "attribute against first second difference p_holm",
    "sets": "attribute labels first second models distributions r low high",
    "set_comparisons": "attribute labels against first second difference p_holm",
    "power": "attribute metric strength divergence models detection_rate",
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
LEAKING_SUFFIX = f" ({LEAKING})"


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

    def probabilities(self, attribute: str, bias: str) -> pd.DataFrame:
        """Select the probabilities of one bias: one row per (model, occupation), one column per group."""
        return select_probabilities(self.bias, attribute, bias)

    def first_group(self, attribute: str, bias: str) -> pd.DataFrame:
        """Select the probability of an attribute's first group by one bias: (models of the grid, occupations)."""
        return self._by_occupation(self.probabilities(attribute, bias).iloc[:, 0]).reindex(self.grid.index)

    def divergence(self, attribute: str, bias: str, models: pd.Index) -> pd.DataFrame:
        """Compute the Jensen–Shannon divergence of one bias from equal groups, in nats: (models, occupations)."""
        wide = self.probabilities(attribute, bias)
        return self._by_occupation(pd.Series(divergence.from_uniform(wide.to_numpy()), wide.index)).reindex(models)

    def _by_occupation(self, values: pd.Series) -> pd.DataFrame:
        return values.unstack("occupation")[self.occupations]


def select_probabilities(bias: pd.DataFrame, attribute: str, name: str) -> pd.DataFrame:
    """Select the probabilities of one bias: one row per (model, occupation), one column per group."""
    rows = bias[bias["attribute"] == attribute]
    wide = rows.pivot(index=["model", "occupation"], columns="group", values=name)
    order = pd.MultiIndex.from_frame(rows[["model", "occupation"]].drop_duplicates())
    return wide.loc[order, rows["group"].drop_duplicates()]


def read(path: str, columns: str | Iterable[str], **options: object) -> pd.DataFrame:
    """Read a table of the study, as `csv_tables.read` does. Only value and r may be NaN."""
    na_values = {"value": [""], "r": [""]}
    return csv_tables.read(
        path, columns, KINDS, keep_default_na=False, na_values=na_values, dtype={"occupation": str}, **options
    )


def read_results(paths: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    """Read the tables of RESULTS."""
    return {
        name: csv_tables.read(paths[name], columns, KINDS, allow_empty=name not in NEVER_EMPTY)
        for name, columns in RESULTS.items() if name in paths
    }  # fmt: skip


def read_published(path: str, output: str) -> pd.DataFrame:
    """Read the published values of one table or figure (`output`)."""
    kinds = KINDS | {"attribute": "text?"}
    return csv_tables.read(path, "output attribute metric value", kinds, comment="#").query("output == @output")


def read_plan(path: str, **chunks: int) -> pd.DataFrame:
    """Read plan.csv, as `csv_tables.read_plan` does."""
    return csv_tables.read_plan(path, PLAN, KINDS, **chunks)


def model_folders(path: str, study: Study, encoded: Sequence[str]) -> dict[int, Path]:
    """Find the folder of each model of the study among the folders of its chunks, by plan.csv."""
    table = read_plan(path, chunks=len(encoded))
    csv_tables.check_rows(path, table, {"model": study.models.index})
    return {
        model: Path(encoded[chunk]) / str(model) for model, chunk in zip(table["model"], table["chunk"], strict=True)
    }


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


def read_subsets(study: Study, path: str) -> pd.DataFrame:
    """Read a metric's scores of random halves of the occupations, one row per model for detection and half."""
    table = read(path, SUBSETS, allow_empty=True)
    for attribute, part in table.groupby("attribute", sort=False):
        keys = {"model": study.detection.index, "subset": range(part["subset"].max() + 1)}
        csv_tables.check_rows(f"{path}: {attribute}", part, keys)
    return table


def word_scores(table: pd.DataFrame, attribute: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """Select a metric's scores of occupations, (models, occupations) as in `like`; None if there are none."""
    rows = table[(table["attribute"] == attribute) & (table["level"] == WORD) & (table["labels"] == UNLABELLED)]
    if not len(rows):
        return None
    return rows.pivot(index="model", columns="occupation", values="value").reindex_like(like)


def select_word_scores(
    study: Study, by_metric: Mapping[str, pd.DataFrame], modules: Mapping[str, ModuleType]
) -> tuple[dict[str, dict[str, pd.DataFrame]], dict[str, dict[str, pd.DataFrame]]]:
    """Select scores of occupations by attribute and metric: (models of the grid, occupations).

    Returns the scores, signed ones by their absolute value, and the signed scores with their sign; attributes without
    signed scores are left out of the latter.
    """
    words: dict = {attribute: {} for attribute in study.attributes}
    signed: dict = {}
    for attribute in study.attributes:
        like = study.divergence(attribute, "data", study.grid.index)
        for name, table in by_metric.items():
            values = word_scores(table, attribute, like)
            if values is None:
                continue
            is_signed = modules[name].METRIC.range("word", len(study.groups(attribute))).signed
            words[attribute][name] = values.abs() if is_signed else values
            if is_signed:
                signed.setdefault(attribute, {})[name] = values
    return words, signed


def select_set_scores(
    study: Study, by_metric: Mapping[str, pd.DataFrame]
) -> dict[tuple[str, str], dict[str, pd.Series]]:
    """Select absolute set-level scores by (attribute, kind of labels) and metric: (models of the grid,).

    Scores without labels are listed under both kinds. Scores that leak an occupation's own sentences, a control, have
    LEAKING_SUFFIX after the metric's name.
    """
    sets: dict = {(attribute, labels): {} for attribute in study.attributes for labels in (NOISY, IDEAL)}
    for (attribute, labels), scores in sets.items():
        for name, table in by_metric.items():
            rows = table[(table["attribute"] == attribute) & table["labels"].isin([labels, UNLABELLED])]
            for level, suffix in ((SET, ""), (LEAKING, LEAKING_SUFFIX)):
                values = rows[rows["level"] == level].set_index("model")["value"].reindex(study.grid.index)
                if (rows["level"] == level).any():
                    scores[name + suffix] = values.abs()
    return sets
