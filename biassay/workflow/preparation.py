"""The configuration of a run, completed by the defaults and checked."""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path

import yaml
from pydantic import ValidationError
from snakemake.utils import update_config

from biassay.core import guard, registry
from biassay.words import files
from biassay.workflow import board, problems, study_metrics
from biassay.workflow import config as settings
from biassay.workflow.configuration import Configuration

MAX_MODELS = 100_000  # that a study may train
WITH_ARTICLES = ("wikipedia", "wikiextractor")  # sources of corpora


def prepare(
    config: dict, home: str | Path, *, read: bool = True, config_files: Iterable[str | Path] = (),
    arguments: Iterable[str] = (),
) -> dict:  # fmt: skip
    """Complete a configuration with the defaults, resolve its paths and check it, in place; return what was given.

    `home` is the folder of the workflow. `read` also reads the small files that the configuration names, and looks for
    duplicate keys in `config_files`, which it comes from. `arguments` are those of `--config`, in whose lists and
    mappings Snakemake reads every number as a text. Raises ValueError with all problems.
    """
    for path in config_files if read else ():
        files.read_yaml(path)
    overrides = deepcopy(config)
    for key, _, value in (argument.partition("=") for argument in arguments):
        if isinstance(overrides.get(key), dict | list):
            update_config(overrides, {key: yaml.safe_load(value)})
    config |= yaml.safe_load((Path(home) / "config.yaml").read_text("utf-8"))
    update_config(config, overrides)
    check(config, home)
    if read:
        from biassay.workflow import contents  # jobs do not need it

        contents.check(config)
    return overrides


def check(config: dict, home: str | Path) -> None:
    """Check a configuration; raise ValueError with all problems.

    In place, resolves its paths and replaces "own" in the studies' lists of metrics by the user's metrics.
    """
    try:
        checked = Configuration.model_validate(config, context={"config": config, "home": home})
    except ValidationError as error:
        raise problems.describe(error, Configuration, config) from None
    config |= _replace_texts(config, checked)
    study_metrics.expand_own(config)
    problems.gather(_cross_checks(config))


def _replace_texts(value: object, checked: object) -> object:
    """Replace the texts of a configuration by the checked ones; keep the order and the type of numbers."""
    if isinstance(value, dict):
        items = dict(checked)
        return {key: _replace_texts(one, items[key]) for key, one in value.items() if key in items}
    if isinstance(value, list):
        return [_replace_texts(*pair) for pair in zip(value, checked, strict=True)]
    return checked if isinstance(value, str) else value


def _cross_checks(config: dict) -> Iterator[Callable[[], object]]:
    """Yield the checks across sections; each raises ValueError with one message."""
    corpora, study = config["corpora"], config["downstream"]
    pairs = {name: config["reference_pairs"][name] for name in config["silhouette"]["pairs"]}
    of_pairs = {model.get("corpus") for pair in pairs.values() for model in (pair["biased"], pair["unbiased"])}
    used = {*config["first_order"]["corpora"], *config["reliability"]["corpora"], *of_pairs} & set(corpora)
    encoded = {corpora[name].get("corpus", name) for name in used}
    yield from (partial(settings.corpus_files, config, name) for name in corpora if name in encoded)
    yield partial(settings.downloads, config)
    for section, level in (("first_order", "word"), ("same", None), ("properties", None), ("reliability", None)):
        for name in _named(config[section]["metrics"]):
            yield partial(study_metrics.check_metric, f"{section}.metrics", name, config, level)
    metrics = [*registry.names("metrics"), *config["own_metrics"]]
    yield partial(registry.check_names, "config: audit.metrics", _named(config["audit"]["metrics"]), metrics)
    for section in ("silhouette", "intrinsic", "downstream"):
        yield from (partial(study_metrics.check_variant, name, config, section) for name in config[section]["metrics"])
    yield partial(board.check_names, config)
    yield from (partial(_check_number, key, number) for key, number in settings.count_models(config).items())
    yield partial(_check_diagnosed, config)
    for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets")):
        for name in study[names]:
            source = study[sets][name]
            for key in ("path", "templates"):
                yield partial(_check_paths, f"downstream.{sets}.{name}.{key}", source.get(key, []))
    for name, pair in pairs.items():
        for bias, path in pair["lists"].items():
            yield partial(_check_paths, f"reference_pairs.{name}.lists.{bias}", path)
        for side in ("biased", "unbiased"):
            yield partial(_check_paths, f"reference_pairs.{name}.{side}.file", pair[side].get("file", []))
    yield from (partial(_check_text_set, name, config) for name in study["texts"])


def _named(metrics: list[str] | str) -> list[str]:
    return [] if metrics == "all" else metrics


def _check_number(key: str, number: int) -> None:
    if number > MAX_MODELS:
        raise ValueError(f"config: {key}.repeats: expected at most {MAX_MODELS:,} models in total, got {number:,}")


def _check_diagnosed(config: dict) -> None:
    """Raise ValueError if the algorithm of the diagnosed embedding has no context vectors."""
    name = config["first_order"]["diagnosed_embedding"]
    algorithm = config["embeddings"][name]["algorithm"]
    if not getattr(registry.load("embeddings", algorithm), "HAS_CONTEXTS", True):
        raise ValueError(
            f"config: first_order.diagnosed_embedding: {name!r} has no context vectors (algorithm {algorithm}); "
            "expected an embedding with context vectors, as of skipgram or glove"
        )


def _check_paths(key: str, paths: str | list[str]) -> None:
    for path in [paths] if isinstance(paths, str) else paths:
        if not Path(path).exists():
            raise ValueError(f"config: {key}: there is no file {path!r}")


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
