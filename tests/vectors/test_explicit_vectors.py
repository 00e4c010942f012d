"""Explicit vectors, against whole matrices."""

import numpy as np
import pytest
import scipy.sparse

from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import Embedding

RANDOM = np.random.default_rng(3)
WORDS = [f"w{i}" for i in range(700)]
VECTORS, CONTEXTS = (RANDOM.standard_normal((700, 20)).astype(np.float32) for _ in range(2))


@pytest.mark.parametrize("link", ["sigmoid", "product"])
def test_values_and_norms_equal_those_of_the_whole_matrix(link, monkeypatch):
    monkeypatch.setattr(explicit_vectors, "TILE", 256 * 100)
    whole = VECTORS.astype(float) @ CONTEXTS.astype(float).T
    whole = 1 / (1 + np.exp(-whole)) if link == "sigmoid" else whole
    embedding = explicit_vectors.add_norms(Embedding(WORDS, VECTORS, CONTEXTS, link))
    np.testing.assert_allclose(embedding.norms, np.linalg.norm(whole, axis=1), rtol=1e-5)
    values = explicit_vectors.explicit_values(embedding, embedding.rows(["w3", "w699"]), ["w5", "w0"])
    np.testing.assert_allclose(values, whole[[3, 699]][:, [5, 0]], rtol=1e-4, atol=1e-6)


def test_sparse_rows_are_explicit_already():
    matrix = scipy.sparse.csr_array(np.array([[0, 3.0, 4], [0, 0, 0], [1, 0, 0]], np.float32))
    embedding = explicit_vectors.add_norms(Embedding(["a", "b", "c"], matrix, link="product"))
    assert embedding.norms.tolist() == [5, 0, 1]
    assert explicit_vectors.explicit_values(embedding, embedding.rows(["a"]), ["c", "b"]).tolist() == [[4, 3]]


def test_extremes_and_an_embedding_without_contexts():
    assert explicit_vectors.sigmoid(np.array([-1000, 0, 1000], np.float32)).tolist() == [0, 0.5, 1]
    assert explicit_vectors.add_norms(Embedding(WORDS, VECTORS)).norms is None
