"""Checks of the configuration, each error naming the key, the value and the choices."""

import json
import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import asdict
from functools import partial
from glob import glob
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from snakemake.utils import update_config

from biassay.corpora import download
from biassay.counts.weights import window_weights
from biassay.language_models.pretraining import Settings
from biassay.support import guard, options, registry
from biassay.words import files
from biassay.workflow import board, paths, plugins, schemas, seeds, study_config
from biassay.workflow.problems import gather

FILE = re.compile(r"[A-Za-z0-9_%][A-Za-z0-9_%.,+~()=-]*")  # a download, which is a wildcard and a part of paths
COUNTERFACTUAL = "counterfactual"  # the source of corpora that are made of another corpus of the configuration


def prepare(config: dict, home: str | Path, *, read: bool = True, given_by: Iterable[str | Path] = ()) -> None:
    """Complete a configuration by the default in the workflow's folder, find its paths, and check it, in place.

    With `read`, the small files that it names are read too. given_by: files that it comes from, in which no key may
    stand twice. Raises ValueError with all that is wrong.
    """
    for path in given_by if read else ():
        files.check_keys(path)
    home, given = Path(home), deepcopy(config)
    config |= yaml.safe_load((home / "config.yaml").read_text("utf-8"))
    update_config(config, given)
    config["seeds"] = seeds.numbers(config["seeds"])
    paths.locate(config, home)
    paths.hide(config)
    check(config, home / "config.schema.yaml")
    if read:
        from biassay.workflow import contents  # which jobs do not need

        contents.check(config)


def check(config: dict, schema: str | Path) -> None:
    """Check a configuration against the schema, then across its values. Raises ValueError with all that is wrong.

    In place, metrics of one's own stand for “own” in the studies' lists then.
    """
    schemas.check(config, schema)
    board.expand_own(config)
    corpora, counts = config["corpora"], list(config["counts"])
    gather(
        [
            *(partial(plugins.check_embedding, name, value, counts) for name, value in config["embeddings"].items()),
            *(partial(_check_language_model, name, value, config) for name, value in config["language_models"].items()),
            *(partial(_check_window, name, value) for name, value in config["counts"].items()),
            partial(downloads, config),
            partial(paths.check, config),
            *(partial(_check_corpus, name, config) for name in corpora),
            *(partial(plugins.check_own_metric, name, path) for name, path in config["own_metrics"].items()),
            *(partial(_check_files, config, name) for name in _used_corpora(config)),
            *study_config.checks(config),
        ]
    )
    board.check_names(config)


def _check_window(name: str, counts: dict) -> None:
    """Raise ValueError for a window that no corpus can be counted with exactly; counting asks again, of its corpus."""
    try:
        window_weights(counts["window"], counts["weighting"])
    except ValueError as error:
        raise ValueError(f"config: counts.{name}.window: {error}") from error


def _used_corpora(config: dict) -> list[str]:
    """Corpora of the studies, in the order of the configuration."""
    names = {*config["first_order"]["corpora"], *study_config.pair_corpora(config)}
    return [name for name in config["corpora"] if name in names]


def _check_files(config: dict, name: str) -> None:
    of = config["corpora"][name].get("corpus", name)
    if of in config["corpora"]:
        corpus_files(config, of)


def corpus_files(config: dict, name: str) -> list[str]:
    """Files of a corpus by its `path`, sorted within each pattern; ValueError for one without any, or a file in two."""
    patterns, files = config["corpora"][name].get("path", []), []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        matching = [pattern] if Path(pattern).is_file() else glob(pattern, recursive=True)  # brackets may be a name's
        found = sorted(path for path in matching if Path(path).is_file())
        if not found:
            raise ValueError(f"config: corpora.{name}.path: there is no file {pattern!r}")
        files += found
    guard.check_different(f"config: corpora.{name}.path", files)
    return files


def downloads(config: dict) -> dict[str, dict]:
    """Files to be downloaded, dumps of Wikipedia and CrowS-Pairs, by name: `url` and `checksum`. Raises ValueError for
    unclear ones."""
    found = {}
    sources = {f"corpora.{name}": of for name, of in config["corpora"].items() if of["source"] == "wikipedia"}
    sources |= {f"downstream.pair_sets.{name}": of for name, of in config["downstream"]["pair_sets"].items()
                if of["source"] == "crows"}  # fmt: skip
    for key, source in sources.items():
        if ("path" in source) == ("url" in source):
            raise ValueError(f"config: {key}: give one of path (a file on this machine) and url")
        if ("url" in source) != ("checksum" in source):
            raise ValueError(f"config: {key}: url and checksum belong together; checksum may be unknown")
        if "url" in source:
            try:
                download.split_checksum(source["checksum"])
            except ValueError as error:
                raise ValueError(f"config: {key}.{error}") from error
            name, wanted = file_name(source["url"]), {name: source[name] for name in ("url", "checksum")}
            if not FILE.fullmatch(name):
                raise ValueError(f"config: {key}.url: ends in {name!r}, which cannot be the name of a file here")
            if found.setdefault(name, wanted) != wanted:
                raise ValueError(f"config: {key}: another file to be downloaded is named {name}")
    return found


def file_name(url: str) -> str:
    """Name of the file that a URL leads to, its end."""
    return Path(urlsplit(url).path).name


def article_options(corpus: dict) -> dict:
    """Which articles of a dump are taken."""
    return {key: corpus[key] for key in ("articles", "min_words") if key in corpus}


def train_options(embedding: dict) -> dict:
    """All options of an embedding's training: those configured over the defaults of its family."""
    known = options.read_options(registry.find("embeddings", embedding["algorithm"]), "train")
    defaults = {name: option.default for name, option in known.items()}
    return defaults | {key: value for key, value in embedding.items() if key not in plugins.DATA_SOURCES}


def pretraining(model: dict) -> dict:
    """All settings of a language model's pretraining: those configured over the defaults."""
    given = {key: value for key, value in model["pretrain"].items() if key != "corpus"}
    return asdict(Settings(**given | {"checkpoint_steps": tuple(given.get("checkpoint_steps", ()))}))


def json_options(embedding: dict, seed: int, threads: int) -> str:
    """All options of an embedding's training as JSON, for a program in another environment."""
    return json.dumps(train_options(embedding) | {"seed": seed, "threads": threads})


def count_options(counts: dict) -> dict:
    """Options of counting, which do not depend on the number of shards."""
    return {key: value for key, value in counts.items() if key != "shards"}


def _check_corpus(name: str, config: dict) -> None:
    """Check what a counterfactual corpus is made of."""
    corpus = config["corpora"][name]
    if corpus["source"] != COUNTERFACTUAL:
        return
    others = [other for other, options in config["corpora"].items() if options["source"] != COUNTERFACTUAL]
    if corpus["corpus"] in config["corpora"] and corpus["corpus"] not in others:
        raise ValueError(
            f"config: corpora.{name}.corpus: {corpus['corpus']!r} is counterfactual itself; expected one of: {', '.join(others)}"
        )
    registry.check_names(f"config: corpora.{name}.corpus", [corpus["corpus"]], others)
    for path in corpus["swap"]:
        if not Path(path).is_file():
            raise ValueError(f"config: corpora.{name}.swap: there is no file {path!r}")
    guard.check_different(f"config: corpora.{name}.swap", corpus["swap"])


def _check_language_model(name: str, model: dict, config: dict) -> None:
    key = f"config: language_models.{name}"
    kinds = [kind for kind in ("path", "hub", "pretrain", "checkpoint") if kind in model]
    if len(kinds) != 1 or ("revision" in model) != ("hub" in model):
        has = ", ".join(model) or "none"
        raise ValueError(f"{key}: give one of path, hub with revision, pretrain and checkpoint; has: {has}")
    if "path" in model and not (Path(model["path"]) / "config.json").is_file():
        raise ValueError(f"{key}.path: {model['path']!r} is no folder with a config.json")
    if "checkpoint" in model:
        _check_checkpoint(f"{key}.checkpoint", model["checkpoint"], config["language_models"])
    if "pretrain" not in model:
        return
    registry.check_names(
        f"config: language_models.{name}.pretrain.corpus", [model["pretrain"]["corpus"]], config["corpora"]
    )
    try:
        vocabulary = pretraining(model)["vocabulary"]
    except ValueError as error:
        raise ValueError(f"{key}.pretrain.{error}") from error
    if isinstance(vocabulary, str) and not Path(vocabulary).is_file():
        raise ValueError(f"{key}.pretrain.vocabulary: there is no file {vocabulary!r}")


def _check_checkpoint(key: str, checkpoint: dict, models: dict) -> None:
    """Raise ValueError unless the model that it is of is pretrained here and keeps the step."""
    registry.check_names(
        f"{key}.model", [checkpoint["model"]], [name for name, of in models.items() if "pretrain" in of]
    )
    kept = models[checkpoint["model"]]["pretrain"].get("checkpoint_steps", [])
    if checkpoint["step"] not in kept:
        of = f"language_models.{checkpoint['model']}.pretrain.checkpoint_steps"
        raise ValueError(f"{key}.step: {checkpoint['step']} is not kept; {of}: {kept}")
