"""PMI, worked by hand."""

import numpy as np
import pytest
import scipy.sparse

from biassay.counts import pmi as module
from biassay.counts.pmi import pmi
from biassay.embeddings import pmi_svd

COUNTS = scipy.sparse.csr_array(np.array([[0.0, 4, 1], [4, 0, 1], [1, 1, 0]]))


def test_pmi_without_smoothing():
    # p(a, b) = 4/12, p(a) = p(b) = 5/12, p(c) = 2/12, p(a, c) = 1/12
    values = pmi(COUNTS, smoothing=1).toarray()
    assert values[0, 1] == pytest.approx(np.log((4 / 12) / (5 / 12) ** 2))
    assert values[0, 2] == pytest.approx(np.log((1 / 12) / (5 / 12 * 2 / 12)))
    assert values[0, 0] == 0


def test_smoothing_raises_the_share_of_rare_contexts():
    share = 2**0.75 / (2 * 5**0.75 + 2**0.75)
    assert pmi(COUNTS).toarray()[0, 2] == pytest.approx(np.log((1 / 12) / (5 / 12 * share)), rel=1e-4)


def test_shift_and_positive_part():
    shifted = pmi(COUNTS, smoothing=1, shift=5).toarray()
    assert shifted[0, 1] == pytest.approx(np.log((4 / 12) / (5 / 12) ** 2) - np.log(5))
    positive = pmi(COUNTS, smoothing=1, shift=1.5, positive=True)
    expected = np.maximum(pmi(COUNTS, smoothing=1, shift=1.5).toarray(), 0)
    assert (positive.toarray() == expected).all()
    assert (positive.data > 0).all()


def test_rows_are_words_and_columns_contexts_whatever_the_block(monkeypatch):
    counts = np.array([[0.0, 4, 1, 0], [3, 0, 0, 2], [0, 1, 5, 1], [7, 0, 0, 1]])
    smoothed = counts.sum(axis=0) ** 0.6
    with np.errstate(divide="ignore"):
        expected = np.log(counts / counts.sum(axis=1)[:, None] / (smoothed / smoothed.sum())) - np.log(3)
    for rows in (1, 2, 3, 1000):
        monkeypatch.setattr(module, "ROWS", rows)
        found = pmi(scipy.sparse.csr_array(counts), smoothing=0.6, shift=3).toarray()
        np.testing.assert_allclose(found, np.where(counts > 0, expected, 0), rtol=1e-5)


def test_zero_is_not_positive():
    alone = scipy.sparse.csr_array(np.ones((1, 1)))  # log 1 = 0 without any rounding
    assert pmi(alone, positive=True).nnz == 0
    assert pmi(alone).nnz == 1


def test_a_word_without_contexts_has_an_empty_row():
    counts = scipy.sparse.csr_array(np.array([[0.0, 2, 0], [2, 0, 0], [0, 0, 0]]))
    assert np.isfinite(pmi(counts).toarray()).all()


def test_svd_reconstructs_the_matrix_it_factorises():
    random = np.random.default_rng(0)
    counts = random.poisson(3, (12, 12)).astype(float)
    counts = scipy.sparse.csr_array(counts + counts.T)
    words = [str(i) for i in range(12)]
    embedding = pmi_svd.train(words, counts, dimensions=11, smoothing=1)
    matrix = pmi(counts, smoothing=1).toarray()
    rest = np.linalg.svd(matrix)[1][-1]
    assert np.abs(embedding.vectors @ embedding.contexts.T - matrix).max() <= rest + 1e-4
    with pytest.raises(ValueError, match="12 dimensions"):
        pmi_svd.train(words, counts, dimensions=12)
