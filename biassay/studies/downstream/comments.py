"""Comments that name a group by its words, such as identity templates, with labels toxic or not."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from biassay.studies.downstream import comment_texts, records
from biassay.studies.downstream.comment_texts import Comment
from biassay.studies.downstream.texts import Texts, find_groups
from biassay.words.defining_sets import compile_pattern

TEXT = ("comment_text", "test_case", "comment", "phrase", "text")  # names of columns in lower case
LABEL = ("label_gold", "label", "toxicity", "toxic", "target")
TOXIC = {"bad", "toxic", "hateful", "1", "1.0", "true", "yes"}
NOT_TOXIC = {"not_bad", "nontoxic", "non-toxic", "not toxic", "non-hateful", "0", "0.0", "false", "no"}


def read(path: str | Path, attribute: str, defining: Mapping[str, Mapping[str, list[str]]]) -> Texts:
    """Read the comments that contain words of exactly one group of an attribute; repeated texts count once.

    Scrubbed texts lack the words of that group. The names of the columns (TEXT, LABEL) and the labels (TOXIC,
    NOT_TOXIC) ignore case.

    Raises
    ------
    ValueError
        If `records.read_records` rejects the file, a column is missing, a label is unknown, or no comment remains. The
        message names file, place and column.
    """
    groups, dropped = find_groups(defining, attribute), Counter()
    texts = comment_texts.make_texts(attribute, groups, _comments(path, groups, dropped), str(path))
    reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common()) or "none"
    logging.info("%s: %d comments of %s kept; dropped: %s", path, len(texts), attribute, reasons)
    return texts


def _comments(path: str | Path, groups: Mapping[str, list[str]], dropped: Counter) -> Iterator[Comment]:
    columns = None
    patterns = [compile_pattern(terms) for terms in groups.values()]
    labels: dict[str, bool] = {}
    for place, record in records.read_records(path):
        where = f"{path}, {place}"
        columns = columns or [records.find_column(path, record, names, str.lower) for names in (TEXT, LABEL)]
        text, label = columns
        is_toxic = _is_toxic(where, label, record.get(label))
        words = " ".join(comment_texts.read_text(where, text, record.get(text)).split())
        if words in labels:
            dropped["repeated" if labels[words] == is_toxic else "repeated with the other label"] += 1
            continue
        labels[words] = is_toxic
        named = [group for group, terms in enumerate(patterns) if terms.search(words)]
        if len(named) == 1:
            yield words, named[0], is_toxic
        else:
            dropped["of several groups" if named else "of no group"] += 1


def _is_toxic(where: str, name: str, cell: object) -> bool:
    label = str(cell).strip().lower()
    if label not in TOXIC | NOT_TOXIC:
        raise ValueError(
            f"{where}, column {name!r}: unknown label; expected one of: {', '.join(sorted(TOXIC))} (toxic), "
            f"{', '.join(sorted(NOT_TOXIC))} (not toxic)"
        )
    return label in TOXIC
