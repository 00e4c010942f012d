"""The tables of the study: their columns, and functions that read and check them."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from biassay.core import csv_tables, guard
from biassay.words import files

SCORES = ["set", "attribute", "model", "version", "n_directions", "group_words", "level", "class", "value"]
PAIR_SCORES = ["set", "attribute", "model", "pair", "value"]
SUBSETS = ["set", "attribute", "model", "share", "permutation", "regrouped", "value"]
SHARES = ["set", "attribute", "model", "n_pairs", "share_stereotypical", "low", "high", "mean_difference"]
DIFFERENCES = ["set", "attribute", "model", "pair", "value"]
BIAS = ["set", "attribute", "model", "version", "n_directions", "bias", "is_valid"]
CLASSIFIERS = ["set", "attribute", "model", "version", "n_directions", "recall", "precision", "gap", "is_valid"]
CLASSES = ["set", "attribute", "model", "version", "n_directions", "class", "recall", "gap", "low", "high", "too_small"]
PLAN = ["model", "strength", "repeat", "seed"]
KEYS = {  # tables in which each model of a set has one row for each combination of these columns
    tuple(SCORES): ["attribute", "version", "n_directions", "group_words", "level", "class"],
    tuple(PAIR_SCORES): ["attribute", "pair"],
    tuple(SUBSETS): ["attribute", "share", "permutation", "regrouped"],
    tuple(BIAS): ["attribute", "version", "n_directions"],
    tuple(CLASSIFIERS): ["attribute", "version", "n_directions"],
    tuple(CLASSES): ["attribute", "version", "n_directions", "class"],
}
KINDS = csv_tables.column_types(
    text="set attribute model? version? group_words? level class? classes? name job kind metric ground_truth score "
    "table source? units group occupation group_stereotypical group_antistereotypical stereotypical antistereotypical "
    "masked",
    integer="n_directions? pair n_pairs permutation repeat? n n_texts n_models n_cases n_low_bias n_significant",
    number="value? bias? share? share_stereotypical? low? high? recall? precision? f1? gap? gap_std? strength? "
    "mean_difference? r? p? p_holm? median? lower_quartile? upper_quartile? median_significant? mean? std? "
    "share_undefined? ranking_accuracy? chance? chance_low? chance_high? rank? published? probability",
    boolean="is_valid too_small regrouped signed?",
)
RESULTS = {  # the columns of result tables that other steps read
    "classifiers": "set attribute model version n_directions recall gap is_valid",
    "shares": "set attribute model n_pairs share_stereotypical",
    "by_class": "set attribute version n_directions classes model metric r p",
    "by_pair": "set attribute model metric signed r p",
    "cases": "set attribute model version n_directions group_words metric value bias",
    "correlations": "units set attribute version n_directions group_words classes metric signed n_models median "
    "lower_quartile upper_quartile n_significant",
    "sets": "set attribute version group_words metric n_cases n_models r low high p",
    "ranking": "set attribute version group_words ground_truth score n_models n_pairs ranking_accuracy low high chance "
    "p_holm published",
    "robustness": "set attribute metric regrouped share n_texts n_models mean std",
    "titles": "set attribute metric n_models mean std published",
}
TEXT = ("set", "attribute", "model", "version", "group_words", "level", "class", "name", "job", "kind", "metric")


def read_models(encoded: Iterable[str]) -> pd.DataFrame:
    """Read the language models of the folders `encoded`.

    Returns
    -------
    DataFrame
        One row per model: name, job (the unit in which it was encoded), kind, folder of its vectors, and, for models
        with planted bias, strength, repeat and learned_<attribute>.

    Raises
    ------
    ValueError
        If a name is not a plain file name.
    """
    types, text = KINDS | {"model": "integer?"}, {"name": str, "job": str}
    parts = [csv_tables.read(Path(folder) / "models.csv", "name job kind", types, dtype=text) for folder in encoded]
    for folder, part in zip(encoded, parts, strict=True):
        csv_tables.check_rows(f"{folder}/models.csv", part, {"name": part["name"].unique()})
        for name in part["name"]:
            files.check_name(f"{folder}/models.csv: name", name)
    parts = [part.assign(folder=[Path(folder) / name for name in part["name"]])
             for part, folder in zip(parts, encoded, strict=True)]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def read_table(path: str | Path, columns: Iterable[str], **types: str) -> pd.DataFrame:
    """Read a table of the study; empty texts are "" and empty numbers NaN.

    Parameters
    ----------
    path : str or Path
    columns : iterable of str
        Required columns. In the tables of KEYS, each model must have all rows.
    **types : str
        Columns whose type differs from KINDS, as in `csv_tables.column_types`.
    """
    with guard.reading(path, "table"):
        names = pd.read_csv(path, nrows=0).columns
    empty = {name: [""] for name in names if name not in TEXT}
    options = {"keep_default_na": False, "na_values": empty, "dtype": dict.fromkeys(TEXT, str)}
    # models.csv numbers its models
    own = csv_tables.column_types(text="model", integer="n_directions") if "model" in columns else {}
    table = csv_tables.read(path, columns, KINDS | own | csv_tables.column_types(**types), allow_empty=True, **options)
    if not len(table):
        return table.astype(dict.fromkeys(empty, float))  # so that it can be merged with others
    if keys := KEYS.get(tuple(columns)):
        for name, part in table.groupby("set", sort=False):
            csv_tables.check_grid(f"{path}: {name}", part, "model", part["model"].unique(), keys)
    return table


def read_result(path: str, name: str) -> pd.DataFrame:
    """Read a table of RESULTS; empty names are ""."""
    table = csv_tables.read(path, RESULTS[name].split(), KINDS, allow_empty=True)
    names = [name for name in ("version", "group_words", "classes", "class") if name in table]
    return table.assign(**{name: table[name].astype(object).fillna("") for name in names})


def read_plan(path: str | Path, columns: Iterable[str] = PLAN) -> pd.DataFrame:
    """Read the models with planted bias, numbered from 0, from plan.csv or from the models.csv of the training."""
    types = KINDS | csv_tables.column_types(integer="model seed repeat", number="strength")
    table = csv_tables.read(path, columns, types)
    csv_tables.check_rows(path, table, {"model": range(len(table))})
    return table


def read_pairs(path: str | Path) -> pd.DataFrame:
    """Read pairs of sentences."""
    columns = "attribute group_stereotypical group_antistereotypical stereotypical antistereotypical masked"
    return csv_tables.read(path, columns, KINDS, keep_default_na=False)


def read_ground_truth(path: str) -> pd.DataFrame:
    """Read planted.csv: the probability of each group in each occupation at strength 1."""
    table = csv_tables.read(path, "attribute occupation group probability", KINDS)
    for _, part in table.groupby("attribute"):
        csv_tables.check_grid(path, part, "occupation", part["occupation"].unique(), ["attribute", "group"])
    return table


def read_n_texts(path: str | Path) -> int:
    """Return the number of texts of a set, from its datasheet."""
    table = read_table(path, ["class", "n_texts"])
    totals = table.loc[table["class"] == "", "n_texts"]
    if len(totals) != 1:
        raise ValueError(f"{path}: expected one row with an empty class (all texts), got {len(totals)}")
    return int(totals.iloc[0])


def read_published(path: str, table: str) -> pd.Series:
    """Return the numbers of a table of the paper by source, attribute and score."""
    rows = csv_tables.read(path, "table source attribute score value", KINDS, comment="#").query("table == @table")
    return rows.set_index(["source", "attribute", "score"])["value"]
