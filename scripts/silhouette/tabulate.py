"""Tabulate robustness and accuracy with published values (silhouette paper, Tables 1 and 2); summarise each metric."""

from itertools import product

import pandas as pd

from biassay.core import scripts
from biassay.report import curves, rendering
from biassay.report.formatting import metric_label
from biassay.studies.silhouette import findings, tables
from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED

KEYS = ["metric", "bias", "list"]
SCORES = {"accuracy": "accuracy", "AUC": "auc", "robustness (biased model)": "robustness_biased"}


def main(
    pair: str, scores: str, false_positives: str, comparisons: str, published: str,
    robustness: str, accuracy: str, summary: str, page: str,
) -> None:  # fmt: skip
    table, published_scores = tables.read_result(scores, "scores", *tables.ALL_SCORES), tables.read_published(published)
    for score, out in (("robustness", robustness), ("accuracy", accuracy)):
        make_paper_table(table, published_scores, score).to_csv(out, float_format="%.4f")
    lines = summarise(table, tables.read_result(false_positives, "false_positives"))
    lines.to_csv(summary, index=False, float_format="%.4g")
    sections = make_sections(lines, tables.read_result(comparisons, "comparisons"))
    title = f"How many words does a metric need? ({pair})"
    context = {"title": title, "n_shuffles": table["n_shuffles"].max(), "sections": sections}
    rendering.write_page(page, "summary.html", context, package="biassay.studies.silhouette")


def make_paper_table(scores: pd.DataFrame, published: pd.DataFrame, score: str) -> pd.DataFrame:
    """Make Table 1 (`score` robustness) or 2 (accuracy), with one row per metric and columns by bias and list.

    Columns of ours, such as "gender groups, biased", precede the published ones of the same bias and list, such as
    "gender groups, published GloVe". Published values are of other embeddings and cover the paper's metrics and lists.
    """
    ours = scores.melt(KEYS, [name for name in scores if name.startswith(score)], var_name="kind")
    ours["kind"] = ours["kind"].str.removeprefix(score).str.removeprefix("_")
    ours["kind"] = ours["kind"].replace("published_code", "by the published code")
    theirs = published[published["score"] == score].merge(scores[KEYS], on=KEYS)
    theirs = theirs.assign(kind="published " + theirs["model"])[[*KEYS, "kind", "value"]]
    long = pd.concat([ours, theirs])
    order = {key: list(dict.fromkeys(long[key])) for key in ("bias", "list", "kind")}
    wide = long.pivot(index="metric", columns=list(order), values="value").reindex(scores["metric"].unique())
    columns = [column for column in product(*order.values()) if column in wide.columns]
    wide = wide[columns]
    wide.columns = [f"{bias} {kind}, {rest}".removesuffix(", ") for bias, kind, rest in columns]
    wide.insert(0, "relative", scores.groupby("metric")["relative"].any())
    return wide


def summarise(scores: pd.DataFrame, false_positives: pd.DataFrame) -> pd.DataFrame:
    """Summarise each metric, bias and list: scores, words needed and their share, error rates on parts, a sentence."""
    parts = false_positives[(false_positives["share"] < 1) & false_positives["test"].isin([PUBLISHED, REASSIGNED])]
    scores = scores.merge(parts[["metric", "bias", "power", "false_positive_rate"]], "left", ["metric", "bias"])
    names = ["words_needed", "value", "robustness"]
    columns = [*KEYS, "relative", "n_words", *(f"{name}_{model}" for name in names for model in ("biased", "unbiased"))]
    table = scores[[*columns, "accuracy", "auc", "power", "false_positive_rate"]].copy()
    for model in ("biased", "unbiased"):
        table[f"share_needed_{model}"] = table[f"words_needed_{model}"] / table["n_words"]
    table["summary"] = [summarise_row(row) for _, row in scores.iterrows()]
    return table


def summarise_row(row: pd.Series) -> str:
    """Summarise a row of scores in one line."""
    text = findings.SENTENCES.summary(row, curves.describe_scores(row))
    return f"{metric_label(row['metric'], row['relative'])}, {row['bias']}, {row['list']}: {' '.join(text.split())}"


def make_sections(lines: pd.DataFrame, comparisons: pd.DataFrame) -> list[dict]:
    """Return the sections of the page: the leading metrics and the rows of each bias and list."""
    sections = []
    for (bias, list_type), rows in lines.groupby(["bias", "list"], sort=False):
        tests = curves.select_rows(comparisons, bias=bias, list=list_type)
        leaders = {name: findings.find_list_leader(rows, tests, score) for name, score in SCORES.items()}
        leaders = {name: leader for name, leader in leaders.items() if leader}
        section = {"bias": bias, "list": curves.LISTS.get(list_type, list_type), "leaders": leaders}
        sections.append(section | {"rows": rows.to_dict("records")})
    return sections


if __name__ == "__main__":
    scripts.run(main, snakemake)
