"""Labelled texts that come of comments, toxic or not. Messages have no words of a comment."""

from collections.abc import Iterable, Mapping

import numpy as np

from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts
from biassay.words.defining_sets import compile_pattern, remove_terms

CLASSES = ["toxic", "not toxic"]
Comment = tuple[str, int, bool]  # text, group, whether it is toxic


def words_of(where: str, name: str, cell: object) -> str:
    """The text of a column of comments, "" of an empty cell."""
    if records.empty(cell):
        return ""
    if not isinstance(cell, str):
        raise ValueError(f"{where}, column {name!r}: {type(cell).__name__}; give a text")
    return cell


def texts(attribute: str, groups: Mapping[str, list[str]], comments: Iterable[Comment], what: str) -> Texts:
    """Texts of comments, of which those of which nothing but the group's terms is said are left out.

    Raises ValueError, which begins with `what`, if none is left.
    """
    patterns = [compile_pattern(terms) for terms in groups.values()]
    kept = [(text, remove_terms(text, patterns[group]), group, toxic) for text, group, toxic in comments]
    kept = [found for found in kept if any(map(str.isalnum, found[1]))]
    if not kept:
        raise ValueError(f"{what}: has no comment that belongs to one group of {attribute} ({', '.join(groups)})")
    raw, scrubbed, numbers, toxic = map(list, zip(*kept, strict=True))
    labels = np.column_stack([toxic, np.logical_not(toxic)]).astype(np.uint8)
    return Texts(attribute, list(groups), list(CLASSES), raw, scrubbed, np.array(numbers, np.int64), labels)
