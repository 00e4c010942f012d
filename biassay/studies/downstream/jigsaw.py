"""Comments of Jigsaw's Unintended Bias data, with the shares of annotators who marked toxicity and identities.

Files: all_data.csv, or train.csv and the expanded test files, as in same-2024 §4.2.1, in any format of
`records.read_records`. The columns read here do not identify authors.
"""

import logging
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from biassay.core import guard
from biassay.studies.downstream import comment_texts, records
from biassay.studies.downstream.comment_texts import Comment
from biassay.studies.downstream.texts import Texts, find_groups

NO, YES = 0.33, 0.66  # no: a share up to NO; yes: above YES; otherwise undecided
TEXT, TOXICITY, ID = "comment_text", ("toxicity", "target"), "id"
# ASSUME: a comment must have exactly one identity among those of all attributes, including those without words
IDENTITIES = (
    "white", "black", "asian", "latino", "other_race_or_ethnicity", "christian", "muslim", "jewish", "hindu",
    "buddhist", "atheist", "other_religion", "male", "female", "transgender", "other_gender", "heterosexual",
    "homosexual_gay_or_lesbian", "bisexual", "other_sexual_orientation", "physical_disability",
    "intellectual_or_learning_disability", "psychiatric_or_mental_illness", "other_disability",
)  # fmt: skip


def read(paths: Sequence[str | Path], attribute: str, defining: Mapping[str, Mapping[str, list[str]]]) -> Texts:
    """Read the comments of all files that have exactly one identity, a group of the attribute.

    Comments are dropped if the share of toxicity or of any identity is undecided, if they have no share of toxicity or
    no annotated identity, or if their id is repeated. Scrubbed texts lack the words of the group.

    Raises
    ------
    ValueError
        If `records.read_records` rejects a file, a column is missing or repeated, a share is not a number from 0 to 1,
        a file is repeated, or no comment remains. The message names file, place and column.
    """
    guard.check_different("comments", paths)
    groups, ids, dropped = find_groups(defining, attribute), set(), Counter()
    comments = (comment for path in paths for comment in _comments(path, list(groups), ids, dropped))
    texts = comment_texts.make_texts(attribute, groups, comments, ", ".join(map(str, paths)))
    reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common()) or "none"
    logging.info("%s: %d comments kept; dropped: %s", attribute, len(texts), reasons)
    return texts


def _comments(path: str | Path, groups: list[str], ids: set[str], dropped: Counter) -> Iterator[Comment]:
    toxicity = None
    names, required = list(dict.fromkeys([*groups, *IDENTITIES])), [[TEXT], TOXICITY, *([name] for name in groups)]
    for place, record in records.read_records(path):
        where = f"{path}, {place}"
        if toxicity is None:
            _, toxicity, *_ = (records.find_column(path, record, names_of_column) for names_of_column in required)
        shares = {name: _share(where, name, record.get(name)) for name in names}
        toxic_share = _share(where, toxicity, record.get(toxicity))
        group, reason = _group(shares, toxic_share, groups)
        comment_id = None if records.is_empty(record.get(ID)) else str(record[ID])
        if group is not None and comment_id in ids:
            group, reason = None, "repeated"
        if group is None:
            dropped[reason] += 1
            continue
        if comment_id is not None:
            ids.add(comment_id)
        yield comment_texts.read_text(where, TEXT, record.get(TEXT)), group, toxic_share > YES


def _group(shares: Mapping[str, float], toxic_share: float, groups: list[str]) -> tuple[int | None, str]:
    """Return the group of a comment, or None and the reason."""
    annotated = [share for share in shares.values() if not math.isnan(share)]
    named = [name for name, share in shares.items() if share > YES]
    if math.isnan(toxic_share) or not annotated:
        return None, "not annotated"
    if any(NO < share <= YES for share in (toxic_share, *annotated)):
        return None, "undecided"
    if len(named) != 1 or named[0] not in groups:
        return None, "of no identity" if not named else "of several identities" if len(
            named
        ) > 1 else "of another identity"
    return groups.index(named[0]), ""


def _share(where: str, name: str, cell: object) -> float:
    """Return a share of annotators; NaN for an empty cell."""
    if records.is_empty(cell):
        return math.nan
    try:
        share = float(cell)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{where}, column {name!r}: expected a number from 0 to 1 or an empty cell") from None
    if not 0 <= share <= 1:
        raise ValueError(f"{where}, column {name!r}: expected a number from 0 to 1, got {share:g}")
    return share
