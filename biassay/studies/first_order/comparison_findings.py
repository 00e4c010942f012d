"""Findings on whether Λ1 or a second-order score follows occupation statistics more closely."""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.report import plots
from biassay.report.findings import Finding
from biassay.report.formatting import format_decimal, format_p_value, join_names

COSINE, NND = "second_order_cosine", "second_order_nnd"
METHODS = {"first_order": "Λ1", COSINE: "the cosine"}  # built-in methods that findings compare
TEST = "Steiger's test of dependent correlations (Spearman), Holm's correction over all tests of a corpus"
GROUND_TRUTH = {
    "planted": "the planted bias",
    "planted_confounded": "the planted bias of occupations with a partner",
    "planted_clear": "the planted bias of occupations without a partner",
}


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


def statistics_label(name: str, corpus: str, generated: Mapping[str, bool]) -> str:
    """Return the title of occupation statistics; for a generated corpus it says whether they were planted."""
    title = plots.STATISTICS.get(name, name.replace("_", " "))
    if name.startswith("planted") or corpus not in generated:
        return title
    return f"{title} (planted)" if generated[corpus] else f"{title} (not planted)"


def corpus_label(corpus: str, generated: Mapping[str, bool]) -> str:
    """Return the name of a corpus in a sentence; `generated` maps generated corpora to whether they are biased."""
    if corpus not in generated:
        return f"{corpus} text"
    return f"generated text{'' if generated[corpus] else ' without bias'} ({corpus})"


def describe_comparisons(rows: pd.DataFrame, generated: Mapping[str, bool]) -> Iterator[Finding]:
    """Yield a finding per statistics, corpus and second-order method, planted bias first.

    Corpora without bias have no findings, because there is no bias to follow.

    Parameters
    ----------
    rows : DataFrame
        Comparisons selected by `select_own_comparisons`.
    generated : mapping of str to bool
        Generated corpora, and whether they are biased.
    """
    unbiased = [corpus for corpus, is_biased in generated.items() if not is_biased]
    rows = rows[~rows["corpus"].isin(unbiased)]
    order = {name: place for place, name in enumerate(dict.fromkeys([*GROUND_TRUTH, *rows["statistics"]]))}
    groups = rows.groupby(["statistics", "corpus", "second_method"], sort=False)
    for (name, corpus, method), part in sorted(groups, key=lambda group: order[group[0][0]]):
        reference = GROUND_TRUTH.get(name, f"the statistics {statistics_label(name, corpus, generated)}")
        n = f"{part['n'].max()} occupations"
        sentence = f"On {corpus_label(corpus, generated)}, {describe_leads(part, reference, method)} ({n})."
        yield Finding("", sentence, TEST, n)


def describe_leads(rows: pd.DataFrame, reference: str, method: str) -> str:
    """Describe on which embeddings Λ1 follows a reference significantly more closely, or less, than another method."""
    other = f"the {plots.METHODS[method]}" if method in plots.METHODS else method
    tested = rows[rows["p_holm"].notna()]
    if not len(tested):
        return f"Λ1 and {other} could not be compared"
    parts = [_describe_side(tested[tested["verdict"] == "first"], f"Λ1 follows {reference} more closely than {other}")]
    clause = "less closely" if parts[0] else f"Λ1 follows {reference} less closely than {other}"
    parts.append(_describe_side(tested[tested["verdict"] == "second"], clause))
    parts = [part for part in parts if part]
    if not parts:
        return f"Λ1 and {other} do not differ significantly in how closely they follow {reference}"
    rest = tested[~tested["verdict"].isin(["first", "second"])]["embedding"]
    return ", ".join(parts) + (f"; no significant difference for {join_names(rest)}" if len(rest) else "")


def _describe_side(rows: pd.DataFrame, clause: str) -> str:
    if not len(rows):
        return ""
    cells = [
        f"{row.embedding} (ρ = {format_decimal(row.first_order)} and {format_decimal(row.second_order)}, "
        f"{format_p_value(row.p_holm)})" for row in rows.itertuples()
    ]  # fmt: skip
    return f"{clause} for {join_names(cells)}"
