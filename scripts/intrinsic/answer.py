"""Write the intrinsic study's answer page and findings: which metrics follow bias of several groups?"""

from html import escape

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.language_models.group_distributions import GRID
from biassay.report import curves
from biassay.report.findings import describe_differences, write_findings
from biassay.report.formatting import format_decimal, format_interval, join_names, metric_label
from biassay.report.tables import render_table
from biassay.studies.intrinsic import tables, titles, verdicts
from biassay.studies.intrinsic.agreement import GROUND_TRUTHS
from biassay.studies.intrinsic.detection import POWER
from biassay.studies.intrinsic.tables import IDEAL, NOISY

HEAD = ["metric", "mean r with the data", "mean r with unmasking"]
BODY = """<p>{learned}</p>
<h3>Word level: the magnitude of an occupation's bias</h3>{words}
<h3>Word level: the direction of an occupation's bias</h3>{signs}
<h3>Set level: the bias of a model</h3>{sets}
<h3>Minimum detectable effect</h3>{detection}
<h3>Reliability of the templates</h3>{templates}
<h3>Retraining variability</h3>{retraining}
<h3>Two attributes at once</h3>{intersections}
<h3>How to read this</h3>
<p>Bias is the Jensen–Shannon divergence (JSD, in nats) of an occupation's groups from equal ones: in the training
sentences of a model (data), and in its predictions behind a mask (unmasking). r is Pearson's correlation: at word level
over occupations, averaged over models; at set level over models. Intervals are 95 % bootstrap intervals over whole
distributions; there are none for fewer than five distributions. Signed scores enter by their absolute value, except for
the direction, where they are compared with the probability of the first group. Metrics are compared by permutation
tests over whole distributions, with Holm's correction for the pairs in a sentence. Stereotypes of the occupations,
which some metrics need, are derived from the data's probabilities: noisy with added noise, ideal without. Published
values are of 80 models of BERT-base, not of the models measured here.</p>"""


def main(models: str, results: dict[str, str], min_r: float, page_out: str, findings_out: str) -> None:
    by_name = {name: tables.read_result(path, name) for name, path in results.items()}
    body = render_page(tables.read(models, tables.LEARNED), min_r, by_name)
    write_findings([*verdicts.verdicts(by_name), *titles.titles(by_name)], findings_out)
    with open(page_out, "w", encoding="utf-8") as file:
        file.write(body)


def render_page(models: pd.DataFrame, min_r: float, results: dict[str, pd.DataFrame]) -> str:
    """Render the page: how many models learned their bias, then the tables with the results of the tests."""
    words, sets = results["words"], results["sets"]
    comparisons, set_comparisons = results["comparisons"], results["set_comparisons"]
    return BODY.format(
        learned=describe_learned(models, min_r),
        words="".join(render_words(attribute, words, comparisons) for attribute in words["attribute"].unique()),
        signs=render_signs(results["signs"]),
        sets="".join(render_sets(attribute, sets, set_comparisons) for attribute in sets["attribute"].unique()),
        detection=render_detection(results["min_detectable_effect"]),
        templates=render_templates(results["reliability"]),
        retraining=render_retraining(results["retraining_variability"]),
        intersections=render_intersections(results["intersections"]),
    )


def describe_learned(models: pd.DataFrame, min_r: float) -> str:
    """Say how many models learned their bias."""
    grid = models[models["purpose"] == GRID]
    columns = [name for name in grid if name.startswith("r_")]
    medians = join_names([f"{format_decimal(grid[name].median())} for {name.removeprefix('r_')}" for name in columns])
    n_detection, n_repeated = len(models) - len(grid), (grid["attempts"] > 1).sum()
    return (
        f"{grid['learned'].sum()} of {len(grid)} models learned their bias (r of unmasking with data probabilities at "
        f"least {format_decimal(min_r)}); {n_repeated} needed more than one attempt. Median r: "
        f"{format_decimal(grid['r'].median())}; {medians}."
        + (f" {n_detection} more models are for detection." if n_detection else "")
    )


def render_words(attribute: str, words: pd.DataFrame, tests: pd.DataFrame) -> str:
    """Render Figure 2 of one attribute: the tests with the data, and one row per metric."""
    table = curves.select_rows(words, attribute=attribute)
    names = {name: metric_label(name) for name in table["second"].unique() if name not in GROUND_TRUTHS}
    sentence = describe_differences(curves.select_rows(tests, attribute=attribute, against="data"), names)
    rows = mean_rows(table, list(names))
    return f"<h4>{escape(attribute)}</h4><p>{escape(sentence)}</p>{render_table(HEAD, rows)}"


def render_signs(table: pd.DataFrame) -> str:
    """Render the correlations of signed scores with the probability of the first group."""
    if not len(table):
        return "<p>No attribute of two groups has signed scores.</p>"
    rows = []
    for attribute, part in table.groupby("attribute", sort=False):
        names = [name for name in part["second"].unique() if name not in GROUND_TRUTHS]
        rows += [[escape(attribute), *row] for row in mean_rows(part, names)]
    return render_table(["attribute", *HEAD], rows)


def mean_rows(table: pd.DataFrame, names: list[str]) -> list[list[str]]:
    """Rows of unmasking and of the metrics, with their mean r with each ground truth."""
    return [
        [bold_label(name), *(r_cell(table, ground_truth, name, "r_mean") for ground_truth in GROUND_TRUTHS)]
        for name in ["unmasking", *names]
    ]


def render_sets(attribute: str, sets: pd.DataFrame, tests: pd.DataFrame) -> str:
    """Render Figure 3 of one attribute: one row per metric, with noisy and ideal stereotypes."""
    table = curves.select_rows(sets, attribute=attribute)
    names = [name for name in dict.fromkeys(table["second"]) if name not in GROUND_TRUTHS]
    sentences = [f"With {kind} stereotypes: " + describe_differences(
        curves.select_rows(tests, attribute=attribute, labels=kind, against="data"),
        {name: metric_label(name) for name in names}) for kind in (NOISY, IDEAL)]  # fmt: skip
    columns = [(kind, ground_truth) for kind in (NOISY, IDEAL) for ground_truth in GROUND_TRUTHS]
    by_kind = {kind: curves.select_rows(table, labels=kind) for kind in (NOISY, IDEAL)}
    rows = [[bold_label(name), *(r_cell(by_kind[kind], ground_truth, name, "r") for kind, ground_truth in columns)]
            for name in ["unmasking", *names]]  # fmt: skip
    head = ["metric", *(f"r with {ground_truth}, {kind}" for kind, ground_truth in columns)]
    return f"<h4>{escape(attribute)}</h4><p>{escape(' '.join(sentences))}</p>{render_table(head, rows)}"


def render_detection(table: pd.DataFrame) -> str:
    """Render the minimum detectable effect of each metric."""
    if not len(table):
        return "<p>No models for detection were trained: intrinsic.detection.strengths is empty.</p>"
    attributes = table["attribute"].unique()
    rows = []
    for metric, part in table.groupby("metric", sort=False):
        effects = part.set_index("attribute")
        cells = (effect_cell(effects.loc[name]) if name in effects.index else "–" for name in attributes)
        rows.append([bold_label(metric), *cells])
    return (
        "<p>The smallest mean JSD in the data from which on a metric scores a biased model above an unbiased control "
        f"in {100 * POWER:.0f} % of pairs of models and random halves of the occupations.</p>"
        + render_table(["metric", *attributes], rows)
    )


def effect_cell(row: pd.Series) -> str:
    """The minimum detectable effect with its strength, or the detection rate at the largest strength."""
    undefined = f"; {100 * row['undefined']:.0f} % undefined" if row["undefined"] > 0 else ""
    if np.isnan(row["divergence"]):
        rate = row["max_detection_rate"]
        share = "no value" if np.isnan(rate) else f"{100 * rate:.0f} %"
        return f"none <small>({share} at the largest strength{undefined})</small>"
    return f"{format_decimal(row['divergence'], 3)} <small>(strength {row['strength']:g}{undefined})</small>"


def render_templates(table: pd.DataFrame) -> str:
    """Render Table 3, and how many sentences a stable ranking needs."""
    rows = [
        [escape(row["attribute"]), f"{row['n_sampled']} of {row['n_sentences']}",
         format_decimal(row["mean"], 3) + ("" if np.isnan(row["std"]) else f" ± {format_decimal(row['std'], 3)}"),
         format_decimal(row["published"]),
         "more than available" if np.isnan(row["min_sentences"]) else f"{row['min_sentences']:.0f}"]
        for _, row in table.iterrows()
    ]  # fmt: skip
    head = ["attribute", "sampled sentences", "samples with another ranking", "published, 90 %",
            "sentences needed for 5 %"]  # fmt: skip
    return render_table(head, rows)


def render_retraining(table: pd.DataFrame) -> str:
    """Render Table 4: the printed and the symmetric differences, and the sign-flip rate."""
    if table["difference_from_first"].isna().all():
        return "<p>Not computable: no distribution has two models.</p>"
    rows = [
        [escape(row["attribute"]), bold_label(row["metric"]),
         *(format_decimal(row[name], 3) for name in ("difference_from_first", "difference", "published")),
         f"{100 * row['sign_flip_rate']:.0f} %" if row["sign_flip_rate"] > 0 else "–"]
        for _, row in table.iterrows()
    ]  # fmt: skip
    head = ["attribute", "metric", "relative difference, as printed", "symmetric", "published", "sign-flip rate"]
    return render_table(head, rows)


def render_intersections(table: pd.DataFrame) -> str:
    """Describe how joint probabilities of two attributes follow the data."""
    sentences = []
    for (first, second), part in table.groupby(["first", "second"], sort=False):
        mean = part.set_index("statistic")["mean"]
        sentences.append(
            f"<p>{escape(first.capitalize())} and {escape(second)}: the model's joint probabilities follow the data's "
            f"with r {format_decimal(mean['r'])}, the product of its marginal probabilities with r "
            f"{format_decimal(mean['r_product'])}; mutual information given the occupation "
            f"{format_decimal(mean['information'], 4)} nats (none was planted).</p>"
        )
    return "".join(sentences) or "<p>Not measured: intrinsic.intersections is empty.</p>"


def r_cell(table: pd.DataFrame, first: str, second: str, value: str) -> str:
    """A correlation with its interval; – if undefined."""
    row = table[(table["first"] == first) & (table["second"] == second)]
    if not len(row) or np.isnan(row[value].iloc[0]):
        return "–"
    return format_decimal(row[value].iloc[0]) + format_interval(row.iloc[0])


def bold_label(metric: str) -> str:
    return f"<b>{escape(metric_label(metric))}</b>"


if __name__ == "__main__":
    tested = "words", "signs", "comparisons", "sets", "set_comparisons"
    others = "min_detectable_effect", "reliability", "retraining_variability", "intersections"
    scripts.run(main, snakemake, results={name: getattr(snakemake.input, name) for name in tested + others})
