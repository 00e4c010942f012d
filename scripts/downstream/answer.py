"""Answer the study's question in one page: do bias scores of language models foretell bias downstream?"""

from html import escape

import numpy as np
import pandas as pd

from biassay.figures import curves, pages
from biassay.figures.findings import LEVEL, listed, p_value
from biassay.studies.downstream.agreement import ALL
from biassay.support import logs

QUESTION = "Do bias scores foretell bias downstream?"
DOWNSTREAM, PLANTED = "downstream", "planted"
BODY = """<p>{models}</p>
<h2>Which of two models has more bias downstream?</h2>{downstream}
<h2>Which of two models had more bias planted?</h2>{planted}
<h2>Classifiers and pairs of sentences</h2>{bias}
<h2>Within a model: do scores of classes and pairs follow their bias?</h2>{within}
<h2>Over models: do scores of all texts or pairs follow the bias?</h2>{over}
<h2>How many texts are needed?</h2>{robustness}
<h2>Are titles alone enough?</h2>{titles}
<h2>How to read this</h2>
<p>Bias downstream is, of texts, the mean over classes of how much more often a classifier finds a class in texts of
one group than of another (the TPR gap; of more than two groups the variance of the rates), and, of pairs of
sentences, the share of pairs whose sentence about the group in question is the likelier one. A score ranks two models
right if that with more bias has the larger score; ½ is chance. Of bias downstream, models more than a standard
deviation above the mean are held against those as far below; of planted bias all pairs of different strength count.
Intervals are 95 % bootstrap intervals over language models, none for fewer than five; p is of a test that exchanges
the scores of whole models, corrected by Holm for all rows of the same kind of bias. Planted models are copies of one
model. Classifiers that do not tell classes apart are left out. Published figures are of other models and, but for
CrowS-Pairs, other texts.</p>"""


def main(
    models: str, classifiers: str, shares: str, ranking: str, correlations: str, sets: str, robustness: str,
    titles: str, out: str,
) -> None:  # fmt: skip
    ranks = read(ranking)
    body = BODY.format(
        models=told(pd.read_csv(models)),
        downstream=ranked(ranks[ranks["truth"] == DOWNSTREAM], DOWNSTREAM),
        planted=ranked(ranks[ranks["truth"] == PLANTED], PLANTED),
        bias=of_classifiers(read(classifiers)) + of_pairs(read(shares)),
        within=within(read(correlations)),
        over=over(read(sets)),
        robustness=fewer(read(robustness)),
        titles=of_titles(read(titles)),
    )
    with open(out, "w", encoding="utf-8") as file:
        file.write(pages.page("Bias downstream", QUESTION, body))


def read(path: str) -> pd.DataFrame:
    """A table in which an empty name is none."""
    table = pd.read_csv(path)
    names = [name for name in ("version", "terms", "classes", "class") if name in table]
    return table.assign(**{name: table[name].astype(object).fillna("") for name in names})


def told(models: pd.DataFrame) -> str:
    """How many models there are, and what they learned of planted bias."""
    planted = models[models["strength"].notna()] if "strength" in models else models[:0]
    said = f"{len(models)} language models"
    if not len(planted):
        return f"{said}."
    by = planted.groupby("strength")[[name for name in planted if name.startswith("learned_")]].mean()
    shown = listed([f"{curves.decimal(row.mean())} at strength {strength:g}" for strength, row in by.iterrows()])
    return (
        f"{said}, {len(planted)} of them with planted bias of {len(by)} strengths. Asked for groups of occupations, "
        f"these show on average {shown} of what strength 1 plants."
    )


def ranked(table: pd.DataFrame, truth: str) -> str:
    """T3: a sentence of what the tests say, and a row a data set and kind of terms, a column a score."""
    table = table[table["version"] != "raw"]
    if not len(table):
        return f"<p>{'No models were planted with bias' if truth == PLANTED else 'There are no scores of sets'}.</p>"
    rows, scores = [], list(dict.fromkeys(table["score"]))
    for (name, attribute, terms), of in table.groupby(["set", "attribute", "terms"], sort=False):
        by = of.set_index("score")
        cells = [accuracy(by.loc[score]) if score in by.index else "–" for score in scores]
        said = "" if terms == "raw" else "<small>terms debiased, too</small>"
        rows.append([f"<b>{escape(name)}</b>, {escape(attribute)}{said}", str(of["pairs"].max()), *cells])
    head = ["", "pairs", *(label(score) for score in scores)]
    return f"<p>{escape(verdict(table))}</p>" + pages.table(head, rows)


def verdict(table: pd.DataFrame) -> str:
    """Which scores rank models otherwise than chance, after Holm's correction."""
    table, said = table[table["terms"] == "raw"], []
    tested = table.dropna(subset="p_holm")
    if not len(tested):
        return "Nothing could be tested: there are no pairs of models to be ranked."
    sure = tested[tested["p_holm"] < LEVEL]
    for right, words in ((True, "as their bias is"), (False, "against their bias")):
        of = sure[(sure["accuracy"] > sure["chance"]) == right]
        if len(of):
            names = [
                f"{label(row.score)} ({row.set}, {row.attribute}, {p_value(row.p_holm)})" for row in of.itertuples()
            ]
            said.append(
                f"{listed(names)} {'ranks' if len(of) == 1 else 'rank'} models {words} more often than by chance."
            )
    if not said:
        least = p_value(tested["p_holm"].min())
        return f"No score ranks models otherwise than by chance, after Holm's correction (least {least})."
    return " ".join(said) + (" All others cannot be told from chance." if len(sure) < len(tested) else "")


def accuracy(row: pd.Series) -> str:
    """An accuracy with its interval, its p and the published value."""
    p = f"<small>{p_value(row['p_holm'])}</small>" if np.isfinite(row["p_holm"]) else ""
    published = f"<small>published {row['published']:.2f}</small>" if np.isfinite(row["published"]) else ""
    return curves.decimal(row["accuracy"]) + between(row) + p + published


def between(row: pd.Series) -> str:
    """An interval, if there is one."""
    return f" [{curves.decimal(row.low)}, {curves.decimal(row.high)}]" if np.isfinite(row.low) else ""


def of_classifiers(table: pd.DataFrame) -> str:
    """How many classifiers count, and their gaps, by set of texts, version and components taken out."""
    if not len(table):
        return "<p>No texts were given.</p>"
    rows = []
    for (name, version, k), of in table.groupby(["set", "version", "k"], sort=False):
        used = of[of["counts"].astype(bool)]
        rows.append([escape(name), version, str(k), f"{len(used)} of {len(of)}", curves.decimal(of["recall"].median()),
                     spread(used["gap"])])  # fmt: skip
    head = ["", "texts", "components taken out", "classifiers that count", "median recall", "gap"]
    return pages.table(head, rows)


def of_pairs(table: pd.DataFrame) -> str:
    """Shares of pairs by set and attribute."""
    if not len(table):
        return "<p>No pairs were given.</p>"
    rows = [[escape(name), escape(attribute), str(of["pairs"].max()), spread(of["share"])]
            for (name, attribute), of in table.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    return pages.table(["", "", "pairs", "share with the first sentence likelier"], rows)


def within(table: pd.DataFrame) -> str:
    """F1: the median r over models, by metric."""
    chosen = table[((table["over"] == "pairs") | ((table["k"] == 0) & (table["classes"] == ALL)))
                   & (table["signed"].astype(str) != "True")]  # fmt: skip
    rows = []
    for row in chosen.itertuples():
        kind = f"classes, {row.version} texts" if row.over == "classes" else "pairs"
        rows.append([escape(row.set), escape(row.attribute), kind, f"<b>{escape(label(row.metric))}</b>",
                     f"{curves.decimal(row.median)} <small>quartiles {curves.decimal(row.lower)}, "
                     f"{curves.decimal(row.upper)}</small>", f"{row.significant} of {row.models}"])  # fmt: skip
    return pages.table(["", "", "over", "", "median r of the models", "with p < .05"], rows) if rows else "<p>–</p>"


def over(table: pd.DataFrame) -> str:
    """F2: r over classifiers or models."""
    chosen = table[(table["terms"] == "raw") & (table["version"] != "raw")]
    rows = [[escape(row.set), escape(row.attribute), f"<b>{escape(label(row.metric))}</b>",
             curves.decimal(row.r) + between(row), str(row.cases)] for row in chosen.itertuples()]  # fmt: skip
    return pages.table(["", "", "", "r", "classifiers or models"], rows) if rows else "<p>–</p>"


def fewer(table: pd.DataFrame) -> str:
    """F3: the deviation with the fewest texts and the most."""
    rows = []
    for (name, metric, again), of in table.groupby(["set", "metric", "regrouped"], sort=False):
        ends = of.sort_values("texts").iloc[[0, -1]]
        cells = [f"{row['mean']:.3f} ± {row['std']:.3f} <small>{row['texts']} texts</small>" if np.isfinite(row["mean"])
                 else "–" for _, row in ends.iterrows()]  # fmt: skip
        said = ", groups by the texts drawn" if again else ""
        rows.append([escape(name), f"<b>{escape(label(metric))}</b>{said}", *cells])
    return pages.table(["", "", "fewest texts", "most texts"], rows) if rows else "<p>No texts were given.</p>"


def of_titles(table: pd.DataFrame) -> str:
    """How far scores of titles are from those of texts."""
    rows = [[escape(row.set), f"<b>{escape(label(row.metric))}</b>", f"{row.mean:.3f} ± {row.std:.3f}",
             f"{row.published:.3f}" if np.isfinite(row.published) else "–"] for row in table.itertuples()]  # fmt: skip
    return pages.table(["", "", "difference", "published"], rows) if rows else "<p>No texts were given.</p>"


def spread(values: pd.Series) -> str:
    """The median and the range."""
    if not values.notna().any():
        return "–"
    return f"{values.median():.3f} <small>{values.min():.3f} to {values.max():.3f}</small>"


def label(score: str) -> str:
    return "Bias downstream" if score == DOWNSTREAM else curves.label(score)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    tables = {name: path for name, path in snakemake.input.items() if name != "code"}
    main(**tables, out=snakemake.output[0])
