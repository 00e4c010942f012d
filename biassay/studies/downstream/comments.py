"""Comments labelled as toxic or not: those of Jigsaw's Unintended Bias data, and others that name groups by words.

Messages contain no words of comments.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts, find_groups
from biassay.words.defining_sets import compile_pattern, remove_terms

CLASSES = ["toxic", "not toxic"]
Groups = Mapping[str, list[str]]  # words by group
Defining = Mapping[str, Groups]  # by attribute

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

    The files are all_data.csv, or train.csv and the expanded test files, in any format of `records.read`. Comments are
    dropped if the share of toxicity or of any identity is undecided, if they have no share of toxicity or no annotated
    identity, or if their id is repeated. Scrubbed texts lack the words of the group. Raises ValueError, naming file,
    row and column, for a missing column, or a share that is not a number from 0 to 1.
    """
    groups = find_groups(defining, attribute)
    comments = pd.concat([_assign_groups(path, rows, list(groups)) for path in paths for rows in records.read(path)])
    is_repeated = comments["id"].where(comments["reason"] == "").duplicated() & (comments["id"] != "")
    comments.loc[is_repeated & (comments["reason"] == ""), "reason"] = "repeated"
    return _make_texts(attribute, groups, comments, ", ".join(map(str, paths)))


def read_labelled(path: str | Path, attribute: str, defining: Defining) -> Texts:
    """Read the comments that contain words of exactly one group of an attribute; repeated texts count once.

    Scrubbed texts lack the words of that group. The names of the columns (TEXT, LABEL) and the labels (TOXIC,
    NOT_TOXIC) ignore case. Raises ValueError, naming file, row and column, for a missing column or unknown label.
    """
    groups = find_groups(defining, attribute)
    comments = pd.concat([_read_labels(path, rows) for rows in records.read(path)], ignore_index=True)
    patterns = [compile_pattern(terms) for terms in groups.values()]
    named = np.array([[bool(terms.search(text)) for terms in patterns] for text in comments["text"]])
    is_changed = comments["is_toxic"] != comments.groupby("text")["is_toxic"].transform("first")
    is_repeated = comments["text"].duplicated()
    reasons = {"repeated with the other label": is_changed, "repeated": is_repeated,
               "of no group": ~named.any(axis=1), "of several groups": named.sum(axis=1) > 1}  # fmt: skip
    comments = comments.assign(group=named.argmax(axis=1), reason=np.select([*reasons.values()], [*reasons], ""))
    return _make_texts(attribute, groups, comments, str(path))


def _make_texts(attribute: str, groups: Groups, comments: pd.DataFrame, where: str) -> Texts:
    """Make texts from the comments without a reason to drop them that contain more than words of the group."""
    patterns = [compile_pattern(terms) for terms in groups.values()]
    kept = comments[comments["reason"] == ""]
    kept = kept.assign(scrubbed=[remove_terms(row.text, patterns[row.group]) for row in kept.itertuples()])
    kept = kept[[any(map(str.isalnum, text)) for text in kept["scrubbed"]]]
    if not len(kept):
        raise ValueError(f"{where}: no comment belongs to exactly one group of {attribute} ({', '.join(groups)})")
    counts = comments["reason"].value_counts().drop("")
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
    logging.info("%s: %d comments of %s kept; dropped: %s", where, len(kept), attribute, reasons)
    labels = np.column_stack([kept["is_toxic"], ~kept["is_toxic"]]).astype(np.uint8)
    raw, scrubbed = kept["text"].tolist(), kept["scrubbed"].tolist()
    return Texts(attribute, list(groups), list(CLASSES), raw, scrubbed, kept["group"].to_numpy(np.int64), labels)


def _assign_groups(path: str | Path, rows: pd.DataFrame, groups: list[str]) -> pd.DataFrame:
    """Return text, is_toxic, id, group and, if a comment of Jigsaw's is dropped, the reason."""
    toxicity = _read_shares(path, rows[records.find_column(path, rows, TOXICITY)])
    for name in (JIGSAW_TEXT, *groups):
        records.find_column(path, rows, [name])
    names = [name for name in dict.fromkeys([*groups, *IDENTITIES]) if name in rows]
    shares = pd.DataFrame({name: _read_shares(path, rows[name]) for name in names})
    is_yes, judged = shares > YES, shares.assign(toxicity=toxicity)
    reasons = {
        "not annotated": toxicity.isna() | shares.isna().all(axis=1),
        "undecided": ((judged > NO) & (judged <= YES)).any(axis=1),
        "of no identity": ~is_yes.any(axis=1), "of several identities": is_yes.sum(axis=1) > 1,
        "of another identity": ~is_yes[groups].any(axis=1),
    }  # fmt: skip
    reason = np.select([*reasons.values()], [*reasons], "")
    ids = rows[ID].map(lambda cell: "" if records.is_empty(cell) else str(cell)) if ID in rows else ""
    texts = np.where(reason == "", _read_texts(path, rows[JIGSAW_TEXT]), "")
    group = is_yes[groups].to_numpy().argmax(axis=1)
    return pd.DataFrame({"text": texts, "is_toxic": toxicity > YES, "id": ids, "group": group, "reason": reason})


def _read_labels(path: str | Path, rows: pd.DataFrame) -> pd.DataFrame:
    text, label = (records.find_column(path, rows, names, str.lower) for names in (TEXT, LABEL))
    labels = rows[label].map(lambda cell: str(cell).strip().lower())
    expected = f"one of {', '.join(sorted(TOXIC))} (toxic), {', '.join(sorted(NOT_TOXIC))} (not toxic)"
    records.check(path, rows[label], labels.isin(TOXIC | NOT_TOXIC), expected)
    texts = [" ".join(words.split()) for words in _read_texts(path, rows[text])]
    return pd.DataFrame({"text": texts, "is_toxic": labels.isin(TOXIC)})


def _read_texts(path: str | Path, column: pd.Series) -> list[str]:
    return records.read_texts(path, column.mask(column.map(records.is_empty), "-"))


def _read_shares(path: str | Path, column: pd.Series) -> pd.Series:
    """Return shares of annotators; NaN for empty cells."""
    is_empty = column.map(records.is_empty)
    shares = pd.to_numeric(column.map(str).mask(is_empty), errors="coerce")
    records.check(path, column, is_empty | shares.between(0, 1), "a number from 0 to 1 or an empty cell")
    return shares
