"""Skip-gram with negative sampling (Mikolov et al. 2013), trained by gensim, with word and context vectors."""

import logging
from itertools import count
from typing import Annotated

import numpy as np

from biassay.corpora.corpus import Corpus
from biassay.vectors.embedding import Embedding

INPUT = "tokens"
HAS_CONTEXTS = True


class _Sentences:
    """The sentences of a corpus, for several passes."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus

    def __iter__(self):
        return self.corpus.sentences()


def train(
    corpus: Corpus,
    *,
    dimensions: Annotated[int, "1 <= x <= 10000"] = 300,
    window: Annotated[int, "1 <= x <= 1000"] = 5,
    epochs: Annotated[int, "1 <= x <= 10000"] = 5,
    negative: Annotated[int, "1 <= x <= 1000"] = 5,
    sample: Annotated[float, "0 <= x < 1"] = 1e-3,
    learning_rate: Annotated[float, "0 < x <= 10"] = 0.025,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
    threads: Annotated[int, "1 <= x <= 1024"] = 1,
) -> Embedding:
    """Train skip-gram, with gensim's defaults except for the dimensions. One thread makes the result reproducible."""
    from gensim.models import Word2Vec  # biassay lists its algorithms without gensim
    from gensim.models.callbacks import CallbackAny2Vec

    numbers, log_epochs = count(1), CallbackAny2Vec()
    log_epochs.on_epoch_end = lambda model: logging.info("epoch %d of %d done", next(numbers), epochs)
    model = Word2Vec(
        sg=1,
        hs=0,
        vector_size=dimensions,
        window=window,
        negative=negative,
        sample=sample,
        alpha=learning_rate,
        min_count=1,
        workers=threads,
        seed=seed,
        sorted_vocab=0,
    )
    model.build_vocab_from_freq(dict(enumerate(corpus.counts.tolist())))
    model.train(
        _Sentences(corpus),
        total_words=int(corpus.counts.sum()),
        epochs=epochs,
        callbacks=[log_epochs],
        report_delay=1e9,
    )
    return Embedding(corpus.words, np.asarray(model.wv.vectors), np.asarray(model.syn1neg), link="sigmoid")
