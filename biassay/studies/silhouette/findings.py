"""Findings of the study: verdicts, and a title for each result of a pair of models."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from biassay.report import curves
from biassay.report.findings import Finding
from biassay.report.formatting import format_decimal, join_names, metric_label
from biassay.studies.ranking import Leader, find_leader
from biassay.studies.silhouette import error_rates
from biassay.studies.silhouette.error_rates import join_labels

SURE, CHANCE = 0.95, 0.5  # of the AUC
TESTED = {"accuracy": "accuracy", "auc": "auc", "robustness_biased": "steadiness"}  # score: score that is tested
SETTLED = 0.8  # share of the shuffles whose scores are compared with those of all
PAIRED = "paired permutation tests, p ≤ 0.05 after Holm's correction; for other shuffles of these words in these models"


class Pair(NamedTuple):
    """Tables of a pair of models: scores.csv, false_positives.csv, comparisons.csv and convergence.csv."""

    scores: pd.DataFrame
    false_positives: pd.DataFrame
    comparisons: pd.DataFrame
    convergence: pd.DataFrame


def collect_findings(pairs: Mapping[str, Pair]) -> list[Finding]:
    """Collect the verdicts on all pairs of models, and the titles of results; several pairs are named in verdicts."""
    published, other, power = (
        lambda pair, describe=describe: describe(pair.false_positives)
        for describe in (
            error_rates.describe_published_tests,
            error_rates.describe_other_tests,
            error_rates.describe_power,
        )
    )
    descriptions: list[Callable[[Pair], Finding]] = [
        published, describe_auc, describe_accuracy, other, power, describe_words_needed, describe_robustness
    ]  # fmt: skip
    findings = [(name, describe(pair)) for describe in descriptions for name, pair in pairs.items()]
    verdicts = [
        finding._replace(sentence=f"{name}: {finding.sentence}" if len(pairs) > 1 else finding.sentence)
        for name, finding in findings if finding.sentence
    ]  # fmt: skip
    return verdicts + [title for name, pair in pairs.items() for title in describe_results(name, pair)]


def describe_results(name: str, pair: Pair) -> Iterator[Finding]:
    """Yield a title for each result of a pair of models."""
    for bias, scores in pair.scores.groupby("bias", sort=False):
        bias_tables = pair._replace(scores=scores)
        yield describe_bias(bias_tables, bias)._replace(result=f"{name}/figures/{bias}")
        finding = describe_words_needed(bias_tables)
        sentence = finding.sentence[0].lower() + finding.sentence[1:]
        yield finding._replace(result=f"{name}/figures/zoomed/{bias}", sentence=f"{bias.capitalize()}: {sentence}")
    for result, describe in (
        ("figures/scores/robustness", describe_robustness), ("figures/scores/accuracy", describe_accuracy),
        ("figures/scores/convergence", describe_convergence), ("silhouettes", describe_auc),
        ("summary", describe_words_needed),
    ):  # fmt: skip
        yield describe(pair)._replace(result=f"{name}/{result}")


def describe_accuracy(pair: Pair) -> Finding:
    """Name the most accurate metrics, with the number of lists."""
    return _describe_leaders(
        pair, "accuracy", "Most accurate (largest difference between the models, in the metric's range)"
    )


def describe_robustness(pair: Pair) -> Finding:
    """Name the most robust metrics, with the number of lists."""
    return _describe_leaders(pair, "robustness_biased", "Most robust to the choice of words on the biased model")


def describe_auc(pair: Pair) -> Finding:
    """Name the metrics that distinguish the models on every list, and those that fail on a list."""
    min_auc = pair.scores.groupby("metric", sort=False)["auc"].min().dropna()
    if not len(min_auc):
        return Finding("", "No metric has a value without bias (b₀), so none has an AUC.")
    sure, chance = min_auc.index[min_auc >= SURE], min_auc.index[min_auc <= CHANCE]
    sentence = (
        f"{join_labels(sure) or 'No metric'} distinguish{'es' if len(sure) < 2 else ''} the biased model from the"
    )
    sentence += f" unbiased one with an AUC of at least {SURE} on every list"
    rest = f"; no better than chance on at least one list: {join_labels(chance)}" if len(chance) else ""
    return Finding("", f"{sentence}{rest}.", "", _count_lists(pair.scores))


def describe_words_needed(pair: Pair) -> Finding:
    """Name the metrics that need the fewest and the most words, as a share of the list where they need most."""
    rows = pair.scores.dropna(subset="value_biased")
    if not len(rows):
        return Finding("", "No metric has a value.")
    shares = (rows["words_needed_biased"] / rows["n_words"]).fillna(2).groupby(rows["metric"], sort=False).max()
    fewest, most = shares.index[shares == shares.min()], shares.index[shares == shares.max()]
    sentence = f"Fewest words needed: {join_labels(fewest)} ({_describe_share(shares.min())})"
    if shares.max() > shares.min():
        sentence += f"; most: {join_labels(most)} ({_describe_share(shares.max())})"
    sentence += (
        ". With these words, 95 % of the shuffles are within 5 % of the value for all words of the biased model."
    )
    return Finding("", sentence, "", _count_lists(pair.scores))


def describe_convergence(pair: Pair) -> Finding:
    """Describe how much the scores of four fifths of the shuffles differ from those of all."""
    changes = curves.measure_changes(pair.convergence)
    n_shuffles = pair.convergence["n_shuffles"].max()
    rows = changes[changes["n_shuffles"] == round(SETTLED * n_shuffles)]
    if not len(rows):
        return Finding("", "There are too few shuffles to measure convergence.")
    mean, max_change = (format_decimal(value, 3) for value in (rows["mean"].mean(), rows["max"].max()))
    sentence = (
        f"The scores of {round(SETTLED * n_shuffles)} shuffles differ from those of all {n_shuffles} by {mean} on"
    )
    return Finding("", f"{sentence} average and by at most {max_change}.", "", f"{rows['metric'].nunique()} metrics")


def describe_bias(pair: Pair, bias: str) -> Finding:
    """Name the most accurate metric for each list of one bias."""
    lists_by_leader = {}
    for list_type, leader in find_leaders(pair.scores, pair.comparisons, "accuracy"):
        lead = f"{format_decimal(leader.value)}{describe_lead(leader)}"
        description = f"{curves.LISTS.get(list_type, list_type)} ({lead})"
        lists_by_leader.setdefault(leader.metric, []).append(description)
    parts = [f"{metric_label(leader)} with {join_names(lists)}" for leader, lists in lists_by_leader.items()]
    sentence = f"most accurate is {join_names(parts)}" if parts else "no metric has an accuracy"
    return Finding("", f"{bias.capitalize()}: {sentence}", PAIRED, _count_lists(pair.scores))


def find_list_leader(rows: pd.DataFrame, tests: pd.DataFrame, score: str) -> Leader | None:
    """Find the bounded metric with the largest score on one bias and list."""
    values = rows[~rows["relative"].astype(bool)].set_index("metric")[score]
    return find_leader(values, curves.select_rows(tests, score=TESTED[score]))


def find_leaders(scores: pd.DataFrame, tests: pd.DataFrame, score: str) -> Iterator[tuple[str, Leader]]:
    """Yield the list and its leader, for each bias and list."""
    for (bias, list_type), rows in scores.groupby(["bias", "list"], sort=False):
        leader = find_list_leader(rows, curves.select_rows(tests, bias=bias, list=list_type), score)
        if leader:
            yield list_type, leader


def describe_lead(leader: Leader) -> str:
    """Describe a leader's lead over the other metrics, as the end of a clause."""
    if not leader.n_others:
        return ""
    names = ", ".join(map(metric_label, leader.ties))
    return f", not significantly ahead of {names}" if names else ", ahead of all others"


def _describe_leaders(pair: Pair, score: str, title: str) -> Finding:
    leaders = pd.DataFrame(
        [
            (leader.metric, not leader.ties and leader.n_others > 0, leader.n_others > 0)
            for _, leader in find_leaders(pair.scores, pair.comparisons, score)
        ],
        columns=["metric", "is_ahead", "has_rivals"],
    )
    if not len(leaders):
        return Finding("", f"{title}: no metric has this score.", PAIRED, _count_lists(pair.scores))
    parts = []
    for name, rows in sorted(leaders.groupby("metric", sort=False), key=lambda group: -len(group[1])):
        lists = f"all {len(leaders)} lists" if len(rows) == len(leaders) else f"{len(rows)} of {len(leaders)} lists"
        n_ahead = rows["is_ahead"].sum()
        where = "" if n_ahead == len(rows) else f" on {n_ahead} of them"
        lead = f", significantly ahead of all others{where}" if n_ahead else ""
        parts.append(f"{metric_label(name)} on {lists if len(leaders) > 1 else 'the only list'}{lead}")
    no_lead = leaders["has_rivals"].any() and not leaders["is_ahead"].any()
    rest = "; none is significantly ahead of all others" if no_lead else ""
    return Finding("", f"{title}: {'; '.join(parts)}{rest}.", PAIRED, _count_lists(pair.scores))


def _describe_share(share: float) -> str:
    return "never enough" if share > 1 else "all words" if share == 1 else f"up to {100 * share:.0f} % of a list"


def _count_lists(scores: pd.DataFrame) -> str:
    n_lists = len(scores[["bias", "list"]].drop_duplicates())
    return f"{scores['metric'].nunique()} metrics, {n_lists} lists of words, {scores['n_shuffles'].max()} shuffles"
