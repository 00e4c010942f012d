"""Findings of the study: verdicts, and a title for each figure of a corpus; templates/findings.txt words them."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.report import plots
from biassay.report.findings import LEVEL, Finding
from biassay.report.rendering import load_macros
from biassay.studies.first_order.tables import NO_SIGN

SENTENCES = load_macros("findings.txt", package="biassay.studies.first_order")
LONG_NAME = "direct co-occurrence (Λ1)"  # in the first sentence
COSINE, NND = "second_order_cosine", "second_order_nnd"
METHODS = {"first_order": "Λ1", COSINE: "the cosine"}  # built-in methods that findings compare
GROUND_TRUTH = {
    "planted": "the planted bias",
    "planted_confounded": "the planted bias of occupations with a partner",
    "planted_clear": "the planted bias of occupations without a partner",
}
CORRECTION = "(Spearman), Holm's correction for one list and second-order method"
STEIGER = f"Steiger's test of dependent correlations {CORRECTION}"
BOOTSTRAP = f"bootstrap test of dependent correlations over groups of a partner and its occupations {CORRECTION}"
SPEARMAN = "Spearman correlations, two-sided p, uncorrected"
BY_CHANCE = 0.025  # share of 95 % intervals above 0 without an effect
SLOPES = "standardised slopes with 95 % bootstrap intervals over partners"
Planted = Mapping[str, Collection[str]]  # statistics that each generated corpus planted, none without bias
SIGNIFICANCE = f"p < {LEVEL}, and after Holm's correction"
CLASSIFIER = "logistic regression, repeated stratified cross-validation"


class Tables(NamedTuple):
    """The study's tables, each with the rows of all corpora."""

    comparisons: pd.DataFrame
    correlations: pd.DataFrame
    false_positives: pd.DataFrame
    confounding: pd.DataFrame
    contexts: pd.DataFrame
    accuracies: pd.DataFrame
    bands: pd.DataFrame


def collect_findings(tables: Tables, main_list: str, generated: Planted) -> list[Finding]:
    """Collect the verdicts and the titles of figures.

    Parameters
    ----------
    tables : Tables
    main_list : str
        The word list that verdicts are about.
    generated : mapping of str to collection of str
        Generated corpora, and the statistics that each planted: "planted" and those read from its files, or none
        without bias.
    """
    own = select_own_comparisons(tables.comparisons, main_list)
    comparisons = list(describe_comparisons(own, generated, LONG_NAME))
    verdicts = [
        *comparisons[:1],
        *describe_partners(tables.confounding, main_list),
        *describe_false_positives(tables.false_positives),
        *dict.fromkeys(comparisons[1:]),  # a reason not to compare is the same for all statistics
    ]
    if not verdicts:
        verdicts = [Finding("", SENTENCES.no_comparison())]
    for corpus in tables.correlations["corpus"].unique():
        corpus_tables = Tables(*(table[table["corpus"] == corpus] for table in tables))
        verdicts += describe_figures(corpus, corpus_tables, main_list, generated)
    return verdicts


def select_own_comparisons(comparisons: pd.DataFrame, main_list: str) -> pd.DataFrame:
    """Select the Spearman comparisons on the main list of Λ1 with a second-order score of the same embedding.

    The second-order score is that of the vectors, or of the explicit vectors if the embedding has no others. The rows
    exclude related embeddings and nnd.
    """
    rows = comparisons[(comparisons["word_list"] == main_list) & (comparisons["correlation"] == "spearman")]
    rows = rows[(rows["embedding"] == rows["second_embedding"]) & (rows["second_method"] != NND)]
    keys = ["corpus", "embedding", "second_method"]
    has_vectors = (rows["second_space"] == "vectors").groupby([rows[key] for key in keys]).transform("any")
    return rows[(rows["second_space"] == "vectors") | ~has_vectors]


def statistics_label(name: str, corpus: str, generated: Planted) -> str:
    """Return the title of occupation statistics; for a generated corpus it says whether they were planted."""
    title = plots.STATISTICS.get(name, name.replace("_", " "))
    if name.startswith("planted") or corpus not in generated:
        return title
    return f"{title} (planted)" if name in generated[corpus] else f"{title} (not planted)"


def corpus_label(corpus: str, generated: Planted) -> str:
    """Return the name of a corpus in a sentence."""
    if corpus not in generated:
        return f"{corpus} text"
    return f"generated text{'' if generated[corpus] else ' without bias'} ({corpus})"


def describe_comparisons(
    rows: pd.DataFrame, generated: Planted, first_subject: str = METHODS["first_order"]
) -> Iterator[Finding]:
    """Yield a finding per statistics, corpus and second-order method, planted bias first; none without bias.

    `rows` are from `select_own_comparisons`; `first_subject` is the name of Λ1 in the first sentence.
    """
    unbiased = [corpus for corpus, planted in generated.items() if not planted]
    rows, subject = rows[~rows["corpus"].isin(unbiased)], first_subject
    order = {name: place for place, name in enumerate(dict.fromkeys([*GROUND_TRUTH, *rows["statistics"]]))}
    groups = rows.groupby(["statistics", "corpus", "second_method"], sort=False)
    unsigned = groups["verdict"].agg(lambda verdicts: (verdicts == NO_SIGN).all())
    for (name, corpus, method), part in sorted(groups, key=lambda group: (unsigned[group[0]], order[group[0][0]])):
        tested = part[part["p_holm"].notna()]
        sides = [tested[tested["verdict"] == side].to_dict("records") for side in ("first", "second")]
        counts = (tested if len(tested) else part)["n"]
        n = " to ".join(dict.fromkeys(f"{n}" for n in (counts.min(), counts.max()))) + " occupations"
        sentence = SENTENCES.comparison(
            subject, corpus_label(corpus, generated),
            GROUND_TRUTH.get(name, f"the statistics {statistics_label(name, corpus, generated)}"),
            f"the {plots.METHODS[method]}" if method in plots.METHODS else method,
            *sides, tested[~tested["verdict"].isin(["first", "second"])].to_dict("records"), n,
            NO_SIGN if unsigned[name, corpus, method] else "",
        )  # fmt: skip
        yield Finding("", sentence, BOOTSTRAP if corpus in generated else STEIGER, n)
        subject = METHODS["first_order"]


def describe_figures(corpus: str, tables: Tables, main_list: str, generated: Planted) -> Iterator[Finding]:
    """Yield a title for each figure of a corpus."""
    own = select_own_comparisons(tables.comparisons, main_list)
    comparisons = list(describe_comparisons(own, generated))
    figures = {
        "representations": comparisons[0] if comparisons
        else describe_control(tables.correlations, corpus, main_list, generated),
        "word_lists": describe_word_lists(tables.correlations, tables.comparisons),
        **describe_bands(tables.bands),
        "effects": describe_contexts(tables.contexts),
        "weights": describe_classifier(tables.accuracies),
    }  # fmt: skip
    for name, finding in figures.items():
        title = finding.sentence.strip().removesuffix(".")
        title = title if name == "representations" else f"{title} ({corpus})"
        yield finding._replace(result=f"figures/{corpus}/{name}", sentence=title)


def describe_control(correlations: pd.DataFrame, corpus: str, main_list: str, generated: Planted) -> Finding:
    """Describe the significant and the largest correlations on a corpus without bias."""
    text = corpus_label(corpus, generated)
    rows = correlations[correlations["word_list"] == main_list].dropna(subset="spearman_p")
    if not len(rows):
        return Finding("", SENTENCES.no_control(text))
    largest = rows.loc[rows["spearman"].abs().idxmax()]
    representation = plots.label(*largest[["embedding", "space", "method"]])
    statistics = statistics_label(largest["statistics"], corpus, generated)
    n_significant = (rows["spearman_p"] < LEVEL).sum()
    sentence = SENTENCES.control(text, n_significant, len(rows), LEVEL, largest, representation, statistics)
    return Finding("", sentence, SPEARMAN, f"{len(rows)} correlations")


def describe_partners(confounding: pd.DataFrame, main_list: str) -> Iterator[Finding]:
    """Yield a finding per corpus: how many representations score an occupation by its partner."""
    rows = confounding[(confounding["word_list"] == main_list) & confounding["method"].isin(METHODS)]
    for corpus, all_rows in rows.groupby("corpus", sort=False):
        corpus_rows, parts = all_rows.dropna(subset=["partner_slope", "partner_slope_low"]), []
        if not len(corpus_rows):
            continue
        for name, scores in _by_method(corpus_rows):
            largest = scores.loc[scores["partner_slope"].idxmax()]
            n_followers = (scores["partner_slope_low"] > 0).sum()
            parts.append({"name": name, "n_followers": n_followers, "n": len(scores),
                          "slope": largest["partner_slope"], "embedding": largest["embedding"]})  # fmt: skip
        n = f"{corpus_rows['n'].max()} confounded occupations"
        yield Finding("", SENTENCES.partners(parts, corpus, BY_CHANCE * len(corpus_rows)), SLOPES, n)


def describe_false_positives(false_positives: pd.DataFrame) -> Iterator[Finding]:
    """Yield a finding per corpus without bias: how many correlations with statistics are significant."""
    compared = false_positives[false_positives["method"].isin(METHODS)]
    for corpus, rows in compared.groupby("corpus", sort=False):
        parts = []
        for name, rates in _by_method(rows):
            rate, corrected = rates["false_positive_rate"], rates["false_positive_rate_holm"]
            at_most = np.ceil(100 * corrected.max() - 1e-9)  # not rounded down
            percent = {"low": 100 * rate.min(), "high": 100 * rate.max(), "corrected": at_most}
            parts.append({"name": name} | {key: f"{value:z.0f}" for key, value in percent.items()})
        n = f"{rows['n_tests'].sum()} tests"
        yield Finding("", SENTENCES.false_positives(parts, corpus), SIGNIFICANCE, n)


def describe_word_lists(correlations: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """Describe how much correlations depend on the list of definitional words."""
    rows = correlations[~correlations["statistics"].str.startswith("planted_")]
    rows = rows[(rows["space"] == "vectors") | (rows["method"] == "first_order")].dropna(subset="spearman")
    parts = []
    for name, scores in _by_method(rows):
        values = scores.groupby(["embedding", "statistics"], sort=False)["spearman"]
        differences = values.max() - values.min()
        parts.append({"name": name, "difference": differences.max(), "embedding": differences.idxmax()[0]})
    n_lists = rows[rows["method"].isin(METHODS)]["word_list"].nunique()
    if n_lists < 2:
        return Finding("", SENTENCES.one_word_list())
    return Finding("", SENTENCES.word_lists(parts, _find_dependent(comparisons)), "", f"{n_lists} lists")


def _find_dependent(comparisons: pd.DataFrame) -> list[str]:
    """Find embeddings for which Λ1 is significantly ahead of the cosine with one list, and behind with another."""
    rows = pd.concat([select_own_comparisons(comparisons, name) for name in comparisons["word_list"].unique()])
    rows = rows[(rows["second_method"] == COSINE) & ~rows["statistics"].str.startswith("planted_")]
    verdicts = rows.groupby(["embedding", "statistics"], sort=False)["verdict"].agg(set)
    return list(dict.fromkeys(key[0] for key, sides in verdicts.items() if {"first", "second"} <= sides))


def describe_bands(bands: pd.DataFrame) -> dict[str, Finding]:
    """Describe the gender-neutral occupations outside the unbiased band, by figure of factors."""
    groups = [name for name in bands.columns[bands.columns.get_loc("mean_bias") + 1 :] if name != "n_unbiased"]
    parts = []
    for name, rows in _by_method(bands):
        rows = rows.set_index("state")
        row, n_biased = rows.loc["original"], rows[groups].sum(axis=1)  # words without a score are on no side
        parts.append({
            "name": name, "n": row["n_neutral_occupations"],
            "counts": {group.removeprefix("n_"): row[group] for group in groups},
            "ratio": row["mean_absolute_bias"] / row["band"],
            "before": n_biased["original"], "after": n_biased["debiased"],
        })  # fmt: skip
    sentences = {"occupations": SENTENCES.sides, "histograms": SENTENCES.magnitude, "debiased": SENTENCES.debiasing}
    n = f"{bands['n_neutral_occupations'].max()} gender-neutral occupations"
    return {figure: Finding("", sentence(parts), "", n) for figure, sentence in sentences.items()}


def describe_contexts(contexts: pd.DataFrame) -> Finding:
    """Count the definitional words among the context words that contribute most to second-order bias."""
    words = contexts.drop_duplicates("context")
    sentence = SENTENCES.contexts(int(words["definitional"].sum()), len(words))
    return Finding("", sentence, "", f"{contexts['occupation'].nunique()} occupations")


def describe_classifier(accuracies: pd.DataFrame) -> Finding:
    """Report how well a classifier predicts perceived gender from explicit vectors, before and after debiasing."""
    rows = accuracies[accuracies["space"] == "explicit"].set_index("state")
    sentence = SENTENCES.classifier(rows["accuracy"].to_dict(), rows["majority"].iloc[0])
    return Finding("", sentence, CLASSIFIER, f"{rows['n'].iloc[0]} occupations")


def _by_method(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name of each of METHODS with its rows, if there are any."""
    for method, name in METHODS.items():
        if (rows["method"] == method).any():
            yield name, rows[rows["method"] == method]
