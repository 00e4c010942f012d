"""The metrics of the studies, as the configuration names them: checked, with the options of their variants."""

from math import inf

from biassay.measurement.metric import ENTRIES, FUNCTIONS, TAKES
from biassay.support import options, registry


def vector_metrics(config: dict) -> list[str]:
    """Names of all metrics, own ones too, but those that take a language model or predictions."""
    files = {name: name for name in registry.names("metrics")} | config["own_metrics"]
    takes = {
        name: registry.read_keyword(registry.find("metrics", file), "METRIC", "takes") for name, file in files.items()
    }
    return [name for name in files if takes[name] not in ENTRIES]


def variant(config: dict, name: str, study: str = "silhouette") -> dict:
    """A metric of a study with variants: `metric`, a name or a path of a user's own, `options` and `range` or None."""
    found = {"metric": name, "options": {}, "range": None} | config[study]["variants"].get(name, {})
    return found | {"metric": config["own_metrics"].get(found["metric"], found["metric"])}


def chosen_metrics(config: dict, study: str) -> dict[str, dict]:
    """The metrics of a study with variants, as `variant` has them, by name."""
    return {name: variant(config, name, study) for name in config[study]["metrics"]}


def needs_labels(config: dict, name: str) -> bool:
    """Whether a level of a metric compares lists of targets, which labels tell."""
    declared = registry.read_keywords(registry.find("metrics", config["own_metrics"].get(name, name)), "METRIC")
    return any(isinstance(declared.get(level), dict) and declared[level].get("labels") is True for level in FUNCTIONS)


def check_metric(key: str, name: str, config: dict, level: str | None = None) -> None:
    """Raise ValueError unless it is a metric of vectors, declared in full, that has the level if one is asked for."""
    registry.check_names(f"config: {key}", [name], [*registry.names("metrics"), *config["own_metrics"]])
    path = registry.find("metrics", config["own_metrics"].get(name, name))
    declared = registry.read_keywords(path, "METRIC")
    if (takes := declared.get("takes")) in ENTRIES:
        raise ValueError(f"config: {key}: {name!r} takes {TAKES[takes]}, this study has vectors")
    if takes == "associations" and key in ("same.metrics", "intrinsic.metrics", "downstream.metrics"):
        raise ValueError(f"config: {key}: {name!r} takes explicit vectors, this study has none")
    levels = [known for known in FUNCTIONS if known in declared]
    if not levels:
        raise ValueError(f"{path}: METRIC declares neither the level sample nor set")
    for known in levels:
        options.read_options(path, FUNCTIONS[known])
    if level and level not in levels:
        raise ValueError(f"config: {key}: {name!r} has no value of the level {level}, only of {', '.join(levels)}")


def check_variant(name: str, config: dict, of: str) -> None:
    """Raise ValueError for a metric of a study with variants whose options or range cannot be."""
    study, known = config[of], [*registry.names("metrics"), *config["own_metrics"]]
    if name not in [*known, *study["variants"]]:
        return  # told already
    key, metric = f"{of}.variants.{name}", study["variants"].get(name, {}).get("metric", name)
    if name in study["variants"]:
        registry.check_names(f"config: {key}.metric", [metric], known)
    check_metric(f"{of}.metrics", metric, config)
    chosen = variant(config, name, of)
    declared = _set_options(of, name, chosen["metric"]) if of == "silhouette" else _all_options(chosen["metric"])
    for option in chosen["options"]:
        if option not in declared:
            raise ValueError(
                registry.describe_unknown(f"config: {key}.options: unknown option", option, list(declared))
            )
    options.check(f"config: {key}.options.", chosen["options"], declared)
    b_min, b_max, b_0 = chosen["range"] or (0, 1, 0)
    if None not in (b_min, b_max) and not b_min < b_max:
        raise ValueError(f"config: {key}.range: {chosen['range']}; b_min must be less than b_max")
    if b_0 is not None and not (-inf if b_min is None else b_min) <= b_0 <= (inf if b_max is None else b_max):
        raise ValueError(f"config: {key}.range: {chosen['range']}; b_0 must lie from b_min to b_max")


def _set_options(study: str, name: str, metric: str) -> dict[str, options.Option]:
    """The options of a metric's value of sets; raises ValueError if it has none."""
    try:
        return options.read_options(registry.find("metrics", metric), "set_bias")
    except ValueError as error:
        raise ValueError(f"config: {study}.metrics: {name} has no value of a set, only one a target") from error


def _all_options(metric: str) -> dict[str, options.Option]:
    """The options of a metric at all of its levels."""
    path = registry.find("metrics", metric)
    levels = [level for level in FUNCTIONS if level in registry.read_keywords(path, "METRIC")]
    return {key: option for level in levels for key, option in options.read_options(path, FUNCTIONS[level]).items()}
