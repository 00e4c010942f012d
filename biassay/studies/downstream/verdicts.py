"""Verdicts of the study: do scores predict downstream bias, and how certain is it?"""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.report.findings import LEVEL, Finding
from biassay.report.formatting import format_count, format_p_value, format_range, join_names, metric_label
from biassay.studies.downstream.agreement import ALL

DOWNSTREAM, PLANTED = "downstream", "planted"
PREDICATES = {"downstream": "has more downstream bias", "planted": "has more planted bias"}
EMPTY = {
    "downstream": "No models could be ranked: there are no set-level scores.",
    "planted": "No models could be ranked: there are no models with planted bias.",
}
TEST = "permutation of the scores of whole models, Holm's correction for"


def verdicts(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield the verdicts: ranking by downstream and by planted bias, agreement within models, robustness."""
    yield describe_ranking(tables["ranking"], DOWNSTREAM)
    yield describe_ranking(tables["ranking"], PLANTED)
    yield describe_correlations(tables["correlations"])
    yield describe_robustness(tables["robustness"])


def describe_ranking(table: pd.DataFrame, ground_truth: str) -> Finding:
    """Describe which scores rank models significantly better or worse than chance by one ground truth."""
    table = table[
        (table["ground_truth"] == ground_truth) & (table["group_words"] == "raw") & (table["version"] != "raw")
    ]
    tested = table.dropna(subset="p_holm")
    if not len(tested):
        sentence = "No ranking could be tested: it takes two models with different bias."
        return Finding("", sentence if len(table) else EMPTY[ground_truth])
    significant, parts = tested[tested["p_holm"] < LEVEL], []
    is_better = significant["ranking_accuracy"] > significant["chance"]
    question = f"which of two language models {PREDICATES[ground_truth]}"
    sides = (
        (significant[is_better], "predicts", "predict"),
        (significant[~is_better], "is misleading on", "are misleading on"),
    )
    for rows, singular, plural in sides:
        names = [
            f"{label(row.score)} ({row.set}, {row.attribute}, {format_p_value(row.p_holm)})"
            for row in rows.itertuples()
        ]
        if len(rows):
            parts.append(f"{join_names(names)} {singular if len(rows) == 1 else plural} {question}")
    n, rankings = format_count(tested["n_models"].max(), "model"), format_count(len(tested), "ranking")
    if not parts:
        smallest = format_p_value(tested["p_holm"].min())
        parts = [f"No score predicts {question}: none of {rankings} differs from chance (smallest {smallest})"]
    elif len(significant) < len(tested):
        parts.append(f"no other of {rankings} differs from chance")
    return Finding("", f"{'; '.join(parts)}.", f"{TEST} {rankings}", n)


def select_main(table: pd.DataFrame) -> pd.DataFrame:
    """Select the correlations within models that figures and pages show: over pairs, and over all classes by vectors
    that are not debiased; signed scores by their absolute value."""
    of_classes = (table["n_directions"] == 0) & (table["classes"] == ALL)
    return table[((table["units"] == "pairs") | of_classes) & (table["signed"].astype(str) != "True")]


def describe_correlations(table: pd.DataFrame, result: str = "") -> Finding:
    """Describe the smallest and largest median r within a model, over classes and over pairs."""
    parts, rows = [], select_main(table).dropna(subset="median")
    for (units, version), part in rows.groupby(["units", "version"], sort=False):
        over = f"classes of {version} texts" if units == "classes" else units
        has_several = part[["set", "attribute"]].drop_duplicates().shape[0] > 1
        names = [f"{label(row.metric)}, {row.set}, {row.attribute}" if has_several else label(row.metric)
                 for row in part.itertuples()]  # fmt: skip
        parts.append(f"{format_range(pd.Series(part['median'].to_numpy(), names), 2)} over {over}")
    if not parts:
        return Finding(result, "Within a model, no scores of classes or pairs could be compared with downstream bias.")
    sentence = f"Within a model, the median r of scores with downstream bias is {join_names(parts)}."
    return Finding(result, sentence, "", format_count(rows["n_models"].max(), "model"))


def describe_robustness(table: pd.DataFrame, result: str = "") -> Finding:
    """Describe the mean difference between scores of the fewest texts and of all texts."""
    parts, rows = [], table[~table["regrouped"].astype(bool)].dropna(subset="mean")
    for (name, attribute), part in rows.groupby(["set", "attribute"], sort=False):
        fewest = part[part["n_texts"] == part["n_texts"].min()]
        values = fewest.set_index("metric")["mean"].rename(label)
        n = format_count(fewest["n_texts"].iloc[0], "text")
        parts.append(f"by {format_range(values, 3)} of the range with {n} of {name} ({attribute})")
    if not parts:
        return Finding(result, "There are no texts whose number could be reduced.")
    sentence = f"With fewer texts, scores change on average {join_names(parts)}."
    return Finding(result, sentence, "", format_count(rows["n_models"].max(), "model"))


def label(score: str) -> str:
    """Return the name of a metric, or of downstream bias itself, for readers."""
    return "Downstream bias" if score == DOWNSTREAM else metric_label(score)
