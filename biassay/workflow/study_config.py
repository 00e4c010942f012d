"""Checks of the studies' configuration, and what their metrics are."""

from pathlib import Path

from biassay.support import registry


def check(config: dict) -> None:
    """Check the studies' values against the rest of the configuration. Raises ValueError with one message."""
    _check_first_order(config)
    _check_silhouette(config)
    if config["properties"]["metrics"] != "all":
        _check_metrics("properties.metrics", config["properties"]["metrics"], config)
    _check_same(config)


def vector_metrics(config: dict) -> list[str]:
    """Names of all metrics, own ones too, but those that take a language model."""
    files = {name: name for name in registry.names("metrics")} | config["own_metrics"]
    takes = {name: registry.keyword(registry.find("metrics", file), "METRIC", "takes") for name, file in files.items()}
    return [name for name in files if takes[name] != "language_model"]


def variant(config: dict, name: str) -> dict:
    """A metric of the silhouette study: `metric`, a name or the path of a user's own, `options` and `range` or None."""
    found = {"metric": name, "options": {}, "range": None} | config["silhouette"]["variants"].get(name, {})
    return found | {"metric": config["own_metrics"].get(found["metric"], found["metric"])}


def same_chunks(config: dict) -> list[int]:
    """Numbers of the training jobs of the SAME study."""
    study = config["same"]
    models = len(study["means"]) * len(study["spreads"]) * study["repeats"]
    return list(range(-(-models // study["chunk"])))


def pair_corpora(config: dict) -> list[str]:
    """Corpora that the silhouette study's reference pairs are trained on."""
    pairs = [config["reference_pairs"][name] for name in config["silhouette"]["pairs"]]
    models = [pair[which] for pair in pairs for which in ("biased", "unbiased")]
    return [model["corpus"] for model in models if "corpus" in model]


def _check_first_order(config: dict) -> None:
    study = config["first_order"]
    _check_metrics("first_order.metrics", study["metrics"], config)
    registry.check_names("config: first_order.embeddings", study["embeddings"], config["embeddings"])
    registry.check_names("config: first_order.diagnosed", [study["diagnosed"]], config["embeddings"])
    registry.check_names("config: first_order.main_list", [study["main_list"]], study["word_lists"])
    for key, path in _paths(study):
        if not Path(path).is_file():
            raise ValueError(f"config: first_order.{key}: there is no file {path!r}")
    if "planted" in study["statistics"]:
        raise ValueError("config: first_order.statistics.planted: this name is kept for what a generator planted")


def _check_silhouette(config: dict) -> None:
    study, known = config["silhouette"], [*registry.names("metrics"), *config["own_metrics"]]
    registry.check_names("config: silhouette.pairs", study["pairs"], config["reference_pairs"])
    registry.check_names("config: silhouette.metrics", study["metrics"], [*known, *study["variants"]])
    for name in study["metrics"]:
        if name in study["variants"]:
            of = study["variants"][name].get("metric", name)
            registry.check_names(f"config: silhouette.variants.{name}.metric", [of], known)
        _check_variant(name, variant(config, name), config)
    for name in study["pairs"]:
        _check_pair(config, name)


def _check_variant(name: str, chosen: dict, config: dict) -> None:
    if chosen["metric"] not in config["own_metrics"].values():
        _check_metrics("silhouette.metrics", [chosen["metric"]], config)
    try:
        options = registry.options(registry.find("metrics", chosen["metric"]), "set_bias")
    except ValueError as error:
        raise ValueError(f"config: silhouette.metrics: {name} has no value of a set, only one a target") from error
    for option in chosen["options"]:
        if option not in options:
            where = f"config: silhouette.variants.{name}.options: unknown option"
            raise ValueError(registry.unknown(where, option, list(options)))
    b_min, b_max, _ = chosen["range"] or (0, 1, 0)
    if None not in (b_min, b_max) and not b_min < b_max:
        raise ValueError(f"config: silhouette.variants.{name}.range: {chosen['range']}; b_min must be less than b_max")


def _check_pair(config: dict, name: str) -> None:
    pair = config["reference_pairs"][name]
    for which in ("biased", "unbiased"):
        key, model = f"reference_pairs.{name}.{which}", pair[which]
        if "file" in model:
            if not Path(model["file"]).exists():
                raise ValueError(f"config: {key}.file: there is no file {model['file']!r}")
        else:
            registry.check_names(f"config: {key}.corpus", [model["corpus"]], config["corpora"])
            registry.check_names(f"config: {key}.embedding", [model["embedding"]], config["embeddings"])
    for bias, path in pair["lists"].items():
        if not Path(path).is_file():
            raise ValueError(f"config: reference_pairs.{name}.lists.{bias}: there is no file {path!r}")


def _check_same(config: dict) -> None:
    study = config["same"]
    registry.check_names("config: same.language_model", [study["language_model"]], config["language_models"])
    for key in ("templates", "occupations"):
        if not Path(study[key]).is_file():
            raise ValueError(f"config: same.{key}: there is no file {study[key]!r}")
    _check_metrics("same.metrics", study["metrics"], config)
    for name in study["metrics"]:
        file = registry.find("metrics", config["own_metrics"].get(name, name))
        if registry.keyword(file, "METRIC", "takes") == "associations":
            raise ValueError(f"config: same.metrics: {name!r} takes explicit vectors, this study has none")


def _check_metrics(key: str, names: list[str], config: dict) -> None:
    """Raise ValueError unless all are metrics, and of vectors."""
    registry.check_names(f"config: {key}", names, [*registry.names("metrics"), *config["own_metrics"]])
    for name in names:
        if name not in vector_metrics(config):
            raise ValueError(f"config: {key}: {name!r} takes a language model, this study has vectors")


def _paths(study: dict) -> list[tuple[str, str]]:
    lists = [(f"word_lists.{name}", path) for name, path in study["word_lists"].items()]
    statistics = [(f"statistics.{name}", path) for name, path in study["statistics"].items()]
    return [*lists, *statistics, ("occupations", study["occupations"])]
