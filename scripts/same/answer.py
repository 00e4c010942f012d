"""Answer the study's question: does a metric see the bias that was trained in? Sentences, and tables as HTML."""

from html import escape

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.figures import findings as sentences
from biassay.figures.findings import describe_differences
from biassay.figures.formatting import format_decimal, format_interval, metric_label
from biassay.pages.tables import table
from biassay.studies.same import agreement, tables, titles, verdicts
from biassay.support import logs

GROUND_TRUTHS = {
    "signed": "Which way, and how far: scores with p, the share of male pronouns",
    "unsigned": "How far, either way: scores with |0.5 − p|",
}
LINES = ["metric", "difference between repeats", "change on half of the occupations",
         "sets: R² with mean, std, Σ|0.5 − p|"]  # fmt: skip
AGAINST = {"mean": "the mean", "std": "the standard deviation", "absolute": "Σ|0.5 − p|"}
BODY = """<p>{min_r2}</p>{words} <h3>Chance, and scores of sets</h3>{sets} {lines} <h3>How to read this</h3> <p>R² is
the squared Pearson correlation of the scores of a model's occupations with the share of male pronouns that it was
trained on, and with those that it gives by unmasking; the mean over kept models, with the 95 % bootstrap interval, for
which distributions are drawn as wholes. Scores with a sign enter the second table by their absolute value. Metrics are
compared within a table: the signs of the differences of R² between two metrics are turned for distributions as wholes
(a paired permutation test), and the p-values corrected by Holm for the pairs of a table. The bar is the share of the
ceiling, what unmasking reaches on the same ground truth. Seen: models with p &lt; .05 (and r &gt; 0, of metrics with a
sign).</p> <p>Repeats are models trained on the same probabilities; smaller is better, as on half of the occupations,
where the change is a share of the metric's range. Sets: one score a model, of all occupations, with what unmasking says
of them; scores with a sign enter standard deviation and sum by their absolute value; * p &lt; .05 of Pearson's test
after Holm's correction. Two metrics are compared by exchanging their scores in whole distributions. Published figures
are of BERT-base and 330 models: something else than what was measured here.</p>"""


def main(
    models: str, correlations: str, summary: str, comparisons: str, angles: str, sets: str, set_comparisons: str,
    retraining_variability: str, subsampling_variability: str, effect_size: str, min_r2: float, page_out: str, findings_out: str,
) -> None:  # fmt: skip
    paths = {"correlations": correlations, "summary": summary, "comparisons": comparisons, "angles": angles,
             "sets": sets, "set_comparisons": set_comparisons, "retraining_variability": retraining_variability, "subsampling_variability": subsampling_variability,
             "effect_size": effect_size}  # fmt: skip
    found = {name: tables.result(path, name) for name, path in paths.items()}
    body = page(tables.read(models, tables.MODELS), min_r2, found)
    sentences.write_findings([*verdicts.verdicts(found), *titles.titles(found)], findings_out)
    with open(page_out, "w", encoding="utf-8") as file:
        file.write(body)


def page(models: pd.DataFrame, min_r2: float, found: dict[str, pd.DataFrame]) -> str:
    """The answer in full: which models were kept, and the tables with what the tests say of them."""
    of_chance = {
        name: found[name].set_index("metric") for name in ("retraining_variability", "subsampling_variability")
    }
    names = dict.fromkeys(
        pd.concat(found[name]["metric"] for name in ("subsampling_variability", "sets", "retraining_variability"))
    )
    said = said_of_sets(found["sets"], found["set_comparisons"])
    return BODY.format(
        min_r2=kept(models, min_r2),
        words="".join(section(ground_truth, found["summary"], found["comparisons"]) for ground_truth in GROUND_TRUTHS),
        sets="".join(f"<p>{escape(sentence)}</p>" for sentence in said),
        lines=table(LINES, [line(name, of_chance, found["sets"]) for name in names]),
    )


def kept(models: pd.DataFrame, min_r2: float) -> str:
    """How many models passed the gate."""
    passed = models["learned"].sum()
    return (
        f"{passed} of {len(models)} models have learned their bias (R² of unmasking and training bias at least "
        f"{format_decimal(min_r2)}) and are kept, {len(models) - passed} failed. R² over all models: median "
        f"{format_decimal(models['r2'].median())}, least {format_decimal(models['r2'].min())}."
    )


def section(ground_truth: str, summary: pd.DataFrame, comparisons: pd.DataFrame) -> str:
    """What words' scores see of one ground truth: the sentence, and a table with a row a metric."""
    rows = curves.select_rows(summary, ground_truth=ground_truth)
    found = {bias: curves.select_rows(rows, against=bias).set_index("metric") for bias in ("training", "unmasking")}
    lines = []
    for metric in rows["metric"].unique():
        name = verdicts.named(ground_truth, metric, curves.select_rows(rows, metric=metric)["signed"].iloc[0])
        cells = [escape(name), *(words(of_bias, metric) for of_bias in found.values())]
        lines.append([*cells, seen(found["training"], metric)])
    return (
        f"<h3>{GROUND_TRUTHS[ground_truth]}</h3><p>{escape(verdicts.words(summary, comparisons, ground_truth))}</p>"
        + table(["metric", "R² with the bias trained on", "R² with unmasking bias", "seen in"], lines)
    )


def said_of_sets(sets: pd.DataFrame, tests: pd.DataFrame) -> list[str]:
    """A sentence a figure of the occupations: which metrics' scores of sets follow it more than which."""
    return [
        f"With {name}: " + describe_differences(
            curves.select_rows(tests, against=against),
            {row["metric"]: verdicts.named(row["ground_truth"], row["metric"], row["signed"])
             for _, row in curves.select_rows(sets, against=against).iterrows()},
        )
        for against, name in AGAINST.items()
    ]  # fmt: skip


def line(metric: str, found: dict[str, pd.DataFrame], sets: pd.DataFrame) -> list[str]:
    """A row of the table of chance and sets."""
    cells = [escape(metric_label(metric))]
    cells += [
        value(found["retraining_variability"], metric, "difference", 3),
        value(found["subsampling_variability"], metric, "deviation", 4),
    ]
    rows = sets[sets["metric"] == metric]
    texts = [format_decimal(row["r2"]) + "*" * int(row["p_holm"] < agreement.LEVEL) for _, row in rows.iterrows()]
    return [*cells, ", ".join(texts) or "–"]


def words(of_bias: pd.DataFrame, metric: str) -> str:
    """Mean R² with its interval, and a bar of its share of the ceiling."""
    if metric not in of_bias.index or np.isnan(of_bias.loc[metric, "r2_mean"]):
        return "–"
    row = of_bias.loc[metric]
    text = format_decimal(row["r2_mean"]) + format_interval(row)
    if row["share_of_upper_bound"] > 0:
        text += f"<div class='bar'><div style='width:{100 * min(row['share'], 1):.0f}%'></div></div>"
        text += f"<small>{100 * row['share']:.0f} % of the ceiling</small>" if metric != agreement.UNMASKING else ""
    if np.isfinite(row["published"]):
        text += f"<small>published about {format_decimal(row['published'])}</small>"
    return text


def seen(of_bias: pd.DataFrame, metric: str) -> str:
    if metric not in of_bias.index or not of_bias.loc[metric, "models"]:
        return "–"
    row = of_bias.loc[metric]
    return f"{row['seen'] * row['models']:.0f} of {row['models']} models"


def value(found: pd.DataFrame, metric: str, column: str, digits: int) -> str:
    """A figure of T2 or T3, and the published one; what is wrong where there is none."""
    if metric not in found.index:
        return "–"
    row = found.loc[metric]
    if np.isnan(row[column]):
        note = row.get("note")
        return escape(note) if isinstance(note, str) else "–"
    relative = "<small>relative to the largest value</small>" if row.get("relative", False) else ""
    return f"{format_decimal(row[column], digits)}{relative}{published(row, digits)}"


def published(row: pd.Series, digits: int) -> str:
    known = np.isfinite(row["published"])
    return f"<small>published {format_decimal(row['published'], digits)}</small>" if known else ""


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        correlations=snakemake.input.correlations,
        summary=snakemake.input.summary,
        comparisons=snakemake.input.comparisons,
        angles=snakemake.input.angles,
        sets=snakemake.input.sets,
        set_comparisons=snakemake.input.set_comparisons,
        retraining_variability=snakemake.input.retraining_variability,
        subsampling_variability=snakemake.input.subsampling_variability,
        effect_size=snakemake.input.effect_size,
        min_r2=snakemake.params.min_r2,
        page_out=snakemake.output.page,
        findings_out=snakemake.output.findings,
    )
