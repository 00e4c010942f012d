"""The vectors of an audit: wanted words, random words, and how frequent they are, from any source."""

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

DENSITY = 800.0  # random rows: about so many for every factor of e in their rank
SENTENCES = ("This is {}.", "That was {}.", "Here is {}.", "They talked about {}.")
RANDOM_WORDS = 600  # of a model of transformers
WORD = re.compile(r"[a-z]{3,}")
IN_ORDER = 0.97  # share of neighbouring words in alphabetical order that no order by frequency reaches


@dataclass(frozen=True)
class Material:
    """Vectors of one source.

    rows: by spelling (t, d), of t sentences a word, or 1. ranks: by spelling the place in the source, from 1, None
    where that says nothing of frequency. pool: random words. total: how many words the source has, None if it is not
    known. notes: what was noticed when reading. kept: random words drawn for lists, which all metrics share.
    """

    name: str
    source: str
    kind: str
    rows: dict[str, np.ndarray]
    ranks: dict[str, int] | None
    pool: list[str]
    total: int | None
    notes: list[str] = field(default_factory=list)
    kept: dict = field(default_factory=dict)

    @property
    def dimensions(self) -> int:
        """d of the vectors."""
        return next(iter(self.rows.values())).shape[-1]

    def spelling(self, word: str) -> str | None:
        """A word as the source has it: as it is written, else in lower case; None if it has neither."""
        return next((spelt for spelt in (word, word.lower()) if spelt in self.rows), None)

    def stacked(self, words: list[str]) -> np.ndarray:
        """Vectors of spellings: (n, t, d)."""
        return np.stack([self.rows[word] for word in words])


def read(source: str, questions: Iterable[Question], *, name: str, seed: int, allow_pickle: bool = False) -> Material:
    """Read what questions need of a source: a file or folder of vectors, a folder of a model of transformers, or hf:
    and a hub id, whose words stand in the SENTENCES; hf-inputs: for a model's input embeddings.

    Raises ValueError, naming the source, for what cannot be read and where no word of any question is found.
    """
    wanted = list(dict.fromkeys(word for question in questions for word in question.words))
    spellings = list(dict.fromkeys([*wanted, *map(str.lower, wanted)]))
    source = located(source)
    notes: list[str] = []
    with _noted(notes):
        if source.startswith(readers.ENCODER):
            found = _of_model(source, spellings, seed, allow_pickle)
        else:
            found = _of_words(source, spellings, seed, allow_pickle)
    if not set(found[0]) & set(spellings):
        raise ValueError(f"{source}: has none of the {len(wanted)} words of the tests, such as {wanted[0]!r}")
    kind = "vectors" if not source.startswith("hf") else "model"
    return Material(name, source, kind, *found, notes)


def located(source: str) -> str:
    """A source as `readers` takes it: a folder of a model of transformers gets the prefix hf:.

    Raises ValueError for a path that is not there.
    """
    text = str(source)
    if text.startswith((readers.ENCODER, readers.INPUTS)):
        return text
    path = Path(text)
    if not path.exists():
        raise ValueError(
            f"{text}: there is no such file or folder; for a model of the hub give {readers.ENCODER}{text}"
        )
    model = path.is_dir() and (path / "config.json").is_file() and not (path / "embedding.json").is_file()
    return readers.ENCODER + text if model else text


def _of_words(source: str, wanted: list[str], seed: int, allow_pickle: bool) -> tuple:
    """Rows, ranks, pool and total of a source with a vector a word."""
    found = readers.read_sample(source, wanted, density=DENSITY, seed=seed, allow_pickle=allow_pickle)
    rows = {word: row[None] for word, row in zip(found.words, found.vectors, strict=True) if row.any()}
    drawn = [word for word in found.words if word in rows and WORD.fullmatch(word)]
    pool = sorted(set(drawn) - set(wanted))
    ranks = None
    if found.rows is not None:
        places = dict(zip(found.words, (found.rows + 1).tolist(), strict=True))
        ranks = places if not _alphabetical(sorted(pool, key=places.get)) else None
    return rows, ranks, pool, found.total


def _of_model(source: str, wanted: list[str], seed: int, allow_pickle: bool) -> tuple:
    """The same of a model: every word in all sentences, and random words of the shipped domains."""
    domains = files.read_yaml(resources.shipped_path("words") / "domains.yaml")["domains"]
    known = sorted({word for lists in domains.values() for kind in ("nouns", "adjectives") for word in lists[kind]})
    others = [word for word in known if word not in set(wanted)]
    pool = sorted(np.random.default_rng(seed).permutation(others)[:RANDOM_WORDS].tolist())
    words = [*wanted, *pool]
    texts = [sentence.format(word) for word in words for sentence in SENTENCES]
    read_texts, vectors = readers.read_vectors(source, texts, allow_pickle=allow_pickle)
    place = {text: number for number, text in enumerate(read_texts)}
    rows = {}
    for word in words:
        numbers = [place.get(sentence.format(word)) for sentence in SENTENCES]
        if None not in numbers:
            rows[word] = vectors[numbers]
    return rows, None, [word for word in pool if word in rows], None


def _alphabetical(words: list[str]) -> bool:
    """Whether words, in the order of the source, are in alphabetical order."""
    return len(words) > 20 and np.mean([a < b for a, b in pairwise(words)]) >= IN_ORDER


@contextmanager
def _noted(notes: list[str]) -> Iterator[None]:
    """Keep what readers warn of, but that words are lacking, which the audit tells itself."""

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if " lacks " not in record.getMessage() and "stood there before" not in record.getMessage():
                notes.append(record.getMessage())

    log, keeper = logging.getLogger("biassay.vectors"), Keeper(logging.WARNING)
    before = log.propagate
    log.addHandler(keeper)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(keeper)
        log.propagate = before
