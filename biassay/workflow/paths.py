"""Paths of the configuration: found from the working directory, else from the folder of the workflow."""

import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from biassay.support.redaction import Address

# Values that are paths or patterns of paths; `*` stands for any name. A list there has several of them.
PATHS = [
    "audit.models.*.file",
    "audit.tests",
    "corpora.*.path",
    "corpora.*.swap",
    "downstream.defining",
    "downstream.pair_sets.*.path",
    "downstream.planted.templates",
    "downstream.text_sets.*.path",
    "downstream.text_sets.*.templates",
    "embeddings.*.algorithm",
    "first_order.occupations",
    "first_order.occupation_statistics.*",
    "first_order.word_lists.*",
    "intrinsic.templates",
    "language_models.*.path",
    "language_models.*.pretrain.vocabulary",
    "own_metrics.*",
    "published.numbers",
    "published.vectors.*.file",
    "published.word_lists",
    "reference_pairs.*.biased.file",
    "reference_pairs.*.lists.*",
    "reference_pairs.*.unbiased.file",
    "same.occupations",
    "same.templates",
]
ADDRESSES = ["corpora.*.url", "downstream.pair_sets.*.url"]


def locate(config: dict, home: str | Path) -> None:
    """Let paths that lead nowhere from the working directory lead to the files of the workflow's folder, in place.

    So the shipped word lists are found wherever the workflow runs, and a file of one's own comes before a shipped one.
    A path that leads nowhere from either stays as it is, for the checks to name it, and so does a family's name.
    """
    for place in PATHS:
        for parent, key in _places(config, place.split(".")):
            value = parent[key]
            parent[key] = [_found(one, home) for one in value] if isinstance(value, list) else _found(value, home)


def hide(config: dict) -> None:
    """Make the addresses of downloads such that no job's parameters show their secrets, in place."""
    for place in ADDRESSES:
        for parent, key in _places(config, place.split(".")):
            parent[key] = Address(parent[key]) if isinstance(parent[key], str) else parent[key]


def check(config: dict) -> None:
    """Raise ValueError for a path with braces, which Snakemake would take for wildcards, or with a line break."""
    for place in PATHS:
        for parent, key in _places(config, place.split(".")):
            for path in parent[key] if isinstance(parent[key], list) else [parent[key]]:
                if isinstance(path, str) and any(sign in path for sign in "{}\n\r"):
                    raise ValueError(
                        f"config: {place}: {path!r} has braces or a line break, which paths here cannot have"
                    )


def _places(node: object, keys: list[str]) -> Iterator[tuple[dict, str]]:
    if not isinstance(node, dict):
        return
    key, *others = keys
    for name in list(node) if key == "*" else [key]:
        if name in node and not others:
            yield node, name
        elif name in node:
            yield from _places(node[name], others)


def _found(value: object, home: str | Path) -> object:
    if not isinstance(value, str) or os.path.isabs(value) or _exists(value):
        return value
    shipped = os.path.relpath(os.path.join(home, value))
    return shipped if _exists(shipped) else value


def _exists(pattern: str) -> bool:
    return os.path.exists(pattern) or bool(glob(pattern, recursive=True))
