"""Shuffled corpora: the words of a text in random order, so that co-occurrence has no meaning and frequencies stay."""

from pathlib import Path

import numpy as np

from biassay.core import arrays
from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus


def shuffle(source: str | Path, folder: str | Path, *, seed: int | list[int]) -> None:
    """Write an encoded corpus with its words in random order over the whole text.

    Sentences keep their lengths, and words their counts and ids. Memory holds the tokens twice.
    """
    corpus, summary, out = Corpus.open(source), corpora.read_summary(source), Path(folder)
    tokens = np.array(corpus.tokens, dtype=np.int32)
    words = tokens[is_word := tokens != END]
    np.random.default_rng(seed).shuffle(words)
    tokens[is_word] = words
    arrays.save(out / "tokens.npy", tokens)
    corpora.write_vocabulary(out, corpus.words, corpus.counts, summary)
