"""What silhouettes and their tests say, in sentences: verdicts, and what each figure of a pair of models shows."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import Finding
from biassay.figures.formatting import format_decimal, join_names, metric_label
from biassay.studies.silhouette import error_rates, ranking
from biassay.studies.silhouette.error_rates import names

SURE, CHANCE = 0.95, 0.5
SETTLED = 0.8  # share of the orders whose scores are compared with those of all
PAIRED = (
    "paired permutation tests, p ≤ .05 after Holm's correction: of other orders of these words, not of other models"
)


class Pair(NamedTuple):
    """Tables of a pair of models: scores.csv, false_positives.csv, comparisons.csv and convergence.csv."""

    scores: pd.DataFrame
    false_positives: pd.DataFrame
    comparisons: pd.DataFrame
    convergence: pd.DataFrame


def findings(pairs: Mapping[str, Pair]) -> list[Finding]:
    """Verdicts on all pairs of models, and a title of every figure; names of pairs where there are several."""
    own, other, power = (
        lambda pair, of=of: of(pair.false_positives)
        for of in (error_rates.published_false_positives, error_rates.other_false_positives, error_rates.power)
    )
    verdicts: list[Callable[[Pair], Finding]] = [own, separating, accurate, other, power, needed, robust]
    said = [(name, verdict(pair)) for verdict in verdicts for name, pair in pairs.items()]
    several = len(pairs) > 1
    found = [
        finding._replace(sentence=f"{name}: {finding.sentence}" if several else finding.sentence)
        for name, finding in said if finding.sentence
    ]  # fmt: skip
    return found + [title for name, pair in pairs.items() for title in titles(name, pair)]


def titles(name: str, pair: Pair) -> Iterator[Finding]:
    """What each result of a pair of models shows."""
    for bias, scores in pair.scores.groupby("bias", sort=False):
        of_bias = pair._replace(scores=scores)
        yield of_one(of_bias, bias)._replace(result=f"{name}/figures/{bias}")
        said = needed(of_bias)
        sentence = said.sentence[0].lower() + said.sentence[1:]
        yield said._replace(result=f"{name}/figures/zoomed/{bias}", sentence=f"{bias.capitalize()}: {sentence}")
    for result, finding in (
        ("figures/scores/robustness", robust), ("figures/scores/accuracy", accurate),
        ("figures/scores/convergence", converged), ("silhouettes", separating), ("summary", needed),
    ):  # fmt: skip
        yield finding(pair)._replace(result=f"{name}/{result}")


def accurate(pair: Pair) -> Finding:
    """Which metric is the most accurate on how many lists."""
    return _leaders(pair, "accuracy", "Most accurate (the models farthest apart as a share of the metric's range)")


def robust(pair: Pair) -> Finding:
    """Which metric is the most robust on how many lists."""
    return _leaders(pair, "robustness_biased", "Most robust to the choice of words on the biased model")


def separating(pair: Pair) -> Finding:
    """Which metrics tell the models apart almost without fail on every list, and which do not on some."""
    worst = pair.scores.groupby("metric", sort=False)["auc"].min().dropna()
    if not len(worst):
        return Finding("", "No metric has a value for no bias, so that none can be said to tell the models apart.")
    sure, chance = worst.index[worst >= SURE], worst.index[worst <= CHANCE]
    said = f"{names(sure) or 'No metric'} tell{'s' if len(sure) < 2 else ''} the model with bias from the one without"
    said += f" in at least {100 * SURE:.0f} of 100 comparisons on every list of words"
    rest = f"; no better than by chance on some list: {names(chance)}" if len(chance) else ""
    return Finding("", f"{said}{rest}.", "", _lists(pair.scores))


def needed(pair: Pair) -> Finding:
    """Which metrics need the fewest and the most words on the biased model, as a share of the list that needs most."""
    rows = pair.scores.dropna(subset="value_biased")
    if not len(rows):
        return Finding("", "No metric has a value.")
    shares = (rows["words_needed_biased"] / rows["n_words"]).fillna(2).groupby(rows["metric"], sort=False).max()
    fewest = shares.index[shares == shares.min()]
    said = f"Fewest words are needed by {names(fewest)} ({_share(shares.min())})"
    most = shares.index[shares == shares.max()]
    if shares.max() > shares.min():
        said += f", most by {names(most)} ({_share(shares.max())})"
    said += ", for 95 % of the choices to come within 5 % of the value of all words on the biased model"
    return Finding("", f"{said}.", "", _lists(pair.scores))


def converged(pair: Pair) -> Finding:
    """How far scores of four fifths of the orders are from those of all."""
    changes = curves.measure_changes(pair.convergence)
    number = pair.convergence["n_shuffles"].max()
    rows = changes[changes["n_shuffles"] == round(SETTLED * number)]
    if not len(rows):
        return Finding("", "Too few orders to see whether the scores have settled.")
    mean, most = (f"{value:.3f}".removeprefix("0") for value in (rows["mean"].mean(), rows["max"].max()))
    said = f"With {round(SETTLED * number)} of {number} orders of the words, scores are {mean} from those of all on"
    return Finding("", f"{said} average, and {most} at most.", "", f"{rows['metric'].nunique()} metrics")


def of_one(pair: Pair, bias: str) -> Finding:
    """Which metric is the most accurate on the lists of one bias."""
    found = list(ranking.by_list(pair.scores, pair.comparisons, "accuracy"))
    leaders = {}
    for _, kind, leader, value, same, of in found:
        said = f"{curves.LISTS.get(kind, kind)} ({format_decimal(value)}{ranking.told(same, of)})"
        leaders.setdefault(leader, []).append(said)
    parts = [f"{metric_label(leader)} with {join_names(kinds)}" for leader, kinds in leaders.items()]
    said = f"most accurate is {join_names(parts)}" if parts else "no metric has an accuracy"
    return Finding("", f"{bias.capitalize()}: {said}", PAIRED, _lists(pair.scores))


def _leaders(pair: Pair, score: str, title: str) -> Finding:
    found = pd.DataFrame(
        [
            (leader, not same and of > 0, of > 0)
            for *_, leader, _, same, of in ranking.by_list(pair.scores, pair.comparisons, score)
        ],
        columns=["metric", "ahead", "rivals"],
    )
    if not len(found):
        return Finding("", f"{title}: no metric has such a score.", PAIRED, _lists(pair.scores))
    parts = []
    for name, rows in sorted(found.groupby("metric", sort=False), key=lambda group: -len(group[1])):
        where = f"all {len(found)} lists" if len(rows) == len(found) else f"{len(rows)} of {len(found)} lists"
        number = rows["ahead"].sum()
        of_them = "" if number == len(rows) else f" on {number} of them"
        ahead = f", ahead of all others by test{of_them}" if number else ""
        parts.append(f"{metric_label(name)} on {where if len(found) > 1 else 'the one list'}{ahead}")
    none = "; none is ahead of all others by test" if found["rivals"].any() and not found["ahead"].any() else ""
    return Finding("", f"{title}: {'; '.join(parts)}{none}.", PAIRED, _lists(pair.scores))


def _share(share: float) -> str:
    return "never" if share > 1 else "all" if share == 1 else f"up to {100 * share:.0f} % of a list"


def _lists(scores: pd.DataFrame) -> str:
    lists = len(scores[["bias", "list"]].drop_duplicates())
    return f"{scores['metric'].nunique()} metrics, {lists} lists of words, {scores['n_shuffles'].max()} orders"
