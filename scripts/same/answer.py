"""Write the study's answer page and findings: does a metric follow the trained-in bias?"""

from html import escape

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import curves
from biassay.report.findings import describe_differences, write_findings
from biassay.report.formatting import format_decimal, format_interval, metric_label
from biassay.report.tables import render_table
from biassay.studies.same import agreement, tables, titles, verdicts

HEADINGS = {
    "signed": "Direction and magnitude: scores compared with p, the share of male pronouns",
    "unsigned": "Magnitude only: scores compared with |0.5 − p|",
}
VARIABILITY_HEAD = ["metric", "retraining variability", "subsampling variability",
                    "set level: R² with mean, std, Σ|0.5 − p|"]  # fmt: skip
SUMMARIES = {"mean": "the mean", "std": "the standard deviation", "absolute": "Σ|0.5 − p|"}
BODY = """<p>{learned}</p>{words} <h3>Set level, and variability of scores</h3>{sets} {variability}
<h3>How to read this</h3>
<p>R² is the squared Pearson correlation of the scores of a model's occupations with the share of male pronouns in its
training sentences, or with its unmasking bias. We report the mean over the models that learned their bias, with a 95 %
bootstrap interval over whole distributions. Signed metrics enter the second table by their absolute value. Metrics are
compared within a table by a paired permutation test, which flips the signs of the differences of R² for whole
distributions; p-values are corrected by Holm's method for the pairs of a table. The bar shows R² as a share of the
upper bound, the R² of unmasking with the same ground truth. Significant: models with p &lt; 0.05 and, for signed
metrics, r &gt; 0.</p>
<p>Retraining variability compares models trained on the same probabilities; subsampling variability is the change of
the score on half of the occupations, as a share of the metric's range. Smaller is better for both. At set level, each
model has one score over all occupations, compared with summaries of its unmasking bias; signed metrics are compared
with the standard deviation and the sum by their absolute value; * p &lt; 0.05 by Pearson's test after Holm's
correction. Pairs of metrics are compared by a permutation test that swaps their scores for whole distributions.
Published values are of 330 models of BERT-base, not of the models measured here.</p>"""


def main(
    models: str, correlations: str, summary: str, comparisons: str, angles: str, sets: str, set_comparisons: str,
    retraining_variability: str, subsampling_variability: str, effect_size: str, min_r2: float, page_out: str,
    findings_out: str,
) -> None:  # fmt: skip
    paths = {"correlations": correlations, "summary": summary, "comparisons": comparisons, "angles": angles,
             "sets": sets, "set_comparisons": set_comparisons, "retraining_variability": retraining_variability,
             "subsampling_variability": subsampling_variability, "effect_size": effect_size}  # fmt: skip
    results = {name: tables.read_result(path, name) for name, path in paths.items()}
    body = render_page(tables.read(models, tables.MODELS), min_r2, results)
    write_findings([*verdicts.verdicts(results), *titles.titles(results)], findings_out)
    with open(page_out, "w", encoding="utf-8") as file:
        file.write(body)


def render_page(models: pd.DataFrame, min_r2: float, results: dict[str, pd.DataFrame]) -> str:
    """Render the page: how many models learned their bias, then the tables with the results of the tests."""
    summary, comparisons, sets = results["summary"], results["comparisons"], results["sets"]
    variability = {name: results[name].set_index("metric") for name in ("retraining_variability",
                                                                        "subsampling_variability")}  # fmt: skip
    names = dict.fromkeys(
        pd.concat(results[name]["metric"] for name in ("subsampling_variability", "sets", "retraining_variability"))
    )
    sentences = describe_set_comparisons(sets, results["set_comparisons"])
    return BODY.format(
        learned=describe_learned(models, min_r2),
        words="".join(render_words(ground_truth, summary, comparisons) for ground_truth in HEADINGS),
        sets="".join(f"<p>{escape(sentence)}</p>" for sentence in sentences),
        variability=render_table(VARIABILITY_HEAD, [variability_row(name, variability, sets) for name in names]),
    )


def describe_learned(models: pd.DataFrame, min_r2: float) -> str:
    """Say how many models learned their bias."""
    n_learned = models["learned"].sum()
    return (
        f"{n_learned} of {len(models)} models learned their bias (R² of unmasking with training bias at least "
        f"{format_decimal(min_r2)}) and enter the results; {len(models) - n_learned} did not. R² over all models: "
        f"median {format_decimal(models['r2'].median())}, minimum {format_decimal(models['r2'].min())}."
    )


def render_words(ground_truth: str, summary: pd.DataFrame, comparisons: pd.DataFrame) -> str:
    """Render the section of one ground truth: a sentence, and a table with one row per metric."""
    rows = curves.select_rows(summary, ground_truth=ground_truth)
    by_bias = {bias: curves.select_rows(rows, against=bias).set_index("metric") for bias in ("training", "unmasking")}
    lines = []
    for metric in rows["metric"].unique():
        signed = curves.select_rows(rows, metric=metric)["signed"].iloc[0]
        cells = [escape(verdicts.score_label(ground_truth, metric, signed))]
        cells += [r2_cell(table, metric) for table in by_bias.values()]
        lines.append([*cells, significant_cell(by_bias["training"], metric)])
    sentence = escape(verdicts.describe_words(summary, comparisons, ground_truth))
    head = ["metric", "R² with training bias", "R² with unmasking bias", "significant"]
    return f"<h3>{HEADINGS[ground_truth]}</h3><p>{sentence}</p>{render_table(head, lines)}"


def describe_set_comparisons(sets: pd.DataFrame, tests: pd.DataFrame) -> list[str]:
    """Describe the significant differences between metrics at set level, one sentence per summary of the bias."""
    return [
        f"With {name}: " + describe_differences(
            curves.select_rows(tests, against=against),
            {row["metric"]: verdicts.score_label(row["ground_truth"], row["metric"], row["signed"])
             for _, row in curves.select_rows(sets, against=against).iterrows()},
        )
        for against, name in SUMMARIES.items()
    ]  # fmt: skip


def variability_row(metric: str, variability: dict[str, pd.DataFrame], sets: pd.DataFrame) -> list[str]:
    """Cells of a metric in the table of variability and sets."""
    cells = [
        escape(metric_label(metric)),
        value_cell(variability["retraining_variability"], metric, "difference", 3),
        value_cell(variability["subsampling_variability"], metric, "deviation", 4),
    ]
    rows = sets[sets["metric"] == metric]
    r2 = [format_decimal(row["r2"]) + "*" * int(row["p_holm"] < agreement.LEVEL) for _, row in rows.iterrows()]
    return [*cells, ", ".join(r2) or "–"]


def r2_cell(table: pd.DataFrame, metric: str) -> str:
    """Mean R² with its interval, and a bar for its share of the upper bound."""
    if metric not in table.index or np.isnan(table.loc[metric, "r2_mean"]):
        return "–"
    row = table.loc[metric]
    text, share = format_decimal(row["r2_mean"]) + format_interval(row), row["share_of_upper_bound"]
    if share > 0:
        text += f"<div class='bar'><div style='width:{100 * min(share, 1):.0f}%'></div></div>"
        text += f"<small>{100 * share:.0f} % of the upper bound</small>" if metric != agreement.UNMASKING else ""
    if np.isfinite(row["published"]):
        text += f"<small>published about {format_decimal(row['published'])}</small>"
    return text


def significant_cell(table: pd.DataFrame, metric: str) -> str:
    """Number of models with a significant correlation."""
    if metric not in table.index or not table.loc[metric, "models"]:
        return "–"
    row = table.loc[metric]
    return f"{row['share_significant'] * row['models']:.0f} of {row['models']} models"


def value_cell(table: pd.DataFrame, metric: str, column: str, digits: int) -> str:
    """A value of Table 2 or 3 with the published one, or the note on why it is missing."""
    if metric not in table.index:
        return "–"
    row = table.loc[metric]
    if np.isnan(row[column]):
        note = row.get("note")
        return escape(note) if isinstance(note, str) else "–"
    relative = "<small>relative to the largest value</small>" if row.get("relative", False) else ""
    has_published = np.isfinite(row["published"])
    published = f"<small>published {format_decimal(row['published'], digits)}</small>" if has_published else ""
    return f"{format_decimal(row[column], digits)}{relative}{published}"


if __name__ == "__main__":
    scripts.run(main, snakemake)
