"""Checks of the studies' configuration, and lists derived from it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from biassay.core import guard, options, registry
from biassay.workflow import downstream, group_words
from biassay.workflow.study_metrics import check_metric, check_variant

MAX_MODELS = 100_000  # that a study may train


def checks(config: dict) -> list[Callable[[], None]]:
    """List the checks of the studies' values; each raises ValueError with one message."""
    first_order, silhouette, same, intrinsic = (
        config[study] for study in ("first_order", "silhouette", "same", "intrinsic")
    )
    metrics = [*registry.names("metrics"), *config["own_metrics"]]
    of_properties = [] if config["properties"]["metrics"] == "all" else config["properties"]["metrics"]
    by_name = [
        ("first_order.corpora", first_order["corpora"], config["corpora"]),
        ("first_order.embeddings", first_order["embeddings"], config["embeddings"]),
        ("first_order.diagnosed_embedding", [first_order["diagnosed_embedding"]], config["embeddings"]),
        ("first_order.main_list", [first_order["main_list"]], first_order["word_lists"]),
        ("silhouette.pairs", silhouette["pairs"], config["reference_pairs"]),
        ("silhouette.metrics", silhouette["metrics"], [*metrics, *silhouette["variants"]]),
        ("same.language_model", [same["language_model"]], config["language_models"]),
        ("intrinsic.language_model", [intrinsic["language_model"]], config["language_models"]),
        ("intrinsic.metrics", intrinsic["metrics"], [*metrics, *intrinsic["variants"]]),
    ]
    pairs = [name for name in silhouette["pairs"] if name in config["reference_pairs"]]
    return [
        *(partial(registry.check_names, f"config: {key}", names, choices) for key, names, choices in by_name),
        *(partial(check_metric, "first_order.metrics", name, config, "word") for name in first_order["metrics"]),
        *(partial(check_metric, "same.metrics", name, config) for name in same["metrics"]),
        *(partial(check_metric, "properties.metrics", name, config) for name in of_properties),
        *(partial(check_variant, name, config, "silhouette") for name in silhouette["metrics"]),
        *(partial(check_variant, name, config, "intrinsic") for name in intrinsic["metrics"]),
        *(partial(_check_models, key, number) for key, number in _count_models(config).items()),
        partial(_check_grid, intrinsic),
        *(partial(_check_pair, name, config) for name in pairs),
        *(partial(_check_file, key, path) for key, path in _paths(config)),
        partial(_check_diagnosed, config),
        partial(_check_steps, silhouette["steps"]),
        partial(_check_statistics, first_order["occupation_statistics"]),
        *([partial(published_vectors, config)] if "published" in config["studies"] else []),
        partial(_check_audit, config),
        partial(group_words.check, same["groups"]),
        *downstream.checks(config),
    ]


def same_chunks(config: dict) -> list[int]:
    """Number the training jobs of the SAME study."""
    return list(range(-(-_count_models(config)["same"] // config["same"]["chunk"])))


def intrinsic_chunks(config: dict) -> list[int]:
    """Number the training jobs of the intrinsic study."""
    return list(range(-(-_count_models(config)["intrinsic"] // config["intrinsic"]["chunk"])))


def _count_models(config: dict) -> dict[str, int]:
    """Count the models that each study trains, by key."""
    same, intrinsic, planted = config["same"], config["intrinsic"], config["downstream"]["planted"]
    detection = intrinsic["detection"]
    of_grid = len(intrinsic["min_p"]) * len(intrinsic["max_p"]) * intrinsic["repeats"]
    return {
        "same": len(same["means"]) * len(same["spreads"]) * same["repeats"],
        "intrinsic": of_grid + len(detection["strengths"]) * detection["repeats"],
        "downstream.planted": len(planted["strengths"]) * planted["repeats"],
    }


def pair_corpora(config: dict) -> list[str]:
    """List the corpora that the silhouette study's reference pairs are trained on."""
    chosen = config["silhouette"]["pairs"]
    pairs = [config["reference_pairs"][name] for name in chosen if name in config["reference_pairs"]]
    models = [pair[side] for pair in pairs for side in ("biased", "unbiased")]
    return [model["corpus"] for model in models if "corpus" in model]


def published_vectors(config: dict) -> list[str]:
    """List the files of vectors with published numbers; raise ValueError if none are configured."""
    vectors = config["published"]["vectors"]
    if not vectors:
        raise ValueError(
            "config: published.vectors: expected vectors with published numbers, such as "
            "{google_news: {file: GoogleNews-vectors-negative300.bin.gz}}, got {}"
        )
    return [model["file"] for model in vectors.values()]


def _check_audit(config: dict) -> None:
    """Raise ValueError for missing models and unknown metrics of an audit."""
    for name, model in config["audit"]["models"].items():
        key = f"audit.models.{name}"
        for kind, choices in (
            ("corpus", "corpora"),
            ("embedding", "embeddings"),
            ("language_model", "language_models"),
        ):
            if kind in model:
                registry.check_names(f"config: {key}.{kind}", [model[kind]], config[choices])
        if "file" in model:
            _check_file(f"{key}.file", model["file"])
    metrics = [*registry.names("metrics"), *config["own_metrics"]]
    selected = config["audit"]["metrics"]
    registry.check_names("config: audit.metrics", [] if selected == "all" else selected, metrics)


def _check_models(key: str, number: int) -> None:
    if number > MAX_MODELS:
        raise ValueError(f"config: {key}.repeats: expected at most {MAX_MODELS:,} models in total, got {number:,}")


def _check_grid(intrinsic: dict) -> None:
    """Raise ValueError unless min_p < max_p, strengths increase from 0, and no metric has the name of a known bias."""
    detection = intrinsic["detection"]
    for name in ("data", "unmasking"):
        if name in intrinsic["metrics"]:
            raise ValueError(
                f"config: intrinsic.metrics: {name!r} is reserved for a bias that metrics are compared with"
            )
    for key, min_p, max_p in (("intrinsic", intrinsic["min_p"], intrinsic["max_p"]),
                             ("intrinsic.detection", [detection["min_p"]], [detection["max_p"]])):  # fmt: skip
        if max(min_p) >= min(max_p):
            raise ValueError(f"config: {key}: expected min_p < max_p, got {max(min_p)} and {min(max_p)}")
    strengths = detection["strengths"]
    if strengths and (strengths[0] != 0 or len(strengths) < 2 or sorted(set(strengths)) != strengths):
        raise ValueError(
            f"config: intrinsic.detection.strengths: expected [] or increasing numbers from 0, got {strengths}"
        )


def _check_pair(name: str, config: dict) -> None:
    pair = config["reference_pairs"][name]
    for side in ("biased", "unbiased"):
        key, model = f"reference_pairs.{name}.{side}", pair[side]
        if "file" in model:
            _check_file(f"{key}.file", model["file"])
        else:
            registry.check_names(f"config: {key}.corpus", [model["corpus"]], config["corpora"])
            registry.check_names(f"config: {key}.embedding", [model["embedding"]], config["embeddings"])
    if pair["biased"] == pair["unbiased"]:
        raise ValueError(f"config: reference_pairs.{name}: the biased and the unbiased model are the same")
    files = [model["file"] for model in pair.values() if "file" in model]
    guard.check_different(f"config: reference_pairs.{name}", files)


def _check_file(key: str, path: str) -> None:
    if not Path(path).exists():
        raise ValueError(f"config: {key}: there is no file {path!r}")


def _check_diagnosed(config: dict) -> None:
    """Raise ValueError if the algorithm of the diagnosed embedding has no context vectors."""
    name = config["first_order"]["diagnosed_embedding"]
    if name in config["embeddings"]:
        algorithm = config["embeddings"][name]["algorithm"]
        if options.read_constants(options.parse(registry.find("embeddings", algorithm))).get("HAS_CONTEXTS") is False:
            raise ValueError(
                f"config: first_order.diagnosed_embedding: {name!r} has no context vectors (algorithm {algorithm}); "
                "expected an embedding with context vectors, as of skipgram or glove"
            )


def _check_steps(steps: dict[str, int]) -> None:
    for side, step in steps.items():
        if step % 2:
            raise ValueError(f"config: silhouette.steps.{side}: expected an even number, for two lists, got {step}")


def _check_statistics(statistics: dict[str, str]) -> None:
    if "planted" in statistics:
        raise ValueError(
            "config: first_order.occupation_statistics.planted: this name is reserved for generated corpora"
        )


def _paths(config: dict) -> list[tuple[str, str]]:
    """List the files of the studies with their keys."""
    paths = {f"same.{key}": config["same"][key] for key in ("templates", "occupations")}
    paths["intrinsic.templates"] = config["intrinsic"]["templates"]
    paths["first_order.occupations"] = config["first_order"]["occupations"]
    for key in ("word_lists", "occupation_statistics"):
        paths |= {f"first_order.{key}.{name}": path for name, path in config["first_order"][key].items()}
    paths |= downstream.paths(config)
    paths |= {f"published.{key}": config["published"][key] for key in ("numbers", "word_lists")}
    paths |= {f"published.vectors.{name}.file": model["file"] for name, model in config["published"]["vectors"].items()}
    for name in config["silhouette"]["pairs"]:
        lists = config["reference_pairs"].get(name, {}).get("lists", {})
        paths |= {f"reference_pairs.{name}.lists.{bias}": path for bias, path in lists.items()}
    return list(paths.items())
