"""Labelled texts from comments, toxic or not. Messages contain no words of comments."""

from collections.abc import Iterable, Mapping

import numpy as np

from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts
from biassay.words.defining_sets import compile_pattern, remove_terms

CLASSES = ["toxic", "not toxic"]
Comment = tuple[str, int, bool]  # text, group, is_toxic


def read_text(where: str, name: str, cell: object) -> str:
    """Return the text of a cell, "" for an empty cell."""
    if records.is_empty(cell):
        return ""
    if not isinstance(cell, str):
        raise ValueError(f"{where}, column {name!r}: expected text, got {type(cell).__name__}")
    return cell


def make_texts(attribute: str, groups: Mapping[str, list[str]], comments: Iterable[Comment], where: str) -> Texts:
    """Make texts from comments, without those that contain only words of the group.

    Raises ValueError, whose message begins with `where`, if no comment remains.
    """
    patterns = [compile_pattern(terms) for terms in groups.values()]
    rows = [(text, remove_terms(text, patterns[group]), group, toxic) for text, group, toxic in comments]
    rows = [row for row in rows if any(map(str.isalnum, row[1]))]
    if not rows:
        raise ValueError(f"{where}: no comment belongs to exactly one group of {attribute} ({', '.join(groups)})")
    raw, scrubbed, numbers, toxic = map(list, zip(*rows, strict=True))
    labels = np.column_stack([toxic, np.logical_not(toxic)]).astype(np.uint8)
    return Texts(attribute, list(groups), list(CLASSES), raw, scrubbed, np.array(numbers, np.int64), labels)
