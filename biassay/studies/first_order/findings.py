"""Findings of the study: verdicts, and a title for each figure of a corpus."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from biassay.report import plots
from biassay.report.findings import LEVEL, Finding
from biassay.report.formatting import format_decimal, join_names
from biassay.studies.first_order import comparison_findings, diagnosis_findings
from biassay.studies.first_order.comparison_findings import COSINE, METHODS, corpus_label

LONG_NAME = "direct co-occurrence (Λ1)"  # in the first sentence
SLOPES = "standardised slopes with 95 % bootstrap intervals"


class Tables(NamedTuple):
    """The study's tables, each with the rows of all corpora."""

    comparisons: pd.DataFrame
    correlations: pd.DataFrame
    false_positives: pd.DataFrame
    confounding: pd.DataFrame
    contexts: pd.DataFrame
    accuracies: pd.DataFrame
    bands: pd.DataFrame


def collect_findings(tables: Tables, main_list: str, generated: Mapping[str, bool]) -> list[Finding]:
    """Collect the verdicts and the titles of figures.

    Parameters
    ----------
    tables : Tables
    main_list : str
        The word list that verdicts are about.
    generated : mapping of str to bool
        Generated corpora, and whether they are biased.
    """
    own = comparison_findings.select_own_comparisons(tables.comparisons, main_list)
    comparisons = list(comparison_findings.describe_comparisons(own, generated))
    first = [finding._replace(sentence=finding.sentence.replace("Λ1", LONG_NAME, 1)) for finding in comparisons[:1]]
    verdicts = [
        *first,
        *describe_partners(tables.confounding, main_list),
        *describe_false_positives(tables.false_positives),
        *comparisons[1:],
    ]
    if not verdicts:
        verdicts = [Finding("", "No two scores could be compared.")]
    for corpus in tables.correlations["corpus"].unique():
        corpus_tables = Tables(*(table[table["corpus"] == corpus] for table in tables))
        verdicts += describe_figures(corpus, corpus_tables, main_list, generated)
    return verdicts


def describe_figures(corpus: str, tables: Tables, main_list: str, generated: Mapping[str, bool]) -> Iterator[Finding]:
    """Yield a title for each figure of a corpus."""
    own = comparison_findings.select_own_comparisons(tables.comparisons, main_list)
    comparisons = list(comparison_findings.describe_comparisons(own, generated))
    figures = {
        "representations": comparisons[0] if comparisons
        else describe_control(tables.correlations, corpus, main_list, generated),
        "word_lists": describe_word_lists(tables.correlations, tables.comparisons),
        "occupations": diagnosis_findings.describe_sides(tables.bands),
        "histograms": diagnosis_findings.describe_magnitude(tables.bands),
        "debiased": diagnosis_findings.describe_debiasing(tables.bands),
        "effects": diagnosis_findings.describe_contexts(tables.contexts),
        "weights": diagnosis_findings.describe_classifier(tables.accuracies),
    }  # fmt: skip
    for name, finding in figures.items():
        title = finding.sentence.removesuffix(".")
        title = title if name == "representations" else f"{title} ({corpus})"
        yield finding._replace(result=f"figures/{corpus}/{name}", sentence=title)


def describe_control(correlations: pd.DataFrame, corpus: str, main_list: str, generated: Mapping[str, bool]) -> Finding:
    """Describe the significant and the largest correlations on a corpus without bias."""
    rows = correlations[correlations["word_list"] == main_list].dropna(subset="spearman_p")
    if not len(rows):
        return Finding("", f"On {corpus_label(corpus, generated)}, no score could be correlated.")
    n_significant = (rows["spearman_p"] < LEVEL).sum()
    largest = rows.loc[rows["spearman"].abs().idxmax()]
    representation = plots.label(*largest[["embedding", "space", "method"]])
    statistics = comparison_findings.statistics_label(largest["statistics"], corpus, generated)
    sentence = f"On {corpus_label(corpus, generated)}, {n_significant} of {len(rows)} correlations have p < {LEVEL} "
    sentence += f"(uncorrected); the largest is ρ = {format_decimal(largest['spearman'])} "
    sentence += f"({representation}, {statistics}, n = {largest['n']})."
    return Finding("", sentence, "Spearman correlations, two-sided p, uncorrected", f"{len(rows)} correlations")


def describe_partners(confounding: pd.DataFrame, main_list: str) -> Iterator[Finding]:
    """Yield a finding per corpus: which methods score an occupation by its partner."""
    rows = confounding[(confounding["word_list"] == main_list) & confounding["method"].isin(METHODS)]
    for corpus, corpus_rows in rows.groupby("corpus", sort=False):
        parts = []
        for method, name in METHODS.items():
            scores = corpus_rows[corpus_rows["method"] == method]
            if len(scores):
                n_followers = (scores["partner_slope_low"] > 0).sum()
                largest = scores.loc[scores["partner_slope"].idxmax()]
                slope = format_decimal(largest["partner_slope"])
                parts.append(f"{name} in {n_followers} of {len(scores)} representations (largest slope: {slope},"
                             f" {largest['embedding']})")  # fmt: skip
        sentence = "The score of an occupation follows the bias of its partner, which co-occurs with it without"
        sentence += f" gendered words: {join_names(parts)} ({corpus})."
        yield Finding("", sentence, SLOPES, f"{corpus_rows['n'].max()} confounded occupations")


def describe_false_positives(false_positives: pd.DataFrame) -> Iterator[Finding]:
    """Yield a finding per corpus without bias: how many correlations with statistics are significant."""
    for corpus, rows in false_positives.groupby("corpus", sort=False):
        parts = []
        for method, name in METHODS.items():
            rates = rows[rows["method"] == method]
            if len(rates):
                low, high = (
                    f"{100 * rate:.0f}"
                    for rate in (rates["false_positive_rate"].min(), rates["false_positive_rate"].max())
                )
                percent = high if low == high else f"{low} to {high}"
                corrected = f"{100 * rates['false_positive_rate_holm'].max():.0f}"
                parts.append(f"{name} in {percent} % of tests per representation (corrected: at most {corrected} %)")
        if parts:
            sentence = f"Without planted bias ({corpus}), correlations with occupation statistics are significant by"
            test, n = f"p < {LEVEL}, and after Holm's correction", f"{rows['n_tests'].sum()} tests"
            yield Finding("", f"{sentence} {join_names(parts)}.", test, n)


def describe_word_lists(correlations: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """Describe how much correlations depend on the list of definitional words."""
    rows = correlations[~correlations["statistics"].str.startswith("planted_") & correlations["method"].isin(METHODS)]
    rows = rows[(rows["space"] == "vectors") | (rows["method"] == "first_order")].dropna(subset="spearman")
    ranges = rows.groupby(["method", "embedding", "statistics"], sort=False)["spearman"].agg(
        lambda values: values.max() - values.min()
    )
    parts = [
        f"by up to {format_decimal(ranges[method].max())} for {name} ({ranges[method].idxmax()[0]})"
        for method, name in METHODS.items() if method in ranges
    ]  # fmt: skip
    if rows["word_list"].nunique() < 2 or not parts:
        return Finding("", "With one list of definitional words, no lists can be compared.")
    sentence = f"Correlations differ between lists of definitional words {join_names(parts)}"
    return Finding("", f"{sentence}{describe_reversals(comparisons)}.", "", f"{rows['word_list'].nunique()} lists")


def describe_reversals(comparisons: pd.DataFrame) -> str:
    """Name the embeddings for which Λ1 is significantly ahead of the cosine with one list, and behind with another."""
    word_lists = comparisons["word_list"].unique()
    tables = [comparison_findings.select_own_comparisons(comparisons, name) for name in word_lists]
    rows = pd.concat(tables) if tables else comparisons
    rows = rows[(rows["second_method"] == COSINE) & ~rows["statistics"].str.startswith("planted_")]
    verdicts = rows.groupby(["embedding", "statistics"], sort=False)["verdict"].agg(set)
    names = dict.fromkeys(key[0] for key, sides in verdicts.items() if {"first", "second"} <= sides)
    return f"; which of the two is significantly ahead depends on the list for {join_names(names)}" if names else ""
