"""The cells of the board, from the tables of the studies: one function per study."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from biassay.core import csv_tables

COLUMNS = ("metric", "criterion", "value", "low", "high", "n", "unit", "note")
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
Tables = Mapping[str, pd.DataFrame]
READ = {  # columns of the studies' tables
    "first_order": {"correlations": "corpus method word_list statistics n spearman"},
    "silhouette": {
        "scores": "metric relative accuracy auc robustness_biased words_needed_biased n_shuffles",
        "false_positives": "metric bias share test false_positive_rate false_positive_rate_low "
        "false_positive_rate_high n_unbiased power "
        "power_low power_high n_biased",
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
KINDS = csv_tables.column_types(
    text="corpus method word_list statistics metric bias test ground_truth against first second attribute score "
    "property verdict reason quantity level",
    integer="n models n_models n_shuffles n_unbiased n_biased distributions "
    "n_groups n_evaluations n_seeds repeats words_needed_biased?",
    number="spearman? accuracy? ranking_accuracy? auc? robustness_biased? share? false_positive_rate? "
    "false_positive_rate_low? "
    "false_positive_rate_high? power? power_low? power_high? r2_mean? low? high? upper_bound? r2? difference? "
    "deviation? r_mean? "
    "sign_flip_rate? strength? max_detection_rate? chance_low? chance_high? std? median",
    boolean="relative",
)


def read_table(study: str, name: str, path: str) -> pd.DataFrame:
    """Read a table of a study; `name` is its path below results/<study>/ without .csv."""
    return csv_tables.read(path, READ[study][name], KINDS, allow_empty=True)


def make_cells(study: str, tables: Tables) -> pd.DataFrame:
    """Return the cells (COLUMNS) of a study; `tables` by path below results/<study>/ without .csv."""
    rows = SOURCES[study](tables)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def first_order(tables: Tables) -> list[tuple]:
    """Return correlations with occupation statistics on the first corpus, over embeddings."""
    table = tables["correlations"]
    table = table[table["corpus"] == table["corpus"].iloc[0]]
    generated = (table["statistics"] == "planted").any()
    rows = []
    for (metric, statistics), part in table.groupby(["method", "statistics"], sort=False):
        if statistics not in STATISTICS:
            continue
        n = int(part["n"].max()) if part["n"].notna().any() else 0
        note = f"{_count(part['spearman'], 'embedding')} of the corpus {part['corpus'].iloc[0]}"
        note += f"; {PLANTED_TEXT}" if generated and statistics != "planted" else ""
        rows.append((metric, STATISTICS[statistics], *_cases(part["spearman"]), n, "occupations", note))
    return rows


def silhouette(tables: Tables) -> list[tuple]:
    """Return scores over biases and lists, and error rates of a metric's test on part of the words."""
    rows = []
    scores, false_positives = tables["scores"], tables["false_positives"]
    columns = {"accuracy": "accuracy", "auc": "auc", "robustness_biased": "robustness",
               "words_needed_biased": "words_needed"}  # fmt: skip
    for metric, part in scores.groupby("metric", sort=False):
        for column, criterion in columns.items():
            note = _count(part[column], "case") + ": biases and lists"
            if column == "robustness_biased" and part["relative"].astype(bool).all():
                rows.append((metric, criterion, *[np.nan] * 3, 0, "", "the metric is unbounded"))
                continue
            rows.append((metric, criterion, *_cases(part[column]), int(part["n_shuffles"].max()), "shuffles", note))
    chosen = false_positives[
        (false_positives["bias"] == "all") & (false_positives["share"] < 1) & (false_positives["test"] != INTERVAL)
    ]
    for metric, part in chosen.groupby("metric", sort=False):
        row = part.iloc[0]
        for column, criterion, model in (
            ("false_positive_rate", "false_positive_rate", "unbiased"),
            ("power", "power", "biased"),
        ):
            ends = row[f"{column}_low"], row[f"{column}_high"]
            rows.append((metric, criterion, row[column], *ends, int(row[f"n_{model}"]), "tests", row["test"]))
    return rows


def same(tables: Tables) -> list[tuple]:
    """Return R² of words and sets with the planted bias, retraining variability and subsampling variability."""
    summary, sets = tables["tables/summary"], tables["tables/sets"]
    summary = summary[(summary["against"] == "training") & (summary["metric"] != "unmasking")]
    rows = [(row.metric, row.ground_truth, row.r2_mean, row.low, row.high, row.models, "language models",
             _upper_bound(row.upper_bound)) for row in summary.itertuples()]  # fmt: skip
    rows += [(row.metric, "sets", row.r2, row.low, row.high, row.n, "language models", "Σ|0.5 − p| by unmasking")
             for row in sets[sets["against"] == "absolute"].itertuples()]  # fmt: skip
    variabilities = ((tables["tables/retraining_variability"], "difference", "retraining_variability"),
             (tables["tables/subsampling_variability"], "deviation", "subsampling_variability"))  # fmt: skip
    for table, column, criterion in variabilities:
        for _, row in table.iterrows():
            relative = bool(row.get("relative", False))
            value = np.nan if relative and criterion == "subsampling_variability" else row[column]
            note = "the metric is unbounded" if relative and criterion == "subsampling_variability" else _note(row)
            n = next((int(row[name]) for name in ("models", "distributions", "pairs") if name in row), 0)
            ends = (row["low"], row["high"]) if np.isfinite(value) else (np.nan, np.nan)
            rows.append((row["metric"], criterion, value, *ends, n, "language models", note))
    return rows


def intrinsic(tables: Tables) -> list[tuple]:
    """Return correlations of words with planted bias by attribute, sign-flip rates and minimum detectable effects."""
    words = tables["tables/words"]
    words = words[(words["first"] == "data") & ~words["second"].isin(("data", "unmasking"))]
    rows = [(row.second, f"groups_{row.attribute}", row.r_mean, row.low, row.high, row.models, "language models",
             f"{row.n} occupations per model") for row in words.itertuples()
            if row.attribute in ("gender", "ethnicity", "religion")]  # fmt: skip
    references = ("data", "unmasking")
    for row in _shared(tables["tables/retraining_variability"]).itertuples():
        if row.metric not in references:
            n = row.distributions
            rows.append((row.metric, "sign_flip_rate", row.sign_flip_rate, np.nan, np.nan, n, "distributions", SHARED))
    for row in _shared(tables["tables/min_detectable_effect"]).itertuples():
        if row.metric not in references:
            note = SHARED if np.isfinite(row.strength) else "it detects gender bias of no strength"
            note += f"; maximum detection rate {row.max_detection_rate:.2f}"
            rows.append((row.metric, "min_detectable_effect", row.strength, np.nan, np.nan, 1, "attribute", note))
    return rows


def downstream(tables: Tables) -> list[tuple]:
    """Return pairwise ranking accuracies, over sets of texts and pairs, debiased or not."""
    table, rows = _shared(tables["tables/ranking"]), []
    for (metric, ground_truth), part in table.groupby(["score", "ground_truth"], sort=False):
        if metric == DOWNSTREAM:
            continue
        criterion = "ranking_planted" if ground_truth == PLANTED else "ranking"
        note = f"{_count(part['ranking_accuracy'], 'case')} of sets and debiasing; {SHARED}"
        low, high = part["chance_low"].mean(), part["chance_high"].mean()
        note += f"; middle 95 % of chance, mean: {low:.2f} to {high:.2f}" if np.isfinite([low, high]).all() else ""
        rows.append(
            (metric, criterion, *_cases(part["ranking_accuracy"]), int(part["n_models"].max()), "language models", note)
        )
    return rows


def properties(tables: Tables) -> list[tuple]:
    """Return the worst verdict over a metric's levels and numbers of groups, by property."""
    rows = []
    for (metric, name), part in tables["properties"].groupby(["metric", "property"], sort=False):
        values = part["verdict"].map(VERDICTS)
        if values.isna().all():
            rows.append((metric, PROPERTIES[name], *[np.nan] * 3, 0, "", part["reason"].iloc[0]))
            continue
        worst = part.loc[values.idxmin()]
        n = int(part["n_evaluations"].sum())
        place = f"{worst['level']} level, {worst['n_groups']} groups: {worst['reason']}"
        rows.append((metric, PROPERTIES[name], values.min(), np.nan, np.nan, n, "evaluations", place))
    return rows


def seeds(tables: Tables) -> list[tuple]:
    """Return the standard deviation of the silhouette study's accuracy between seeds."""
    table = tables["scores"]
    rows = []
    for metric, part in table[table["quantity"] == "accuracy"].groupby("metric", sort=False):
        rows.append(
            (metric, "seeds", *_cases(part["std"]), int(part["n_seeds"].max()), "seeds", _count(part["std"], "case"))
        )
    return rows


def board(tables: Tables) -> list[tuple]:
    """Return milliseconds per value."""
    return [(row.metric, "milliseconds", row.median, row.low, row.high, row.repeats, "repeats", row.level)
            for row in tables["milliseconds"].itertuples()]  # fmt: skip


SOURCES: dict[str, Callable[[Tables], list[tuple]]] = {
    "first_order": first_order,
    "silhouette": silhouette,
    "same": same,
    "intrinsic": intrinsic,
    "downstream": downstream,
    "properties": properties,
    "seeds": seeds,
    "board": board,
}


def _shared(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["attribute"] == SHARED]


def _cases(values: pd.Series) -> tuple[float, float, float]:
    """Return mean, minimum and maximum of the cases with a value."""
    values = values.dropna()
    return (values.mean(), values.min(), values.max()) if len(values) else (np.nan, np.nan, np.nan)


def _count(values: pd.Series, noun: str) -> str:
    n = int(values.notna().sum())
    missing = f" ({len(values) - n} without a value)" if n < len(values) else ""
    return f"{n} {noun}{'s' * (n != 1)}{missing}"


def _upper_bound(value: float) -> str:
    return f"upper bound by unmasking: {value:.2f}" if np.isfinite(value) else ""


def _note(row: pd.Series) -> str:
    return row["note"] if isinstance(row.get("note"), str) else ""
