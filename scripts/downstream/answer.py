"""Answer the study's question: do bias scores predict bias downstream? Sentences, and tables as HTML."""

from html import escape

import numpy as np
import pandas as pd

from biassay.figures import findings
from biassay.figures.formatting import format_decimal, format_interval, format_p_value, join_names
from biassay.pages import tables
from biassay.studies.downstream import tables as study_tables
from biassay.studies.downstream import titles as figures
from biassay.studies.downstream import verdicts
from biassay.studies.downstream.verdicts import label
from biassay.support import logs

BODY = """<p>{models}</p>
<h3>Which of two models has more bias downstream?</h3>{downstream}
<h3>Which of two models had more bias planted?</h3>{planted}
<h3>Classifiers and pairs of sentences</h3>{bias}
<h3>Within a model: do scores of classes and pairs follow their bias?</h3>{within}
<h3>Over models: do scores of all texts or pairs follow the bias?</h3>{over}
<h3>How many texts are needed?</h3>{robustness}
<h3>Are titles alone enough?</h3>{titles}
<h3>How to read this</h3>
<p>Bias downstream is, of texts, the mean over classes of how much more often a classifier finds a class in texts of
one group than of another (the TPR gap; of more than two groups the variance of the rates), and, of pairs of
sentences, the share of pairs whose sentence about the group in question is the likelier one. A score ranks two models
right if that with more bias has the larger score; ½ is chance. Of bias downstream, models more than a standard
deviation above the mean are compared with those as far below; of planted bias all pairs of different strength count.
Intervals are 95 % bootstrap intervals over language models, none for fewer than five; p is of a test that exchanges
the scores of whole models, corrected by Holm for all rows of the same kind of bias. Planted models are copies of one
model. Classifiers that do not tell classes apart are left out. Published figures are of other models and, but for
CrowS-Pairs, other texts.</p>"""


def main(
    models: str, classifiers: str, shares: str, ranking: str, correlations: str, sets: str, robustness: str,
    titles: str, page_out: str, findings_out: str,
) -> None:  # fmt: skip
    paths = {"classifiers": classifiers, "shares": shares, "ranking": ranking, "correlations": correlations,
             "sets": sets, "robustness": robustness, "titles": titles}  # fmt: skip
    found = {name: study_tables.result(path, name) for name, path in paths.items()}
    body = BODY.format(
        models=told(study_tables.read(models, ["name"])),
        downstream=ranked(found["ranking"], verdicts.DOWNSTREAM),
        planted=ranked(found["ranking"], verdicts.PLANTED),
        bias=of_classifiers(found["classifiers"]) + of_pairs(found["shares"]),
        within=within(found["correlations"]),
        over=over(found["sets"]),
        robustness=fewer(found["robustness"]),
        titles=of_titles(found["titles"]),
    )
    findings.write_findings([*verdicts.verdicts(found), *figures.titles(found)], findings_out)
    with open(page_out, "w", encoding="utf-8") as file:
        file.write(body)


def told(models: pd.DataFrame) -> str:
    """How many models there are, and what they learned of planted bias."""
    planted = models[models["strength"].notna()] if "strength" in models else models[:0]
    said = f"{len(models)} language models"
    if not len(planted):
        return f"{said}."
    by = planted.groupby("strength")[[name for name in planted if name.startswith("learned_")]].mean()
    shown = join_names([f"{format_decimal(row.mean())} at strength {strength:g}" for strength, row in by.iterrows()])
    return (
        f"{said}, {len(planted)} of them with planted bias of {len(by)} strengths. Asked for groups of occupations, "
        f"these show on average {shown} of what strength 1 plants."
    )


def ranked(table: pd.DataFrame, ground_truth: str) -> str:
    """T3: a sentence of what the tests say, and a row a data set and kind of terms, a column a score."""
    said = f"<p>{escape(verdicts.ranked(table, ground_truth).sentence)}</p>"
    table = table[(table["ground_truth"] == ground_truth) & (table["version"] != "raw")]
    rows, scores = [], list(dict.fromkeys(table["score"]))
    for (name, attribute, terms), of in table.groupby(["set", "attribute", "terms"], sort=False):
        by = of.set_index("score")
        cells = [accuracy(by.loc[score]) if score in by.index else "–" for score in scores]
        debiased = "" if terms == "raw" else ", terms debiased, too"
        rows.append([f"{escape(name)}, {escape(attribute)}{debiased}", str(of["pairs"].max()), *cells])
    head = ["set and attribute", "pairs", *(label(score) for score in scores)]
    return said + (tables.table(head, rows) if rows else "")


def accuracy(row: pd.Series) -> str:
    """An accuracy with its interval, its p and the published value."""
    p = f"<small>{format_p_value(row['p_holm'])}</small>" if np.isfinite(row["p_holm"]) else ""
    published = f"<small>published {format_decimal(row['published'])}</small>" if np.isfinite(row["published"]) else ""
    return format_decimal(row["accuracy"]) + format_interval(row) + p + published


def of_classifiers(table: pd.DataFrame) -> str:
    """How many classifiers count, and their gaps, by set of texts, version and components taken out."""
    if not len(table):
        return "<p>No texts were given.</p>"
    rows = []
    for (name, version, k), of in table.groupby(["set", "version", "k"], sort=False):
        used = of[of["counts"].astype(bool)]
        rows.append([escape(name), version, str(k), f"{len(used)} of {len(of)}", format_decimal(of["recall"].median()),
                     spread(used["gap"])])  # fmt: skip
    head = ["set", "texts", "components taken out", "classifiers that count", "median recall", "gap"]
    return tables.table(head, rows)


def of_pairs(table: pd.DataFrame) -> str:
    """Shares of pairs by set and attribute."""
    if not len(table):
        return "<p>No pairs were given.</p>"
    rows = [[escape(name), escape(attribute), str(of["pairs"].max()), spread(of["share"])]
            for (name, attribute), of in table.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    return tables.table(["set", "attribute", "pairs", "share with the first sentence likelier"], rows)


def within(table: pd.DataFrame) -> str:
    """F1: the median r over models, by metric."""
    rows = []
    for row in verdicts.chosen(table).itertuples():
        kind = f"classes, {row.version} texts" if row.over == "classes" else "pairs"
        rows.append([escape(row.set), escape(row.attribute), kind, f"<b>{escape(label(row.metric))}</b>",
                     f"{format_decimal(row.median)} <small>quartiles {format_decimal(row.lower)}, "
                     f"{format_decimal(row.upper)}</small>", f"{row.significant} of {row.models}"])  # fmt: skip
    head = ["set", "attribute", "over", "score", "median r of the models", "with p < .05"]
    return tables.table(head, rows) if rows else "<p>–</p>"


def over(table: pd.DataFrame) -> str:
    """F2: r over classifiers or models."""
    chosen = table[(table["terms"] == "raw") & (table["version"] != "raw")]
    rows = [[escape(row["set"]), escape(row["attribute"]), f"<b>{escape(label(row['metric']))}</b>",
             format_decimal(row["r"]) + format_interval(row), str(row["cases"])]
            for _, row in chosen.iterrows()]  # fmt: skip
    head = ["set", "attribute", "score", "r", "classifiers or models"]
    return tables.table(head, rows) if rows else "<p>–</p>"


def fewer(table: pd.DataFrame) -> str:
    """F3: the deviation with the fewest texts and the most."""
    rows = []
    for (name, metric, again), of in table.groupby(["set", "metric", "regrouped"], sort=False):
        ends = of.sort_values("texts").iloc[[0, -1]]
        cells = [f"{deviation(row)} <small>{row['texts']} texts</small>" if np.isfinite(row["mean"]) else "–"
                 for _, row in ends.iterrows()]  # fmt: skip
        said = ", groups by the texts drawn" if again else ""
        rows.append([escape(name), f"<b>{escape(label(metric))}</b>{said}", *cells])
    return tables.table(["set", "score", "fewest texts", "most texts"], rows) if rows else "<p>No texts were given.</p>"


def of_titles(table: pd.DataFrame) -> str:
    """How far scores of titles are from those of texts."""
    rows = [[escape(row["set"]), f"<b>{escape(label(row['metric']))}</b>", deviation(row),
             format_decimal(row["published"], 3)] for _, row in table.iterrows()]  # fmt: skip
    return tables.table(["set", "score", "difference", "published"], rows) if rows else "<p>No texts were given.</p>"


def deviation(row: pd.Series) -> str:
    return f"{format_decimal(row['mean'], 3)} ± {format_decimal(row['std'], 3)}"


def spread(values: pd.Series) -> str:
    """The median and the range."""
    if not values.notna().any():
        return "–"
    median, *ends = (format_decimal(value, 3) for value in (values.median(), values.min(), values.max()))
    return f"{median} <small>{' to '.join(ends)}</small>"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    given = {name: path for name, path in snakemake.input.items() if name != "code"}
    main(**given, page_out=snakemake.output.page, findings_out=snakemake.output.findings)
