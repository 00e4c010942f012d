"""Tables 1 and 2 of the silhouette paper, beside the published figures, and a line a metric that sums it up."""

from html import escape
from itertools import product

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.figures.formatting import format_decimal, format_number, metric_label
from biassay.studies.silhouette import ranking, tables
from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED
from biassay.support import logs

KEYS = ["metric", "bias", "list"]
SCORES = {
    "accurate": "accuracy",
    "surely separating": "auc",
    "robust on the biased model": "robustness_biased",
}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Bias silhouettes, {pair}</title>
<style>body{{font-family:sans-serif;margin:2em;max-width:85em;line-height:1.4}} .name{{min-width:11em;font-weight:bold}}
h2{{font-size:1.1em;margin:1.8em 0 .3em}} table{{border-collapse:collapse}} td{{padding:.25em .8em .25em
0;border-bottom:1px solid #ddd;vertical-align:top}} .bar{{width:7em;height:.6em;background:#eee;margin-top:.35em}} .bar
div{{height:100%;background:#b2182b}} </style></head><body><h1>How many words does a metric need? ({pair})</h1> <p>The
words of a list were taken in {shuffles} random orders. A line says from how many words on 95 % of the shuffles come
within 5 % of the value that all words give, on the biased model (the bar: their share of all words) and on the unbiased
one, where values are near that of no bias, so that 5 % of them is little. Robustness, on the biased / unbiased model: 1
if the order makes no difference. Accuracy: .5 if both models come out alike, above if the biased one is farther from no
bias, as a share of the metric's range. Separation: the chance that some words of a list give a value farther from no
bias on the biased model than as many words do on the unbiased one. Relative metrics have no bounds; their scores refer
to their largest value and compare with no other metric's. RIPA takes the principal component of the groups, RIPA
(pairs) raw differences of pairs. Bias found: in how many of the random parts of the lists a test at 5 % concludes bias
on the biased model, and, by false positive, on the unbiased one (false_positives.csv). A metric is ahead of another
where a paired test of the orders says so (comparisons.csv, p ≤ .05 after Holm's correction for the tests of a list; of
robustness, how steady an order is) and two decimals show it: for other orders of these words in these models, not for
other models.</p> {sections}</body></html>
"""


def main(
    pair: str, scores: str, false_positives: str, comparisons: str, published: str,
    robustness: str, accuracy: str, summary: str, page: str,
) -> None:  # fmt: skip
    table, printed = tables.result(scores, "scores", *tables.WHOLE), tables.printed(published)
    for score, out in (("robustness", robustness), ("accuracy", accuracy)):
        paper_table(table, printed, score).to_csv(out, float_format="%.4f")
    lines = summarise(with_false_positives(table, tables.result(false_positives, "false_positives")))
    lines.to_csv(summary, index=False, float_format="%.4g")
    with open(page, "w", encoding="utf-8") as file:
        file.write(render(pair, table, lines, tables.result(comparisons, "comparisons")))


def paper_table(scores: pd.DataFrame, published: pd.DataFrame, score: str) -> pd.DataFrame:
    """Table 1 (`score` robustness) or 2 (accuracy): a row a metric, columns by bias and list.

    A column ours, as "gender groups, biased", is followed by those published for the same bias and list, as "gender
    groups, published GloVe": of other embeddings, thus empty but for the metrics and lists of the paper.
    """
    ours = scores.melt(KEYS, [name for name in scores if name.startswith(score)], var_name="kind")
    ours["kind"] = ours["kind"].str.removeprefix(score).str.removeprefix("_")
    ours["kind"] = ours["kind"].replace("published_code", "by the published code")
    printed = published[published["score"] == score].merge(scores[KEYS], on=KEYS)
    printed = printed.assign(kind="published " + printed["model"])[[*KEYS, "kind", "value"]]
    long = pd.concat([ours, printed])
    shuffle = {key: list(dict.fromkeys(long[key])) for key in ("bias", "list", "kind")}
    wide = long.pivot(index="metric", columns=list(shuffle), values="value").reindex(scores["metric"].unique())
    columns = [column for column in product(*shuffle.values()) if column in wide.columns]
    wide = wide[columns]
    wide.columns = [f"{bias} {kind}, {rest}".removesuffix(", ") for bias, kind, rest in columns]
    wide.insert(0, "relative", scores.groupby("metric")["relative"].any())
    return wide


def with_false_positives(scores: pd.DataFrame, false_positives: pd.DataFrame) -> pd.DataFrame:
    """Scores with the shares of the parts of the lists on which a metric's permutation test concludes bias."""
    parts = false_positives[(false_positives["share"] < 1) & false_positives["test"].isin([PUBLISHED, REASSIGNED])]
    return scores.merge(parts[["metric", "bias", "power", "false_positive_rate"]], "left", ["metric", "bias"])


def summarise(scores: pd.DataFrame) -> pd.DataFrame:
    """A row a metric, bias and list: scores, words needed, their share of all words, and a sentence."""
    kept = ["words_needed", "value", "robustness"]
    columns = [*KEYS, "relative", "n_words", *(f"{name}_{model}" for name in kept for model in ("biased", "unbiased"))]
    table = scores[[*columns, "accuracy", "auc", "power", "false_positive_rate"]].copy()
    for model in ("biased", "unbiased"):
        table[f"share_needed_{model}"] = table[f"words_needed_{model}"] / table["n_words"]
    table["summary"] = [sentence(row) for _, row in scores.iterrows()]
    return table


def sentence(row: pd.Series) -> str:
    """What a row of scores.csv says, in a line."""
    names = f"{metric_label(row['metric'], row['relative'])}, {row['bias']}, {row['list']}"
    words, least, value = (row[name] for name in ("n_words", "words_needed_biased", "value_biased"))
    near = f"95 % of the shuffles come within 5 % of its value ({format_number(value)})"
    if np.isnan(value):
        biased = "no value"
    elif np.isnan(least):
        biased = near.replace("95 %", "never do 95 %", 1)
    else:
        biased = (
            f"from {least:.0f} of {words} words on, " if least < words else f"only with all {words} words "
        ) + near
    power, false_positives = (100 * row[name] for name in ("power", "false_positive_rate"))
    found = "" if np.isnan(power) else f"; bias found {power:.0f} % / {false_positives:.0f} %"
    return f"{names}: {biased}; {unbiased(row)}; {curves.describe_scores(row)}{found}"


def unbiased(row: pd.Series) -> str:
    """From how many words on they do so on the unbiased model."""
    words, least, value = (row[name] for name in ("n_words", "words_needed_unbiased", "value_unbiased"))
    if np.isnan(value):
        return "no value on the unbiased model"
    when = "never" if np.isnan(least) else f"from {least:.0f} on" if least < words else "only with all"
    return f"on the unbiased model {when} ({format_number(value)})"


def render(pair: str, scores: pd.DataFrame, lines: pd.DataFrame, comparisons: pd.DataFrame) -> str:
    """The summary as a page: a section a bias and list, opened by the most accurate and the most robust metric."""
    sections = []
    for (bias, kind), rows in lines.groupby(["bias", "list"], sort=False):
        tests = curves.select_rows(comparisons, bias=bias, list=kind)
        heading = f"{bias}, {curves.LISTS.get(kind, kind)}, {rows['n_words'].iloc[0]} words"
        sections.append(f"<h2>{escape(heading.capitalize())}</h2><p>{escape(best(rows, tests))}</p>")
        sections.append(f"<table>{''.join(line(row) for _, row in rows.iterrows())}</table>")
    return PAGE.format(pair=escape(pair), shuffles=scores["n_shuffles"].max(), sections="".join(sections))


def best(rows: pd.DataFrame, tests: pd.DataFrame) -> str:
    """Which of the metrics with bounds comes first, by score, and which others the tests do not tell from it."""
    said = []
    for name, score in SCORES.items():
        found = ranking.first(rows, tests, score)
        if found:
            metric, value, same, others = found
            rest = ranking.told(same, others)
            said.append(f"Most {name}: {metric_label(metric)} ({format_decimal(value)}){rest}.")
    return " ".join(said)


def line(row: pd.Series) -> str:
    """A line of the page: the metric, a bar of the share of words that it needs, what is to be said."""
    said = row["summary"].split(": ", 1)[1]
    metric = metric_label(row["metric"], row["relative"])
    share = row["share_needed_biased"]
    filled = "" if np.isnan(share) else f'<div class="bar"><div style="width:{100 * share:.0f}%"></div></div>'
    return f"<tr><td class='name'>{escape(metric)}</td><td>{filled}</td><td>{escape(said)}</td></tr>"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        pair=snakemake.wildcards.pair,
        scores=snakemake.input.scores,
        false_positives=snakemake.input.false_positives,
        comparisons=snakemake.input.comparisons,
        published=snakemake.input.published,
        robustness=snakemake.output.robustness,
        accuracy=snakemake.output.accuracy,
        summary=snakemake.output.summary,
        page=snakemake.output.page,
    )
