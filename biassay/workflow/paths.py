"""Paths of the configuration, relative to the working directory, else to the folder of the workflow."""

import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from biassay.core.redaction import Address

# Keys whose values are paths, glob patterns, or lists of them; `*` stands for any name.
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
    """Replace paths that do not exist in the working directory by those in the workflow's folder, in place.

    So shipped word lists are found wherever the workflow runs, and a user's file has precedence. A path that exists in
    neither is unchanged, as is the name of an algorithm; later checks report it.
    """
    for place in PATHS:
        for parent, key in _places(config, place.split(".")):
            value = parent[key]
            parent[key] = [_resolve(one, home) for one in value] if isinstance(value, list) else _resolve(value, home)


def hide(config: dict) -> None:
    """Hide the secrets of download addresses in the parameters of jobs, in place."""
    for place in ADDRESSES:
        for parent, key in _places(config, place.split(".")):
            parent[key] = Address(parent[key]) if isinstance(parent[key], str) else parent[key]


def check(config: dict) -> None:
    """Raise ValueError for a path with a line break, or with braces, which Snakemake treats as wildcards."""
    for place in PATHS:
        for parent, key in _places(config, place.split(".")):
            for path in parent[key] if isinstance(parent[key], list) else [parent[key]]:
                if isinstance(path, str) and any(sign in path for sign in "{}\n\r"):
                    raise ValueError(
                        f"config: {place}: {path!r} has braces or a line break, which Snakemake does not allow in paths"
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


def _resolve(value: object, home: str | Path) -> object:
    if not isinstance(value, str) or os.path.isabs(value) or _exists(value):
        return value
    shipped = os.path.relpath(os.path.join(home, value))
    return shipped if _exists(shipped) else value


def _exists(pattern: str) -> bool:
    return os.path.exists(pattern) or bool(glob(pattern, recursive=True))
