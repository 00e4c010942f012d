"""What the study's tables say, in sentences: verdicts, and what each figure of a corpus shows."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from biassay.figures import plots
from biassay.figures.findings import LEVEL, Finding
from biassay.figures.formatting import format_decimal, join_names
from biassay.studies.first_order import comparison_findings, diagnosis_findings
from biassay.studies.first_order.comparison_findings import COSINE, METHODS

LONG = "direct co-occurrence (Λ1)"  # in the first sentence
SLOPES = "standardised slopes with 95 % bootstrap intervals"


class Tables(NamedTuple):
    """The study's tables; of contexts, accuracies and bands those of all corpora in one."""

    comparisons: pd.DataFrame
    correlations: pd.DataFrame
    false_positives: pd.DataFrame
    confounding: pd.DataFrame
    contexts: pd.DataFrame
    accuracies: pd.DataFrame
    bands: pd.DataFrame


def findings(tables: Tables, main_list: str, generated: Mapping[str, bool]) -> list[Finding]:
    """Verdicts and titles of figures; `generated` says of generated corpora whether they have bias."""
    said = list(comparison_findings.verdicts(comparison_findings.own(tables.comparisons, main_list), generated))
    first = [finding._replace(sentence=finding.sentence.replace("Λ1", LONG, 1)) for finding in said[:1]]
    verdicts = [*first, *partners(tables.confounding, main_list), *false_positives(tables.false_positives), *said[1:]]
    if not verdicts:
        verdicts = [Finding("", "No two scores could be compared.")]
    for corpus in tables.correlations["corpus"].unique():
        of_corpus = Tables(*(table[table["corpus"] == corpus] for table in tables))
        verdicts += titles(corpus, of_corpus, main_list, generated)
    return verdicts


def titles(corpus: str, tables: Tables, main_list: str, generated: Mapping[str, bool]) -> Iterator[Finding]:
    """What each figure of a corpus shows."""
    found = list(comparison_findings.verdicts(comparison_findings.own(tables.comparisons, main_list), generated)) or [
        nothing(tables.correlations, corpus, main_list, generated)
    ]
    results = {
        "representations": found[0],
        "word_lists": lists(tables.correlations, tables.comparisons),
        "occupations": diagnosis_findings.sides(tables.bands),
        "histograms": diagnosis_findings.strength(tables.bands),
        "debiased": diagnosis_findings.debiased(tables.bands),
        "effects": diagnosis_findings.effects(tables.contexts),
        "weights": diagnosis_findings.told(tables.accuracies),
    }
    for name, finding in results.items():
        sentence = finding.sentence.removesuffix(".")
        said = sentence if name == "representations" else f"{sentence} ({corpus})"
        yield finding._replace(result=f"figures/{corpus}/{name}", sentence=said)


def nothing(correlations: pd.DataFrame, corpus: str, main_list: str, generated: Mapping[str, bool]) -> Finding:
    """Of a corpus without bias: the largest correlation with statistics, and how many have p < .05 as they are."""
    rows = correlations[correlations["word_list"] == main_list].dropna(subset="spearman_p")
    if not len(rows):
        return Finding("", f"On {comparison_findings.text(corpus, generated)} nothing could be correlated.")
    found = (rows["spearman_p"] < LEVEL).sum()
    largest = rows.loc[rows["spearman"].abs().idxmax()]
    name = plots.label(*largest[["embedding", "space", "method"]])
    statistics = comparison_findings.statistics(largest["statistics"], corpus, generated)
    said = f"{found} of {len(rows)} correlations have p < .05 uncorrected, and the largest is"
    said += f" {format_decimal(largest['spearman'])} ({name}, {statistics}, n = {largest['n']})"
    test = "Spearman correlations, two-sided p, not corrected"
    return Finding("", f"On {comparison_findings.text(corpus, generated)} {said}.", test, f"{len(rows)} correlations")


def partners(confounding: pd.DataFrame, main_list: str) -> Iterator[Finding]:
    """Whose scores of an occupation follow its partner, beside which it stands without gendered words."""
    rows = confounding[(confounding["word_list"] == main_list) & confounding["method"].isin(METHODS)]
    for corpus, of in rows.groupby("corpus", sort=False):
        parts = []
        for method, name in METHODS.items():
            scores = of[of["method"] == method]
            if len(scores):
                found = scores["partner_slope_low"] > 0
                largest = scores.loc[scores["partner_slope"].idxmax()]
                slope = format_decimal(largest["partner_slope"])
                parts.append(f"{name} in {found.sum()} of {len(scores)} representations (largest slope {slope},"
                             f" {largest['embedding']})")  # fmt: skip
        said = "The score of an occupation follows the partner that it often stands beside without any gendered word"
        yield Finding("", f"{said}: {join_names(parts)} ({corpus}).", SLOPES, f"{of['n'].max()} confounded occupations")


def false_positives(false_positives: pd.DataFrame) -> Iterator[Finding]:
    """How often correlations with statistics are significant where no bias was planted."""
    for corpus, of in false_positives.groupby("corpus", sort=False):
        parts = []
        for method, name in METHODS.items():
            shares = of[of["method"] == method]
            if len(shares):
                low, high = (
                    f"{100 * value:.0f}"
                    for value in (shares["false_positive_rate"].min(), shares["false_positive_rate"].max())
                )
                spread = high if low == high else f"{low} to {high}"
                corrected = f"{100 * shares['false_positive_rate_holm'].max():.0f}"
                parts.append(
                    f"{name} in {spread} % of the tests of a representation (corrected, at most {corrected} %)"
                )
        if parts:
            said = f"Where no bias was planted ({corpus}), correlations with statistics are significant at 5 % with"
            yield Finding(
                "", f"{said} {join_names(parts)}.", "p < .05, and after Holm's correction", f"{of['n_tests'].sum()} tests"
            )


def lists(correlations: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """How far correlations hang on the list of definitional words, and where the order of two scores does."""
    rows = correlations[~correlations["statistics"].str.startswith("planted_") & correlations["method"].isin(METHODS)]
    rows = rows[(rows["space"] == "vectors") | (rows["method"] == "first_order")].dropna(subset="spearman")
    spread = rows.groupby(["method", "embedding", "statistics"], sort=False)["spearman"].agg(
        lambda r: r.max() - r.min()
    )
    parts = [
        f"{name} by up to {format_decimal(spread[method].max())} ({spread[method].idxmax()[0]})"
        for method, name in METHODS.items() if method in spread
    ]  # fmt: skip
    if rows["word_list"].nunique() < 2 or not parts:
        return Finding("", "With one list of definitional words there is nothing to compare.")
    return Finding("", f"By list of definitional words correlations change: {join_names(parts)}{turned(comparisons)}.", "",
                   f"{rows['word_list'].nunique()} lists")  # fmt: skip


def turned(comparisons: pd.DataFrame) -> str:
    """For which embeddings a list has first order significantly ahead, and another list its own cosine."""
    tables = [comparison_findings.own(comparisons, name) for name in comparisons["word_list"].unique()]
    rows = pd.concat(tables) if tables else comparisons
    rows = rows[(rows["second_method"] == COSINE) & ~rows["statistics"].str.startswith("planted_")]
    ahead = rows.groupby(["embedding", "statistics"], sort=False)["verdict"].agg(set)
    names = dict.fromkeys(key[0] for key, said in ahead.items() if {"first", "second"} <= said)
    return f"; which of both is significantly ahead hangs on the list for {join_names(names)}" if names else ""
