"""What the study found, in sentences of its tables: do scores predict bias downstream, and how surely?"""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.figures.findings import LEVEL, Finding
from biassay.figures.formatting import format_count, format_p_value, format_range, join_names, metric_label
from biassay.studies.downstream.agreement import ALL

DOWNSTREAM, PLANTED = "downstream", "planted"
BIASES = {"downstream": "has more bias downstream", "planted": "had more bias planted"}
NONE = {
    "downstream": "There are no scores of sets that models could be ranked by.",
    "planted": "No models were planted with bias that they could be ranked by.",
}


def verdicts(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Which scores rank models by their bias downstream, and by that planted; what follows it within a model; how many
    texts scores need."""
    yield ranked(tables["ranking"], DOWNSTREAM)
    yield ranked(tables["ranking"], PLANTED)
    yield within(tables["correlations"])
    yield fewer(tables["robustness"])


def ranked(table: pd.DataFrame, ground_truth: str) -> Finding:
    """Which scores rank models otherwise than chance by one ground truth, after Holm's correction."""
    table = table[(table["ground_truth"] == ground_truth) & (table["terms"] == "raw") & (table["version"] != "raw")]
    tested = table.dropna(subset="p_holm")
    if not len(tested):
        return Finding("", "Nothing could be tested: no two models to be ranked." if len(table) else NONE[ground_truth])
    sure, said = tested[tested["p_holm"] < LEVEL], []
    right = sure["accuracy"] > sure["chance"]
    which = f"which of two language models {BIASES[ground_truth]}"
    ways = (sure[right], "predicts", "predict"), (sure[~right], "is misleading on", "are misleading on")
    for of, one, more in ways:
        names = [
            f"{label(row.score)} ({row.set}, {row.attribute}, {format_p_value(row.p_holm)})" for row in of.itertuples()
        ]
        if len(of):
            said.append(f"{join_names(names)} {one if len(of) == 1 else more} {which}")
    n, pairs = format_count(tested["models"].max(), "model"), format_count(len(tested), "ranking")
    if not said:
        least = format_p_value(tested["p_holm"].min())
        said = [f"No score predicts {which}: none of {pairs} differs from chance (least {least})"]
    elif len(sure) < len(tested):
        said.append(f"no other of {pairs} can be told from chance")
    test = f"scores of whole models exchanged at random, Holm's correction for {pairs}"
    return Finding("", f"{'; '.join(said)}.", test, n)


def chosen(table: pd.DataFrame) -> pd.DataFrame:
    """Of the correlations within models those that figures and pages show: of pairs, and of all classes by vectors that
    are not debiased; values with a sign by their absolute value."""
    classes = (table["k"] == 0) & (table["classes"] == ALL)
    return table[((table["over"] == "pairs") | classes) & (table["signed"].astype(str) != "True")]


def within(table: pd.DataFrame, result: str = "") -> Finding:
    """How closely scores follow the bias of classes and of pairs within a model: the least and the largest median r."""
    said, found = [], chosen(table).dropna(subset="median")
    for (over, version), of in found.groupby(["over", "version"], sort=False):
        what = f"classes of {version} texts" if over == "classes" else over
        several = of[["set", "attribute"]].drop_duplicates().shape[0] > 1
        names = [f"{label(row.metric)}, {row.set}, {row.attribute}" if several else label(row.metric)
                 for row in of.itertuples()]  # fmt: skip
        said.append(f"{format_range(pd.Series(of['median'].to_numpy(), names), 2)} over {what}")
    if not said:
        return Finding(result, "Within a model, no scores of classes or pairs could be compared with their bias.")
    said = f"Within a model, scores follow the bias downstream with a median r of {join_names(said)}."
    return Finding(result, said, "", format_count(found["models"].max(), "model"))


def fewer(table: pd.DataFrame, result: str = "") -> Finding:
    """How far scores of the fewest texts are from those of all."""
    said, found = [], table[~table["regrouped"].astype(bool)].dropna(subset="mean")
    for (name, attribute), of in found.groupby(["set", "attribute"], sort=False):
        fewest = of[of["texts"] == of["texts"].min()]
        values = fewest.set_index("metric")["mean"].rename(label)
        many = format_count(fewest["texts"].iloc[0], "text")
        said.append(f"{many} of {name} ({attribute}) by {format_range(values, 3)} of the range")
    if not said:
        return Finding(result, "No texts were given to draw fewer from.")
    said = f"Fewer texts change scores, on average: {join_names(said)}."
    return Finding(result, said, "", format_count(found["models"].max(), "model"))


def label(score: str) -> str:
    """A measure as readers know it: a metric of vectors, or the bias downstream itself."""
    return "Bias downstream" if score == DOWNSTREAM else metric_label(score)
