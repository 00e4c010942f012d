"""Verdicts of the study; templates/findings.txt words them."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import pandas as pd

from biassay.core.csv_tables import select_rows
from biassay.report.findings import Finding
from biassay.report.formatting import format_count
from biassay.report.rendering import load_macros
from biassay.studies.ranking import Leader, find_leader
from biassay.studies.silhouette.false_positives import ALL
from biassay.studies.silhouette.reassignment import FORMS, PUBLISHED

SENTENCES = load_macros("findings.txt", package="biassay.studies.silhouette")
TESTED = {"accuracy": "accuracy", "robustness_biased": "steadiness"}  # score: score that is tested
SURE, CHANCE = 0.95, 0.5  # of the AUC
NEVER = 2.0  # share of words needed if no number is enough
SUFFICIENT = 0.8  # power of a test that finds a bias
RATES = "permutation tests at 5 %; Wilson's 95 % interval of the rate, for other halves of these words in these models"
BY_SHUFFLE = (
    "permutation tests by shuffle, p ≤ 0.05 after Holm's correction; for other shuffles of these words and models"
)


class Pair(NamedTuple):
    """Tables of a pair of models: scores.csv, false_positives.csv and comparisons.csv."""

    scores: pd.DataFrame
    false_positives: pd.DataFrame
    comparisons: pd.DataFrame


def collect_findings(pairs: Mapping[str, Pair]) -> list[Finding]:
    """Collect the verdicts on all pairs of models; several pairs are named in them."""
    descriptions = (describe_published_tests, *(partial(describe_tests, form=form) for form in FORMS), describe_auc,
                    describe_accuracy, describe_words_needed, describe_robustness)  # fmt: skip
    findings = [(name, describe(pair)) for describe in descriptions for name, pair in pairs.items()]
    return [
        finding._replace(sentence=f"{name}: {finding.sentence}" if len(pairs) > 1 else finding.sentence)
        for name, finding in findings if finding.sentence
    ]  # fmt: skip


def select_tests(pair: Pair, form: str) -> pd.DataFrame:
    """Select the rates of tests of a form on samples of the words, for each kind of bias."""
    rows = select_rows(pair.false_positives, form=form)
    return rows[(rows["bias"] != ALL) & (rows["share"] < 1) & (rows["n_unbiased"] > 0)]


def describe_published_tests(pair: Pair) -> Finding:
    """Describe the false-positive rates of published tests in both forms; no sentence without such tests."""
    forms = {form: select_rows(select_tests(pair, form), test=PUBLISHED) for form in FORMS}
    rows = pd.concat(forms.values())
    if not len(rows):
        return Finding("")
    n = _count_samples(rows)
    parts = [
        {"metric": metric, "form": form, "biases": part.to_dict("records")}
        for form, table in forms.items() for metric, part in table.groupby("metric", sort=False)
    ]  # fmt: skip
    return Finding(SENTENCES.published_tests(parts, n), RATES, n)


def describe_tests(pair: Pair, form: str) -> Finding:
    """Name the metrics whose tests of a form find every bias without excess false positives, some biases, or too many.

    A test finds a bias if at least SUFFICIENT of its samples are significant on the biased model.
    """
    rows = select_tests(pair, form)
    rows = rows[rows["n_biased"] > 0]
    if not len(rows):
        return Finding("")
    liberal = rows[rows["calibration"] == "liberal"]
    rest = rows[~rows["metric"].isin(liberal["metric"])]
    n_biases = rows["bias"].nunique()
    metrics = [
        {"metric": name, "found": part.loc[part["power"] >= SUFFICIENT, "bias"].tolist(),
         "only": part["bias"].tolist() if len(part) < n_biases else []}
        for name, part in rest.groupby("metric", sort=False)
    ]  # fmt: skip
    groups = {
        "every": [row["metric"] for row in metrics if len(row["found"]) == n_biases],
        "some": [row for row in metrics if 0 < len(row["found"]) < n_biases],
        "none": [row for row in metrics if not row["found"]],
        "liberal": {name: part.to_dict("records") for name, part in liberal.groupby("metric", sort=False)},
    }
    n = _count_samples(rows)
    return Finding(SENTENCES.tests(form, groups, SUFFICIENT, n), RATES, n)


def describe_auc(pair: Pair) -> Finding:
    """Name the metrics that distinguish the models on every list, and those that fail on a list."""
    min_auc = pair.scores.groupby("metric", sort=False)["auc"].min().dropna()
    if not len(min_auc):
        return Finding(SENTENCES.no_auc())
    sure = min_auc.index[(min_auc >= SURE) & _is_complete(pair.scores, "auc")[min_auc.index]].tolist()
    chance = min_auc.index[min_auc <= CHANCE].tolist()
    return Finding(SENTENCES.auc(sure, chance, SURE), "", _count_lists(pair.scores))


def describe_words_needed(pair: Pair) -> Finding:
    """Name the metrics that need the fewest and the most words, as a share of the list where they need most.

    A metric without a value on one of the lists is left out.
    """
    rows = pair.scores[pair.scores["metric"].map(_is_complete(pair.scores, "value_biased"))]
    if not len(rows):
        return Finding(SENTENCES.no_value())
    shares = (rows["words_needed_biased"] / rows["n_words"]).fillna(NEVER).groupby(rows["metric"], sort=False).max()
    ends = [{"metrics": shares.index[shares == end].tolist(), "share": end} for end in (shares.min(), shares.max())]
    return Finding(SENTENCES.words_needed(*ends, rows["b_0"].notna().all()), "", _count_lists(pair.scores))


def describe_accuracy(pair: Pair) -> Finding:
    """Name the most accurate metrics, with the number of lists."""
    return _describe_leaders(
        pair, "accuracy", "Most accurate (largest difference between the models, in the metric's range)"
    )


def describe_robustness(pair: Pair) -> Finding:
    """Name the most robust metrics, with the number of lists."""
    return _describe_leaders(pair, "robustness_biased", "Most robust to the choice of words on the biased model")


def find_leaders(pair: Pair, score: str) -> Iterator[Leader]:
    """Yield the metric with the largest score, for each bias and list with scores."""
    for (bias, list_type), rows in pair.scores.groupby(["bias", "list"], sort=False):
        tests = select_rows(pair.comparisons, bias=bias, list=list_type, score=TESTED[score])
        if leader := find_leader(rows.set_index("metric")[score], tests):
            yield leader


def _describe_leaders(pair: Pair, score: str, title: str) -> Finding:
    leaders = list(find_leaders(pair, score))
    is_ahead = {leader.metric: [] for leader in leaders}
    for leader in leaders:
        is_ahead[leader.metric].append(leader.is_ahead)
    parts = [
        {"metric": metric, "n_lists": len(lists), "n_ahead": sum(lists)}
        for metric, lists in sorted(is_ahead.items(), key=lambda item: -len(item[1]))
    ]
    none_ahead = any(leader.n_others for leader in leaders) and not any(part["n_ahead"] for part in parts)
    sentence = SENTENCES.leaders(title, parts, len(leaders), none_ahead)
    return Finding(sentence, BY_SHUFFLE, _count_lists(pair.scores.dropna(subset=score)))


def _count_samples(rows: pd.DataFrame) -> str:
    share = rows["share"].max()
    return f"{rows['n_unbiased'].max()} samples of {'half' if share == 0.5 else f'{100 * share:g} %'} of the words"


def _is_complete(scores: pd.DataFrame, column: str) -> pd.Series:
    """Whether a metric has a score on every list: by metric."""
    n_lists = len(scores[["bias", "list"]].drop_duplicates())
    return scores.groupby("metric", sort=False)[column].count() == n_lists


def _count_lists(scores: pd.DataFrame) -> str:
    """Count the metrics, lists and shuffles of scores; "" without scores."""
    if not len(scores):
        return ""
    n_metrics, n_lists = scores["metric"].nunique(), len(scores[["bias", "list"]].drop_duplicates())
    return (
        f"{format_count(n_metrics, 'metric')}, {format_count(n_lists, 'list')} of words, "
        f"{format_count(scores['n_shuffles'].max(), 'shuffle')}"
    )
