"""BIOS: biographies with titles and gender, from a user's file.

Records are those of De-Arteaga et al. (2019), of the supervised subset with several titles, or of the version with
hard_text and profession. Texts about people are neither logged nor in messages.
"""

import logging
from collections.abc import Mapping
from functools import partial
from itertools import chain
from pathlib import Path

import pandas as pd

from biassay.studies.downstream import records
from biassay.studies.downstream.texts import Texts, find_groups, make_texts
from biassay.words import defining_sets

ATTRIBUTE, GROUPS = "gender", ["male", "female"]
RAW, SCRUBBED, TITLES = ("raw", "hard_text"), ("scrubbed", "bio"), ("titles", "title", "profession")
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
    """Read biographies from a file in any format of `records.read`.

    Columns: raw (from start_pos on, if present) or hard_text; optionally scrubbed or bio, the text without words that
    reveal gender; titles, title or profession: a list, titles separated by ";", or the number of one of PROFESSIONS;
    gender: M or F, male or female, 0 (male) or 1 (female). Scrubbed texts are those of the file, or else the raw texts,
    without the words of the groups. Classes with fewer than `min_texts` texts are dropped, and so are texts of group
    words only. Raises ValueError, naming file, row and column, for an invalid value.
    """
    terms = defining_sets.compile_pattern(chain(*find_groups(defining, ATTRIBUTE, GROUPS).values()))
    rows = pd.concat([_read_rows(path, rows) for rows in records.read(path)])
    if rows["scrubbed"].isna().any():
        logging.info("%s: no scrubbed or bio: scrubbed texts are the raw ones without group words, with names", path)
    rows["scrubbed"] = [defining_sets.remove_terms(text, terms) for text in rows["scrubbed"].fillna(rows["raw"])]
    rows = rows[[any(map(str.isalnum, text)) for text in rows["scrubbed"]]]  # others have no words for a vector
    classes = sorted(set(chain(*rows["classes"])))
    if len(classes) > MAX_TITLES:
        raise ValueError(f"{path}: expected at most {MAX_TITLES} different titles, got {len(classes)}")
    return make_texts(str(path), ATTRIBUTE, GROUPS, classes, rows, min_texts)


def _read_rows(path: str | Path, rows: pd.DataFrame) -> pd.DataFrame:
    raw_column, title_column, gender_column = (
        records.find_column(path, rows, names) for names in (RAW, TITLES, ("gender",))
    )
    raw = records.read_texts(path, rows[raw_column])
    if raw_column == "raw" and "start_pos" in rows:  # the end of the first sentence, which names the title
        starts = rows["start_pos"].fillna(0).map(str)
        is_valid = [s.isascii() and s.isdigit() and int(s) < len(text) for s, text in zip(starts, raw, strict=True)]
        records.check(path, rows["start_pos"], is_valid, "a position in the text")
        raw = [text[int(start) :].strip() for text, start in zip(raw, starts, strict=True)]
    scrubbed_column = next((name for name in SCRUBBED if name in rows), None)
    numbers = {str(number): name for number, name in enumerate(PROFESSIONS) if title_column == "profession"}
    titles = rows[title_column].map(partial(_split_titles, numbers=numbers))
    expected = f"titles as a list or separated by ;, or a profession's number up to {len(PROFESSIONS) - 1}"
    records.check(path, rows[title_column], titles.notna(), expected)
    genders = rows[gender_column].map(lambda cell: GENDERS.get(str(cell).strip().lower()))
    records.check(path, rows[gender_column], genders.notna(), "M, F, male, female, 0 (male) or 1 (female)")
    scrubbed = records.read_texts(path, rows[scrubbed_column]) if scrubbed_column else None
    return pd.DataFrame({"classes": titles, "group": genders, "raw": raw, "scrubbed": scrubbed})


def _split_titles(cell: object, numbers: Mapping[str, str]) -> list[str] | None:
    """Return the normalised titles of a cell, names of `numbers` among them; None if they are invalid."""
    cells = cell if isinstance(cell, list) else cell.split(";") if isinstance(cell, str) else [cell]
    titles = [numbers.get(str(title), title) for title in cells]
    if not titles or any(not isinstance(title, str) or not title.strip() or title.isdigit() for title in titles):
        return None
    if titles[0].lstrip().startswith("["):  # a list that a CSV has as text
        return None
    return [" ".join(title.lower().replace("_", " ").split())[:80] for title in titles]
