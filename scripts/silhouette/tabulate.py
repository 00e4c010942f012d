"""Tabulate robustness and accuracy with published values (silhouette paper, Tables 1 and 2); summarise each metric."""

from html import escape
from itertools import product

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import curves
from biassay.report.formatting import format_decimal, format_number, metric_label
from biassay.studies.silhouette import tables
from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED
from biassay.studies.silhouette.findings import describe_lead, find_list_leader

KEYS = ["metric", "bias", "list"]
SCORES = {
    "Largest accuracy": "accuracy",
    "Largest AUC": "auc",
    "Largest robustness (biased model)": "robustness_biased",
}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Bias silhouettes, {pair}</title>
<style>body{{font-family:sans-serif;margin:2em;max-width:85em;line-height:1.4}} .name{{min-width:11em;font-weight:bold}}
h2{{font-size:1.1em;margin:1.8em 0 .3em}} table{{border-collapse:collapse}} td{{padding:.25em .8em .25em
0;border-bottom:1px solid #ddd;vertical-align:top}} .bar{{width:7em;height:.6em;background:#eee;margin-top:.35em}} .bar
div{{height:100%;background:#b2182b}} </style></head><body><h1>How many words does a metric need? ({pair})</h1> <p>Each
list is used in {shuffles} random orders (shuffles). A line gives the number of words from which 95 % of the shuffles
are within 5 % of the value for all words, on the biased model (bar: share of all words) and on the unbiased model.
Values on the unbiased model are small, and so is 5 % of them.</p>
<ul><li>Robustness: 1 if the choice of words makes no difference.</li>
<li>Accuracy: 0.5 if the models do not differ; larger if the biased model is farther from the value without bias,
relative to the metric's range.</li>
<li>AUC: the probability that equally many words give a value farther from no bias on the biased model than on the
unbiased one.</li>
<li>Bias found: the share of samples of the words for which a test at 5 % concludes bias on the biased model
(power) / on the unbiased model (false positives); see false_positives.csv.</li>
<li>Relative metrics have no bounds. Their scores refer to their largest value and do not compare with those of other
metrics. RIPA uses the principal component of the groups, RIPA (pairs) raw differences of pairs.</li>
<li>A metric is ahead of another if a paired test is significant (comparisons.csv, p ≤ 0.05 after Holm's correction over
the tests of a list; for robustness, the test of steadiness) and two decimals show the difference. The test is about
other shuffles of these words in these models, not about other models.</li></ul> {sections}</body></html>
"""


def main(
    pair: str, scores: str, false_positives: str, comparisons: str, published: str,
    robustness: str, accuracy: str, summary: str, page: str,
) -> None:  # fmt: skip
    table, published_scores = tables.read_result(scores, "scores", *tables.ALL_SCORES), tables.read_published(published)
    for score, out in (("robustness", robustness), ("accuracy", accuracy)):
        make_paper_table(table, published_scores, score).to_csv(out, float_format="%.4f")
    lines = summarise(add_error_rates(table, tables.read_result(false_positives, "false_positives")))
    lines.to_csv(summary, index=False, float_format="%.4g")
    with open(page, "w", encoding="utf-8") as file:
        file.write(render_page(pair, table, lines, tables.read_result(comparisons, "comparisons")))


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


def add_error_rates(scores: pd.DataFrame, false_positives: pd.DataFrame) -> pd.DataFrame:
    """Add the power and the false-positive rate of each metric's permutation test on parts of the lists."""
    parts = false_positives[(false_positives["share"] < 1) & false_positives["test"].isin([PUBLISHED, REASSIGNED])]
    return scores.merge(parts[["metric", "bias", "power", "false_positive_rate"]], "left", ["metric", "bias"])


def summarise(scores: pd.DataFrame) -> pd.DataFrame:
    """Summarise each metric, bias and list: scores, words needed, their share of all words, and a sentence."""
    names = ["words_needed", "value", "robustness"]
    columns = [*KEYS, "relative", "n_words", *(f"{name}_{model}" for name in names for model in ("biased", "unbiased"))]
    table = scores[[*columns, "accuracy", "auc", "power", "false_positive_rate"]].copy()
    for model in ("biased", "unbiased"):
        table[f"share_needed_{model}"] = table[f"words_needed_{model}"] / table["n_words"]
    table["summary"] = [describe_row(row) for _, row in scores.iterrows()]
    return table


def describe_row(row: pd.Series) -> str:
    """Describe a row of scores.csv in one line."""
    heading = f"{metric_label(row['metric'], row['relative'])}, {row['bias']}, {row['list']}"
    n_words, value = row["n_words"], row["value_biased"]
    needed = describe_words_needed(row["words_needed_biased"], n_words)
    biased = "no value" if np.isnan(value) else f"needs {needed} of {n_words} words (value {format_number(value)})"
    power, false_positives = (100 * row[name] for name in ("power", "false_positive_rate"))
    rates = "" if np.isnan(power) else f"; bias found {power:.0f} % / {false_positives:.0f} %"
    return f"{heading}: {biased}; {describe_unbiased(row)}; {curves.describe_scores(row)}{rates}"


def describe_unbiased(row: pd.Series) -> str:
    """Describe the words needed on the unbiased model."""
    if np.isnan(row["value_unbiased"]):
        return "no value on the unbiased model"
    needed = describe_words_needed(row["words_needed_unbiased"], row["n_words"])
    return f"unbiased model: {needed} (value {format_number(row['value_unbiased'])})"


def describe_words_needed(n_needed: float, n_words: int) -> str:
    """Return the number of words needed, "all", or "more than all" if no number is enough (NaN)."""
    return "more than all" if np.isnan(n_needed) else "all" if n_needed >= n_words else f"{n_needed:.0f}"


def render_page(pair: str, scores: pd.DataFrame, lines: pd.DataFrame, comparisons: pd.DataFrame) -> str:
    """Render the summary as a page: one section per bias and list, which starts with the leading metrics."""
    sections = []
    for (bias, list_type), rows in lines.groupby(["bias", "list"], sort=False):
        tests = curves.select_rows(comparisons, bias=bias, list=list_type)
        heading = f"{bias}, {curves.LISTS.get(list_type, list_type)}, {rows['n_words'].iloc[0]} words"
        sections.append(f"<h2>{escape(heading.capitalize())}</h2><p>{escape(describe_leaders(rows, tests))}</p>")
        sections.append(f"<table>{''.join(render_line(row) for _, row in rows.iterrows())}</table>")
    return PAGE.format(pair=escape(pair), shuffles=scores["n_shuffles"].max(), sections="".join(sections))


def describe_leaders(rows: pd.DataFrame, tests: pd.DataFrame) -> str:
    """Describe the leading bounded metric by each score, and its lead over the others."""
    sentences = []
    for name, score in SCORES.items():
        leader = find_list_leader(rows, tests, score)
        if leader:
            lead = describe_lead(leader)
            sentences.append(f"{name}: {metric_label(leader.metric)} ({format_decimal(leader.value)}){lead}.")
    return " ".join(sentences)


def render_line(row: pd.Series) -> str:
    """Render a line of the page: the metric, a bar for the share of words that it needs, and the summary."""
    summary = row["summary"].split(": ", 1)[1]
    metric = metric_label(row["metric"], row["relative"])
    share = row["share_needed_biased"]
    bar = "" if np.isnan(share) else f'<div class="bar"><div style="width:{100 * share:.0f}%"></div></div>'
    return f"<tr><td class='name'>{escape(metric)}</td><td>{bar}</td><td>{escape(summary)}</td></tr>"


if __name__ == "__main__":
    scripts.run(main, snakemake)
