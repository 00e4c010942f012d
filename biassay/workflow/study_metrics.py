"""Metrics of the studies, as the configuration names them, with checks and the options of variants."""

from math import inf

from biassay.core import options, registry
from biassay.measurement.metric import ENTRIES, FUNCTIONS, TAKES


def vector_metrics(config: dict) -> list[str]:
    """List all metrics, including the user's, except those of language models and predictions."""
    files = {name: name for name in registry.names("metrics")} | config["own_metrics"]
    takes = {
        name: registry.read_keyword(registry.find("metrics", file), "METRIC", "takes") for name, file in files.items()
    }
    return [name for name in files if takes[name] not in ENTRIES]


def variant(config: dict, name: str, study: str = "silhouette") -> dict:
    """Return a metric of a study with variants: `metric` (a name or a path), `options`, and `range` or None."""
    own = {"metric": name, "options": {}, "range": None} | config[study]["variants"].get(name, {})
    return own | {"metric": config["own_metrics"].get(own["metric"], own["metric"])}


def chosen_metrics(config: dict, study: str) -> dict[str, dict]:
    """Return the metrics of a study with variants by name, each as from `variant`."""
    return {name: variant(config, name, study) for name in config[study]["metrics"]}


def needs_labels(config: dict, name: str) -> bool:
    """Whether a level of a metric compares lists of targets, so that it needs labels."""
    declared = registry.read_keywords(registry.find("metrics", config["own_metrics"].get(name, name)), "METRIC")
    return any(isinstance(declared.get(level), dict) and declared[level].get("labels") is True for level in FUNCTIONS)


def check_metric(key: str, name: str, config: dict, level: str | None = None) -> None:
    """Raise ValueError unless a metric takes vectors, declares its functions, and has the required level, if any."""
    registry.check_names(f"config: {key}", [name], [*registry.names("metrics"), *config["own_metrics"]])
    path = registry.find("metrics", config["own_metrics"].get(name, name))
    declared = registry.read_keywords(path, "METRIC")
    if (takes := declared.get("takes")) in ENTRIES:
        raise ValueError(f"config: {key}: {name!r} takes {TAKES[takes]}, but this study measures vectors")
    if takes == "associations" and key in ("same.metrics", "intrinsic.metrics", "downstream.metrics"):
        raise ValueError(f"config: {key}: {name!r} takes explicit vectors, which this study does not have")
    levels = [each for each in FUNCTIONS if each in declared]
    if not levels:
        raise ValueError(f"{path}: METRIC declares neither the level word nor the level set")
    for each in levels:
        options.read_options(path, FUNCTIONS[each])
    if level and level not in levels:
        raise ValueError(f"config: {key}: {name!r} has no {level} level, only {' and '.join(levels)}")


def check_variant(name: str, config: dict, study: str) -> None:
    """Raise ValueError for a metric of a study with variants if its options or range are invalid."""
    variants, metrics = config[study]["variants"], [*registry.names("metrics"), *config["own_metrics"]]
    if name not in [*metrics, *variants]:
        return  # reported by another check
    key, metric = f"{study}.variants.{name}", variants.get(name, {}).get("metric", name)
    if name in variants:
        registry.check_names(f"config: {key}.metric", [metric], metrics)
    check_metric(f"{study}.metrics", metric, config)
    chosen = variant(config, name, study)
    is_set = study == "silhouette"
    declared = _set_options(study, name, chosen["metric"]) if is_set else _all_options(chosen["metric"])
    for option in chosen["options"]:
        if option not in declared:
            raise ValueError(
                registry.describe_unknown(f"config: {key}.options: unknown option", option, list(declared))
            )
    options.check(f"config: {key}.options.", chosen["options"], declared)
    b_min, b_max, b_0 = chosen["range"] or (0, 1, 0)
    if None not in (b_min, b_max) and not b_min < b_max:
        raise ValueError(f"config: {key}.range: expected b_min < b_max, got {chosen['range']}")
    if b_0 is not None and not (-inf if b_min is None else b_min) <= b_0 <= (inf if b_max is None else b_max):
        raise ValueError(f"config: {key}.range: expected b_min ≤ b_0 ≤ b_max, got {chosen['range']}")


def _set_options(study: str, name: str, metric: str) -> dict[str, options.Option]:
    """Return the options of a metric's set level; raise ValueError if it has none."""
    try:
        return options.read_options(registry.find("metrics", metric), "set_bias")
    except ValueError as error:
        raise ValueError(f"config: {study}.metrics: {name} has no set level, only a word level") from error


def _all_options(metric: str) -> dict[str, options.Option]:
    """Return the options of a metric at all of its levels."""
    path = registry.find("metrics", metric)
    levels = [level for level in FUNCTIONS if level in registry.read_keywords(path, "METRIC")]
    return {key: option for level in levels for key, option in options.read_options(path, FUNCTIONS[level]).items()}
