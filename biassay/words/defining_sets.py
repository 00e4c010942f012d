"""Defining sets: the words of each group of a protected attribute; the i-th words of all groups correspond."""

from collections.abc import Iterable
from pathlib import Path

import regex

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
        files.check_lists(f"{path}: {name}", groups, paired=True, allow_duplicates=True)
        group_of_word = {}
        for group, word in ((group, word) for group, words in groups.items() for word in words):
            if (first := group_of_word.setdefault(word.lower(), group)) != group:
                raise ValueError(f"{path}: {name}: the word {word!r} is in two groups: {first} and {group}")
    return attributes


def compile_pattern(words: Iterable[str]) -> regex.Pattern:
    """Compile a pattern that finds whole words in any case, longest first, with a hyphen or space inside a phrase."""
    forms = {regex.escape(word.lower()).replace(r"\ ", r"[\s-]+") for word in words}
    return regex.compile(rf"(?<![\w-])(?:{'|'.join(sorted(forms, key=len, reverse=True))})(?![\w-])", regex.IGNORECASE)


def remove_terms(text: str, pattern: regex.Pattern) -> str:
    """Remove what `pattern` finds from a text, together with a possessive s and the space around it."""
    return " ".join(regex.sub(rf"(?:{pattern.pattern})(?:['’]s\b)?", " ", text, flags=regex.IGNORECASE).split())
