"""WEFE's queries and models asked here, and our metrics asked by WEFE.

WEFE calls social groups targets and targets groups. Most metrics here say of target words, how they
stand to groups, the groups; `from_wefe` puts each set where a metric has it. WEFE (>= 1.0) need not be installed
for that; `to_wefe` needs it.
"""

from collections.abc import Callable

import numpy as np

from biassay.measurement import metric as metrics
from biassay.measurement.entry import measure
from biassay.measurement.query import index_by_name

AS_THEY_STAND = ("mac",)  # asked of the targets in both tools, whatever the sets are
# Options and conversion with which a value here is WEFE's, where the definitions agree; n: words of all groups.
AS_IN_WEFE: dict[str, tuple[dict, Callable[[float, int], float], str]] = {
    "weat": ({}, lambda value, n: value, "WEFE's return_effect_size=True; ddof 0 in both"),
    "mac": ({}, lambda value, n: value, "a mean distance in both, 1 without bias"),
    "ect": ({"raw": True}, lambda value, n: value, "WEFE's is ρ; 1 − ρ here by default"),
    "rnd": ({}, lambda value, n: value, "WEFE's normalize=True; its default leaves the vectors' lengths in"),
    "rnsb": (
        {"per_word": True}, lambda value, n: float(value * np.log(n)),
        "WEFE's holdout=False and a solver that does not penalise the intercept (lbfgs, to its optimum); in nats",
    ),
}  # fmt: skip


def from_wefe(query: object, model: object, metric: str) -> dict[str, object]:
    """The arguments targets, groups and vectors with which `measure(metric, …)` asks what a WEFE query asks.

    query: a wefe.query.Query, or any object with target_sets, attribute_sets and their names. model: a
    wefe.WordEmbeddingModel, or any object with .wv (gensim KeyedVectors); its prefix of the vocabulary is put before
    the words. metric: by name or path; it decides which sets are its targets. WEFE's preprocessors are not applied:
    give words as the model has them. Raises ValueError for a query without sets that the metric needs, and for two
    sets of one name.
    """
    prefix = getattr(model, "vocab_prefix", None) or ""
    groups, targets = (
        index_by_name(kind, ((name, [prefix + word for word in words]) for name, words in zip(names, sets, strict=True)))
        for kind, names, sets in (
            ("target_sets_names", query.target_sets_names, query.target_sets),
            ("attribute_sets_names", query.attribute_sets_names, query.attribute_sets),
        )
    )
    declared = metrics.load_for("measure", metric).METRIC
    if metric in AS_THEY_STAND or declared.scored == "groups":
        targets, groups = groups, targets
    if not targets or (declared.groups[0] and not groups):
        raise ValueError(
            f"{metric}: the query {getattr(query, 'query_name', '')!r} has no sets for its targets or groups"
        )
    labelled = any(level.labels for level in declared.levels.values())
    return {"targets": targets if labelled else _one(targets), "groups": groups, "vectors": model.wv}


def as_in_wefe(query: object, model: object, metric: str) -> float:
    """The value that WEFE has for its metric of that name, of `AS_IN_WEFE`; ValueError for a name that is not there."""
    if metric not in AS_IN_WEFE:
        raise ValueError(f"{metric}: not defined alike in WEFE; known: {', '.join(AS_IN_WEFE)}")
    options, convert, _ = AS_IN_WEFE[metric]
    asked = from_wefe(query, model, metric)
    n = sum(len(words) for words in asked["groups"].values())
    return convert(measure(metric, **asked, **options).set, n)


def to_wefe(metric: str, **options: object) -> object:
    """A metric of ours, by name or path, as an object of WEFE's, to be given to its runners and rankings.

    Its `run_query` returns WEFE's {"query_name", "result"} and, under "measurement", all that `measure` says. A set
    that loses a greater share of its words than `lost_vocabulary_threshold` makes the result NaN, as in WEFE; other
    keyword arguments go to the metric and win over `options`. Raises ImportError without WEFE.
    """
    from wefe.metrics.base_metric import BaseMetric

    declared = metrics.load_for("measure", metric).METRIC

    class Ours(BaseMetric):
        metric_template = ("n", "n")
        metric_name = declared.summary
        metric_short_name = metric

        def run_query(self, query, model, lost_vocabulary_threshold=0.2, **given):
            self._check_input(query, model, lost_vocabulary_threshold, False)
            answer = {"query_name": query.query_name, "result": float("nan")}
            unknown = {
                name for name in given if name in ("preprocessors", "strategy", "normalize", "warn_not_found_words")
            }
            if unknown:
                raise ValueError(f"{metric}: does not take {', '.join(sorted(unknown))} of WEFE")
            if any(
                _lost(words, model) > lost_vocabulary_threshold for words in (*query.target_sets, *query.attribute_sets)
            ):
                return answer
            found = measure(metric, **from_wefe(query, model, metric), **options | given)
            value = found.set if found.set is not None else float(np.mean(found.word))
            return answer | {"result": value, "measurement": found}

    return Ours()


def _one(sets: dict[str, list[str]]) -> list[str]:
    """All words of the sets, each once."""
    return list(dict.fromkeys(word for words in sets.values() for word in words))


def _lost(words: list[str], model: object) -> float:
    prefix = getattr(model, "vocab_prefix", None) or ""
    return sum(prefix + word not in model.wv.key_to_index for word in words) / len(words)
