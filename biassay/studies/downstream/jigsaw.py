"""Comments of Jigsaw's Unintended Bias data, with shares of annotators who found them toxic and identities in them.

Files: all_data.csv, or train.csv and the expanded test files, as same-2024 §4.2.1 uses them, or the same rows in
another form that `records.read` reads. Whoever wrote a comment is not in the columns that are read.
"""

import logging
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from biassay.studies.downstream import comment_texts, records
from biassay.studies.downstream.comment_texts import Comment
from biassay.studies.downstream.texts import Texts, groups_of
from biassay.support import guard

NO, YES = 0.33, 0.66  # shares up to the first are a no, above the second a yes, between them undecided
TEXT, TOXICITY, ID = "comment_text", ("toxicity", "target"), "id"
# ASSUME: identities of all attributes count where a comment must have one only, those without a defining set too
IDENTITIES = (
    "white", "black", "asian", "latino", "other_race_or_ethnicity", "christian", "muslim", "jewish", "hindu",
    "buddhist", "atheist", "other_religion", "male", "female", "transgender", "other_gender", "heterosexual",
    "homosexual_gay_or_lesbian", "bisexual", "other_sexual_orientation", "physical_disability",
    "intellectual_or_learning_disability", "psychiatric_or_mental_illness", "other_disability",
)  # fmt: skip


def read(paths: Sequence[str | Path], attribute: str, defining: Mapping[str, Mapping[str, list[str]]]) -> Texts:
    """Comments of pooled files in which one identity is named, a group of the attribute.

    A comment of which any share is undecided, toxicity's or that of an identity that the file knows, is left out, as
    are those without a share of toxicity or annotated identities, and an id that was there before. Scrubbed texts lack
    the labelled group's terms. Raises ValueError, naming file, place and column, for columns that lack or stand twice,
    shares that are no numbers from 0 to 1, what `records.read` refuses, a file that is given twice, and if no comment
    is left.
    """
    guard.check_different("comments", paths)
    groups, seen, why = groups_of(defining, attribute), set(), Counter()
    comments = (comment for path in paths for comment in _comments(path, list(groups), seen, why))
    found = comment_texts.texts(attribute, groups, comments, ", ".join(map(str, paths)))
    logging.info("%s: %d comments kept; left out: %s", attribute, len(found),
                 ", ".join(f"{count} {reason}" for reason, count in why.most_common()) or "none")  # fmt: skip
    return found


def _comments(path: str | Path, groups: list[str], seen: set[str], why: Counter) -> Iterator[Comment]:
    toxicity = None
    names, sought = list(dict.fromkeys([*groups, *IDENTITIES])), [[TEXT], TOXICITY, *([name] for name in groups)]
    for place, record in records.read(path):
        where = f"{path}, {place}"
        if toxicity is None:
            _, toxicity, *_ = (records.column(path, record, of) for of in sought)
        shares = {name: _share(where, name, record.get(name)) for name in names}
        toxic = _share(where, toxicity, record.get(toxicity))
        group, reason = _group(shares, toxic, groups)
        identity = None if records.empty(record.get(ID)) else str(record[ID])
        if group is not None and identity in seen:
            group, reason = None, "read before"
        if group is None:
            why[reason] += 1
            continue
        if identity is not None:
            seen.add(identity)
        yield comment_texts.words_of(where, TEXT, record.get(TEXT)), group, toxic > YES


def _group(shares: Mapping[str, float], toxic: float, groups: list[str]) -> tuple[int | None, str]:
    """The group of a comment, or why it has none."""
    known = [share for share in shares.values() if not math.isnan(share)]
    named = [name for name, share in shares.items() if share > YES]
    if math.isnan(toxic) or not known:
        return None, "not annotated"
    if any(NO < share <= YES for share in (toxic, *known)):
        return None, "undecided"
    if len(named) != 1 or named[0] not in groups:
        return None, "of no identity" if not named else "of several identities" if len(named) > 1 else "of another one"
    return groups.index(named[0]), ""


def _share(where: str, name: str, cell: object) -> float:
    """A share of annotators; NaN of an empty cell."""
    if records.empty(cell):
        return math.nan
    try:
        share = float(cell)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{where}, column {name!r}: is no number from 0 to 1, nor empty") from None
    if not 0 <= share <= 1:
        raise ValueError(f"{where}, column {name!r}: {share:g} is no share from 0 to 1")
    return share
