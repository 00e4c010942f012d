"""What the diagnosis of an embedding found, in sentences: sides of occupations, context words, perceived gender."""

import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import Finding
from biassay.figures.formatting import format_decimal, join_names
from biassay.studies.first_order.comparison_findings import METHODS

CROSSED = "logistic regression, repeated stratified cross-validation"


def sides(bands: pd.DataFrame) -> Finding:
    """Count the biased gender-neutral occupations on each side."""
    counts = [name for name in bands.columns[bands.columns.get_loc("mean_bias") + 1 :] if name != "n_unbiased"]
    rows = bands[bands["state"] == "original"].set_index("method")
    parts = []
    for method, name in METHODS.items():
        if method in rows.index:
            row = rows.loc[method]
            towards = join_names(f"{row[count]} towards {count.removeprefix('n_')}" for count in counts)
            parts.append(f"{row[counts].sum()} of {row['n_neutral_occupations']} by {name} ({towards})")
    return Finding("", f"Gender-neutral occupations outside the unbiased band: {join_names(parts)}.", "", _neutral(bands))


def strength(bands: pd.DataFrame) -> Finding:
    """Mean absolute bias of gender-neutral occupations, beside that of all words."""
    rows = bands[bands["state"] == "original"].set_index("method")
    parts = [
        f"{rows.loc[method, 'mean_absolute_bias'] / rows.loc[method, 'band']:.2f} times that of all words by {name}"
        for method, name in METHODS.items() if method in rows.index
    ]  # fmt: skip
    return Finding(
        "", f"The mean bias of gender-neutral occupations, either way, is {join_names(parts)}.", "", _neutral(bands)
    )


def debiased(bands: pd.DataFrame) -> Finding:
    """How many gender-neutral occupations stay biased after hard debiasing."""
    rows = bands.assign(biased=bands["n_neutral_occupations"] - bands["n_unbiased"])
    rows = rows.pivot_table("biased", "method", "state")
    parts = [f"{rows.loc[method, 'debiased']:.0f} (before {rows.loc[method, 'original']:.0f}) by {name}"
             for method, name in METHODS.items() if method in rows.index]  # fmt: skip
    said = "Gender-neutral occupations outside the unbiased band after hard debiasing"
    return Finding("", f"{said}: {join_names(parts)}.", "", _neutral(bands))


def effects(contexts: pd.DataFrame) -> Finding:
    """How many of the context words with the largest parts in second-order bias are definitional."""
    named, number = int(contexts["definitional"].sum()), len(contexts)
    said = f"{named} of the {number} context words with the largest parts in the cosine's bias are definitional words"
    said += f"; the other {number - named} make occupations gendered by way of other things" if named < number else ""
    return Finding("", f"{said}.", "", f"{contexts['occupation'].nunique()} occupations")


def told(accuracies: pd.DataFrame) -> Finding:
    """How well a classifier tells perceived gender from explicit vectors, before and after debiasing."""
    rows = curves.select_rows(accuracies, space="explicit").set_index("state")
    parts = [f"{format_decimal(row.accuracy)} {'before' if state == 'original' else 'after'} hard debiasing"
             for state, row in rows.iterrows()]  # fmt: skip
    majority = format_decimal(rows["majority"].iloc[0]) if len(rows) else "–"
    said = f"A classifier tells the perceived gender of neutral occupations with accuracy {' and '.join(parts)}"
    n = f"{rows['n'].iloc[0] if len(rows) else 0} occupations"
    return Finding("", f"{said}; the more frequent gender has {majority} of them.", CROSSED, n)


def _neutral(bands: pd.DataFrame) -> str:
    return f"{bands['n_neutral_occupations'].max()} gender-neutral occupations"
