"""Every embedding algorithm: what it returns, its repeatability, its way to disk and back."""

import sys
import types

import numpy as np
import pytest

from biassay.core import options as declarations
from biassay.core import registry
from biassay.corpora.corpus import END, Corpus
from biassay.counts import cooccurrence
from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import LINKS, Embedding

FAMILIES = registry.names("embeddings")


class _StandIn:
    """Stands for the glove-python-binary package's class, which needs Python 3.8."""

    def __init__(self, no_components, learning_rate, alpha, max_count, random_state):
        self.size, self.random = no_components, np.random.default_rng(random_state)

    def fit(self, matrix, epochs, no_threads):
        self.word_vectors = self.random.random((matrix.shape[0], self.size))


@pytest.fixture(autouse=True)
def glove_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "glove", types.SimpleNamespace(Glove=_StandIn))


def train(algorithm, folder, **options):
    random = np.random.default_rng(1)
    tokens = np.concatenate([[*(random.zipf(1.5, 12) % 60), END] for _ in range(400)]).astype(np.int32)
    counts = np.bincount(tokens[tokens != END], minlength=60)
    order = np.argsort(-counts)
    tokens = np.where(tokens == END, END, np.argsort(order)[tokens]).astype(np.int32)
    used = int((counts > 0).sum())
    corpus = Corpus(tokens, [f"word{i}" for i in range(used)], counts[order][:used])
    plugin = registry.load("embeddings", algorithm)
    small = (
        {"dimensions": 8}
        if "dimensions" in declarations.read_options(registry.find("embeddings", algorithm), "train")
        else {}
    )
    if plugin.INPUT == "tokens":
        return plugin.train(corpus, **small, **options)
    return plugin.train(corpus.words, cooccurrence.count(corpus, folder), **small, **options)


@pytest.mark.parametrize("algorithm", FAMILIES)
def test_results_are_repeatable_and_return_from_disk(algorithm, tmp_path):
    first, second = (explicit_vectors.add_norms(train(algorithm, tmp_path, seed=5)) for _ in range(2))
    first.save(tmp_path / "saved")
    opened = Embedding.open(tmp_path / "saved")
    assert first.vectors.dtype == np.float32
    assert first.link in LINKS or (algorithm == "glove_python" and first.link is None)
    if first.is_sparse or first.link is None:
        assert first.contexts is None
    else:
        assert first.vectors.shape == first.contexts.shape == (len(first.words), 8)
    for other in (second, opened):
        assert (other.words, other.link) == (first.words, first.link)
        assert (other.rows(other.words) == first.rows(first.words)).all()
        for name in ("norms", "biases"):
            values, expected = getattr(other, name), getattr(first, name)
            assert (values is None and expected is None) or (values == expected).all()


def test_a_missing_package_is_named_with_its_environment(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "glove", None)
    with pytest.raises(ValueError, match=r"glove-python-binary is missing.*envs/glove_python\.yaml"):
        train("glove_python", tmp_path)
