"""Comments that name a group by its terms, as those made from templates do, with a label toxic or not."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from biassay.studies.downstream import comment_texts, records
from biassay.studies.downstream.comment_texts import Comment
from biassay.studies.downstream.texts import Texts, groups_of
from biassay.words.defining_sets import compile_pattern

TEXT = ("comment_text", "test_case", "comment", "phrase", "text")  # names of columns, in lower case
LABEL = ("label_gold", "label", "toxicity", "toxic", "target")
TOXIC = {"bad", "toxic", "hateful", "1", "1.0", "true", "yes"}
NOT_TOXIC = {"not_bad", "nontoxic", "non-toxic", "not toxic", "non-hateful", "0", "0.0", "false", "no"}


def read(path: str | Path, attribute: str, defining: Mapping[str, Mapping[str, list[str]]]) -> Texts:
    """Comments of a file (see `records.read`) that name terms of exactly one group of an attribute, each text once.

    Scrubbed texts lack that group's terms. The columns of texts and labels are found by name: see TEXT and LABEL, and
    TOXIC and NOT_TOXIC for labels, all in any case. Raises ValueError, naming file, place and column, where there are
    no such columns, for another label, what `records.read` refuses, and if no comment is left.
    """
    groups, why = groups_of(defining, attribute), Counter()
    found = comment_texts.texts(attribute, groups, _comments(path, groups, why), str(path))
    logging.info("%s: %d comments of %s kept; left out: %s", path, len(found), attribute,
                 ", ".join(f"{count} {reason}" for reason, count in why.most_common()) or "none")  # fmt: skip
    return found


def _comments(path: str | Path, groups: Mapping[str, list[str]], why: Counter) -> Iterator[Comment]:
    columns = None
    patterns = [compile_pattern(terms) for terms in groups.values()]
    seen: dict[str, bool] = {}
    for place, record in records.read(path):
        where = f"{path}, {place}"
        columns = columns or [records.column(path, record, names, str.lower) for names in (TEXT, LABEL)]
        text, label = columns
        toxic = _toxic(where, label, record.get(label))
        words = " ".join(comment_texts.words_of(where, text, record.get(text)).split())
        if words in seen:
            why["read before" if seen[words] == toxic else "read before with the other label"] += 1
            continue
        seen[words] = toxic
        named = [group for group, terms in enumerate(patterns) if terms.search(words)]
        if len(named) == 1:
            yield words, named[0], toxic
        else:
            why["of several groups" if named else "of no group"] += 1


def _toxic(where: str, name: str, cell: object) -> bool:
    label = str(cell).strip().lower()
    if label not in TOXIC | NOT_TOXIC:
        raise ValueError(
            f"{where}, column {name!r}: no label that is known; toxic: {', '.join(sorted(TOXIC))}; not: "
            f"{', '.join(sorted(NOT_TOXIC))}"
        )
    return label in TOXIC
