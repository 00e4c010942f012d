"""The configuration of a run: completed by defaults and checked. Errors name the key and the value."""

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

from biassay.core import guard, options, registry
from biassay.corpora import download
from biassay.counts.weights import window_weights
from biassay.language_models.pretraining import Settings
from biassay.words import files
from biassay.workflow import board, paths, plugins, schemas, seeds, study_config
from biassay.workflow.problems import gather

FILE = re.compile(r"[A-Za-z0-9_%][A-Za-z0-9_%.,+~()=-]*")  # name of a download, which is a wildcard and part of paths
COUNTERFACTUAL = "counterfactual"  # source of corpora made from another corpus of the configuration


def prepare(config: dict, home: str | Path, *, read: bool = True, config_files: Iterable[str | Path] = ()) -> None:
    """Complete a configuration with the defaults, resolve its paths and check it, in place.

    Parameters
    ----------
    config
    home
        Folder of the workflow.
    read
        Whether to read and check the small files that the configuration names, too.
    config_files
        Files that the configuration comes from; a key that occurs twice in one of them is an error.

    Raises
    ------
    ValueError
        With all problems found.
    """
    for path in config_files if read else ():
        files.check_keys(path)
    home, overrides = Path(home), deepcopy(config)
    config |= yaml.safe_load((home / "config.yaml").read_text("utf-8"))
    update_config(config, overrides)
    config["seeds"] = seeds.parse_numbers(config["seeds"])
    paths.locate(config, home)
    paths.hide(config)
    check(config, home / "config.schema.yaml")
    if read:
        from biassay.workflow import contents  # jobs do not need it

        contents.check(config)


def check(config: dict, schema: str | Path) -> None:
    """Check a configuration against the schema and across keys; raise ValueError with all problems.

    Replaces "own" in the studies' lists of metrics by the user's metrics, in place.
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
    """Raise ValueError for a window too large to count any corpus exactly; counting checks the corpus itself."""
    try:
        window_weights(counts["window"], counts["weighting"])
    except ValueError as error:
        raise ValueError(f"config: counts.{name}.window: {error}") from error


def _used_corpora(config: dict) -> list[str]:
    """List the corpora of the studies, in the order of the configuration."""
    names = {*config["first_order"]["corpora"], *study_config.pair_corpora(config)}
    return [name for name in config["corpora"] if name in names]


def _check_files(config: dict, name: str) -> None:
    source = config["corpora"][name].get("corpus", name)
    if source in config["corpora"]:
        corpus_files(config, source)


def corpus_files(config: dict, name: str) -> list[str]:
    """List the files of a corpus, sorted within each pattern; raise ValueError for missing and duplicate files."""
    patterns, paths = config["corpora"][name].get("path", []), []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        matching = [pattern] if Path(pattern).is_file() else glob(pattern, recursive=True)  # brackets may be in a name
        matching = sorted(path for path in matching if Path(path).is_file())
        if not matching:
            raise ValueError(f"config: corpora.{name}.path: there is no file {pattern!r}")
        paths += matching
    guard.check_different(f"config: corpora.{name}.path", paths)
    return paths


def downloads(config: dict) -> dict[str, dict]:
    """List the downloads, dumps of Wikipedia and CrowS-Pairs, by file name: `url` and `checksum`.

    Raises ValueError if a source has no path or url, or two, or if two downloads have one name.
    """
    downloads = {}
    dumps = {f"corpora.{name}": corpus for name, corpus in config["corpora"].items() if corpus["source"] == "wikipedia"}
    pairs = {f"downstream.pair_sets.{name}": pair_set for name, pair_set in config["downstream"]["pair_sets"].items()
             if pair_set["source"] == "crows"}  # fmt: skip
    for key, source in (dumps | pairs).items():
        if ("path" in source) == ("url" in source):
            raise ValueError(f"config: {key}: expected either path (a file on this machine) or url")
        if ("url" in source) != ("checksum" in source):
            raise ValueError(f"config: {key}: url and checksum are needed together; the checksum may be unknown")
        if "url" in source:
            try:
                download.split_checksum(source["checksum"])
            except ValueError as error:
                raise ValueError(f"config: {key}.{error}") from error
            name, options = file_name(source["url"]), {name: source[name] for name in ("url", "checksum")}
            if not FILE.fullmatch(name):
                raise ValueError(f"config: {key}.url: ends in {name!r}, which is not allowed as a file name")
            if downloads.setdefault(name, options) != options:
                raise ValueError(f"config: {key}.url: another download is also named {name}")
    return downloads


def file_name(url: str) -> str:
    """Return the file name at the end of a URL."""
    return Path(urlsplit(url).path).name


def article_options(corpus: dict) -> dict:
    """Return the options that select articles of a dump."""
    return {key: corpus[key] for key in ("articles", "min_words") if key in corpus}


def train_options(embedding: dict) -> dict:
    """Return all options of an embedding's training: its own and the defaults of its algorithm."""
    declared = options.read_options(registry.find("embeddings", embedding["algorithm"]), "train")
    defaults = {name: option.default for name, option in declared.items()}
    return defaults | {key: value for key, value in embedding.items() if key not in plugins.DATA_SOURCES}


def pretraining(model: dict) -> dict:
    """Return all settings of a language model's pretraining: its own and the defaults."""
    own = {key: value for key, value in model["pretrain"].items() if key != "corpus"}
    return asdict(Settings(**own | {"checkpoint_steps": tuple(own.get("checkpoint_steps", ()))}))


def json_options(embedding: dict, seed: int, threads: int) -> str:
    """Return all options of an embedding's training as JSON, for a program in another environment."""
    return json.dumps(train_options(embedding) | {"seed": seed, "threads": threads})


def count_options(counts: dict) -> dict:
    """Return the options of counting, which do not include the number of shards."""
    return {key: value for key, value in counts.items() if key != "shards"}


def _check_corpus(name: str, config: dict) -> None:
    """Raise ValueError unless a counterfactual corpus is made from an existing, other corpus and files."""
    corpus = config["corpora"][name]
    if corpus["source"] != COUNTERFACTUAL:
        return
    others = [other for other, options in config["corpora"].items() if options["source"] != COUNTERFACTUAL]
    if corpus["corpus"] in config["corpora"] and corpus["corpus"] not in others:
        problem = f"{corpus['corpus']!r} is counterfactual itself"
        raise ValueError(f"config: corpora.{name}.corpus: {problem}; expected one of: {', '.join(others)}")
    registry.check_names(f"config: corpora.{name}.corpus", [corpus["corpus"]], others)
    for path in corpus["swap"]:
        if not Path(path).is_file():
            raise ValueError(f"config: corpora.{name}.swap: there is no file {path!r}")
    guard.check_different(f"config: corpora.{name}.swap", corpus["swap"])


def _check_language_model(name: str, model: dict, config: dict) -> None:
    key = f"config: language_models.{name}"
    kinds = [kind for kind in ("path", "hub", "pretrain", "checkpoint") if kind in model]
    if len(kinds) != 1 or ("revision" in model) != ("hub" in model):
        keys = ", ".join(model) or "none"
        raise ValueError(f"{key}: expected one of: path, hub with revision, pretrain, checkpoint; got {keys}")
    if "path" in model and not (Path(model["path"]) / "config.json").is_file():
        raise ValueError(f"{key}.path: expected a folder with a config.json, got {model['path']!r}")
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
    """Raise ValueError unless the checkpoint's model is pretrained here and its step is stored."""
    pretrained = [name for name, model in models.items() if "pretrain" in model]
    registry.check_names(f"{key}.model", [checkpoint["model"]], pretrained)
    steps = models[checkpoint["model"]]["pretrain"].get("checkpoint_steps", [])
    if checkpoint["step"] not in steps:
        steps_key = f"language_models.{checkpoint['model']}.pretrain.checkpoint_steps"
        raise ValueError(f"{key}.step: expected one of {steps_key}, {steps}, got {checkpoint['step']}")
