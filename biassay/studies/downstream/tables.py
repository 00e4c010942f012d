"""The tables of the study: columns, the models, and scores read and checked."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from biassay.support import guard
from biassay.support import csv_tables
from biassay.words import files

SCORES = ["set", "attribute", "model", "version", "k", "terms", "level", "class", "value"]
SAMPLES = ["set", "attribute", "model", "pair", "value"]
SUBSETS = ["set", "attribute", "model", "share", "permutation", "regrouped", "value"]
PAIRS = ["set", "attribute", "model", "pairs", "share", "low", "high", "mean_difference"]
DIFFERENCES = ["set", "attribute", "model", "pair", "value"]
BIAS = ["set", "attribute", "model", "version", "k", "bias", "counts"]
CLASSIFIERS = ["set", "attribute", "model", "version", "k", "recall", "precision", "gap", "counts"]
CLASSES = ["set", "attribute", "model", "version", "k", "class", "recall", "gap", "low", "high", "too_small"]
PLAN = ["model", "strength", "repeat", "seed"]
KEYS = {  # of tables that have, of a set, a row of each model for all that these columns say
    tuple(SCORES): ["attribute", "version", "k", "terms", "level", "class"],
    tuple(SAMPLES): ["attribute", "pair"],
    tuple(SUBSETS): ["attribute", "share", "permutation", "regrouped"],
    tuple(BIAS): ["attribute", "version", "k"],
    tuple(CLASSIFIERS): ["attribute", "version", "k"],
    tuple(CLASSES): ["attribute", "version", "k", "class"],
}
KINDS = csv_tables.column_types(
    text="set attribute model? version? terms? level class? classes? name unit kind metric ground_truth score table "
    "source? "
    "over group occupation group_stereotypical group_antistereotypical stereotypical antistereotypical masked",
    integer="k? pair pairs permutation repeat? n models cases fewer significant",
    number="value? bias? share? low? high? recall? precision? f1? gap? spread? strength? mean_difference? r? p? "
    "p_holm? median? lower? upper? median_significant? mean? std? undefined? accuracy? chance? "
    "chance_low? chance_high? rank? published? probability",
    boolean="counts too_small regrouped signed?",
)
RESULTS = {  # what is read of the tables of results, by name
    "classifiers": "set attribute model version k recall gap counts",
    "shares": "set attribute model pairs share",
    "by_class": "set attribute version k classes model metric r p",
    "by_pair": "set attribute model metric signed r p",
    "cases": "set attribute model version k terms metric value bias",
    "correlations": "over set attribute version k terms classes metric signed models median lower upper significant",
    "sets": "set attribute version terms metric cases models r low high p",
    "ranking": "set attribute version terms ground_truth score models pairs accuracy low high chance p_holm published",
    "robustness": "set attribute metric regrouped share texts models mean std",
    "titles": "set attribute metric models mean std published",
}
TEXT = ("set", "attribute", "model", "version", "terms", "level", "class", "name", "unit", "kind", "metric")


def models(encoded: Iterable[str]) -> pd.DataFrame:
    """All models, a row each: name, unit (what they were encoded with), kind, the folder of their vectors, and, of
    those with planted bias, strength, repeat and what they learned. Raises ValueError for a name that leads elsewhere.
    """
    read, known, text = csv_tables.read, KINDS | {"model": "integer?"}, {"name": str, "unit": str}
    parts = [read(Path(folder) / "models.csv", "name unit kind", known, dtype=text) for folder in encoded]
    for folder, part in zip(encoded, parts, strict=True):
        csv_tables.check_rows(f"{folder}/models.csv", part, {"name": part["name"].unique()})
        for name in part["name"]:
            files.check_name(f"{folder}/models.csv: name", name)
    parts = [part.assign(folder=[Path(folder) / name for name in part["name"]])
             for part, folder in zip(parts, encoded, strict=True)]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def read(path: str | Path, columns: Iterable[str], **kinds: str) -> pd.DataFrame:
    """Read a table with these columns, as `support.csv_tables.read` does, with empty texts as "" and empty numbers as NaN.

    kinds: of columns that are of another kind in other tables. Of the tables of KEYS, every model has a row for all
    that its keys say.
    """
    with guard.reading(path, "table"):
        names = pd.read_csv(path, nrows=0).columns
    empty = {name: [""] for name in names if name not in TEXT}
    options = {"keep_default_na": False, "na_values": empty, "dtype": dict.fromkeys(TEXT, str)}
    keyed = csv_tables.column_types(text="model", integer="k") if "model" in columns else {}  # models.csv has one of numbers
    table = csv_tables.read(path, columns, KINDS | keyed | csv_tables.column_types(**kinds), allow_empty=True, **options)
    if not len(table):
        return table.astype(dict.fromkeys(empty, float))  # so that it can be merged with others
    if keys := KEYS.get(tuple(columns)):
        for name, of in table.groupby("set", sort=False):
            csv_tables.check_grid(f"{path}: {name}", of, "model", of["model"].unique(), keys)
    return table


def result(path: str, name: str) -> pd.DataFrame:
    """Read a table of RESULTS, in which an empty name is ""."""
    known = KINDS | csv_tables.column_types(integer="texts") if name == "robustness" else KINDS
    table = csv_tables.read(path, RESULTS[name].split(), known, allow_empty=True)
    names = [name for name in ("version", "terms", "classes", "class") if name in table]
    return table.assign(**{name: table[name].astype(object).fillna("") for name in names})


def plan(path: str | Path, columns: Iterable[str] = PLAN) -> pd.DataFrame:
    """Read plan.csv, or what became of it: models in which bias is planted, numbered from 0."""
    known = KINDS | csv_tables.column_types(integer="model seed repeat", number="strength")
    table = csv_tables.read(path, columns, known)
    csv_tables.check_rows(path, table, {"model": range(len(table))})
    return table


def pairs(path: str | Path) -> pd.DataFrame:
    """Read pairs of sentences."""
    return csv_tables.read(
        path,
        "attribute group_stereotypical group_antistereotypical stereotypical antistereotypical masked",
        KINDS,
        keep_default_na=False,
    )


def ground_truth(path: str) -> pd.DataFrame:
    """Read planted.csv: what is planted at full strength of each occupation and group."""
    table = csv_tables.read(path, "attribute occupation group probability", KINDS)
    for _, of in table.groupby("attribute"):
        csv_tables.check_grid(path, of, "occupation", of["occupation"].unique(), ["attribute", "group"])
    return table


def texts(path: str | Path) -> int:
    """How many texts there are, by their datasheet."""
    table = read(path, ["class", "texts"], integer="texts")
    of_all = table.loc[table["class"] == "", "texts"]
    if len(of_all) != 1:
        raise ValueError(f"{path}: expected one row with an empty class, of all texts")
    return int(of_all.iloc[0])


def printed(path: str, table: str) -> pd.Series:
    """What the paper prints in one of its tables, by source, attribute and score."""
    rows = csv_tables.read(path, "table source attribute score value", KINDS, comment="#").query("table == @table")
    return rows.set_index(["source", "attribute", "score"])["value"]
