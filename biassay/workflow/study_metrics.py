"""Metrics of the studies, as the configuration names them, with checks and the options of variants."""

from math import inf

from biassay.core import options, registry
from biassay.measurement import evaluation
from biassay.measurement.metric import ENTRIES, FUNCTIONS, TAKES, load

OWN = "own"  # in a study's list of metrics: the user's metrics that fit the study
STUDIES = ("first_order", "silhouette", "same", "intrinsic", "downstream", "reliability")  # with a list of metrics
TWO_GROUPS = ("first_order", "silhouette", "same", "reliability")  # studies that compare two groups


def vector_metrics(config: dict) -> list[str]:
    """List all metrics, including the user's, except those of language models and predictions."""
    files = {name: name for name in registry.names("metrics")} | config["own_metrics"]
    return [name for name, file in files.items() if load(file).METRIC.takes not in ENTRIES]


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
    declared = load(config["own_metrics"].get(name, name)).METRIC
    return any(level.labels for level in declared.levels.values())


def check_metric(key: str, name: str, config: dict, level: str | None = None) -> None:
    """Raise ValueError unless a metric takes vectors and has the required level, if any."""
    registry.check_names(f"config: {key}", [name], [*registry.names("metrics"), *config["own_metrics"]])
    path = config["own_metrics"].get(name)
    declared = load(path or name).METRIC
    if declared.takes in ENTRIES:
        raise ValueError(f"config: {key}: {name!r} takes {TAKES[declared.takes]}, but this study measures vectors")
    if declared.takes == "associations" and key in ("same.metrics", "intrinsic.metrics", "downstream.metrics"):
        raise ValueError(f"config: {key}: {name!r} takes explicit vectors, which this study does not have")
    if key == "downstream.metrics" and declared.groups == (0, 0):
        raise ValueError(f"config: {key}: {name!r} is label-based, but this study compares groups")
    if level and level not in declared.levels:
        raise ValueError(f"config: {key}: {name!r} has no {level} level, only {' and '.join(declared.levels)}")
    needs_b_0 = key in ("intrinsic.metrics", "downstream.metrics") and declared.groups != (0, 0)
    if needs_b_0 and declared.set:
        with registry.plugin_errors(path):  # b_0 can be a function
            b_0 = declared.range("set", 2).b_0
        if b_0 is None:
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
    module = load(chosen["metric"])
    if chosen.get("leaking") and module.METRIC.groups != (0, 0):
        raise ValueError(f"{key}.leaking: expected false, because {metric!r} is not label-based")
    declared = evaluation.read_options(module, ["set"] if study == "silhouette" else FUNCTIONS)
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
    declared = load(config["own_metrics"][name]).METRIC
    if declared.groups == (0, 0):  # label-based
        return study != "first_order"
    if study == "first_order" and declared.word.labels:
        return False
    if study == "silhouette" and declared.takes == "associations":
        return False
    low, high = declared.groups
    return study not in TWO_GROUPS or (low <= 2 and (high is None or high >= 2))
