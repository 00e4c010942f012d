"""Answer the study's question in one page: what do intrinsic measures see of bias of several groups at once?"""

from html import escape

import numpy as np
import pandas as pd

from biassay.figures import curves, pages
from biassay.figures.findings import findings, listed
from biassay.language_models.group_distributions import GRID
from biassay.studies.intrinsic.agreement import TRUTHS
from biassay.studies.intrinsic.detection import POWER
from biassay.support import logs

KINDS = "noisy", "ideal"
QUESTION = "What do intrinsic measures see of bias of several groups?"
BODY = """<p>{gate}</p>
<h2>Occupations: how far are the groups from equal?</h2>{words}
<h2>Occupations: which way?</h2>{signs}
<h2>All occupations together: which model has more bias?</h2>{sets}
<h2>Which bias is detected?</h2>{detected}
<h2>Are there enough templates?</h2>{templates}
<h2>Repeats of the same distribution</h2>{repeats}
<h2>Two attributes at once</h2>{intersections}
<h2>How to read this</h2>
<p>Bias is the Jensen–Shannon divergence (nats) of an occupation's groups from equal ones: in the sentences that a model
was trained on (data), and in what the model expects behind a mask (unmasking). r is Pearson's; of occupations the mean
over models, of all occupations together over models. Intervals are 95 % bootstrap intervals, distributions drawn as
wholes; none for fewer than five distributions. Scores with a sign enter by their absolute value, but under “which
way”, where they are held against the probability of the first group. Metrics are compared by permutations of whole
distributions, corrected by Holm for the pairs of a sentence. Stereotypes of the occupations, which some measures need,
are read from the data's probabilities: noisy with added noise, ideal without. Published figures are of 80 models of
BERT-base: something else than what was measured here.</p>"""


def main(
    models: str, words: str, signs: str, comparisons: str, sets: str, set_comparisons: str, detected: str,
    reliability: str, consistency: str, intersections: str, gate: float, out: str,
) -> None:  # fmt: skip
    found, tests = pd.read_csv(words), pd.read_csv(comparisons)
    of_sets, set_tests = pd.read_csv(sets), pd.read_csv(set_comparisons)
    body = BODY.format(
        gate=learned(pd.read_csv(models), gate),
        words="".join(of_words(attribute, found, tests) for attribute in found["attribute"].unique()),
        signs=which_way(pd.read_csv(signs)),
        sets="".join(of_set(attribute, of_sets, set_tests) for attribute in of_sets["attribute"].unique()),
        detected=detection(pd.read_csv(detected)),
        templates=enough(pd.read_csv(reliability)),
        repeats=of_repeats(pd.read_csv(consistency)),
        intersections=joined(pd.read_csv(intersections)),
    )
    with open(out, "w", encoding="utf-8") as file:
        file.write(pages.page("Bias of several groups", QUESTION, body))


def learned(models: pd.DataFrame, gate: float) -> str:
    """How many models have learned what they were given."""
    grid = models[models["purpose"] == GRID]
    by = [name for name in grid if name.startswith("r_")]
    medians = listed([f"{curves.decimal(grid[name].median())} for {name.removeprefix('r_')}" for name in by])
    extra, again = len(models) - len(grid), (grid["attempts"] > 1).sum()
    return (
        f"{grid['learned'].sum()} of {len(grid)} models have learned their bias (r of unmasking and data "
        f"probabilities at least {curves.decimal(gate)}), {again} of all after more than one attempt. Median r: "
        f"{curves.decimal(grid['r'].median())}; {medians}." + (f" {extra} more are for detection." if extra else "")
    )


def of_words(attribute: str, found: pd.DataFrame, tests: pd.DataFrame) -> str:
    """F2 of one attribute: a row a metric, and what the tests say of the data."""
    table = curves.select(found, attribute=attribute)
    names = {name: curves.label(name) for name in table["second"].unique() if name not in TRUTHS}
    said = findings(curves.select(tests, attribute=attribute, against="data"), names)
    rows = of_means(table, list(names))
    head = [attribute, "mean r with the data", "mean r with unmasking"]
    return f"<h3>{escape(attribute)}</h3><p>{escape(said)}</p>{pages.table(head, rows)}"


def which_way(table: pd.DataFrame) -> str:
    """Scores with a sign against the probability of the first group."""
    if not len(table):
        return "<p>No attribute of two groups has scores with a sign.</p>"
    rows = []
    for attribute, of in table.groupby("attribute", sort=False):
        names = [name for name in of["second"].unique() if name not in TRUTHS]
        rows += [[escape(attribute), *row] for row in of_means(of, names)]
    return pages.table(["", "", "mean r with the data", "mean r with unmasking"], rows)


def of_means(table: pd.DataFrame, names: list[str]) -> list[list[str]]:
    """Unmasking and metrics, with their mean r with each truth."""
    return [[label(name), *(cell(table, truth, name, "r_mean") for truth in TRUTHS)] for name in ["unmasking", *names]]


def of_set(attribute: str, found: pd.DataFrame, tests: pd.DataFrame) -> str:
    """F3 of one attribute: a row a metric, with noisy and ideal stereotypes."""
    table = curves.select(found, attribute=attribute)
    names = [name for name in dict.fromkeys(table["second"]) if name not in TRUTHS]
    said = [f"With {kind} stereotypes: " + findings(
        curves.select(tests, attribute=attribute, labels=kind, against="data"),
        {name: curves.label(name) for name in names}) for kind in KINDS]  # fmt: skip
    cells = [(curves.select(table, labels=kind), truth) for kind in KINDS for truth in TRUTHS]
    rows = [[label(name), *(cell(*of, name, "r") for of in cells)] for name in ["unmasking", *names]]
    head = [attribute, *(f"r with {truth}, {kind}" for kind in KINDS for truth in TRUTHS)]
    return f"<h3>{escape(attribute)}</h3><p>{escape(' '.join(said))}</p>{pages.table(head, rows)}"


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
        + pages.table(["", *attributes], rows)
    )


def smallest(row: pd.Series) -> str:
    undefined = f"; {100 * row['undefined']:.0f} % of draws undefined" if row["undefined"] > 0 else ""
    if np.isnan(row["divergence"]):
        share = "no" if np.isnan(row["told_at_most"]) else f"{100 * row['told_at_most']:.0f} % of"
        return f"none <small>({share} draws at the largest{undefined})</small>"
    return f"{row['divergence']:.3f} <small>(strength {row['strength']:g}{undefined})</small>"


def enough(table: pd.DataFrame) -> str:
    """T3, and how many sentences are enough."""
    rows = [
        [escape(row["attribute"]), f"{row['drawn']} of {row['sentences']}",
         figure(row["mean"]) + ("" if np.isnan(row["std"]) else f" ± {figure(row['std'])}"),
         figure(row["published"], 2),
         "more than there are" if np.isnan(row["enough"]) else f"{row['enough']:.0f}"]
        for _, row in table.iterrows()
    ]  # fmt: skip
    head = ["", "sentences drawn", "draws with another order of the groups", "published, 90 %", "enough for 5 %"]
    return pages.table(head, rows)


def of_repeats(table: pd.DataFrame) -> str:
    """T4 as printed and symmetric, and how often signs change."""
    if table["printed"].isna().all():
        return "<p>Not computable: no distribution has two models.</p>"
    rows = [
        [escape(row["attribute"]), label(row["metric"]),
         *(figure(row[name]) for name in ("printed", "difference", "published")),
         f"{100 * row['flips']:.0f} %" if row["flips"] > 0 else "–"]
        for _, row in table.iterrows()
    ]  # fmt: skip
    head = ["", "", "relative difference, as printed", "symmetric", "published", "signs that change"]
    return pages.table(head, rows)


def joined(table: pd.DataFrame) -> str:
    """What models say of two attributes together."""
    said = []
    for (first, second), of in table.groupby(["first", "second"], sort=False):
        mean = of.set_index("figure")["mean"]
        said.append(
            f"<p>{escape(first.capitalize())} and {escape(second)}: joint probabilities follow the data's with r "
            f"{curves.decimal(mean['r'])}, the product of the model's own single probabilities with "
            f"{curves.decimal(mean['r_product'])}; mutual information given the occupation "
            f"{mean['information']:.4f} nats (none was planted).</p>"
        )
    return "".join(said) or "<p>None were asked for: intrinsic.intersections is empty.</p>"


def cell(table: pd.DataFrame, first: str, second: str, value: str) -> str:
    """A correlation with its interval; – where there is none."""
    row = table[(table["first"] == first) & (table["second"] == second)]
    if not len(row) or np.isnan(row[value].iloc[0]):
        return "–"
    row = row.iloc[0]
    interval = f" [{curves.decimal(row['low'])}, {curves.decimal(row['high'])}]" if np.isfinite(row["low"]) else ""
    return curves.decimal(row[value]) + interval


def figure(value: float, decimals: int = 3) -> str:
    return "–" if np.isnan(value) else f"{value:.{decimals}f}"


def label(metric: str) -> str:
    return f"<b>{escape(curves.label(metric))}</b>"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    tested = "words", "signs", "comparisons", "sets", "set_comparisons"
    others = "models", "detected", "reliability", "consistency", "intersections"
    tables = {name: getattr(snakemake.input, name) for name in tested + others}
    main(**tables, gate=snakemake.params.gate, out=snakemake.output[0])
