"""Findings on the diagnosis of an embedding: biased occupations, context words, perceived gender."""

import pandas as pd

from biassay.report import curves
from biassay.report.findings import Finding
from biassay.report.formatting import format_decimal, join_names
from biassay.studies.first_order.comparison_findings import METHODS

CLASSIFIER = "logistic regression, repeated stratified cross-validation"


def describe_sides(bands: pd.DataFrame) -> Finding:
    """Count the biased gender-neutral occupations on each side."""
    counts = [name for name in bands.columns[bands.columns.get_loc("mean_bias") + 1 :] if name != "n_unbiased"]
    rows = bands[bands["state"] == "original"].set_index("method")
    parts = []
    for method, name in METHODS.items():
        if method in rows.index:
            row = rows.loc[method]
            sides = join_names(f"{row[count]} {count.removeprefix('n_')}" for count in counts)
            parts.append(f"{row[counts].sum()} of {row['n_neutral_occupations']} by {name} ({sides})")
    sentence = f"Gender-neutral occupations outside the unbiased band: {join_names(parts)}."
    return Finding("", sentence, "", _count_neutral(bands))


def describe_magnitude(bands: pd.DataFrame) -> Finding:
    """Compare the mean |bias| of gender-neutral occupations with that of all words."""
    rows = bands[bands["state"] == "original"].set_index("method")
    parts = [
        f"{rows.loc[method, 'mean_absolute_bias'] / rows.loc[method, 'band']:.2f} times by {name}"
        for method, name in METHODS.items() if method in rows.index
    ]  # fmt: skip
    sentence = f"Mean |bias| of gender-neutral occupations relative to all words: {join_names(parts)}."
    return Finding("", sentence, "", _count_neutral(bands))


def describe_debiasing(bands: pd.DataFrame) -> Finding:
    """Count the gender-neutral occupations that stay biased after hard debiasing."""
    rows = bands.assign(biased=bands["n_neutral_occupations"] - bands["n_unbiased"])
    rows = rows.pivot_table("biased", "method", "state")
    parts = [f"{rows.loc[method, 'debiased']:.0f} (before: {rows.loc[method, 'original']:.0f}) by {name}"
             for method, name in METHODS.items() if method in rows.index]  # fmt: skip
    sentence = f"Gender-neutral occupations outside the unbiased band after hard debiasing: {join_names(parts)}."
    return Finding("", sentence, "", _count_neutral(bands))


def describe_contexts(contexts: pd.DataFrame) -> Finding:
    """Count the definitional words among the context words that contribute most to second-order bias."""
    n_definitional, n = int(contexts["definitional"].sum()), len(contexts)
    sentence = f"{n_definitional} of the {n} context words that contribute most to the cosine's bias are definitional"
    if n_definitional < n:
        sentence += f"; the other {n - n_definitional} are not gendered by definition"
    return Finding("", f"{sentence}.", "", f"{contexts['occupation'].nunique()} occupations")


def describe_classifier(accuracies: pd.DataFrame) -> Finding:
    """Report how well a classifier predicts perceived gender from explicit vectors, before and after debiasing."""
    rows = curves.select_rows(accuracies, space="explicit").set_index("state")
    parts = [f"{format_decimal(row.accuracy)} {'before' if state == 'original' else 'after'} hard debiasing"
             for state, row in rows.iterrows()]  # fmt: skip
    majority = format_decimal(rows["majority"].iloc[0]) if len(rows) else "–"
    sentence = f"A classifier predicts the perceived gender of neutral occupations with accuracy {' and '.join(parts)}"
    n = f"{rows['n'].iloc[0] if len(rows) else 0} occupations"
    return Finding("", f"{sentence} (share of the majority class: {majority}).", CLASSIFIER, n)


def _count_neutral(bands: pd.DataFrame) -> str:
    return f"{bands['n_neutral_occupations'].max()} gender-neutral occupations"
