"""Checks across the sections of a configuration whose values have valid types and ranges."""

from collections.abc import Callable
from functools import partial

from biassay.core import guard, python_files, registry
from biassay.workflow import board
from biassay.workflow import config as settings
from biassay.workflow.fields import check_exists
from biassay.workflow.study_metrics import check_metric, check_variant

MAX_MODELS = 100_000  # that a study may train
WITH_ARTICLES = ("wikipedia", "wikiextractor")  # sources of corpora


def checks(config: dict) -> list[Callable[[], None]]:
    """List the checks; each raises ValueError with one message."""
    corpora, study = config["corpora"], config["downstream"]
    of_properties = [] if config["properties"]["metrics"] == "all" else config["properties"]["metrics"]
    of_audit = [] if config["audit"]["metrics"] == "all" else config["audit"]["metrics"]
    metrics = [*registry.names("metrics"), *config["own_metrics"]]
    used = {*config["first_order"]["corpora"], *settings.pair_corpora(config)}
    files = {corpora[name].get("corpus", name) for name in used}
    return [
        *(partial(settings.corpus_files, config, name) for name in corpora if name in files),
        partial(settings.downloads, config),
        *(
            partial(check_metric, "first_order.metrics", name, config, "word")
            for name in config["first_order"]["metrics"]
        ),
        *(partial(check_metric, "same.metrics", name, config) for name in config["same"]["metrics"]),
        *(partial(check_metric, "properties.metrics", name, config) for name in of_properties),
        partial(registry.check_names, "config: audit.metrics", of_audit, metrics),
        *(
            partial(check_variant, name, config, study)
            for study in ("silhouette", "intrinsic", "downstream")
            for name in config[study]["metrics"]
        ),
        partial(board.check_names, config),
        *(partial(_check_number, key, number) for key, number in settings.count_models(config).items()),
        partial(_check_diagnosed, config),
        *(partial(_check_path, *each) for each in _used_paths(config).items()),
        *([partial(settings.published_vectors, config)] if "published" in config["studies"] else []),
        *(partial(_check_text_set, name, config) for name in study["texts"]),
    ]


def _check_number(key: str, number: int) -> None:
    if number > MAX_MODELS:
        raise ValueError(f"config: {key}.repeats: expected at most {MAX_MODELS:,} models in total, got {number:,}")


def _check_diagnosed(config: dict) -> None:
    """Raise ValueError if the algorithm of the diagnosed embedding has no context vectors."""
    name = config["first_order"]["diagnosed_embedding"]
    algorithm = config["embeddings"][name]["algorithm"]
    if python_files.read_constants(registry.find("embeddings", algorithm)).get("HAS_CONTEXTS") is False:
        raise ValueError(
            f"config: first_order.diagnosed_embedding: {name!r} has no context vectors (algorithm {algorithm}); "
            "expected an embedding with context vectors, as of skipgram or glove"
        )


def _used_paths(config: dict) -> dict[str, str | list[str]]:
    """List the files of the sets and pairs that are used, by key; files of the others may be missing."""
    paths, study = {}, config["downstream"]
    for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets")):
        for name in study[names]:
            paths |= {f"downstream.{sets}.{name}.{key}": study[sets][name][key]
                      for key in ("path", "templates") if key in study[sets][name]}  # fmt: skip
    for name in config["silhouette"]["pairs"]:
        pair = config["reference_pairs"][name]
        paths |= {f"reference_pairs.{name}.lists.{bias}": path for bias, path in pair["lists"].items()}
        paths |= {f"reference_pairs.{name}.{side}.file": pair[side]["file"]
                  for side in ("biased", "unbiased") if "file" in pair[side]}  # fmt: skip
    return paths


def _check_path(key: str, paths: str | list[str]) -> None:
    for path in [paths] if isinstance(paths, str) else paths:
        try:
            check_exists(path)
        except ValueError as error:
            raise ValueError(f"config: {key}: {error}") from error


def _check_text_set(name: str, config: dict) -> None:
    """Raise ValueError for a corpus without articles, and for duplicate files."""
    key, options = f"config: downstream.text_sets.{name}", config["downstream"]["text_sets"][name]
    if isinstance(options.get("path"), list):
        guard.check_different(f"{key}.path", options["path"])
    if options["source"] == "wikipedia":
        registry.check_names(f"{key}.corpus", [options["corpus"]], config["corpora"])
        source = config["corpora"][options["corpus"]]["source"]
        if source not in WITH_ARTICLES:
            expected = " or ".join(WITH_ARTICLES)
            raise ValueError(f"{key}.corpus: expected the source {expected}, got {source} ({options['corpus']!r})")
