"""Answer the study's question: what do measures see of bias of several groups? Sentences, and tables as HTML."""

from html import escape

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.figures import findings as sentences
from biassay.figures.findings import describe_differences
from biassay.figures.formatting import format_decimal, format_interval, join_names, metric_label
from biassay.language_models.group_distributions import GRID
from biassay.pages import tables
from biassay.studies.intrinsic import tables as study_tables
from biassay.studies.intrinsic import titles, verdicts
from biassay.studies.intrinsic.agreement import GROUND_TRUTHS
from biassay.studies.intrinsic.detection import POWER
from biassay.studies.intrinsic.tables import IDEAL, NOISY
from biassay.support import logs

HEAD = ["measure", "mean r with the data", "mean r with unmasking"]
BODY = """<p>{min_r}</p>
<h3>Occupations: how far are the groups from equal?</h3>{words}
<h3>Occupations: which way?</h3>{signs}
<h3>All occupations together: which model has more bias?</h3>{sets}
<h3>Which bias is detected?</h3>{detected}
<h3>Are there enough templates?</h3>{templates}
<h3>Repeats of the same distribution</h3>{repeats}
<h3>Two attributes at once</h3>{intersections}
<h3>How to read this</h3>
<p>Bias is the Jensen–Shannon divergence (nats) of an occupation's groups from equal ones: in the sentences that a model
was trained on (data), and in what the model expects behind a mask (unmasking). r is Pearson's; of occupations the mean
over models, of all occupations together over models. Intervals are 95 % bootstrap intervals, distributions drawn as
wholes; none for fewer than five distributions. Scores with a sign enter by their absolute value, but under “which
way”, where they are compared with the probability of the first group. Metrics are compared by permutations of whole
distributions, corrected by Holm for the pairs of a sentence. Stereotypes of the occupations, which some measures need,
are read from the data's probabilities: noisy with added noise, ideal without. Published figures are of 80 models of
BERT-base: something else than what was measured here.</p>"""


def main(models: str, given: dict[str, str], min_r: float, page_out: str, findings_out: str) -> None:
    found = {name: study_tables.read_result(path, name) for name, path in given.items()}
    body = page(study_tables.read(models, study_tables.LEARNED), min_r, found)
    sentences.write_findings([*verdicts.verdicts(found), *titles.titles(found)], findings_out)
    with open(page_out, "w", encoding="utf-8") as file:
        file.write(body)


def page(models: pd.DataFrame, min_r: float, found: dict[str, pd.DataFrame]) -> str:
    """The answer in full: what was learned, and the tables with what the tests say of them."""
    words, sets = (found["words"], found["comparisons"]), (found["sets"], found["set_comparisons"])
    return BODY.format(
        min_r=learned(models, min_r),
        words="".join(of_words(attribute, *words) for attribute in words[0]["attribute"].unique()),
        signs=which_way(found["signs"]),
        sets="".join(of_set(attribute, *sets) for attribute in sets[0]["attribute"].unique()),
        detected=detection(found["min_detectable_effect"]),
        templates=enough(found["reliability"]),
        repeats=of_repeats(found["retraining_variability"]),
        intersections=joined(found["intersections"]),
    )


def learned(models: pd.DataFrame, min_r: float) -> str:
    """How many models have learned what they were given."""
    grid = models[models["purpose"] == GRID]
    by = [name for name in grid if name.startswith("r_")]
    medians = join_names([f"{format_decimal(grid[name].median())} for {name.removeprefix('r_')}" for name in by])
    extra, again = len(models) - len(grid), (grid["attempts"] > 1).sum()
    return (
        f"{grid['learned'].sum()} of {len(grid)} models have learned their bias (r of unmasking and data "
        f"probabilities at least {format_decimal(min_r)}), {again} of all after more than one attempt. Median r: "
        f"{format_decimal(grid['r'].median())}; {medians}." + (f" {extra} more are for detection." if extra else "")
    )


def of_words(attribute: str, found: pd.DataFrame, tests: pd.DataFrame) -> str:
    """F2 of one attribute: a row a metric, and what the tests say of the data."""
    table = curves.select_rows(found, attribute=attribute)
    names = {name: metric_label(name) for name in table["second"].unique() if name not in GROUND_TRUTHS}
    said = describe_differences(curves.select_rows(tests, attribute=attribute, against="data"), names)
    lines = tables.render_table(HEAD, of_means(table, list(names)))
    return f"<h4>{escape(attribute)}</h4><p>{escape(said)}</p>{lines}"


def which_way(table: pd.DataFrame) -> str:
    """Scores with a sign against the probability of the first group."""
    if not len(table):
        return "<p>No attribute of two groups has scores with a sign.</p>"
    rows = []
    for attribute, of in table.groupby("attribute", sort=False):
        names = [name for name in of["second"].unique() if name not in GROUND_TRUTHS]
        rows += [[escape(attribute), *row] for row in of_means(of, names)]
    return tables.render_table(["attribute", *HEAD], rows)


def of_means(table: pd.DataFrame, names: list[str]) -> list[list[str]]:
    """Unmasking and metrics, with their mean r with each ground truth."""
    return [
        [label(name), *(cell(table, ground_truth, name, "r_mean") for ground_truth in GROUND_TRUTHS)]
        for name in ["unmasking", *names]
    ]


def of_set(attribute: str, found: pd.DataFrame, tests: pd.DataFrame) -> str:
    """F3 of one attribute: a row a metric, with noisy and ideal stereotypes."""
    table = curves.select_rows(found, attribute=attribute)
    names = [name for name in dict.fromkeys(table["second"]) if name not in GROUND_TRUTHS]
    said = [f"With {kind} stereotypes: " + describe_differences(
        curves.select_rows(tests, attribute=attribute, labels=kind, against="data"),
        {name: metric_label(name) for name in names}) for kind in (NOISY, IDEAL)]  # fmt: skip
    cells = [
        (curves.select_rows(table, labels=kind), ground_truth)
        for kind in (NOISY, IDEAL)
        for ground_truth in GROUND_TRUTHS
    ]
    rows = [[label(name), *(cell(*of, name, "r") for of in cells)] for name in ["unmasking", *names]]
    head = ["measure", *(f"r with {ground_truth}, {kind}" for kind in (NOISY, IDEAL) for ground_truth in GROUND_TRUTHS)]
    return f"<h4>{escape(attribute)}</h4><p>{escape(' '.join(said))}</p>{tables.render_table(head, rows)}"


def detection(table: pd.DataFrame) -> str:
    """The smallest bias that each metric detects."""
    if not len(table):
        return "<p>No models were trained for this: intrinsic.detection.strengths is empty.</p>"
    attributes = table["attribute"].unique()
    rows = []
    for metric, of in table.groupby("metric", sort=False):
        by = of.set_index("attribute")
        rows.append([label(metric), *(smallest(by.loc[name]) if name in by.index else "–" for name in attributes)])
    return (
        f"<p>The smallest mean JSD in the data from which on a metric scores a biased model above one without bias in "
        f"{100 * POWER:.0f} % of draws (pairs of models, random halves of the occupations).</p>"
        + tables.render_table(["measure", *attributes], rows)
    )


def smallest(row: pd.Series) -> str:
    undefined = f"; {100 * row['undefined']:.0f} % of draws undefined" if row["undefined"] > 0 else ""
    if np.isnan(row["divergence"]):
        share = "no" if np.isnan(row["max_detection_rate"]) else f"{100 * row['max_detection_rate']:.0f} % of"
        return f"none <small>({share} draws at the largest{undefined})</small>"
    return f"{format_decimal(row['divergence'], 3)} <small>(strength {row['strength']:g}{undefined})</small>"


def enough(table: pd.DataFrame) -> str:
    """T3, and how many sentences are enough."""
    rows = [
        [escape(row["attribute"]), f"{row['n_sampled']} of {row['n_sentences']}",
         format_decimal(row["mean"], 3) + ("" if np.isnan(row["std"]) else f" ± {format_decimal(row['std'], 3)}"),
         format_decimal(row["published"]),
         "more than there are" if np.isnan(row["min_sentences"]) else f"{row['min_sentences']:.0f}"]
        for _, row in table.iterrows()
    ]  # fmt: skip
    head = ["attribute", "sentences drawn", "draws with another order", "published, 90 %", "enough for 5 %"]
    return tables.render_table(head, rows)


def of_repeats(table: pd.DataFrame) -> str:
    """T4 as printed and symmetric, and how often signs change."""
    if table["difference_from_first"].isna().all():
        return "<p>Not computable: no distribution has two models.</p>"
    rows = [
        [escape(row["attribute"]), label(row["metric"]),
         *(format_decimal(row[name], 3) for name in ("difference_from_first", "difference", "published")),
         f"{100 * row['sign_flip_rate']:.0f} %" if row["sign_flip_rate"] > 0 else "–"]
        for _, row in table.iterrows()
    ]  # fmt: skip
    head = ["attribute", "measure", "relative difference, as printed", "symmetric", "published", "signs that change"]
    return tables.render_table(head, rows)


def joined(table: pd.DataFrame) -> str:
    """What models say of two attributes together."""
    said = []
    for (first, second), of in table.groupby(["first", "second"], sort=False):
        mean = of.set_index("statistic")["mean"]
        said.append(
            f"<p>{escape(first.capitalize())} and {escape(second)}: joint probabilities follow the data's with r "
            f"{format_decimal(mean['r'])}, the product of the model's own single probabilities with "
            f"{format_decimal(mean['r_product'])}; mutual information given the occupation "
            f"{format_decimal(mean['information'], 4)} nats (none was planted).</p>"
        )
    return "".join(said) or "<p>None were asked for: intrinsic.intersections is empty.</p>"


def cell(table: pd.DataFrame, first: str, second: str, value: str) -> str:
    """A correlation with its interval; – where there is none."""
    row = table[(table["first"] == first) & (table["second"] == second)]
    if not len(row) or np.isnan(row[value].iloc[0]):
        return "–"
    return format_decimal(row[value].iloc[0]) + format_interval(row.iloc[0])


def label(metric: str) -> str:
    return f"<b>{escape(metric_label(metric))}</b>"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    tested = "words", "signs", "comparisons", "sets", "set_comparisons"
    others = "min_detectable_effect", "reliability", "retraining_variability", "intersections"
    main(
        models=snakemake.input.models,
        given={name: getattr(snakemake.input, name) for name in tested + others},
        min_r=snakemake.params.min_r,
        page_out=snakemake.output.page,
        findings_out=snakemake.output.findings,
    )
