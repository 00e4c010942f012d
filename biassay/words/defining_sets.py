"""Defining sets: the words of each group of a protected attribute; the i-th words of all groups correspond."""

import re
from collections.abc import Iterable
from pathlib import Path

from biassay.words import files


def read(path: str | Path) -> dict[str, dict[str, list[str]]]:
    """Read the words by attribute and group from a YAML file, in its order; the key `source` is ignored.

    A word may correspond to several words of another group. Raises ValueError if an attribute has fewer than two
    groups, lists that are empty or of different lengths, a word in two groups, or a name that cannot be part of a path.
    """
    attributes = {name: groups for name, groups in files.read_yaml(path).items() if name != "source"}
    if not attributes:
        raise ValueError(f"{path}: expected one attribute or more, got none")
    for name, groups in attributes.items():
        files.check_name(f"{path}", name)
        _check(f"{path}: {name}", groups)
    return attributes


def _check(where: str, groups: object) -> None:
    if not isinstance(groups, dict) or len(groups) < 2:
        raise ValueError(f"{where}: expected two groups or more, each with a list of words, got {groups!r:.80}")
    group_of_word = {}
    for group, words in groups.items():
        files.check_word(f"{where}", group)
        if not isinstance(words, list) or not words:
            raise ValueError(f"{where}.{group}: expected a list of words, got {words!r:.80}")
        for word in words:
            files.check_word(f"{where}.{group}", word)
            first_group = group_of_word.setdefault(word.lower(), group)
            if first_group != group:
                raise ValueError(f"{where}: the word {word!r} is in two groups: {first_group} and {group}")
    lengths = {group: len(words) for group, words in groups.items()}
    if len(set(lengths.values())) > 1:
        text = ", ".join(f"{group} {length}" for group, length in lengths.items())
        raise ValueError(f"{where}: expected as many words in each group, since the i-th words correspond, got {text}")


def compile_pattern(words: Iterable[str]) -> re.Pattern:
    """Compile a pattern that finds whole words in any case, longest first, with a hyphen or space inside a phrase."""
    forms = {re.escape(word.lower()).replace(r"\ ", r"[\s-]+") for word in words}
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(forms, key=len, reverse=True))})(?![\w-])", re.IGNORECASE)


def remove_terms(text: str, pattern: re.Pattern) -> str:
    """Remove what `pattern` finds from a text, together with a possessive s and the space around it."""
    return " ".join(re.sub(rf"(?:{pattern.pattern})(?:['’]s\b)?", " ", text, flags=re.IGNORECASE).split())
