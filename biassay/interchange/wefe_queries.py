"""Queries and models of WEFE with biassay's metrics, and biassay's metrics in WEFE.

WEFE's target sets are the social groups, and its attribute sets are what biassay calls targets. WEFE (>= 1.0) is
needed for `to_wefe` only.
"""

from typing import Any

import numpy as np

from biassay.measurement import metric as metrics
from biassay.measurement.entry import measure
from biassay.measurement.query import index_by_name

SAME_SIDES = ("mac",)  # metrics that score WEFE's target sets in both tools
# Options that give WEFE's value where the definitions agree; docs/interchange.md has WEFE's settings for it.
AS_IN_WEFE = {"weat": {}, "mac": {}, "ect": {"raw": True}, "rnd": {}, "rnsb": {"per_word": True}}


def from_wefe(query: object, model: object, metric: str) -> dict[str, Any]:
    """Convert a WEFE query and model to arguments of `measure`.

    Most metrics get WEFE's target sets as groups and its attribute sets as targets; WEAT and MAC get them as they are.
    As in WEFE, a word counts once in a set that repeats it. WEFE's preprocessors are not applied: give words as the
    model has them.

    Parameters
    ----------
    query
        A wefe.query.Query, or any object with target_sets, attribute_sets and their names.
    model
        A wefe.WordEmbeddingModel, or any object with .wv. Its vocab_prefix is put before the words.
    metric
        Name or path of a metric.

    Returns
    -------
    dict
        The arguments targets, groups and vectors.

    Raises
    ------
    ValueError
        For a query that lacks sets which the metric needs, and for two sets with the same name.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from biassay import from_wefe, measure
    >>> query = SimpleNamespace(target_sets_names=["women", "men"], target_sets=[["she", "her"], ["he", "him"]],
    ...                         attribute_sets_names=["care"], attribute_sets=[["nurse", "maid"]])
    >>> model = SimpleNamespace(wv={"she": [9, 1], "her": [8, 2], "he": [1, 9], "him": [2, 8], "nurse": [7, 1],
    ...                             "maid": [6, 2]})
    >>> arguments = from_wefe(query, model, "same")
    >>> arguments["targets"]
    ['nurse', 'maid']
    >>> list(arguments["groups"])
    ['women', 'men']
    >>> round(measure("same", **arguments).set, 2)
    0.52
    """
    prefix, sides = _prefix(model), []
    for kind in ("target_sets", "attribute_sets"):
        sets = [[prefix + word for word in dict.fromkeys(words)] for words in getattr(query, kind)]
        sides.append(index_by_name(f"{kind}_names", zip(getattr(query, f"{kind}_names"), sets, strict=True)))
    groups, targets = sides
    declared = metrics.load_for("measure", metric).METRIC
    if metric in SAME_SIDES or declared.scored == "groups":
        targets, groups = groups, targets
    if not targets or (declared.groups[0] and not groups):
        raise ValueError(
            f"{metric}: query {getattr(query, 'query_name', '')!r}: expected target and attribute sets for this metric"
        )
    labelled = any(level.labels for level in declared.levels.values())
    words = list(dict.fromkeys(word for words in targets.values() for word in words))
    return {"targets": targets if labelled else words, "groups": groups, "vectors": model.wv}


def as_in_wefe(query: object, model: object, metric: str) -> float:
    """Compute the value that WEFE gives for its metric of that name.

    Parameters
    ----------
    query, model
        As in `from_wefe`.
    metric
        weat, mac, ect, rnd or rnsb.

    Raises
    ------
    ValueError
        For a metric that is not defined in the same way in WEFE.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from biassay import as_in_wefe
    >>> query = SimpleNamespace(target_sets_names=["women", "men"], target_sets=[["she", "her"], ["he", "him"]],
    ...                         attribute_sets_names=["care"], attribute_sets=[["nurse", "maid"]])
    >>> model = SimpleNamespace(wv={"she": [9, 1], "her": [8, 2], "he": [1, 9], "him": [2, 8], "nurse": [7, 1],
    ...                             "maid": [6, 2]})
    >>> round(as_in_wefe(query, model, "mac"), 2)
    0.31
    """
    if metric not in AS_IN_WEFE:
        raise ValueError(f"{metric}: WEFE defines it in another way; expected one of {', '.join(AS_IN_WEFE)}")
    arguments = from_wefe(query, model, metric)
    measured = measure(metric, **arguments, **AS_IN_WEFE[metric])
    if metric in SAME_SIDES:  # WEFE counts a word for each target set that has it
        values, prefix = dict(zip(measured.words["targets"], measured.word, strict=True)), _prefix(model)
        words = [prefix + word for one_set in query.target_sets for word in dict.fromkeys(one_set)]
        return float(np.mean([values[word] for word in words if word in values]))
    n_words = sum(map(len, [*measured.words.values()][-len(arguments["groups"]) :]))  # targets come first
    return float(measured.set * np.log(n_words)) if metric == "rnsb" else measured.set  # in nats


def _prefix(model: object) -> str:
    """Return the text that a model puts before every word."""
    return getattr(model, "vocab_prefix", None) or ""


def to_wefe(metric: str, **options: object) -> object:
    """Wrap a metric of biassay for WEFE's runners and rankings.

    Parameters
    ----------
    metric
        Name or path of a metric.
    **options
        Options of the metric; keyword arguments of `run_query` override them.

    Returns
    -------
    wefe.metrics.base_metric.BaseMetric
        Its `run_query` returns WEFE's {"query_name", "result"} and the `Measurement` under "measurement". As in WEFE,
        the result is NaN if a set loses a larger share of its words than `lost_vocabulary_threshold`.

    Raises
    ------
    ImportError
        If WEFE is not installed.

    Examples
    --------
    >>> from importlib.util import find_spec
    >>> from biassay import to_wefe
    >>> if find_spec("wefe"):
    ...     metric = to_wefe("same")  # then metric.run_query(query, model)
    """
    from wefe.metrics.base_metric import BaseMetric

    declared = metrics.load_for("measure", metric).METRIC

    class WefeMetric(BaseMetric):
        metric_template = ("n", "n")
        metric_name = declared.summary
        metric_short_name = metric

        def run_query(self, query, model, lost_vocabulary_threshold=0.2, **query_options):
            self._check_input(query, model, lost_vocabulary_threshold, False)
            answer = {"query_name": query.query_name, "result": float("nan")}
            unsupported = {"preprocessors", "strategy", "normalize", "warn_not_found_words"} & set(query_options)
            if unsupported:
                raise ValueError(f"{metric}: does not take WEFE's {', '.join(sorted(unsupported))}; omit them")
            prefix = _prefix(model)
            for words in (*query.target_sets, *query.attribute_sets):
                n_lost = len(words) - sum(prefix + word in model.wv.key_to_index for word in dict.fromkeys(words))
                if n_lost / len(words) > lost_vocabulary_threshold:  # a repeated word is a lost one, as in WEFE
                    return answer
            known = {"min_share": 1 - lost_vocabulary_threshold}
            result = measure(metric, **from_wefe(query, model, metric), **known | options | query_options)
            value = result.set if result.set is not None else float(np.mean(result.word))
            return answer | {"result": value, "measurement": result}

    return WefeMetric()
