"""Vectors of an audited source: the words of the tests, random words, and frequency ranks."""

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from biassay.auditing.questions import Question
from biassay.vectors import readers
from biassay.words import files, resources

DENSITY = 800.0  # random rows read per factor of e in their rank, approximately
SENTENCES = ("This is {}.", "That was {}.", "Here is {}.", "They talked about {}.")
RANDOM_WORDS = 600  # for a language model
WORD = re.compile(r"[a-z]{3,}")
REPORTED_BY_AUDIT = (" words are missing: ", " duplicate words, ")  # parts of readers' warnings
IN_ORDER = 0.97  # share of neighbouring words in alphabetical order that frequency order never reaches


@dataclass(frozen=True)
class SourceVectors:
    """Vectors of one source.

    Attributes
    ----------
    name : name of the source in the results.
    path : file, folder or hub id that was read.
    kind : "vectors" or "model".
    rows : array (t, d) by spelling; t is the number of sentences per word, 1 for word vectors.
    ranks : position in the source by spelling, from 1; None if the position says nothing about frequency.
    pool : random words.
    n_words : size of the source's vocabulary, None if unknown.
    notes : warnings of the reader.
    random_picks : cache of random words, shared by all metrics so that they get the same ones.
    """

    name: str
    path: str
    kind: str
    rows: dict[str, np.ndarray]
    ranks: dict[str, int] | None
    pool: list[str]
    n_words: int | None
    notes: list[str] = field(default_factory=list)
    random_picks: dict = field(default_factory=dict)

    @property
    def n_dimensions(self) -> int:
        """Number of dimensions of the vectors."""
        return next(iter(self.rows.values())).shape[-1]

    def find_spelling(self, word: str) -> str | None:
        """Return the word as written or in lower case, whichever has a vector; None if neither has."""
        return next((spelling for spelling in (word, word.lower()) if spelling in self.rows), None)

    def stack(self, words: list[str]) -> np.ndarray:
        """Return the vectors of spellings: (n, t, d)."""
        return np.stack([self.rows[word] for word in words])


def read(
    path: str, questions: Iterable[Question], *, name: str, seed: int, allow_pickle: bool = False
) -> SourceVectors:
    """Read the words of the tests, and random words, from a source.

    Parameters
    ----------
    path : a file or folder of vectors; the folder of a transformers model, or "hf:" and a hub id, whose words are
        put into SENTENCES; or "hf-inputs:" and either, for a model's input embeddings.

    Raises
    ------
    ValueError
        Names the source if it cannot be read or has none of the words.
    """
    wanted = list(dict.fromkeys(word for question in questions for word in question.words))
    spellings = list(dict.fromkeys([*wanted, *map(str.lower, wanted)]))
    path = locate(path)
    notes: list[str] = []
    with _collect_warnings(notes):
        read_kind = _read_model if path.startswith(readers.ENCODER) else _read_word_vectors
        rows, ranks, pool, n_words = read_kind(path, spellings, seed, allow_pickle)
    if not set(rows) & set(spellings):
        raise ValueError(f"{path}: has none of the {len(wanted)} words of the tests, such as {wanted[0]!r}")
    kind = "vectors" if not path.startswith("hf") else "model"
    return SourceVectors(name, path, kind, rows, ranks, pool, n_words, notes)


def locate(path: str) -> str:
    """Return a source as `readers` takes it: the folder of a transformers model gets the prefix "hf:".

    Raises ValueError for a path that does not exist.
    """
    text = str(path)
    if text.startswith((readers.ENCODER, readers.INPUTS)):
        return text
    path = Path(text)
    if not path.exists():
        raise ValueError(f"{text}: no such file or folder; for a model of the hub give {readers.ENCODER}{text}")
    is_model = path.is_dir() and (path / "config.json").is_file() and not (path / "embedding.json").is_file()
    return readers.ENCODER + text if is_model else text


def _read_word_vectors(path: str, wanted: list[str], seed: int, allow_pickle: bool) -> tuple:
    """Return rows, ranks, pool and vocabulary size of a source with one vector per word."""
    sample = readers.read_sample(path, wanted, density=DENSITY, seed=seed, allow_pickle=allow_pickle)
    rows = {word: row[None] for word, row in zip(sample.words, sample.vectors, strict=True) if row.any()}
    candidates = [word for word in sample.words if word in rows and WORD.fullmatch(word)]
    pool = sorted(set(candidates) - set(wanted))
    ranks = None
    if sample.row_numbers is not None:
        positions = dict(zip(sample.words, (sample.row_numbers + 1).tolist(), strict=True))
        ranks = positions if not _is_alphabetical(sorted(pool, key=positions.get)) else None
    return rows, ranks, pool, sample.n_rows


def _read_model(path: str, wanted: list[str], seed: int, allow_pickle: bool) -> tuple:
    """Return the same for a model: every word in all sentences, and random words of the shipped domains."""
    domains = files.read_yaml(resources.shipped_path("words") / "domains.yaml")["domains"]
    candidates = {word for lists in domains.values() for kind in ("nouns", "adjectives") for word in lists[kind]}
    others = [word for word in sorted(candidates) if word not in set(wanted)]
    pool = sorted(np.random.default_rng(seed).permutation(others)[:RANDOM_WORDS].tolist())
    words = [*wanted, *pool]
    texts = [sentence.format(word) for word in words for sentence in SENTENCES]
    read_texts, vectors = readers.read_vectors(path, texts, allow_pickle=allow_pickle)
    row_numbers = {text: number for number, text in enumerate(read_texts)}
    rows = {}
    for word in words:
        numbers = [row_numbers.get(sentence.format(word)) for sentence in SENTENCES]
        if None not in numbers:
            rows[word] = vectors[numbers]
    return rows, None, [word for word in pool if word in rows], None


def _is_alphabetical(words: list[str]) -> bool:
    """Whether words, in the order of the source, are in alphabetical order."""
    return len(words) > 20 and np.mean([a < b for a, b in pairwise(words)]) >= IN_ORDER


@contextmanager
def _collect_warnings(notes: list[str]) -> Iterator[None]:
    """Collect warnings of readers, except those about missing and duplicate words, which the audit handles itself."""

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if not any(reported in message for reported in REPORTED_BY_AUDIT):
                notes.append(message)

    log, collector = logging.getLogger("biassay.vectors"), Collector(logging.WARNING)
    before = log.propagate
    log.addHandler(collector)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(collector)
        log.propagate = before
