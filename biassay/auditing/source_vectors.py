"""Vectors of an audited source, random words and frequency ranks, and the words of a test that it has."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from biassay.auditing import languages
from biassay.auditing.languages import ENGLISH, Language
from biassay.auditing.questions import SIDES, Question
from biassay.vectors import readers
from biassay.vectors.encoders import sources
from biassay.vectors.encoders.encoder import Encoder
from biassay.vectors.formats.rows import is_alphabetical

DENSITY = 4000.0  # random rows read per factor of e in their rank, approximately; all rows up to this rank
RANDOM_WORDS = 600  # for an encoder
REPORTED_BY_AUDIT = (" words are missing: ", " duplicate words, ")  # parts of readers' warnings
EQUAL = 1e-4  # relative distance of vectors of the same tokens, which differ by rounding
MIN_WORDS = 4  # of each list, for a test that the user did not name
MIN_SHARE = 0.5  # of each list, likewise


@dataclass(frozen=True)
class SourceVectors:
    """Vectors of one source of a kind: "vectors" of words, or "model" for words in sentences.

    rows: arrays (t, d) by spelling; t is the number of sentences per word, 1 for word vectors. ranks: positions in the
    source, from 1; None if they say nothing about frequency. pool: random words. notes: the reader's warnings.
    variants: rows of the tests' words, by the name of another way to encode them. bare: for words in sentences, the
    vectors of the bare words. model: the LanguageModel behind them, if any.
    """

    name: str
    path: str
    kind: str
    rows: dict[str, np.ndarray]
    ranks: dict[str, int] | None
    pool: list[str]
    n_words: int | None
    notes: list[str] = field(default_factory=list)
    variants: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    bare: "SourceVectors | None" = None
    model: Any = None

    @property
    def n_dimensions(self) -> int:
        """Number of dimensions of the vectors."""
        return next(iter(self.rows.values())).shape[-1]

    def find_spelling(self, word: str) -> str | None:
        """Return the word as written or in lower case, whichever has a vector; None if neither has.

        In lower case if both have the same vector, as in a model without upper case.
        """
        if word not in self.rows or word.lower() not in self.rows:
            return next((spelling for spelling in (word, word.lower()) if spelling in self.rows), None)
        written, lower = self.rows[word], self.rows[word.lower()]
        return word.lower() if np.linalg.norm(written - lower) <= EQUAL * np.linalg.norm(lower) else word

    def stack(self, words: list[str]) -> np.ndarray:
        """Return the vectors of spellings: (n, t, d)."""
        return np.stack([self.rows[word] for word in words])


@dataclass(frozen=True)
class UsedList:
    """A list of a test: n_asked words, the spellings that the source has, and missing words.

    A word that is spelled as an earlier one is missing too, and in paired groups one whose partner is. median_rank: NaN
    without ranks.
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
    def n_asked(self) -> int:
        """Number of words of all lists, with missing ones."""
        return sum(one.n_asked for one in self.lists)

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
             "missing_words": " ".join(one.missing), "sensitive": not sensitive.isdisjoint(one.missing)}
            for one in self.lists
        ])  # fmt: skip


def find_words(question: Question, source: SourceVectors) -> UsedWords:
    """Find the words of a test that a source has.

    A word that is spelled as an earlier one of its list is missing; a word of paired groups, also if its partner is.
    """
    used = []
    for side in SIDES:
        lists = getattr(question, side)
        spellings = {name: [source.find_spelling(word) for word in words] for name, words in lists.items()}
        if side == "groups" and question.paired:
            spellings = dict(zip(lists, zip(*_select_pairs(spellings.values()), strict=True), strict=True))
        for name, words in lists.items():
            found = list(dict.fromkeys(spelling for spelling in spellings[name] if spelling))
            missing = [word for n, word in enumerate(words) if spellings[name][n] in (None, *spellings[name][:n])]
            has_ranks = source.ranks is not None and found
            median_rank = float(np.median([source.ranks[word] for word in found])) if has_ranks else np.nan
            used.append(UsedList(side, name, len(words), found, missing, median_rank))
    return UsedWords(question, used)


def _select_pairs(spellings: Iterable[list[str | None]]) -> list[tuple[str | None, ...]]:
    """Return the i-th words of all lists; None for those of which one is missing or repeats a word of its list."""
    pairs, used = [], set()
    for pair in zip(*spellings, strict=True):
        words = set(enumerate(pair))  # each with the number of its list
        is_kept = None not in pair and used.isdisjoint(words)
        pairs.append(pair if is_kept else (None,) * len(pair))
        used |= words if is_kept else set()
    return pairs


def read(
    source: object, words: list[str], *, name: str, seed: int, prompt: str | None = None, pooling: str | None = None,
    allow_pickle: bool = False, language: str = ENGLISH,
) -> SourceVectors:  # fmt: skip
    """Read words, and random words, from a source; raises ValueError if it has none of the words.

    An encoder with context gives each word in sentences, and bare, with spaces for its underscores; another encoder
    gives the bare words.
    """
    address = sources.locate(source) if isinstance(source, str | Path) else sources.address_of(source)
    loaded = languages.load(language)
    with _collect_warnings() as notes:
        encoder = sources.find(source, prompt=prompt, pooling=pooling, allow_pickle=allow_pickle)
        if encoder is None:
            spellings = list(dict.fromkeys([*words, *map(str.lower, words)]))
            parts = _read_word_vectors(address, spellings, seed, allow_pickle, loaded)
            read = SourceVectors(name, address, "vectors", *parts)
        else:
            read = _encode_words(encoder, words, name, address, seed, loaded)
    read.notes.extend(notes)
    if not any(read.find_spelling(word) for word in words):
        raise ValueError(f"{address}: has none of the {len(words)} words of the tests, such as {words[0]!r}")
    return read


def _read_word_vectors(path: str, wanted: list[str], seed: int, allow_pickle: bool, language: Language) -> tuple:
    """Return rows, ranks, pool and vocabulary size of a source with one vector per word."""
    sample = readers.read_sample(
        path, wanted, density=DENSITY, seed=seed, allow_pickle=allow_pickle, language=language.code
    )
    rows = {word: row[None] for word, row in zip(sample.words, sample.vectors, strict=True) if row.any()}
    pool = sorted({word for word in sample.words if word in rows and language.is_random_word(word)} - set(wanted))
    ranks = None
    if sample.row_numbers is not None:
        positions = dict(zip(sample.words, (sample.row_numbers + 1).tolist(), strict=True))
        ranks = positions if not is_alphabetical(sorted(pool, key=positions.get)) else None
    return rows, ranks, pool, sample.n_rows


def _encode_words(
    encoder: Encoder, words: list[str], name: str, address: str, seed: int, language: Language
) -> SourceVectors:
    """Encode words, and random words of the language, bare and in sentences: every text once."""
    others = sorted(set(language.random_words) - {*words, *map(str.lower, words)})
    pool = sorted(np.random.default_rng(seed).permutation(others)[:RANDOM_WORDS].tolist())
    forms = ("{}", *language.sentences) if encoder.has_context else ("{}",)

    def texts_of(word: str) -> list[str]:
        return [form.format(encoder.text_of(word)) for form in forms]

    def is_known(word: str) -> bool:
        return all(map(encoder.is_known, texts_of(word)))

    def encode(words: list[str], variant: str | None = None) -> dict[str, np.ndarray]:
        vectors = encoder([text for word in words for text in texts_of(word)], variant)
        rows = zip(words, vectors.reshape(len(words), len(forms), -1), strict=True)
        return {word: of_forms for word, of_forms in rows if of_forms.any(axis=1).all()}

    known = {word: next(filter(is_known, (word, word.lower())), None) for word in words}
    wanted = list(dict.fromkeys(filter(None, known.values())))
    if not wanted:
        raise ValueError(f"{address}: knows none of the {len(words)} words of the tests, such as {words[0]!r}")
    rows = encode([*wanted, *filter(is_known, pool)])
    variants = {variant: encode([word for word in wanted if word in rows], variant) for variant in encoder.variants}
    pool = [word for word in pool if word in rows]

    def take(rows: dict[str, np.ndarray], part: slice) -> dict[str, np.ndarray]:
        return {word: of_forms[part] for word, of_forms in rows.items()}

    def form(kind: str, part: slice, **options: object) -> SourceVectors:
        of_variants = {variant: take(of_words, part) for variant, of_words in variants.items()}
        options["variants"] = options.get("variants", {}) | of_variants
        return SourceVectors(name, address, kind, take(rows, part), None, pool, None, **options)

    bare = form("vectors", slice(1))
    if not encoder.has_context:
        return bare
    templates = {
        f"sentence {sentence}": take({word: rows[word] for word in wanted if word in rows}, slice(number, number + 1))
        for number, sentence in enumerate(language.sentences, 1)
    }
    return form("model", slice(1, None), variants=templates, bare=bare, model=encoder.model)


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
