"""Comments labelled as toxic or not: those of Jigsaw's Unintended Bias data, and others that name groups by words.

Messages contain no words of comments.
"""

import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from biassay.core import guard
from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts, find_groups
from biassay.words.defining_sets import compile_pattern, remove_terms

CLASSES = ["toxic", "not toxic"]
Comment = tuple[str, int, bool]  # text, group, is_toxic
Defining = Mapping[str, Mapping[str, list[str]]]  # words by attribute and group

# Jigsaw: a share of annotators up to NO means no, above YES it means yes, and between them it is undecided.
NO, YES = 0.33, 0.66
JIGSAW_TEXT, TOXICITY, ID = "comment_text", ("toxicity", "target"), "id"
# ASSUME: a comment must have exactly one identity among those of all attributes, including those without words
IDENTITIES = (
    "white", "black", "asian", "latino", "other_race_or_ethnicity", "christian", "muslim", "jewish", "hindu",
    "buddhist", "atheist", "other_religion", "male", "female", "transgender", "other_gender", "heterosexual",
    "homosexual_gay_or_lesbian", "bisexual", "other_sexual_orientation", "physical_disability",
    "intellectual_or_learning_disability", "psychiatric_or_mental_illness", "other_disability",
)  # fmt: skip

# Other comments: names of columns in lower case, and labels.
TEXT = ("comment_text", "test_case", "comment", "phrase", "text")
LABEL = ("label_gold", "label", "toxicity", "toxic", "target")
TOXIC = {"bad", "toxic", "hateful", "1", "1.0", "true", "yes"}
NOT_TOXIC = {"not_bad", "nontoxic", "non-toxic", "not toxic", "non-hateful", "0", "0.0", "false", "no"}


def read_jigsaw(paths: Sequence[str | Path], attribute: str, defining: Defining) -> Texts:
    """Read the comments of all files that have exactly one identity, a group of the attribute (same-2024 §4.2.1).

    The files are all_data.csv, or train.csv and the expanded test files, in any format of `records.read_records`.
    Comments are dropped if the share of toxicity or of any identity is undecided, if they have no share of toxicity or
    no annotated identity, or if their id is repeated. Scrubbed texts lack the words of the group. Raises ValueError,
    naming file, place and column, for a missing column, or a share that is not a number from 0 to 1.
    """
    guard.check_different("comments", paths)
    groups, ids, dropped = find_groups(defining, attribute), set(), Counter()
    comments = (comment for path in paths for comment in _find_annotated(path, list(groups), ids, dropped))
    return _make_texts(attribute, groups, comments, ", ".join(map(str, paths)), dropped)


def read_labelled(path: str | Path, attribute: str, defining: Defining) -> Texts:
    """Read the comments that contain words of exactly one group of an attribute; repeated texts count once.

    Scrubbed texts lack the words of that group. The names of the columns (TEXT, LABEL) and the labels (TOXIC,
    NOT_TOXIC) ignore case. Raises ValueError, naming file, place and column, for a missing column or unknown label.
    """
    groups, dropped = find_groups(defining, attribute), Counter()
    return _make_texts(attribute, groups, _find_named(path, groups, dropped), str(path), dropped)


def _make_texts(
    attribute: str, groups: Mapping[str, list[str]], comments: Iterable[Comment], where: str, dropped: Counter
) -> Texts:
    """Make texts from comments, without those that contain only words of the group."""
    patterns = [compile_pattern(terms) for terms in groups.values()]
    rows = [(text, remove_terms(text, patterns[group]), group, toxic) for text, group, toxic in comments]
    rows = [row for row in rows if any(map(str.isalnum, row[1]))]
    if not rows:
        raise ValueError(f"{where}: no comment belongs to exactly one group of {attribute} ({', '.join(groups)})")
    raw, scrubbed, numbers, toxic = map(list, zip(*rows, strict=True))
    reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common()) or "none"
    logging.info("%s: %d comments of %s kept; dropped: %s", where, len(rows), attribute, reasons)
    labels = np.column_stack([toxic, np.logical_not(toxic)]).astype(np.uint8)
    return Texts(attribute, list(groups), list(CLASSES), raw, scrubbed, np.array(numbers, np.int64), labels)


def _find_annotated(path: str | Path, groups: list[str], ids: set[str], dropped: Counter) -> Iterator[Comment]:
    """Yield the comments of a file of Jigsaw's; add their ids to `ids`, and count the others in `dropped`."""
    toxicity, names = None, list(dict.fromkeys([*groups, *IDENTITIES]))
    for place, record in records.read_records(path):
        where = f"{path}, {place}"
        if toxicity is None:
            toxicity = records.find_column(path, record, TOXICITY)
            for name in (JIGSAW_TEXT, *groups):
                records.find_column(path, record, [name])
        shares = {name: _read_share(where, name, record.get(name)) for name in names}
        toxic_share = _read_share(where, toxicity, record.get(toxicity))
        group, reason = _assign_group(shares, toxic_share, groups)
        comment_id = "" if records.is_empty(record.get(ID)) else str(record[ID])
        if group is not None and comment_id in ids:
            group, reason = None, "repeated"
        if group is None:
            dropped[reason] += 1
            continue
        if comment_id:
            ids.add(comment_id)
        yield _text_or_empty(where, record, JIGSAW_TEXT), group, toxic_share > YES


def _assign_group(shares: Mapping[str, float], toxic_share: float, groups: list[str]) -> tuple[int | None, str]:
    """Return the group of a comment, or None and the reason."""
    annotated = [share for share in shares.values() if not math.isnan(share)]
    identities = [name for name, share in shares.items() if share > YES]
    if math.isnan(toxic_share) or not annotated:
        return None, "not annotated"
    if any(NO < share <= YES for share in (toxic_share, *annotated)):
        return None, "undecided"
    if len(identities) != 1:
        return None, "of several identities" if identities else "of no identity"
    if identities[0] not in groups:
        return None, "of another identity"
    return groups.index(identities[0]), ""


def _find_named(path: str | Path, groups: Mapping[str, list[str]], dropped: Counter) -> Iterator[Comment]:
    """Yield the comments that name one group; count the others in `dropped`."""
    columns = None
    patterns = [compile_pattern(terms) for terms in groups.values()]
    labels: dict[str, bool] = {}
    for place, record in records.read_records(path):
        where = f"{path}, {place}"
        columns = columns or [records.find_column(path, record, names, str.lower) for names in (TEXT, LABEL)]
        text, label = columns
        is_toxic = _read_label(where, label, record.get(label))
        words = " ".join(_text_or_empty(where, record, text).split())
        if words in labels:
            dropped["repeated" if labels[words] == is_toxic else "repeated with the other label"] += 1
            continue
        labels[words] = is_toxic
        named = [group for group, terms in enumerate(patterns) if terms.search(words)]
        if len(named) == 1:
            yield words, named[0], is_toxic
        else:
            dropped["of several groups" if named else "of no group"] += 1


def _text_or_empty(where: str, record: records.Record, column: str) -> str:
    return "" if records.is_empty(record.get(column)) else records.read_text(where, record, column)


def _read_label(where: str, name: str, cell: object) -> bool:
    label = str(cell).strip().lower()
    if label not in TOXIC | NOT_TOXIC:
        raise ValueError(
            f"{where}, column {name}: unknown label; expected one of: {', '.join(sorted(TOXIC))} (toxic), "
            f"{', '.join(sorted(NOT_TOXIC))} (not toxic)"
        )
    return label in TOXIC


def _read_share(where: str, name: str, cell: object) -> float:
    """Return a share of annotators; NaN for an empty cell."""
    if records.is_empty(cell):
        return math.nan
    try:
        share = float(cell)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{where}, column {name}: expected a number from 0 to 1 or an empty cell") from None
    if not 0 <= share <= 1:
        raise ValueError(f"{where}, column {name}: expected a number from 0 to 1, got {share:g}")
    return share
