"""Invented biographies from templates, with given shares of groups in occupations and given proxies for groups.

They are short, so that the study runs anywhere; no sentence is about a real person.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from biassay.core import registry
from biassay.studies.downstream.texts import Texts, find_groups
from biassay.words import defining_sets, files

ATTRIBUTE = "gender"
WORK_SLOTS = ("places", "tools", "tasks")
KEYS = ("groups", "occupations", "work", "life", "proxies", "filler")
N_WORK, MAX_FILLER = 2, 2  # sentences per text
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Parts:
    """Parts of the texts: words of groups, of occupations, and of proxies by group, and sentences by kind."""

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
    """Generate n texts in random order, equally many per occupation (up to one).

    Parameters
    ----------
    path : str or Path
    n, seed : int
    defining : mapping
        Words of each group, by attribute.
    occupations : sequence of str, optional
        Occupations of the file; by default all.
    probabilities : ndarray, shape (occupations, 2), optional
        Probabilities of the groups in the file's order; by default the file's shares.
    proxy : float
        0 to 1; the word for a pastime or school is from the list of the own group with probability (1 + proxy) / 2.
    overlap : float
        0 to 1; probability that a place, tool or task is of a random occupation.

    Raises
    ------
    ValueError
        If the file is invalid or an option is out of range; the message names file, key and value.
    """
    parts = read(path)
    chosen = list(parts.occupations) if occupations is None else list(occupations)
    registry.check_names(f"{path}: occupations", chosen, parts.occupations)
    if len(set(chosen)) < max(2, len(chosen)) or n < len(chosen):
        raise ValueError(
            f"{path}: expected at least two different occupations and one text of each, got {n} texts of "
            f"{', '.join(chosen) or 'no occupation'}"
        )
    for name, value in (("proxy", proxy), ("overlap", overlap)):
        if not 0 <= value <= 1:
            raise ValueError(f"{path}: {name}: expected a number from 0 to 1, got {value!r}")
    terms = defining_sets.compile_pattern(chain(*find_groups(defining, ATTRIBUTE, list(parts.groups)).values()))
    shares = _shares(parts, chosen, probabilities)
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % len(chosen))
    groups = (rng.random(n) >= shares[labels]).astype(int)
    pairs = zip(labels, groups, strict=True)
    raw = [_text(parts, chosen, label, group, proxy, overlap, rng) for label, group in pairs]
    return Texts(
        ATTRIBUTE, list(parts.groups), chosen, raw,
        [defining_sets.remove_terms(text, terms) for text in raw], groups,
        np.eye(len(chosen), dtype=np.uint8)[labels],
    )  # fmt: skip


def read(path: str | Path) -> Parts:
    """Read the parts of texts; ValueError with file and key if one is missing or invalid."""
    content = files.read_yaml(path)
    for key in KEYS:
        kind = list if key in ("work", "life", "filler") else dict
        if not isinstance(content.get(key), kind) or not content[key]:
            expected = "list" if kind is list else "mapping"
            raise ValueError(f"{path}: {key}: expected a {expected}, got {content.get(key)!r:.80}")
    groups = content["groups"]
    if len(groups) != 2 or not all(isinstance(words, dict) and words for words in groups.values()):
        raise ValueError(f"{path}: groups: expected two groups with one word per slot, got {groups!r:.80}")
    first, second = groups.values()
    for name, words in groups.items():
        for slot, word in words.items():
            files.check_word(f"{path}: groups.{name}.{slot}", word)
    if set(first) != set(second):
        raise ValueError(f"{path}: groups: {', '.join(groups)}: expected the same slots in both groups")
    for name, lists in content["occupations"].items():
        _check_lists(path, f"occupations.{name}", lists, WORK_SLOTS)
        share = lists.get(next(iter(groups)))
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise ValueError(
                f"{path}: occupations.{name}.{next(iter(groups))}: expected a share from 0 to 1, got {share!r:.80}"
            )
    for name, lists in content["proxies"].items():
        _check_lists(path, f"proxies.{name}", lists, tuple(groups))
    sentences = _sentences(path, content, set(first))
    return Parts(groups, content["occupations"], content["proxies"], sentences)


def _sentences(path: str | Path, content: dict, words: set[str]) -> dict[str, list[str]]:
    """Return sentences by kind, whose slots must be those of the groups or of the kind."""
    slots = {"work": {*words, *WORK_SLOTS}, "life": {*words, *content["proxies"]}, "filler": words}
    for kind, allowed in slots.items():
        for line in content[kind]:
            files.check_word(f"{path}: {kind}", line)
            registry.check_names(f"{path}: {kind}: {line!r}: slot", _SLOT.findall(line), sorted(allowed))
    if len(content["work"]) < N_WORK or len(content["filler"]) < MAX_FILLER:
        raise ValueError(
            f"{path}: work, filler: expected at least {N_WORK} sentences of work and {MAX_FILLER} of filler"
        )
    return {kind: content[kind] for kind in slots}


def _check_lists(path: str | Path, where: str, lists: object, names: Sequence[str]) -> None:
    for name in names:
        words = lists.get(name) if isinstance(lists, dict) else None
        if not isinstance(words, list) or not words:
            raise ValueError(f"{path}: {where}.{name}: expected a list of one or more texts, got {words!r:.80}")
        for word in words:
            files.check_word(f"{path}: {where}.{name}", word)


def _shares(parts: Parts, chosen: list[str], probabilities: np.ndarray | None) -> np.ndarray:
    """Return the first group's probability in each of the chosen occupations."""
    if probabilities is None:
        return np.array([parts.occupations[name][next(iter(parts.groups))] for name in chosen], float)
    p = np.asarray(probabilities, float)
    if p.shape != (len(chosen), 2):
        raise ValueError(f"probabilities: expected the shape {(len(chosen), 2)} (occupations, groups), got {p.shape}")
    if not ((p >= 0) & (p <= 1)).all() or not np.allclose(p.sum(axis=1), 1):
        raise ValueError("probabilities: expected rows of numbers from 0 to 1 that sum to 1")
    return p[:, 0]


def _text(
    parts: Parts, chosen: list[str], label: int, group: int, proxy: float, overlap: float, rng: np.random.Generator
) -> str:
    """Return a text: a sentence about work, then another one, one about life, and filler in random order."""
    names = list(parts.groups)

    def fill(match: re.Match) -> str:
        slot = match[1]
        if slot in parts.groups[names[group]]:
            return parts.groups[names[group]][slot]
        if slot in WORK_SLOTS:
            number = rng.integers(len(chosen)) if rng.random() < overlap else label
            words = parts.occupations[chosen[number]][slot]
        else:
            is_own = rng.random() < (1 + proxy) / 2
            words = parts.proxies[slot][names[group if is_own else 1 - group]]
        return words[rng.integers(len(words))]

    first, *work = rng.choice(parts.sentences["work"], N_WORK, replace=False)
    others = [*work, rng.choice(parts.sentences["life"])]
    others += list(rng.choice(parts.sentences["filler"], rng.integers(MAX_FILLER + 1), replace=False))
    lines = [_SLOT.sub(fill, str(line)) for line in [first, *rng.permutation(others)]]
    return " ".join(line[:1].upper() + line[1:] for line in lines)
