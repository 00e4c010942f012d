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
GENDER = ("gender",)
GENDERS = {"m": 0, "male": 0, "0": 0, "0.0": 0, "f": 1, "female": 1, "1": 1, "1.0": 1}
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
    without the words of the groups. Classes with fewer than `min_texts` texts are dropped. Raises ValueError, naming
    file, place and column, for an invalid value.
    """
    terms = defining_sets.compile_pattern(chain(*find_groups(defining, ATTRIBUTE, GROUPS).values()))
    rows, numbers = [], {}
    for place, record in records.read_records(path):
        where = f"{path}, {place}"
        if not rows:
            raw_column, title_column, _ = (records.find_column(path, record, names) for names in (RAW, TITLES, GENDER))
            scrubbed_column = next((name for name in SCRUBBED if name in record), None)
        raw = records.read_text(where, record, raw_column)
        raw = raw[_read_start(where, record, len(raw)) :].strip() if raw_column == "raw" else raw
        clean = records.read_text(where, record, scrubbed_column) if scrubbed_column else raw
        labels = [numbers.setdefault(title, len(numbers)) for title in _read_titles(where, record, title_column)]
        if len(numbers) > MAX_TITLES:
            raise ValueError(f"{where}, column {title_column}: more than {MAX_TITLES} different titles")
        rows.append((labels, _read_gender(where, record), raw, defining_sets.remove_terms(clean, terms)))
    if not scrubbed_column:
        names = " or ".join(SCRUBBED)
        logging.info(
            "%s: no column %s: scrubbed texts are the raw texts without group words, but with names", path, names
        )
    order = sorted(numbers)
    place_of = {numbers[title]: number for number, title in enumerate(order)}
    rows = [([place_of[label] for label in labels], *rest) for labels, *rest in rows]
    return make_texts(str(path), ATTRIBUTE, GROUPS, order, rows, min_texts)


def _read_start(where: str, record: dict, length: int) -> int:
    """Return start_pos, the end of the first sentence, which names the title; 0 without that column."""
    start = str(record.get("start_pos", 0))
    if not (start.isascii() and start.isdigit()) or int(start) >= length:
        raise ValueError(f"{where}, column start_pos: expected a position from 0 to {length - 1}, got {start:.12}")
    return int(start)


def _read_titles(where: str, record: dict, column: str) -> list[str]:
    cell = record.get(column)
    cells = cell if isinstance(cell, list) else cell.split(";") if isinstance(cell, str) else [cell]
    titles = []
    for title in cells:
        if column == "profession" and str(title).isascii() and str(title).isdigit():
            if int(title) >= len(PROFESSIONS):
                limit = len(PROFESSIONS) - 1
                raise ValueError(f"{where}, column {column}: expected 0 to {limit}, or a name, got {title}")
            title = PROFESSIONS[int(title)]
        if not isinstance(title, str) or not title.strip():
            expected = f"expected titles as a list or separated by ;, got {records.describe(title)}"
            raise ValueError(f"{where}, column {column}: {expected}")
        titles.append(" ".join(title.lower().replace("_", " ").split())[:80])
    if not titles:
        raise ValueError(f"{where}, column {column}: expected one or more titles, got an empty list")
    return titles


def _read_gender(where: str, record: dict) -> int:
    cell = str(record.get("gender")).strip()
    if cell.lower() not in GENDERS:
        expected = "M, F, male, female, 0 (male), 1 (female)"
        raise ValueError(f"{where}, column gender: expected one of: {expected}; got {cell[:12]!r}")
    return GENDERS[cell.lower()]
