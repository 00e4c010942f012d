"""Checks of the studies' configuration, and what follows from it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from biassay.support import guard, options, registry
from biassay.workflow import downstream, group_words
from biassay.workflow.study_metrics import check_metric, check_variant

MODELS = 100_000  # that a study may train


def checks(config: dict) -> list[Callable[[], None]]:
    """Checks of the studies' values against the rest of the configuration; each raises ValueError with one message."""
    first_order, silhouette, same, intrinsic = (
        config[study] for study in ("first_order", "silhouette", "same", "intrinsic")
    )
    known = [*registry.names("metrics"), *config["own_metrics"]]
    judged = [] if config["properties"]["metrics"] == "all" else config["properties"]["metrics"]
    by_name = [
        ("first_order.corpora", first_order["corpora"], config["corpora"]),
        ("first_order.embeddings", first_order["embeddings"], config["embeddings"]),
        ("first_order.diagnosed_embedding", [first_order["diagnosed_embedding"]], config["embeddings"]),
        ("first_order.main_list", [first_order["main_list"]], first_order["word_lists"]),
        ("silhouette.pairs", silhouette["pairs"], config["reference_pairs"]),
        ("silhouette.metrics", silhouette["metrics"], [*known, *silhouette["variants"]]),
        ("same.language_model", [same["language_model"]], config["language_models"]),
        ("intrinsic.language_model", [intrinsic["language_model"]], config["language_models"]),
        ("intrinsic.metrics", intrinsic["metrics"], [*known, *intrinsic["variants"]]),
    ]
    pairs = [name for name in silhouette["pairs"] if name in config["reference_pairs"]]
    return [
        *(partial(registry.check_names, f"config: {key}", names, choices) for key, names, choices in by_name),
        *(partial(check_metric, "first_order.metrics", name, config, "word") for name in first_order["metrics"]),
        *(partial(check_metric, "same.metrics", name, config) for name in same["metrics"]),
        *(partial(check_metric, "properties.metrics", name, config) for name in judged),
        *(partial(check_variant, name, config, "silhouette") for name in silhouette["metrics"]),
        *(partial(check_variant, name, config, "intrinsic") for name in intrinsic["metrics"]),
        *(partial(_check_models, key, number) for key, number in _models(config).items()),
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
    """Numbers of the training jobs of the SAME study."""
    return list(range(-(-_models(config)["same"] // config["same"]["chunk"])))


def intrinsic_chunks(config: dict) -> list[int]:
    """Numbers of the training jobs of the intrinsic study."""
    return list(range(-(-_models(config)["intrinsic"] // config["intrinsic"]["chunk"])))


def _models(config: dict) -> dict[str, int]:
    """How many models each study trains, by its key."""
    same, intrinsic, planted = config["same"], config["intrinsic"], config["downstream"]["planted"]
    detection = intrinsic["detection"]
    of_grid = len(intrinsic["min_p"]) * len(intrinsic["max_p"]) * intrinsic["repeats"]
    return {
        "same": len(same["means"]) * len(same["spreads"]) * same["repeats"],
        "intrinsic": of_grid + len(detection["strengths"]) * detection["repeats"],
        "downstream.planted": len(planted["strengths"]) * planted["repeats"],
    }


def pair_corpora(config: dict) -> list[str]:
    """Corpora that the silhouette study's reference pairs are trained on."""
    chosen = config["silhouette"]["pairs"]
    pairs = [config["reference_pairs"][name] for name in chosen if name in config["reference_pairs"]]
    models = [pair[which] for pair in pairs for which in ("biased", "unbiased")]
    return [model["corpus"] for model in models if "corpus" in model]


def published_vectors(config: dict) -> list[str]:
    """Files of the vectors that published numbers are computed from; raises ValueError if none is configured."""
    vectors = config["published"]["vectors"]
    if not vectors:
        raise ValueError(
            "config: published.vectors: is empty; name vectors that published numbers are printed for, such as "
            "{google_news: {file: GoogleNews-vectors-negative300.bin.gz}}"
        )
    return [model["file"] for model in vectors.values()]


def _check_audit(config: dict) -> None:
    """Raise ValueError for models of an audit that are not there, and for unknown metrics."""
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
    chosen = config["audit"]["metrics"]
    known = [*registry.names("metrics"), *config["own_metrics"]]
    registry.check_names("config: audit.metrics", [] if chosen == "all" else chosen, known)


def _check_models(key: str, number: int) -> None:
    if number > MODELS:
        raise ValueError(f"config: {key}.repeats: {number:,} models are to be trained; expected at most {MODELS:,}")


def _check_grid(intrinsic: dict) -> None:
    """Raise ValueError unless the intrinsic study's minP are below its maxP, strengths rise from 0, and no metric bears
    the name of a bias that it is compared with."""
    detection = intrinsic["detection"]
    for name in ("data", "unmasking"):
        if name in intrinsic["metrics"]:
            raise ValueError(f"config: intrinsic.metrics: {name!r} is kept for a bias that metrics are compared with")
    for key, least, most in (("intrinsic", intrinsic["min_p"], intrinsic["max_p"]),
                             ("intrinsic.detection", [detection["min_p"]], [detection["max_p"]])):  # fmt: skip
        if max(least) >= min(most):
            raise ValueError(f"config: {key}: min_p {max(least)} is not below max_p {min(most)}")
    strengths = detection["strengths"]
    if strengths and (strengths[0] != 0 or len(strengths) < 2 or sorted(set(strengths)) != strengths):
        raise ValueError(f"config: intrinsic.detection.strengths: {strengths}; give none, or numbers that rise from 0")


def _check_pair(name: str, config: dict) -> None:
    pair = config["reference_pairs"][name]
    for which in ("biased", "unbiased"):
        key, model = f"reference_pairs.{name}.{which}", pair[which]
        if "file" in model:
            _check_file(f"{key}.file", model["file"])
        else:
            registry.check_names(f"config: {key}.corpus", [model["corpus"]], config["corpora"])
            registry.check_names(f"config: {key}.embedding", [model["embedding"]], config["embeddings"])
    if pair["biased"] == pair["unbiased"]:
        raise ValueError(f"config: reference_pairs.{name}: the biased and the unbiased model are the same")
    guard.check_different(f"config: reference_pairs.{name}", [of["file"] for of in pair.values() if "file" in of])


def _check_file(key: str, path: str) -> None:
    if not Path(path).exists():
        raise ValueError(f"config: {key}: there is no file {path!r}")


def _check_diagnosed(config: dict) -> None:
    """Raise ValueError if the family of the embedding to be diagnosed says that it has no context vectors."""
    name = config["first_order"]["diagnosed_embedding"]
    if name in config["embeddings"]:
        algorithm = config["embeddings"][name]["algorithm"]
        if options.read_constants(options.parse(registry.find("embeddings", algorithm))).get("HAS_CONTEXTS") is False:
            raise ValueError(
                f"config: first_order.diagnosed_embedding: {name!r}, of the family {algorithm}, has no context vectors"
            )


def _check_steps(steps: dict[str, int]) -> None:
    for which, step in steps.items():
        if step % 2:
            raise ValueError(f"config: silhouette.steps.{which}: {step} words cannot be shared equally by two lists")


def _check_statistics(statistics: dict[str, str]) -> None:
    if "planted" in statistics:
        raise ValueError(
            "config: first_order.occupation_statistics.planted: this name is kept for what a generator planted"
        )


def _paths(config: dict) -> list[tuple[str, str]]:
    """Files of the studies, by key."""
    found = {f"same.{key}": config["same"][key] for key in ("templates", "occupations")}
    found["intrinsic.templates"] = config["intrinsic"]["templates"]
    found["first_order.occupations"] = config["first_order"]["occupations"]
    for key in ("word_lists", "occupation_statistics"):
        found |= {f"first_order.{key}.{name}": path for name, path in config["first_order"][key].items()}
    found |= downstream.paths(config)
    found |= {f"published.{key}": config["published"][key] for key in ("numbers", "word_lists")}
    found |= {f"published.vectors.{name}.file": model["file"] for name, model in config["published"]["vectors"].items()}
    for name in config["silhouette"]["pairs"]:
        lists = config["reference_pairs"].get(name, {}).get("lists", {})
        found |= {f"reference_pairs.{name}.lists.{bias}": path for bias, path in lists.items()}
    return list(found.items())
