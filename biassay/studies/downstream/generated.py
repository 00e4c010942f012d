"""Biographies of nobody, from templates: which groups work in which occupations, and what else tells a group, is given.

They are small, so that the study runs anywhere; no sentence is of a person.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from biassay.studies.downstream.texts import Texts, groups_of
from biassay.support import registry
from biassay.words import defining_sets, files

ATTRIBUTE = "gender"
OF_WORK = ("places", "tools", "tasks")
KEYS = ("groups", "occupations", "work", "life", "proxies", "filler")
WORK, FILLER = 2, 2  # sentences about work; most of filler
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Parts:
    """What texts are made from: words of each group, of each occupation, of proxies by group, and sentences by kind."""

    groups: dict[str, dict[str, str]]
    occupations: dict[str, dict]
    proxies: dict[str, dict[str, list[str]]]
    sentences: dict[str, list[str]]


def generate(
    path: str | Path,
    *,
    n: int,
    seed: int,
    defining: Mapping[str, Mapping[str, list[str]]],
    occupations: Sequence[str] | None = None,
    probabilities: np.ndarray | None = None,
    proxy: float = 0.5,
    overlap: float = 0.15,
) -> Texts:
    """n texts, as many of each occupation up to one, in random order.

    occupations: some of the file's; all if None. probabilities: (occupations, 2), of the groups in each, in the file's
    order of groups; from the file's shares if None. proxy: 0 to 1; the word for a pastime or school is of the own
    group's list with probability (1 + proxy) / 2. overlap: 0 to 1; a place, tool or task is of any occupation with this
    probability. Raises ValueError, naming file, key and value, for a bad file, and for options out of range.
    """
    parts = read(path)
    chosen = list(parts.occupations) if occupations is None else list(occupations)
    registry.check_names(f"{path}: occupations", chosen, parts.occupations)
    if len(set(chosen)) < max(2, len(chosen)) or n < len(chosen):
        asked = f"{n} texts of {', '.join(chosen) or 'nothing'}"
        raise ValueError(f"{path}: {asked}; give two occupations or more, each once, and a text or more of each")
    for name, value in (("proxy", proxy), ("overlap", overlap)):
        if not 0 <= value <= 1:
            raise ValueError(f"{path}: {name}: {value!r}; give a number from 0 to 1")
    terms = defining_sets.compile_pattern(chain(*groups_of(defining, ATTRIBUTE, list(parts.groups)).values()))
    shares = _shares(parts, chosen, probabilities)
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % len(chosen))
    groups = (rng.random(n) >= shares[labels]).astype(int)
    pairs = zip(labels, groups, strict=True)
    given = [_text(parts, chosen, label, group, proxy, overlap, rng) for label, group in pairs]
    return Texts(
        ATTRIBUTE, list(parts.groups), chosen, given, [defining_sets.remove_terms(text, terms) for text in given], groups,
        np.eye(len(chosen), dtype=np.uint8)[labels],
    )  # fmt: skip


def read(path: str | Path) -> Parts:
    """Read parts of texts; raises ValueError, naming file and key, for what lacks or is malformed."""
    content = files.read_yaml(path)
    for key in KEYS:
        kind = list if key in ("work", "life", "filler") else dict
        if not isinstance(content.get(key), kind) or not content[key]:
            raise ValueError(f"{path}: {key}: {content.get(key)!r:.80}; give a {'list' if kind is list else 'mapping'}")
    groups = content["groups"]
    if len(groups) != 2 or not all(isinstance(words, dict) and words for words in groups.values()):
        raise ValueError(f"{path}: groups: {groups!r:.80}; give two groups with a word for each slot")
    first, second = groups.values()
    for name, words in groups.items():
        for slot, word in words.items():
            files.check_word(f"{path}: groups.{name}.{slot}", word)
    if set(first) != set(second):
        raise ValueError(f"{path}: groups: {', '.join(groups)} have not the same slots")
    for name, lists in content["occupations"].items():
        _check_lists(path, f"occupations.{name}", lists, OF_WORK)
        share = lists.get(next(iter(groups)))
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise ValueError(
                f"{path}: occupations.{name}.{next(iter(groups))}: {share!r:.80}; give a share from 0 to 1"
            )
    for name, lists in content["proxies"].items():
        _check_lists(path, f"proxies.{name}", lists, tuple(groups))
    sentences = _sentences(path, content, set(first))
    return Parts(groups, content["occupations"], content["proxies"], sentences)


def _sentences(path: str | Path, content: dict, words: set[str]) -> dict[str, list[str]]:
    """Sentences by kind, their slots known: the groups' words, and those of the kind."""
    slots = {"work": {*words, *OF_WORK}, "life": {*words, *content["proxies"]}, "filler": words}
    for kind, known in slots.items():
        for line in content[kind]:
            files.check_word(f"{path}: {kind}", line)
            registry.check_names(f"{path}: {kind}: {line!r}: slot", _SLOT.findall(line), sorted(known))
    if len(content["work"]) < WORK or len(content["filler"]) < FILLER:
        raise ValueError(f"{path}: work, filler: give {WORK} sentences of work and {FILLER} of filler, or more")
    return {kind: content[kind] for kind in slots}


def _check_lists(path: str | Path, where: str, lists: object, names: Sequence[str]) -> None:
    for name in names:
        words = lists.get(name) if isinstance(lists, dict) else None
        if not isinstance(words, list) or not words:
            raise ValueError(f"{path}: {where}.{name}: {words!r:.80}; give a list of one text or more")
        for word in words:
            files.check_word(f"{path}: {where}.{name}", word)


def _shares(parts: Parts, chosen: list[str], given: np.ndarray | None) -> np.ndarray:
    """The first group's probability in each of the chosen occupations."""
    if given is None:
        return np.array([parts.occupations[name][next(iter(parts.groups))] for name in chosen], float)
    p = np.asarray(given, float)
    if p.shape != (len(chosen), 2):
        raise ValueError(f"probabilities: of shape {p.shape}; give {(len(chosen), 2)}: occupations, groups")
    if not ((p >= 0) & (p <= 1)).all() or not np.allclose(p.sum(axis=1), 1):
        raise ValueError("probabilities: give rows of numbers from 0 to 1 whose sum is 1")
    return p[:, 0]


def _text(
    parts: Parts, chosen: list[str], label: int, group: int, proxy: float, overlap: float, rng: np.random.Generator
) -> str:
    """A text: sentences about work, one about life, and filler, in random order behind the first about work."""
    names = list(parts.groups)

    def fill(match: re.Match) -> str:
        slot = match[1]
        if slot in parts.groups[names[group]]:
            return parts.groups[names[group]][slot]
        if slot in OF_WORK:
            number = rng.integers(len(chosen)) if rng.random() < overlap else label
            words = parts.occupations[chosen[number]][slot]
        else:
            own = rng.random() < (1 + proxy) / 2
            words = parts.proxies[slot][names[group if own else 1 - group]]
        return words[rng.integers(len(words))]

    first, *work = rng.choice(parts.sentences["work"], WORK, replace=False)
    more = [*work, rng.choice(parts.sentences["life"])]
    more += list(rng.choice(parts.sentences["filler"], rng.integers(FILLER + 1), replace=False))
    lines = [_SLOT.sub(fill, str(line)) for line in [first, *rng.permutation(more)]]
    return " ".join(line[:1].upper() + line[1:] for line in lines)
