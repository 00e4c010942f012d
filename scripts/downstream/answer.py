"""Answer the study's question: do bias scores predict downstream bias? Sentences, and tables in HTML."""

from html import escape

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import findings
from biassay.report.formatting import format_decimal, format_interval, format_p_value, join_names
from biassay.report.tables import render_table
from biassay.studies.downstream import tables, verdicts
from biassay.studies.downstream import titles as figures
from biassay.studies.downstream.verdicts import label

BODY = """<p>{models}</p>
<h3>Which of two models has more downstream bias?</h3>{downstream}
<h3>Which of two models has more planted bias?</h3>{planted}
<h3>Classifiers and pairs of sentences</h3>{bias}
<h3>Within a model: do scores of classes and pairs agree with their bias?</h3>{within}
<h3>Over models: do scores of all texts or pairs agree with the bias?</h3>{over}
<h3>How many texts are needed?</h3>{robustness}
<h3>Are titles alone enough?</h3>{titles}
<h3>How to read this</h3>
<p>Downstream bias of texts is the mean over classes of the TPR gap: how much more often a classifier finds a class in
texts of one group than of another (with more than two groups, the variance of the rates). Downstream bias of pairs is
the share of pairs whose stereotypical sentence, about the group in question, is more likely. The pairwise ranking
accuracy is the share of pairs of models in which the model with more bias has the larger score; chance is 0.5. For
downstream bias, the pairs consist of a model more than a standard deviation above the mean and one as far below; for
planted bias, of any two models with different strengths. Intervals are 95 % bootstrap intervals over language models
(from five models on). p is from a permutation test of the scores of whole models, with Holm's correction for all rows
of the same kind of bias. Models with planted bias are copies of one model. Classifiers that do not separate the classes
are excluded. Published values are from other models and, except for CrowS-Pairs, other texts.</p>"""


def main(
    models: str, classifiers: str, shares: str, ranking: str, correlations: str, sets: str, robustness: str,
    titles: str, page_out: str, findings_out: str,
) -> None:  # fmt: skip
    paths = {"classifiers": classifiers, "shares": shares, "ranking": ranking, "correlations": correlations,
             "sets": sets, "robustness": robustness, "titles": titles}  # fmt: skip
    results = {name: tables.read_result(path, name) for name, path in paths.items()}
    body = BODY.format(
        models=describe_models(tables.read_table(models, ["name"])),
        downstream=ranking_table(results["ranking"], verdicts.DOWNSTREAM),
        planted=ranking_table(results["ranking"], verdicts.PLANTED),
        bias=classifier_table(results["classifiers"]) + pair_table(results["shares"]),
        within=correlation_table(results["correlations"]),
        over=set_table(results["sets"]),
        robustness=robustness_table(results["robustness"]),
        titles=title_table(results["titles"]),
    )
    findings.write_findings([*verdicts.verdicts(results), *figures.titles(results)], findings_out)
    with open(page_out, "w", encoding="utf-8") as file:
        file.write(body)


def describe_models(models: pd.DataFrame) -> str:
    """Describe how many models there are, and how much planted bias they learned."""
    planted = models[models["strength"].notna()] if "strength" in models else models[:0]
    count = f"{len(models)} language models"
    if not len(planted):
        return f"{count}."
    by_strength = planted.groupby("strength")[[name for name in planted if name.startswith("learned_")]].mean()
    learned = [f"{format_decimal(row.mean())} at strength {strength:g}" for strength, row in by_strength.iterrows()]
    return (
        f"{count}, {len(planted)} of them with planted bias of {len(by_strength)} strengths. Their predictions "
        f"show on average {join_names(learned)} of the bias planted at strength 1."
    )


def ranking_table(table: pd.DataFrame, ground_truth: str) -> str:
    """Return Table 3 behind its verdict: one row per data set and kind of group words, one column per score."""
    verdict = f"<p>{escape(verdicts.describe_ranking(table, ground_truth).sentence)}</p>"
    table = table[(table["ground_truth"] == ground_truth) & (table["version"] != "raw")]
    rows, scores = [], list(dict.fromkeys(table["score"]))
    for (name, attribute, group_words), part in table.groupby(["set", "attribute", "group_words"], sort=False):
        by_score = part.set_index("score")
        cells = [accuracy_cell(by_score.loc[score]) if score in by_score.index else "–" for score in scores]
        debiased = "" if group_words == "raw" else ", group words debiased too"
        rows.append([f"{escape(name)}, {escape(attribute)}{debiased}", str(part["n_pairs"].max()), *cells])
    head = ["set and attribute", "pairs", *(label(score) for score in scores)]
    return verdict + (render_table(head, rows) if rows else "")


def accuracy_cell(row: pd.Series) -> str:
    """Return a ranking accuracy with its interval, its p and the published value."""
    p = f"<small>{format_p_value(row['p_holm'])}</small>" if np.isfinite(row["p_holm"]) else ""
    published = f"<small>published {format_decimal(row['published'])}</small>" if np.isfinite(row["published"]) else ""
    return format_decimal(row["ranking_accuracy"]) + format_interval(row) + p + published


def classifier_table(table: pd.DataFrame) -> str:
    """Return the number of valid classifiers and their gaps, by set of texts, version and removed directions."""
    if not len(table):
        return "<p>The study has no texts.</p>"
    rows = []
    for (name, version, n_directions), part in table.groupby(["set", "version", "n_directions"], sort=False):
        valid = part[part["is_valid"].astype(bool)]
        rows.append([escape(name), version, str(n_directions), f"{len(valid)} of {len(part)}",
                     format_decimal(part["recall"].median()), median_and_range(valid["gap"])])  # fmt: skip
    head = ["set", "texts", "removed directions", "valid classifiers", "median recall", "gap"]
    return render_table(head, rows)


def pair_table(table: pd.DataFrame) -> str:
    """Return shares of pairs by set and attribute."""
    if not len(table):
        return "<p>The study has no pairs of sentences.</p>"
    rows = [[escape(name), escape(attribute), str(part["n_pairs"].max()), median_and_range(part["share_stereotypical"])]
            for (name, attribute), part in table.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    return render_table(["set", "attribute", "pairs", "share with the stereotypical sentence more likely"], rows)


def correlation_table(table: pd.DataFrame) -> str:
    """Return the median r over models by metric (Figure 1)."""
    rows = []
    for row in verdicts.select_main(table).itertuples():
        units = f"classes, {row.version} texts" if row.units == "classes" else "pairs"
        quartiles = f"quartiles {format_decimal(row.lower_quartile)}, {format_decimal(row.upper_quartile)}"
        rows.append([escape(row.set), escape(row.attribute), units, f"<b>{escape(label(row.metric))}</b>",
                     f"{format_decimal(row.median)} <small>{quartiles}</small>",
                     f"{row.n_significant} of {row.n_models}"])  # fmt: skip
    head = ["set", "attribute", "over", "score", "median r of the models", "models with p < 0.05"]
    return render_table(head, rows) if rows else "<p>–</p>"


def set_table(table: pd.DataFrame) -> str:
    """Return r over classifiers or models (Figure 2)."""
    chosen = table[(table["group_words"] == "raw") & (table["version"] != "raw")]
    rows = [[escape(row["set"]), escape(row["attribute"]), f"<b>{escape(label(row['metric']))}</b>",
             format_decimal(row["r"]) + format_interval(row), str(row["n_cases"])]
            for _, row in chosen.iterrows()]  # fmt: skip
    head = ["set", "attribute", "score", "r", "classifiers or models"]
    return render_table(head, rows) if rows else "<p>–</p>"


def robustness_table(table: pd.DataFrame) -> str:
    """Return the deviations with the fewest and with the most texts (Figure 3)."""
    rows = []
    for (name, metric, regrouped), part in table.groupby(["set", "metric", "regrouped"], sort=False):
        ends = part.sort_values("n_texts").iloc[[0, -1]]
        cells = [f"{deviation(row)} <small>{row['n_texts']} texts</small>" if np.isfinite(row["mean"]) else "–"
                 for _, row in ends.iterrows()]  # fmt: skip
        suffix = ", groups by the texts of the subset" if regrouped else ""
        rows.append([escape(name), f"<b>{escape(label(metric))}</b>{suffix}", *cells])
    head = ["set", "score", "fewest texts", "most texts"]
    return render_table(head, rows) if rows else "<p>The study has no texts.</p>"


def title_table(table: pd.DataFrame) -> str:
    """Return the differences between scores of titles and of texts."""
    rows = [[escape(row["set"]), f"<b>{escape(label(row['metric']))}</b>", deviation(row),
             format_decimal(row["published"], 3)] for _, row in table.iterrows()]  # fmt: skip
    head = ["set", "score", "difference", "published"]
    return render_table(head, rows) if rows else "<p>The study has no texts.</p>"


def deviation(row: pd.Series) -> str:
    return f"{format_decimal(row['mean'], 3)} ± {format_decimal(row['std'], 3)}"


def median_and_range(values: pd.Series) -> str:
    if not values.notna().any():
        return "–"
    median, *ends = (format_decimal(value, 3) for value in (values.median(), values.min(), values.max()))
    return f"{median} <small>{' to '.join(ends)}</small>"


if __name__ == "__main__":
    scripts.run(main, snakemake)
