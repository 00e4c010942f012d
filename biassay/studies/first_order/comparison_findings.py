"""Which of first order and a second-order score follows a statistics more closely, by embedding, in sentences."""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.figures import plots
from biassay.figures.findings import Finding
from biassay.figures.formatting import format_decimal, format_p_value, join_names

COSINE, NND = "second_order_cosine", "second_order_nnd"
METHODS = {"first_order": "Λ1", COSINE: "the cosine"}  # that sentences are about, beside metrics of one's own
TEST = "Steiger's test of dependent correlations (Spearman), p after Holm's correction over all tests of a corpus"
GROUND_TRUTH = {
    "planted": "the planted bias",
    "planted_confounded": "the planted bias of occupations with a partner",
    "planted_clear": "the planted bias of occupations without a partner",
}


def own(comparisons: pd.DataFrame, main_list: str) -> pd.DataFrame:
    """Spearman's comparisons on the main list of each embedding's first order with its own second order.

    That is of its vectors, or of its explicit ones where it has no others; related embeddings and nnd are left out.
    """
    rows = comparisons[(comparisons["word_list"] == main_list) & (comparisons["correlation"] == "spearman")]
    rows = rows[(rows["embedding"] == rows["second_embedding"]) & (rows["second_method"] != NND)]
    keys = ["corpus", "embedding", "second_method"]
    stored = (rows["second_space"] == "vectors").groupby([rows[key] for key in keys]).transform("any")
    return rows[(rows["second_space"] == "vectors") | ~stored]


def statistics(name: str, corpus: str, generated: Mapping[str, bool]) -> str:
    """A statistics as columns are named: in generated text it says what was planted, or would be real elsewhere."""
    title = plots.STATISTICS.get(name, name.replace("_", " "))
    if name.startswith("planted") or corpus not in generated:
        return title
    return f"{title} (planted)" if generated[corpus] else f"{title} (not planted)"


def text(corpus: str, generated: Mapping[str, bool]) -> str:
    """A corpus in words; `generated` says of generated ones whether they have bias."""
    if corpus not in generated:
        return f"{corpus} text"
    return f"generated text{'' if generated[corpus] else ' without bias'} ({corpus})"


def verdicts(rows: pd.DataFrame, generated: Mapping[str, bool]) -> Iterator[Finding]:
    """A sentence a corpus, statistics and second-order method, of rows of `own`; what was planted first.

    Of a corpus without bias there is nothing to follow, and no sentence.
    """
    truthful = rows[~rows["corpus"].isin([corpus for corpus, biased in generated.items() if not biased])]
    order = {name: place for place, name in enumerate(dict.fromkeys([*GROUND_TRUTH, *truthful["statistics"]]))}
    for (name, corpus, method), of in sorted(
        truthful.groupby(["statistics", "corpus", "second_method"], sort=False), key=lambda found: order[found[0][0]]
    ):
        what = GROUND_TRUTH.get(name, f"the statistics {statistics(name, corpus, generated)}")
        n = f"{of['n'].max()} occupations"
        yield Finding("", f"On {text(corpus, generated)} {compared(of, what, method)} ({n}).", TEST, n)


def compared(rows: pd.DataFrame, what: str, method: str) -> str:
    """For which embeddings first order follows something more closely, for which less, for which neither."""
    other = f"the {plots.METHODS[method]}" if method in plots.METHODS else method
    tested = rows[rows["p_holm"].notna()]
    if not len(tested):
        return f"Λ1 and {other} could not be compared"
    parts = [_part(tested[tested["verdict"] == "first"], f"Λ1 follows {what} more closely than {other} does")]
    less = "less closely" if parts[0] else f"Λ1 follows {what} less closely than {other} does"
    parts.append(_part(tested[tested["verdict"] == "second"], less))
    parts = [part for part in parts if part]
    if not parts:
        return f"Λ1 and {other} do not differ significantly in how closely they follow {what}"
    rest = tested[~tested["verdict"].isin(["first", "second"])]["embedding"]
    return ", ".join(parts) + (f"; no significant difference for {join_names(rest)}" if len(rest) else "")


def _part(rows: pd.DataFrame, said: str) -> str:
    if not len(rows):
        return ""
    cells = [
        f"{row.embedding} ({format_decimal(row.first_order)} against {format_decimal(row.second_order)}, "
        f"{format_p_value(row.p_holm)})" for row in rows.itertuples()
    ]  # fmt: skip
    return f"{said} for {join_names(cells)}"
