"""Defining sets: terms of the groups of protected attributes, the i-th of each group belonging together."""

import re
from collections.abc import Iterable
from pathlib import Path

from biassay.words import files


def read(path: str | Path) -> dict[str, dict[str, list[str]]]:
    """Terms by attribute and group, in the file's order; a term may stand for several of another group.

    Raises ValueError, naming file and value, for what is no mapping of attributes to two or more groups with lists of
    words, lists of one attribute that differ in length, an empty one, a term that two groups of it share, and the name
    of an attribute that cannot be that of a file.
    """
    found = {name: groups for name, groups in files.read_yaml(path).items() if name != "source"}
    if not found:
        raise ValueError(f"{path}: names no attribute")
    for name, groups in found.items():
        files.check_name(f"{path}:", name)
        _check(f"{path}: {name}", groups)
    return found


def _check(where: str, groups: object) -> None:
    if not isinstance(groups, dict) or len(groups) < 2:
        raise ValueError(f"{where} needs a mapping of two or more groups to lists, has {groups!r:.80}")
    owner = {}
    for group, terms in groups.items():
        files.check_word(f"{where}", group)
        if not isinstance(terms, list) or not terms:
            raise ValueError(f"{where}.{group} needs a list of terms, has {terms!r:.80}")
        for term in terms:
            files.check_word(f"{where}.{group}", term)
            if owner.setdefault(term.lower(), group) != group:
                raise ValueError(f"{where}: {owner[term.lower()]} and {group} share the term {term!r}")
    sizes = {group: len(terms) for group, terms in groups.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{group} {size}" for group, size in sizes.items())
        raise ValueError(f"{where}: the groups differ in their number of terms, whose i-th belong together: {told}")


def compile_pattern(terms: Iterable[str]) -> re.Pattern:
    """What finds terms as whole words, in upper or lower case, the longest first, a hyphen or a space between words."""
    forms = {re.escape(term.lower()).replace(r"\ ", r"[\s-]+") for term in terms}
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(forms, key=len, reverse=True))})(?![\w-])", re.IGNORECASE)


def remove_terms(text: str, terms: re.Pattern) -> str:
    """A text without the terms that `pattern` finds, and the possessive s and the space that they leave."""
    return " ".join(re.sub(rf"(?:{terms.pattern})(?:['’]s\b)?", " ", text, flags=re.IGNORECASE).split())
