"""Findings of the study; templates/findings.txt words them."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.report import plots
from biassay.report.findings import LEVEL, Finding
from biassay.report.rendering import load_macros
from biassay.studies.first_order.tables import NO_SIGN

SENTENCES = load_macros("findings.txt", package="biassay.studies.first_order")
LONG_NAME = "direct co-occurrence (Λ1)"  # in the first sentence
METHODS = {"first_order": "Λ1", "second_order_cosine": "the cosine"}  # built-in methods that findings compare
GROUND_TRUTH = {
    "planted": "the planted bias",
    "planted_confounded": "the planted bias of occupations with a partner",
    "planted_clear": "the planted bias of occupations without a partner",
}
CORRECTION = "(Spearman), Holm's correction for one list and second-order method"
STEIGER = f"Steiger's test of dependent correlations {CORRECTION}"
BOOTSTRAP = f"bootstrap test of dependent correlations over groups of a partner and its occupations {CORRECTION}"
BY_CHANCE = 0.025  # share of 95 % intervals above 0 without an effect
SLOPES = "standardised slopes with 95 % bootstrap intervals over partners"
Planted = Mapping[str, Collection[str]]  # statistics that each generated corpus planted, none without bias
SIGNIFICANCE = f"p < {LEVEL}, and after Holm's correction"


def collect_findings(
    comparisons: pd.DataFrame, confounding: pd.DataFrame, false_positives: pd.DataFrame, main_list: str,
    generated: Planted,
) -> list[Finding]:  # fmt: skip
    """Collect the verdicts.

    Parameters
    ----------
    comparisons, confounding, false_positives : DataFrame
        The study's tables with these names.
    main_list : str
        The word list that verdicts are about.
    generated : mapping of str to collection of str
        Generated corpora, and the statistics that each planted: "planted" and those read from its files, or none
        without bias.
    """
    described = list(describe_comparisons(select_own_comparisons(comparisons, main_list), generated))
    verdicts = [
        *described[:1],
        *describe_partners(confounding, main_list),
        *describe_false_positives(false_positives),
        *dict.fromkeys(described[1:]),  # a reason not to compare is the same for all statistics
    ]
    return verdicts or [Finding("No two scores could be compared.")]


def select_own_comparisons(comparisons: pd.DataFrame, main_list: str) -> pd.DataFrame:
    """Select the Spearman comparisons on the main list of Λ1 with a second-order score of the same embedding.

    The second-order score is that of the vectors, or of the explicit vectors if the embedding has no others. The rows
    exclude related embeddings and nnd.
    """
    rows = comparisons[(comparisons["word_list"] == main_list) & (comparisons["correlation"] == "spearman")]
    rows = rows[(rows["embedding"] == rows["second_embedding"]) & (rows["second_method"] != "second_order_nnd")]
    keys = ["corpus", "embedding", "second_method"]
    has_vectors = (rows["second_space"] == "vectors").groupby([rows[key] for key in keys]).transform("any")
    return rows[(rows["second_space"] == "vectors") | ~has_vectors]


def statistics_label(name: str, corpus: str, generated: Planted) -> str:
    """Return the title of occupation statistics; for a generated corpus it says whether they were planted."""
    title = plots.STATISTICS.get(name, name.replace("_", " "))
    if name.startswith("planted") or corpus not in generated:
        return title
    return f"{title} (planted)" if name in generated[corpus] else f"{title} (not planted)"


def describe_comparisons(rows: pd.DataFrame, generated: Planted) -> Iterator[Finding]:
    """Yield a finding per statistics, corpus and second-order method, planted bias first; none without bias.

    `rows` are from `select_own_comparisons`.
    """
    unbiased = [corpus for corpus, planted in generated.items() if not planted]
    rows, subject = rows[~rows["corpus"].isin(unbiased)], LONG_NAME
    order = {name: place for place, name in enumerate(dict.fromkeys([*GROUND_TRUTH, *rows["statistics"]]))}
    groups = rows.groupby(["statistics", "corpus", "second_method"], sort=False)
    unsigned = groups["verdict"].agg(lambda verdicts: (verdicts == NO_SIGN).all())
    for (name, corpus, method), part in sorted(groups, key=lambda group: (unsigned[group[0]], order[group[0][0]])):
        tested = part[part["p_holm"].notna()]
        sides = [tested[tested["verdict"] == side].to_dict("records") for side in ("first", "second")]
        counts = (tested if len(tested) else part)["n"]
        n = " to ".join(dict.fromkeys(f"{n}" for n in (counts.min(), counts.max()))) + " occupations"
        sentence = SENTENCES.comparison(
            subject, f"generated text ({corpus})" if corpus in generated else f"{corpus} text",
            GROUND_TRUTH.get(name, f"the statistics {statistics_label(name, corpus, generated)}"),
            f"the {plots.METHODS[method]}" if method in plots.METHODS else method,
            *sides, tested[~tested["verdict"].isin(["first", "second"])].to_dict("records"), n,
            NO_SIGN if unsigned[name, corpus, method] else "",
        )  # fmt: skip
        yield Finding(sentence, BOOTSTRAP if corpus in generated else STEIGER, n)
        subject = METHODS["first_order"]


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
        yield Finding(SENTENCES.partners(parts, corpus, BY_CHANCE * len(corpus_rows)), SLOPES, n)


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
        yield Finding(SENTENCES.false_positives(parts, corpus), SIGNIFICANCE, n)


def _by_method(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name of each of METHODS with its rows, if there are any."""
    for method, name in METHODS.items():
        if (rows["method"] == method).any():
            yield name, rows[rows["method"] == method]
