"""Metrics of the studies, as the configuration names them, with checks and the options of variants."""

import ast
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from math import inf
from numbers import Real

from biassay.core import options, python_files, registry
from biassay.measurement.metric import ENTRIES, FUNCTIONS, TAKES, Metric, load

OWN = "own"  # in a study's list of metrics: the user's metrics that fit the study
STUDIES = ("first_order", "silhouette", "same", "intrinsic", "downstream", "reliability")  # with a list of metrics
TWO_GROUPS = ("first_order", "silhouette", "same", "reliability")  # studies that compare two groups


def vector_metrics(config: dict) -> list[str]:
    """List all metrics, including the user's, except those of language models and predictions."""
    files = {name: name for name in registry.names("metrics")} | config["own_metrics"]
    takes = {name: read_declaration(file).get("takes") for name, file in files.items()}
    return [name for name in files if takes[name] not in ENTRIES]


def property_metrics(config: dict) -> list[str]:
    """List the metrics whose properties are searched: those named, or all that take vectors."""
    chosen = config["properties"]["metrics"]
    return vector_metrics(config) if chosen == "all" else list(chosen)


def variant(config: dict, name: str, study: str = "silhouette") -> dict:
    """Return a metric of a study, or a variant: `metric` (a name or a path), `options`, and `range` or None."""
    own = {"metric": name, "options": {}, "range": None} | config[study].get("variants", {}).get(name, {})
    return own | {"metric": config["own_metrics"].get(own["metric"], own["metric"])}


def chosen_metrics(config: dict, study: str) -> dict[str, dict]:
    """Return the metrics of a study with variants by name, each as from `variant`."""
    return {name: variant(config, name, study) for name in config[study]["metrics"]}


def needs_labels(config: dict, name: str) -> bool:
    """Whether a level of a metric compares lists of targets, so that it needs labels."""
    declared = read_declaration(config["own_metrics"].get(name, name))
    return any(isinstance(declared.get(level), dict) and declared[level].get("labels") is True for level in FUNCTIONS)


def check_metric(key: str, name: str, config: dict, level: str | None = None) -> None:
    """Raise ValueError unless a metric takes vectors and has the required level, if any."""
    registry.check_names(f"config: {key}", [name], [*registry.names("metrics"), *config["own_metrics"]])
    metric = config["own_metrics"].get(name, name)
    declared = read_declaration(metric)
    if (takes := declared.get("takes")) in ENTRIES:
        raise ValueError(f"config: {key}: {name!r} takes {TAKES[takes]}, but this study measures vectors")
    if takes == "associations" and key in ("same.metrics", "intrinsic.metrics", "downstream.metrics"):
        raise ValueError(f"config: {key}: {name!r} takes explicit vectors, which this study does not have")
    if key == "downstream.metrics" and declared.get("groups") == (0, 0):
        raise ValueError(f"config: {key}: {name!r} is label-based, but this study compares groups")
    levels = [each for each in FUNCTIONS if each in declared]
    if level and level not in levels:
        raise ValueError(f"config: {key}: {name!r} has no {level} level, only {' and '.join(levels)}")
    of_set = declared.get("set")
    is_unclear = isinstance(of_set, dict) and not isinstance(of_set.get("b_0", of_set.get("2", 0)), Real)
    needs_b_0 = key in ("intrinsic.metrics", "downstream.metrics") and declared.get("groups") != (0, 0)
    if needs_b_0 and is_unclear and load(metric).METRIC.range("set", 2).b_0 is None:
        raise ValueError(f"config: {key}: {name!r} has no value without bias, from which this study measures")


def check_variant(name: str, config: dict, study: str) -> None:
    """Raise ValueError for a metric of a study with variants if its options or range are invalid."""
    variants = config[study]["variants"]
    metrics = [*registry.names("metrics"), *config["own_metrics"]]
    registry.check_names(f"config: {study}.metrics", [name], [*metrics, *variants])
    key, metric = f"config: {study}.variants.{name}", variants.get(name, {}).get("metric", name)
    registry.check_names(f"{key}.metric", [metric], metrics)
    check_metric(f"{study}.metrics", metric, config, "set" if study == "silhouette" else None)
    chosen = variant(config, name, study)
    if chosen.get("leaking") and read_declaration(chosen["metric"]).get("groups") != (0, 0):
        raise ValueError(f"{key}.leaking: expected false, because {metric!r} is not label-based")
    declared = _options(chosen["metric"], ["set"] if study == "silhouette" else FUNCTIONS)
    registry.check_names(f"{key}.options", chosen["options"], declared, "option")
    options.check(f"{key}.options.", chosen["options"], declared)
    b_min, b_max, b_0 = chosen["range"] or (0, 1, 0)
    if None not in (b_min, b_max) and not b_min < b_max:
        raise ValueError(f"{key}.range: expected b_min < b_max, got {chosen['range']}")
    if b_0 is not None and not (-inf if b_min is None else b_min) <= b_0 <= (inf if b_max is None else b_max):
        raise ValueError(f"{key}.range: expected b_min ≤ b_0 ≤ b_max, got {chosen['range']}")


def expand_own(config: dict) -> None:
    """Replace "own" in each study's list of metrics by the user's metrics that fit the study, in place.

    Raises ValueError if "own" is also the name of a metric or variant, or if a list becomes empty.
    """
    for key, names in (("own_metrics", config["own_metrics"]),
                       *((f"{study}.variants", config[study].get("variants", {})) for study in STUDIES)):  # fmt: skip
        if OWN in names:
            raise ValueError(f"config: {key}.{OWN}: this name stands for all own_metrics; choose another")
    for study in STUDIES:
        names = config[study]["metrics"]
        if OWN in names:
            own = [name for name in config["own_metrics"] if name not in names and _fits(study, name, config)]
            position = names.index(OWN)
            if len(names) + len(own) == 1:
                raise ValueError(f"config: {study}.metrics: {OWN!r} means all own_metrics, but none fits this study")
            config[study]["metrics"] = [*names[:position], *own, *names[position + 1 :]]


def _fits(study: str, name: str, config: dict) -> bool:
    """Whether a user's metric fits a study; other checks report problems of its file."""
    try:
        if study in ("first_order", "same", "reliability"):
            check_metric(f"{study}.metrics", name, config, "word" if study == "first_order" else None)
        else:
            check_variant(name, config, study)
    except ValueError:
        return False
    declared = read_declaration(config["own_metrics"][name])
    groups, word = declared.get("groups"), declared.get("word")
    if not isinstance(groups, tuple) or len(groups) != 2:
        groups = (2, 2)  # the default, or unknown without running the file
    if groups == (0, 0):  # label-based
        return study != "first_order"
    if study == "first_order" and isinstance(word, dict) and word.get("labels") is True:
        return False
    if study == "silhouette" and declared.get("takes") == "associations":
        return False
    return study not in TWO_GROUPS or (groups[0] <= 2 and (groups[1] is None or groups[1] >= 2))


def read_declaration(metric: str) -> dict:
    """Return the arguments of a metric's declaration; a file whose call has not all of them is imported."""
    path = registry.find("metrics", metric)
    declared = python_files.read_keywords(path, "METRIC")
    maker = ast.unparse(python_files.find_call(path, "METRIC").func)  # else `replace` of another metric's, for example
    levels = FUNCTIONS.keys() & declared.keys()
    parts = [declared, *(declared[level] or {} for level in levels)]
    has_hidden = any(None in part for part in parts) or "2" in declared  # **arguments, or `takes` by place
    is_whole = maker.split(".")[-1] == Metric.__name__ and levels and not has_hidden
    return declared if is_whole else _import_declaration(metric)


@cache
def _import_declaration(metric: str) -> dict:
    return {name: value for name, value in asdict(load(metric).METRIC).items() if value is not None}


def _options(metric: str, levels: Iterable[str]) -> dict[str, options.Option]:
    """Return the options of a metric at some of its levels."""
    path, chosen = registry.find("metrics", metric), {}
    for level in levels:
        if level in read_declaration(metric):
            chosen |= options.read_options(path, FUNCTIONS[level])
    return chosen
