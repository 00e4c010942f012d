"""Files, downloads and options that rules derive from the configuration."""

import json
from dataclasses import asdict
from glob import glob
from pathlib import Path

from biassay.core import guard, options, registry
from biassay.language_models.pretraining import Settings
from biassay.workflow import plugins
from biassay.workflow.sections import file_name

COUNTERFACTUAL = "counterfactual"  # source of corpora made from another corpus of the configuration


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

    Raises ValueError if two downloads have one name.
    """
    downloads = {}
    for key, section in (("corpora", config["corpora"]), ("downstream.pair_sets", config["downstream"]["pair_sets"])):
        for name, source in section.items():
            if "url" in source:
                file, options = file_name(source["url"]), {name: source[name] for name in ("url", "checksum")}
                if downloads.setdefault(file, options) != options:
                    raise ValueError(f"config: {key}.{name}.url: another download is also named {file}")
    return downloads


def article_options(corpus: dict) -> dict:
    """Return the options that select articles of a dump."""
    return {key: corpus[key] for key in ("articles", "min_words") if key in corpus}


def train_options(embedding: dict) -> dict:
    """Return all options of an embedding's training: its own and the defaults of its algorithm."""
    declared = options.read_options(registry.find("embeddings", embedding["algorithm"]), "train")
    defaults = {name: option.default for name, option in declared.items()}
    return defaults | {key: value for key, value in embedding.items() if key not in plugins.DATA_SOURCES}


def json_options(embedding: dict, seed: int, threads: int) -> str:
    """Return all options of an embedding's training as JSON, for a program in another environment."""
    return json.dumps(train_options(embedding) | {"seed": seed, "threads": threads})


def pretraining(model: dict) -> dict:
    """Return all settings of a language model's pretraining: its own and the defaults."""
    own = {key: value for key, value in model["pretrain"].items() if key != "corpus"}
    return asdict(Settings(**own | {"checkpoint_steps": tuple(own.get("checkpoint_steps", ()))}))


def count_options(counts: dict) -> dict:
    """Return the options of counting, which do not include the number of shards."""
    return {key: value for key, value in counts.items() if key != "shards"}
