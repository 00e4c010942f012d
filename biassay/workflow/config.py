"""Checks of the configuration, each error naming the key, the value and the choices."""

import json
from copy import deepcopy
from dataclasses import asdict
from glob import glob
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import yaml
from snakemake.utils import update_config

from biassay.corpora import download
from biassay.language_models.pretraining import Settings
from biassay.support import registry
from biassay.workflow import paths, study_config

DATA_SOURCES = ("family", "counts")  # keys of an embedding that are no options of its training
COUNTERFACTUAL = "counterfactual"  # the source of corpora that are made of another corpus of the configuration


def prepare(config: dict, home: str | Path) -> None:
    """Complete a configuration by the default in the workflow's folder, find its paths, and check it, in place.

    Raises ValueError with one message.
    """
    home = Path(home)
    given = deepcopy(config)
    config |= yaml.safe_load((home / "config.yaml").read_text("utf-8"))
    update_config(config, given)
    paths.locate(config, home)
    check(config, home / "config.schema.yaml")


def check(config: dict, schema: str | Path) -> None:
    """Check a configuration against the schema and across its values. Raises ValueError with one message."""
    validator = jsonschema.Draft202012Validator(yaml.safe_load(Path(schema).read_text("utf-8")))
    error = jsonschema.exceptions.best_match(validator.iter_errors(config))
    if error is not None:
        raise ValueError(f"config: {_message(error)}")
    for name, embedding in config["embeddings"].items():
        _check_embedding(name, embedding, list(config["counts"]))
    for name, model in config["language_models"].items():
        _check_language_model(name, model, config)
    dumps(config)
    for name, corpus in config["corpora"].items():
        if corpus["source"] == COUNTERFACTUAL:
            _check_counterfactual(config, name, corpus)
    for name, path in config["own_metrics"].items():
        if not Path(path).is_file():
            raise ValueError(f"config: own_metrics.{name}: there is no file {path!r}")
    for name in config["first_order"]["corpora"]:
        registry.check_names("config: first_order.corpora", [name], config["corpora"])
        corpus_files(config, config["corpora"][name].get("of", name))
    study_config.check(config)
    for name in study_config.pair_corpora(config):
        corpus_files(config, config["corpora"][name].get("of", name))


def corpus_files(config: dict, name: str) -> list[str]:
    """Files of a corpus by its `path`, sorted within each pattern; raises ValueError for a pattern without any."""
    patterns = config["corpora"][name].get("path", [])
    files = []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        found = sorted(path for path in glob(pattern, recursive=True) if Path(path).is_file())
        if not found:
            raise ValueError(f"config: corpora.{name}.path: there is no file {pattern!r}")
        files += found
    return files


def dumps(config: dict) -> dict[str, dict]:
    """Wikipedia dumps to be downloaded, by file name: `url` and `checksum`. Raises ValueError for unclear ones."""
    found = {}
    for name, corpus in config["corpora"].items():
        if corpus["source"] != "wikipedia":
            continue
        if ("path" in corpus) == ("url" in corpus):
            raise ValueError(f"config: corpora.{name}: give one of path (a dump on this machine) and url")
        if ("url" in corpus) != ("checksum" in corpus):
            raise ValueError(f"config: corpora.{name}: url and checksum belong together; checksum may be unknown")
        if "url" in corpus:
            try:
                download.split_checksum(corpus["checksum"])
            except ValueError as error:
                raise ValueError(f"config: corpora.{name}.{error}") from error
            dump = {key: corpus[key] for key in ("url", "checksum")}
            if found.setdefault(dump_name(corpus), dump) != dump:
                raise ValueError(f"config: corpora.{name}: another corpus has another dump named {dump_name(corpus)}")
    return found


def dump_name(corpus: dict) -> str:
    """File name of a corpus's dump, the end of its URL."""
    return Path(urlsplit(corpus["url"]).path).name


def article_options(corpus: dict) -> dict:
    """Which articles of a dump are taken."""
    return {key: corpus[key] for key in ("articles", "min_words") if key in corpus}


def train_options(embedding: dict) -> dict:
    """All options of an embedding's training: those configured over the defaults of its family."""
    defaults = registry.options(registry.find("embeddings", embedding["family"]), "train")
    return defaults | {key: value for key, value in embedding.items() if key not in DATA_SOURCES}


def pretraining(model: dict) -> dict:
    """All settings of a language model's pretraining: those configured over the defaults."""
    given = {key: value for key, value in model["pretrain"].items() if key != "corpus"}
    return asdict(Settings(**given))


def json_options(embedding: dict, seed: int, threads: int) -> str:
    """All options of an embedding's training as JSON, for a program in another environment."""
    return json.dumps(train_options(embedding) | {"seed": seed, "threads": threads})


def count_options(counts: dict) -> dict:
    """Options of counting, which do not depend on the number of shards."""
    return {key: value for key, value in counts.items() if key != "shards"}


def _check_embedding(name: str, embedding: dict, counts: list[str]) -> None:
    path = registry.find("embeddings", embedding["family"])
    options = registry.options(path, "train")
    for key in embedding:
        if key not in options and key not in DATA_SOURCES:
            raise ValueError(registry.unknown(f"config: embeddings.{name}: unknown option", key, list(options)))
    if registry.constant(path, "INPUT") == "counts":
        registry.check_names(f"config: embeddings.{name}.counts", [embedding.get("counts")], counts)
    elif "counts" in embedding:
        raise ValueError(f"config: embeddings.{name}.counts: the family {embedding['family']} is not made from counts")


def _check_counterfactual(config: dict, name: str, corpus: dict) -> None:
    others = [other for other, options in config["corpora"].items() if options["source"] != COUNTERFACTUAL]
    if corpus["of"] in config["corpora"] and corpus["of"] not in others:
        raise ValueError(
            f"config: corpora.{name}.of: {corpus['of']!r} is counterfactual itself; choices: {', '.join(others)}"
        )
    registry.check_names(f"config: corpora.{name}.of", [corpus["of"]], others)
    for path in corpus["swap"]:
        if not Path(path).is_file():
            raise ValueError(f"config: corpora.{name}.swap: there is no file {path!r}")


def _check_language_model(name: str, model: dict, config: dict) -> None:
    key = f"config: language_models.{name}"
    kinds = [kind for kind in ("path", "hub", "pretrain") if kind in model]
    if len(kinds) != 1 or ("revision" in model) != ("hub" in model):
        raise ValueError(f"{key}: give one of path, hub with revision, and pretrain; has: {', '.join(model) or 'none'}")
    if "path" in model and not (Path(model["path"]) / "config.json").is_file():
        raise ValueError(f"{key}.path: {model['path']!r} is no folder with a config.json")
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


def _message(error: jsonschema.ValidationError) -> str:
    """A schema error in words: where, what value, which choices."""
    where = ".".join(str(part) for part in error.absolute_path) or "top level"
    known = list(error.schema.get("properties", {}))
    if error.validator == "additionalProperties":
        extra = [key for key in error.instance if key not in known]
        return registry.unknown(f"{where}: unknown key", extra[0], known)
    if error.validator == "enum":
        return registry.unknown(f"{where}: unknown value", error.instance, error.validator_value)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"{where}: lacks the key {missing[0]!r}"
    if error.validator == "type":
        return f"{where}: {error.instance!r} is not of type {error.validator_value}"
    return f"{where}: {error.message}"
