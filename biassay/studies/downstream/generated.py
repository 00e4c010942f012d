"""Invented, short biographies from templates, with given probabilities of groups and given proxies for groups."""

import re
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from biassay.core import registry
from biassay.studies.downstream.texts import Texts, find_groups
from biassay.words import defining_sets, files

ATTRIBUTE = "gender"
WORK_SLOTS = ("places", "tools", "tasks")
N_WORK, MAX_FILLER = 2, 2  # sentences per text
OVERLAP = 0.15  # probability that a place, tool or task is of a random occupation
_SLOT = re.compile(r"\{(\w+)\}")


Word = Annotated[str, AfterValidator(lambda word: files.check_word("", word) or word)]
Words = Annotated[list[Word], Field(min_length=1)]


class Occupation(BaseModel):
    """Words of an occupation."""

    places: Words
    tools: Words
    tasks: Words


class Parts(BaseModel):
    """Parts of the texts: words of groups by slot, of occupations, and of proxies by group, and sentences by kind."""

    groups: Annotated[dict[str, dict[str, Word]], Field(min_length=2, max_length=2)]
    occupations: Annotated[dict[str, Occupation], Field(min_length=1)]
    proxies: dict[str, dict[str, Words]]
    work: Annotated[list[Word], Field(min_length=N_WORK)]
    life: Words
    filler: Annotated[list[Word], Field(min_length=MAX_FILLER)]

    @model_validator(mode="after")
    def _check_names(self) -> "Parts":
        """Check that proxies are of the groups, and that slots have words."""
        first, second = self.groups
        slots = set(self.groups[first])
        if not slots or slots != set(self.groups[second]):
            raise ValueError(f"groups: {first}, {second}: expected the same slots in both groups")
        for name, lists in self.proxies.items():
            registry.check_names(f"proxies.{name}: expected one list per group", self.groups, lists)
        allowed = {"work": {*slots, *WORK_SLOTS}, "life": {*slots, *self.proxies}, "filler": slots}
        for kind, names in allowed.items():
            for line in getattr(self, kind):
                registry.check_names(f"{kind}: {line!r}: slot", _SLOT.findall(line), sorted(names))
        return self


def read(path: str | Path) -> Parts:
    """Read the parts of texts; ValueError with file and key if one is missing or invalid."""
    try:
        return Parts.model_validate(files.read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        key, got = ".".join(map(str, first["loc"])), "" if not first["loc"] else f", got {first['input']!r:.80}"
        message = first["msg"].removeprefix("Value error, ").removeprefix(": ")
        raise ValueError(f"{path}: {key}{': ' if key else ''}{message}{got}") from error


def generate(
    path: str | Path, probabilities: pd.DataFrame, *, n: int, seed: int,
    defining: Mapping[str, Mapping[str, list[str]]], proxy: float,
) -> Texts:  # fmt: skip
    """Generate n texts in random order, equally many per occupation (up to one).

    probabilities: of the groups (columns) for each occupation (index). A word for a pastime or school is from the list
    of the own group with probability (1 + proxy) / 2.
    """
    parts, chosen = read(path), list(probabilities.index)
    names = list(parts.groups)
    registry.check_names(f"{path}: groups", names, probabilities.columns, "group of the templates with planted bias")
    registry.check_names(f"{path}: occupations", chosen, parts.occupations)
    if len(chosen) < 2 or n < len(chosen):
        raise ValueError(f"{path}: expected two occupations or more and a text of each, got {n} of {len(chosen)}")
    terms = defining_sets.compile_pattern(chain(*find_groups(defining, ATTRIBUTE, names).values()))
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % len(chosen))
    groups = (rng.random(n) >= probabilities[names[0]].to_numpy()[labels]).astype(int)
    raw = [_make_text(parts, chosen, label, group, proxy, rng) for label, group in zip(labels, groups, strict=True)]
    scrubbed = [defining_sets.remove_terms(text, terms) for text in raw]
    return Texts(ATTRIBUTE, names, chosen, raw, scrubbed, groups, np.eye(len(chosen), dtype=np.uint8)[labels])


def _make_text(parts: Parts, chosen: list[str], label: int, group: int, proxy: float, rng: np.random.Generator) -> str:
    """Return a text: a sentence about work, then another one, one about life, and filler in random order."""
    names = list(parts.groups)

    def fill(match: re.Match) -> str:
        slot = match[1]
        if slot in parts.groups[names[group]]:
            return parts.groups[names[group]][slot]
        if slot in WORK_SLOTS:
            number = rng.integers(len(chosen)) if rng.random() < OVERLAP else label
            words = getattr(parts.occupations[chosen[number]], slot)
        else:
            is_own = rng.random() < (1 + proxy) / 2
            words = parts.proxies[slot][names[group if is_own else 1 - group]]
        return words[rng.integers(len(words))]

    first, *work = rng.choice(parts.work, N_WORK, replace=False)
    others = [*work, rng.choice(parts.life)]
    others += list(rng.choice(parts.filler, rng.integers(MAX_FILLER + 1), replace=False))
    lines = [_SLOT.sub(fill, str(line)) for line in [first, *rng.permutation(others)]]
    return " ".join(line[:1].upper() + line[1:] for line in lines)
