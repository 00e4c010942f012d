"""BIOS: biographies with titles and gender, from a file that a user has.

Records are De-Arteaga et al.'s (2019), the supervised subset's with several titles, or those of the version with
hard_text and profession. Texts of persons are neither logged nor in messages.
"""

import logging
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts, gather, groups_of
from biassay.words import defining_sets

ATTRIBUTE, GROUPS = "gender", ["male", "female"]
RAW, SCRUBBED, TITLES = ("raw", "hard_text"), ("scrubbed", "bio"), ("titles", "title", "profession")
GENDERS = {"m": 0, "male": 0, "0": 0, "0.0": 0, "f": 1, "female": 1, "1": 1, "1.0": 1}
LONGEST = 20_000  # characters of a text
MOST_TITLES = 200  # different ones
# Names of the professions that the version with hard_text has numbers for.
PROFESSIONS = (
    "accountant", "architect", "attorney", "chiropractor", "comedian", "composer", "dentist", "dietitian", "dj",
    "filmmaker", "interior designer", "journalist", "model", "nurse", "painter", "paralegal", "pastor",
    "personal trainer", "photographer", "physician", "poet", "professor", "psychologist", "rapper", "software engineer",
    "surgeon", "teacher", "yoga teacher",
)  # fmt: skip


def read(path: str | Path, *, defining: Mapping[str, Mapping[str, list[str]]], min_texts: int = 30) -> Texts:
    """Read biographies from a file that `records.read` reads.

    Columns: raw (from its start_pos on, if there is one) or hard_text; scrubbed or bio, the text without what tells
    gender, where the file has it; titles, title or profession: a list, texts with ";" between them, or the number of
    one of PROFESSIONS; gender: M or F, male or female, 0 (male) or 1. Scrubbed texts are the file's, else the raw ones,
    without the defining terms. Classes of fewer than `min_texts` texts are dropped. Raises ValueError, naming file,
    place and column, for a value that is none of these.
    """
    terms = defining_sets.compile_pattern(chain(*groups_of(defining, ATTRIBUTE, GROUPS).values()))
    found, numbers = [], {}
    for place, record in records.read(path):
        where = f"{path}, {place}"
        if not found:
            columns = {kind: records.column(path, record, names) for kind, names in (("raw", RAW), ("titles", TITLES))}
            scrubbed = next((name for name in SCRUBBED if name in record), None)
            records.column(path, record, ["gender"])
        raw = _text(where, record, columns["raw"])
        raw = raw[_start(where, record, len(raw)) :].strip() if columns["raw"] == "raw" else raw
        clean = _text(where, record, scrubbed) if scrubbed else raw
        titles = _titles(where, record, columns["titles"])
        labels = [numbers.setdefault(title, len(numbers)) for title in titles]
        if len(numbers) > MOST_TITLES:
            raise ValueError(f"{where}, column {columns['titles']}: more than {MOST_TITLES} different titles")
        found.append((labels, _gender(where, record), raw, defining_sets.remove_terms(clean, terms)))
    if not scrubbed:
        logging.info("%s: has no scrubbed column (%s): the raw texts without the defining terms are taken, with names",
                     path, " or ".join(SCRUBBED))  # fmt: skip
    order = sorted(numbers)
    place = {numbers[title]: number for number, title in enumerate(order)}
    rows = [([place[label] for label in labels], *rest) for labels, *rest in found]
    return gather(str(path), ATTRIBUTE, GROUPS, order, rows, min_texts)


def _text(where: str, record: dict, column: str) -> str:
    text = record.get(column)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{where}, column {column}: {_kind(text)}; give a text")
    if len(text) > LONGEST:
        raise ValueError(f"{where}, column {column}: a text of {len(text):,} characters; {LONGEST:,} are the most")
    return text


def _start(where: str, record: dict, length: int) -> int:
    """Where the first sentence, which names the title, ends: start_pos, if the file has it."""
    start = record.get("start_pos", 0)
    if isinstance(start, str) and start.isascii() and start.isdigit() and len(start) < 10:
        start = int(start)
    if isinstance(start, bool) or not isinstance(start, int) or not 0 <= start < length:
        raise ValueError(f"{where}, column start_pos: {start!r:.12}; give a place in the text, 0 to {length - 1}")
    return start


def _titles(where: str, record: dict, column: str) -> list[str]:
    given = record.get(column)
    if isinstance(given, str):
        given = [int(given)] if column == "profession" and given.isascii() and given.isdigit() else given.split(";")
    elif isinstance(given, int) and not isinstance(given, bool):
        given = [given]
    titles = []
    for title in given if isinstance(given, list) else [given]:
        if isinstance(title, int) and not isinstance(title, bool) and column == "profession":
            if not 0 <= title < len(PROFESSIONS):
                raise ValueError(f"{where}, column {column}: {title}; give 0 to {len(PROFESSIONS) - 1}, or a name")
            title = PROFESSIONS[title]
        if not isinstance(title, str) or not title.strip():
            raise ValueError(
                f"{where}, column {column}: {_kind(title)}; give a title, a list of them, or ; between them"
            )
        titles.append(" ".join(title.lower().replace("_", " ").split())[:80])
    if not titles:
        raise ValueError(f"{where}, column {column}: an empty list; give a title or more")
    return titles


def _gender(where: str, record: dict) -> int:
    given = str(record.get("gender")).strip()
    if given.lower() not in GENDERS:
        raise ValueError(
            f"{where}, column gender: {given[:12]!r}; expected one of: M, F, male, female, 0 (male), 1 (female)"
        )
    return GENDERS[given.lower()]


def _kind(value: object) -> str:
    """What stands in the place of a text, without telling a text."""
    return "empty" if value is None or value != value or value == "" or isinstance(value, str) else type(value).__name__
