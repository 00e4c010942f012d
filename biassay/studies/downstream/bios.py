"""BIOS: biographies with titles and gender, from a user's file.

Records are those of De-Arteaga et al. (2019), of the supervised subset with several titles, or of the version with
hard_text and profession. Texts about people are neither logged nor in messages.
"""

import logging
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts, find_groups, make_texts
from biassay.words import defining_sets

ATTRIBUTE, GROUPS = "gender", ["male", "female"]
RAW, SCRUBBED, TITLES = ("raw", "hard_text"), ("scrubbed", "bio"), ("titles", "title", "profession")
GENDERS = {"m": 0, "male": 0, "0": 0, "0.0": 0, "f": 1, "female": 1, "1": 1, "1.0": 1}
MAX_LENGTH = 20_000  # characters of a text
MAX_TITLES = 200  # different titles
# The professions by their numbers in the version with hard_text.
PROFESSIONS = (
    "accountant", "architect", "attorney", "chiropractor", "comedian", "composer", "dentist", "dietitian", "dj",
    "filmmaker", "interior designer", "journalist", "model", "nurse", "painter", "paralegal", "pastor",
    "personal trainer", "photographer", "physician", "poet", "professor", "psychologist", "rapper", "software engineer",
    "surgeon", "teacher", "yoga teacher",
)  # fmt: skip


def read(path: str | Path, *, defining: Mapping[str, Mapping[str, list[str]]], min_texts: int = 30) -> Texts:
    """Read biographies from a file in any format of `records.read_records`.

    Columns: raw (from start_pos on, if present) or hard_text; optionally scrubbed or bio, the text without words that
    reveal gender; titles, title or profession: a list, titles separated by ";", or the number of one of PROFESSIONS;
    gender: M or F, male or female, 0 (male) or 1 (female). Scrubbed texts are those of the file, or else the raw texts,
    without the words of the groups.

    Parameters
    ----------
    path : str or Path
    defining : mapping
        Words of each group, by attribute.
    min_texts : int
        Classes with fewer texts are dropped.

    Raises
    ------
    ValueError
        If a value is invalid; the message names file, place and column.
    """
    terms = defining_sets.compile_pattern(chain(*find_groups(defining, ATTRIBUTE, GROUPS).values()))
    rows, numbers = [], {}
    for place, record in records.read_records(path):
        where = f"{path}, {place}"
        if not rows:
            columns = {
                kind: records.find_column(path, record, names) for kind, names in (("raw", RAW), ("titles", TITLES))
            }
            scrubbed = next((name for name in SCRUBBED if name in record), None)
            records.find_column(path, record, ["gender"])
        raw = _text(where, record, columns["raw"])
        raw = raw[_start(where, record, len(raw)) :].strip() if columns["raw"] == "raw" else raw
        clean = _text(where, record, scrubbed) if scrubbed else raw
        titles = _titles(where, record, columns["titles"])
        labels = [numbers.setdefault(title, len(numbers)) for title in titles]
        if len(numbers) > MAX_TITLES:
            raise ValueError(f"{where}, column {columns['titles']}: more than {MAX_TITLES} different titles")
        rows.append((labels, _gender(where, record), raw, defining_sets.remove_terms(clean, terms)))
    if not scrubbed:
        logging.info(
            "%s: no column %s: scrubbed texts are the raw texts without group words, but with names",
            path,
            " or ".join(SCRUBBED),
        )
    order = sorted(numbers)
    place = {numbers[title]: number for number, title in enumerate(order)}
    rows = [([place[label] for label in labels], *rest) for labels, *rest in rows]
    return make_texts(str(path), ATTRIBUTE, GROUPS, order, rows, min_texts)


def _text(where: str, record: dict, column: str) -> str:
    text = record.get(column)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{where}, column {column}: expected text, got {_kind(text)}")
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"{where}, column {column}: expected at most {MAX_LENGTH:,} characters of text, got {len(text):,}"
        )
    return text


def _start(where: str, record: dict, length: int) -> int:
    """Return start_pos, the end of the first sentence, which names the title; 0 without that column."""
    start = record.get("start_pos", 0)
    if isinstance(start, str) and start.isascii() and start.isdigit() and len(start) < 10:
        start = int(start)
    if isinstance(start, bool) or not isinstance(start, int) or not 0 <= start < length:
        raise ValueError(f"{where}, column start_pos: expected a position from 0 to {length - 1}, got {start!r:.12}")
    return start


def _titles(where: str, record: dict, column: str) -> list[str]:
    cell = record.get(column)
    if isinstance(cell, str):
        cell = [int(cell)] if column == "profession" and cell.isascii() and cell.isdigit() else cell.split(";")
    elif isinstance(cell, int) and not isinstance(cell, bool):
        cell = [cell]
    titles = []
    for title in cell if isinstance(cell, list) else [cell]:
        if isinstance(title, int) and not isinstance(title, bool) and column == "profession":
            if not 0 <= title < len(PROFESSIONS):
                limit = len(PROFESSIONS) - 1
                raise ValueError(f"{where}, column {column}: expected 0 to {limit}, or a name, got {title}")
            title = PROFESSIONS[title]
        if not isinstance(title, str) or not title.strip():
            raise ValueError(
                f"{where}, column {column}: expected titles as a list or separated by ;, got {_kind(title)}"
            )
        titles.append(" ".join(title.lower().replace("_", " ").split())[:80])
    if not titles:
        raise ValueError(f"{where}, column {column}: expected one or more titles, got an empty list")
    return titles


def _gender(where: str, record: dict) -> int:
    cell = str(record.get("gender")).strip()
    if cell.lower() not in GENDERS:
        raise ValueError(
            f"{where}, column gender: expected one of: M, F, male, female, 0 (male), 1 (female); got {cell[:12]!r}"
        )
    return GENDERS[cell.lower()]


def _kind(value: object) -> str:
    """Describe a cell without revealing a text."""
    return "empty" if value is None or value != value or value == "" or isinstance(value, str) else type(value).__name__
