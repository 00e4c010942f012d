"""The cells of the board, from the tables of the studies: one function per study."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.core import csv_tables

DOWNSTREAM, PLANTED = "downstream", "planted"
PLANTED_TEXT = "planted in generated text"
PROPERTIES = {
    "comparable": "comparable",
    "trustworthy": "trustworthy",
    "skew": "skew_sensitive",
    "stereotype": "stereotype_sensitive",
}
VERDICTS = {"yes": 1.0, "conditional": 0.5, "no": 0.0}
INTERVAL = "95 % of the shuffles"  # a test of the silhouette study that belongs to no metric
STATISTICS = {"labor": "labor", "census": "census", "planted": "planted_words"}
SHARED = "gender"  # the attribute that metrics of two groups measure too
UNBOUNDED, MODELS = "the metric is unbounded", "language models"
READ = {  # columns of the studies' tables
    "first_order": {"correlations": "corpus method word_list statistics n spearman"},
    "silhouette": {
        "scores": "metric relative accuracy auc robustness_biased words_needed_biased n_shuffles",
        "false_positives": "metric bias share test false_positive_rate false_positive_rate_low "
        "false_positive_rate_high n_unbiased power power_low power_high n_biased",
    },
    "same": {
        "tables/summary": "metric ground_truth against r2_mean low high models upper_bound",
        "tables/sets": "metric against r2 low high n",
        "tables/retraining_variability": "metric difference low high",
        "tables/subsampling_variability": "metric deviation low high relative",
    },
    "intrinsic": {
        "tables/words": "attribute first second r_mean low high models n",
        "tables/retraining_variability": "attribute metric sign_flip_rate distributions",
        "tables/min_detectable_effect": "attribute metric strength max_detection_rate",
    },
    "downstream": {"tables/ranking": "attribute ground_truth score ranking_accuracy chance_low chance_high n_models"},
    "properties": {"properties": "metric level n_groups property verdict reason n_evaluations"},
    "seeds": {"scores": "metric quantity std n_seeds"},
    "board": {"milliseconds": "metric level median low high repeats"},
}
KINDS = csv_tables.column_types(text="metric score", boolean="relative")
Tables = Mapping[str, pd.DataFrame]


class Cell(NamedTuple):
    """A value of a metric by a criterion with its interval, its n and the unit of n, and a note."""

    metric: str
    criterion: str
    value: float = np.nan
    low: float = np.nan
    high: float = np.nan
    n: int = 0
    unit: str = ""
    note: str = ""


def read_table(study: str, name: str, path: str) -> pd.DataFrame:
    """Read a table of a study; `name` is its path below results/<study>/ without .csv."""
    return csv_tables.read(path, READ[study][name], KINDS, allow_empty=True)


def make_cells(study: str, tables: Tables) -> pd.DataFrame:
    """Return the cells of a study; `tables` by path below results/<study>/ without .csv."""
    return pd.DataFrame(SOURCES[study](tables), columns=list(Cell._fields))


def first_order(tables: Tables) -> Iterator[Cell]:
    """Yield correlations with occupation statistics on the first corpus, over embeddings."""
    table = tables["correlations"]
    corpus = table["corpus"].iloc[0]
    table = table[table["corpus"] == corpus]
    is_generated = (table["statistics"] == "planted").any()
    for (metric, statistics), part in table.groupby(["method", "statistics"], sort=False):
        if statistics in STATISTICS:
            note = f"{_count(part['spearman'], 'embedding')} of the corpus {corpus}"
            note += f"; {PLANTED_TEXT}" if is_generated and statistics != "planted" else ""
            n = part["n"].fillna(0).max()
            yield Cell(metric, STATISTICS[statistics], *_cases(part["spearman"]), int(n), "occupations", note)


def silhouette(tables: Tables) -> Iterator[Cell]:
    """Yield scores over biases and lists, and error rates of a metric's test on part of the words."""
    columns = {"accuracy": "accuracy", "auc": "auc", "robustness_biased": "robustness",
               "words_needed_biased": "words_needed"}  # fmt: skip
    for metric, part in tables["scores"].groupby("metric", sort=False):
        for column, criterion in columns.items():
            if criterion == "robustness" and part["relative"].astype(bool).all():
                yield Cell(metric, criterion, note=UNBOUNDED)
                continue
            note = _count(part[column], "case") + ": biases and lists"
            yield Cell(metric, criterion, *_cases(part[column]), int(part["n_shuffles"].max()), "shuffles", note)
    tests = tables["false_positives"]
    tests = tests[(tests["bias"] == "all") & (tests["share"] < 1) & (tests["test"] != INTERVAL)]
    for _, row in tests.drop_duplicates("metric").iterrows():
        for rate, model in (("false_positive_rate", "unbiased"), ("power", "biased")):
            values = row[[rate, f"{rate}_low", f"{rate}_high"]]
            yield Cell(row["metric"], rate, *values, int(row[f"n_{model}"]), "tests", row["test"])


def same(tables: Tables) -> Iterator[Cell]:
    """Yield R² of words and sets with the planted bias, retraining variability and subsampling variability."""
    summary, sets = tables["tables/summary"], tables["tables/sets"]
    for row in summary[(summary["against"] == "training") & (summary["metric"] != "unmasking")].itertuples():
        note = f"upper bound by unmasking: {row.upper_bound:.2f}" if np.isfinite(row.upper_bound) else ""
        yield Cell(row.metric, row.ground_truth, row.r2_mean, row.low, row.high, row.models, MODELS, note)
    for row in sets[sets["against"] == "absolute"].itertuples():
        yield Cell(row.metric, "sets", row.r2, row.low, row.high, row.n, MODELS, "Σ|0.5 − p| by unmasking")
    for _, row in tables["tables/retraining_variability"].iterrows():
        note = row["note"] if isinstance(row.get("note"), str) else ""
        yield _variability(row, "retraining_variability", row["difference"], note)
    for _, row in tables["tables/subsampling_variability"].iterrows():
        value, note = (np.nan, UNBOUNDED) if row["relative"] else (row["deviation"], "")
        yield _variability(row, "subsampling_variability", value, note)


def intrinsic(tables: Tables) -> Iterator[Cell]:
    """Yield correlations of words with planted bias by attribute, sign-flip rates and minimum detectable effects."""
    references = ("data", "unmasking")
    words = tables["tables/words"]
    words = words[(words["first"] == "data") & ~words["second"].isin(references)]
    for row in words[words["attribute"].isin(["gender", "ethnicity", "religion"])].itertuples():
        note = f"{row.n} occupations per model"
        yield Cell(row.second, f"groups_{row.attribute}", row.r_mean, row.low, row.high, row.models, MODELS, note)
    signs, effects = (
        table[(table["attribute"] == SHARED) & ~table["metric"].isin(references)]
        for table in (tables["tables/retraining_variability"], tables["tables/min_detectable_effect"])
    )
    for row in signs.itertuples():
        rate = row.sign_flip_rate
        yield Cell(row.metric, "sign_flip_rate", rate, n=row.distributions, unit="distributions", note=SHARED)
    for row in effects.itertuples():
        note = SHARED if np.isfinite(row.strength) else "it detects gender bias of no strength"
        note += f"; maximum detection rate {row.max_detection_rate:.2f}"
        yield Cell(row.metric, "min_detectable_effect", row.strength, n=1, unit="attribute", note=note)


def downstream(tables: Tables) -> Iterator[Cell]:
    """Yield pairwise ranking accuracies, over sets of texts and pairs, debiased or not."""
    table = tables["tables/ranking"]
    table = table[(table["attribute"] == SHARED) & (table["score"] != DOWNSTREAM)]
    for (metric, ground_truth), part in table.groupby(["score", "ground_truth"], sort=False):
        criterion = "ranking_planted" if ground_truth == PLANTED else "ranking"
        note = f"{_count(part['ranking_accuracy'], 'case')} of sets and debiasing; {SHARED}"
        low, high = part["chance_low"].mean(), part["chance_high"].mean()
        note += f"; middle 95 % of chance, mean: {low:.2f} to {high:.2f}" if np.isfinite([low, high]).all() else ""
        yield Cell(metric, criterion, *_cases(part["ranking_accuracy"]), int(part["n_models"].max()), MODELS, note)


def properties(tables: Tables) -> Iterator[Cell]:
    """Yield the worst verdict over a metric's levels and numbers of groups, by property."""
    for (metric, name), part in tables["properties"].groupby(["metric", "property"], sort=False):
        values = part["verdict"].map(VERDICTS)
        if values.isna().all():
            yield Cell(metric, PROPERTIES[name], note=part["reason"].iloc[0])
            continue
        worst = part.loc[values.idxmin()]
        note = f"{worst['level']} level, {worst['n_groups']} groups: {worst['reason']}"
        n = int(part["n_evaluations"].sum())
        yield Cell(metric, PROPERTIES[name], values.min(), n=n, unit="evaluations", note=note)


def seeds(tables: Tables) -> Iterator[Cell]:
    """Yield the standard deviation of the silhouette study's accuracy between seeds."""
    table = tables["scores"]
    for metric, part in table[table["quantity"] == "accuracy"].groupby("metric", sort=False):
        n, note = int(part["n_seeds"].max()), _count(part["std"], "case")
        yield Cell(metric, "seeds", *_cases(part["std"]), n, "seeds", note)


def board(tables: Tables) -> Iterator[Cell]:
    """Yield milliseconds per value."""
    for row in tables["milliseconds"].itertuples():
        yield Cell(row.metric, "milliseconds", row.median, row.low, row.high, row.repeats, "repeats", row.level)


SOURCES: dict[str, Callable[[Tables], Iterator[Cell]]] = {
    source.__name__: source
    for source in (first_order, silhouette, same, intrinsic, downstream, properties, seeds, board)
}


def _variability(row: pd.Series, criterion: str, value: float, note: str) -> Cell:
    low, high = (row["low"], row["high"]) if np.isfinite(value) else (np.nan, np.nan)
    n = next((int(row[name]) for name in ("models", "distributions", "pairs") if name in row), 0)
    return Cell(row["metric"], criterion, value, low, high, n, MODELS, note)


def _cases(values: pd.Series) -> tuple[float, float, float]:
    """Return mean, minimum and maximum of the cases with a value."""
    return values.mean(), values.min(), values.max()


def _count(values: pd.Series, noun: str) -> str:
    n = int(values.notna().sum())
    missing = f" ({len(values) - n} without a value)" if n < len(values) else ""
    return f"{n} {noun}{'s' * (n != 1)}{missing}"
