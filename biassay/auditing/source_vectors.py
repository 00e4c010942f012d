"""Vectors of an audited source, random words and frequency ranks, and the words of a test that it has."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.auditing.questions import SIDES, Question
from biassay.vectors import readers
from biassay.words import files, resources

DENSITY = 800.0  # random rows read per factor of e in their rank, approximately
SENTENCES = ("This is {}.", "That was {}.", "Here is {}.", "They talked about {}.")
RANDOM_WORDS = 600  # for a language model
WORD = re.compile(r"[a-z]{3,}")
REPORTED_BY_AUDIT = (" words are missing: ", " duplicate words, ")  # parts of readers' warnings
MIN_WORDS = 4  # of each list, for a test that the user did not name
MIN_SHARE = 0.5  # of each list, likewise
IN_ORDER = 0.97  # share of neighbouring words in alphabetical order that frequency order never reaches


@dataclass(frozen=True)
class SourceVectors:
    """Vectors of one source of a kind, "vectors" or "model".

    rows: arrays (t, d) by spelling; t is the number of sentences per word, 1 for word vectors. ranks: positions in the
    source, from 1; None if they say nothing about frequency. pool: random words. notes: the reader's warnings.
    random_picks: random words, shared by all metrics.
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


@dataclass(frozen=True)
class UsedList:
    """A list of a test: n_asked words, the spellings that the source has, and missing words.

    A word of paired groups whose partner has no vector is missing too. median_rank: NaN without ranks.
    """

    side: str
    name: str
    n_asked: int
    words: list[str]
    missing: list[str]
    median_rank: float


@dataclass(frozen=True)
class UsedWords:
    """The lists of a test, with the words that a source has."""

    question: Question
    lists: list[UsedList]

    def side(self, side: str) -> dict[str, list[str]]:
        """Return the spellings of the lists of a side by name."""
        return {one.name: one.words for one in self.lists if one.side == side}

    @property
    def groups(self) -> dict[str, list[str]]:
        return self.side("groups")

    @property
    def targets(self) -> dict[str, list[str]]:
        return self.side("targets")

    @property
    def n_words(self) -> int:
        """Number of words of all lists."""
        return sum(len(one.words) for one in self.lists)

    @property
    def has_two_words(self) -> bool:
        """Whether each list has the two words that any metric needs."""
        return all(len(one.words) >= 2 for one in self.lists)

    @property
    def has_enough_words(self) -> bool:
        """Whether each list has enough words to run the test by default."""
        return all(len(one.words) >= max(MIN_WORDS, MIN_SHARE * one.n_asked) for one in self.lists)

    def table(self, source: str) -> pd.DataFrame:
        """Return one row per list: number of words, used and missing words, and the median rank."""
        sensitive = self.question.sensitive
        return pd.DataFrame([
            {"source": source, "test": self.question.name, "side": one.side, "list": one.name, "n_words": one.n_asked,
             "n_used": len(one.words), "n_missing": len(one.missing), "median_rank": one.median_rank,
             "missing_words": " ".join(one.missing), "sensitive": not sensitive.isdisjoint(one.missing)} for one in self.lists
        ])  # fmt: skip


def find_words(question: Question, source: SourceVectors) -> UsedWords:
    """Find the words of a test that a source has; a word of paired groups is dropped if its partner is missing."""
    used = []
    for side in SIDES:
        lists = getattr(question, side)
        spellings = {name: [source.find_spelling(word) for word in words] for name, words in lists.items()}
        if side == "groups" and question.paired:
            pairs = [pair if None not in pair else [None] * len(pair) for pair in zip(*spellings.values(), strict=True)]
            spellings = dict(zip(lists, zip(*pairs, strict=True), strict=True))
        for name, words in lists.items():
            found = list(dict.fromkeys(spelling for spelling in spellings[name] if spelling))
            missing = [word for word, spelling in zip(words, spellings[name], strict=True) if not spelling]
            has_ranks = source.ranks is not None and found
            median_rank = float(np.median([source.ranks[word] for word in found])) if has_ranks else np.nan
            used.append(UsedList(side, name, len(words), found, missing, median_rank))
    return UsedWords(question, used)


def read(path: str, words: list[str], *, name: str, seed: int, allow_pickle: bool = False) -> SourceVectors:
    """Read words, and random words, from a source; raises ValueError if it has none of the words.

    A model ("hf:" and a folder or a hub id) gives each word in SENTENCES; "hf-inputs:" reads its input embeddings.
    """
    spellings = list(dict.fromkeys([*words, *map(str.lower, words)]))
    path = locate(path)
    with _collect_warnings() as notes:
        read_kind = _read_model if path.startswith(readers.ENCODER) else _read_word_vectors
        rows, ranks, pool, n_words = read_kind(path, spellings, seed, allow_pickle)
    if not set(rows) & set(spellings):
        raise ValueError(f"{path}: has none of the {len(words)} words of the tests, such as {words[0]!r}")
    kind = "model" if path.startswith((readers.ENCODER, readers.INPUTS)) else "vectors"
    return SourceVectors(name, path, kind, rows, ranks, pool, n_words, notes)


def locate(path: str) -> str:
    """Return a source as `readers` takes it: the folder of a transformers model gets the prefix "hf:"."""
    text = str(path)
    if text.startswith((readers.ENCODER, readers.INPUTS)):
        return text
    path = Path(text)
    if not path.exists():
        raise ValueError(f"{text}: no such file or folder; for a model of the hub give {readers.ENCODER}{text}")
    is_model = (path / "config.json").is_file() and not (path / "embedding.json").is_file()
    return readers.ENCODER + text if is_model else text


def _read_word_vectors(path: str, wanted: list[str], seed: int, allow_pickle: bool) -> tuple:
    """Return rows, ranks, pool and vocabulary size of a source with one vector per word."""
    sample = readers.read_sample(path, wanted, density=DENSITY, seed=seed, allow_pickle=allow_pickle)
    rows = {word: row[None] for word, row in zip(sample.words, sample.vectors, strict=True) if row.any()}
    pool = sorted({word for word in sample.words if word in rows and WORD.fullmatch(word)} - set(wanted))
    ranks = None
    if sample.row_numbers is not None:
        positions = dict(zip(sample.words, (sample.row_numbers + 1).tolist(), strict=True))
        ranks = positions if not _is_alphabetical(sorted(pool, key=positions.get)) else None
    return rows, ranks, pool, sample.n_rows


def _read_model(path: str, wanted: list[str], seed: int, allow_pickle: bool) -> tuple:
    """Return the same for a model: every word in all sentences, and random words of the shipped domains."""
    domains = files.read_yaml(resources.shipped_path("words") / "domains.yaml")["domains"]
    candidates = {word for lists in domains.values() for kind in ("nouns", "adjectives") for word in lists[kind]}
    others = sorted(candidates - set(wanted))
    pool = sorted(np.random.default_rng(seed).permutation(others)[:RANDOM_WORDS].tolist())
    texts = {word: [sentence.format(word) for sentence in SENTENCES] for word in [*wanted, *pool]}
    sentences = [text for word_texts in texts.values() for text in word_texts]
    read_texts, vectors = readers.read_vectors(path, sentences, allow_pickle=allow_pickle)
    vector_of = dict(zip(read_texts, vectors, strict=True))
    rows = {
        word: np.stack([vector_of[text] for text in word_texts])
        for word, word_texts in texts.items()
        if all(text in vector_of for text in word_texts)
    }
    return rows, None, [word for word in pool if word in rows], None


def _is_alphabetical(words: list[str]) -> bool:
    """Whether words, in the order of the source, are in alphabetical order."""
    return len(words) > 20 and np.mean([a < b for a, b in pairwise(words)]) >= IN_ORDER


@contextmanager
def _collect_warnings() -> Iterator[list[str]]:
    """Collect warnings of readers, except those about missing and duplicate words, which the audit handles itself."""
    notes: list[str] = []
    collector = logging.Handler(logging.WARNING)
    collector.emit = lambda record: notes.append(record.getMessage())
    log = logging.getLogger("biassay.vectors")
    before, log.propagate = log.propagate, False
    log.addHandler(collector)
    try:
        yield notes
    finally:
        log.removeHandler(collector)
        log.propagate = before
        notes[:] = [note for note in notes if not any(reported in note for reported in REPORTED_BY_AUDIT)]
