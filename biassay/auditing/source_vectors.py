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
class UsedWords:
    """Spellings of a test's words that a source has, by list.

    missing: by side and list, words without a vector or, in paired groups, without a partner.
    """

    question: Question
    groups: dict[str, list[str]]
    targets: dict[str, list[str]]
    missing: dict[tuple[str, str], list[str]]

    def lists(self, side: str) -> dict[str, list[str]]:
        """The lists of a side."""
        return self.groups if side == "groups" else self.targets

    @property
    def has_enough_words(self) -> bool:
        """Whether each list has enough words to run the test by default."""
        return all(
            len(words) >= max(MIN_WORDS, MIN_SHARE * len(getattr(self.question, side)[name]))
            for side in SIDES
            for name, words in self.lists(side).items()
        )

    @property
    def min_words(self) -> int:
        """Number of words of the shortest list."""
        return min(len(words) for side in SIDES for words in self.lists(side).values())

    def median_ranks(self, source: SourceVectors) -> dict[tuple[str, str], float]:
        """Return the median frequency rank of each list's words; nothing if the source has no ranks."""
        if source.ranks is None:
            return {}
        return {
            (side, name): float(np.median([source.ranks[word] for word in words]))
            for side in SIDES
            for name, words in self.lists(side).items()
            if words
        }

    def overlaps(self) -> list[tuple[str, str, list[str]]]:
        """Return pairs of lists that share words, with these words."""
        named = [(name, set(words)) for side in SIDES for name, words in self.lists(side).items()]
        pairs = [(a, b, sorted(x & y)) for i, (a, x) in enumerate(named) for b, y in named[i + 1 :]]
        return [pair for pair in pairs if pair[2]]

    def table(self, source: SourceVectors) -> pd.DataFrame:
        """Return one row per list: number of words, used and missing words, and the median rank."""
        ranks, rows = self.median_ranks(source), []
        for side in SIDES:
            for name, words in self.lists(side).items():
                missing = self.missing[side, name]
                rows.append(
                    {"source": source.name, "test": self.question.name, "side": side, "list": name,
                     "n_words": len(getattr(self.question, side)[name]), "n_used": len(words),
                     "n_missing": len(missing), "median_rank": ranks.get((side, name), np.nan),
                     "missing_words": " ".join(missing)}
                )  # fmt: skip
        return pd.DataFrame(rows)


def read(path: str, words: list[str], *, name: str, seed: int, allow_pickle: bool = False) -> SourceVectors:
    """Read words, and random words, from a source; raises ValueError if it has none of the words.

    A model ("hf:" and a folder or a hub id) gives each word in SENTENCES; "hf-inputs:" reads its input embeddings.
    """
    spellings = list(dict.fromkeys([*words, *map(str.lower, words)]))
    path = locate(path)
    notes: list[str] = []
    with _collect_warnings(notes):
        read_kind = _read_model if path.startswith(readers.ENCODER) else _read_word_vectors
        rows, ranks, pool, n_words = read_kind(path, spellings, seed, allow_pickle)
    if not set(rows) & set(spellings):
        raise ValueError(f"{path}: has none of the {len(words)} words of the tests, such as {words[0]!r}")
    kind = "vectors" if not path.startswith("hf") else "model"
    return SourceVectors(name, path, kind, rows, ranks, pool, n_words, notes)


def locate(path: str) -> str:
    """Return a source as `readers` takes it: the folder of a transformers model gets the prefix "hf:"."""
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


def find_words(question: Question, source: SourceVectors) -> UsedWords:
    """Find the words of a test that a source has; a word of paired groups is dropped if its partner is missing."""
    used, missing = {}, {}
    for side in SIDES:
        lists = getattr(question, side)
        spellings = {name: [source.find_spelling(word) for word in words] for name, words in lists.items()}
        if side == "groups" and question.paired:
            is_whole = [None not in pair for pair in zip(*spellings.values(), strict=True)]
            spellings = {
                name: [word if whole else None for word, whole in zip(words, is_whole, strict=True)]
                for name, words in spellings.items()
            }
        used[side] = {name: list(dict.fromkeys(word for word in words if word)) for name, words in spellings.items()}
        for name, words in lists.items():
            missing[side, name] = [word for word, spelling in zip(words, spellings[name], strict=True) if not spelling]
    return UsedWords(question, used["groups"], used["targets"], missing)
