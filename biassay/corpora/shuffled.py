"""Shuffled corpora: the words of a text in random order, so that co-occurrence has no meaning and frequencies stay."""

import json
from pathlib import Path

import numpy as np

from biassay.core import arrays, guard
from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus


def shuffle(source: str | Path, folder: str | Path, *, seed: int | list[int]) -> None:
    """Write an encoded corpus with its words in random order over the whole text.

    Sentences keep their lengths, and words their counts and ids. Memory holds the tokens twice.
    """
    corpus, out = Corpus.open(source), Path(folder)
    with guard.reading(Path(source) / "summary.json", "summary of a corpus"):
        summary = json.loads((Path(source) / "summary.json").read_text("utf-8"))
    tokens = np.array(corpus.tokens, dtype=np.int32)
    words = tokens[is_word := tokens != END]
    np.random.default_rng(seed).shuffle(words)
    tokens[is_word] = words
    arrays.save(out / "tokens.npy", tokens)
    corpora.write_vocabulary(out, corpus.words, corpus.counts, summary)
