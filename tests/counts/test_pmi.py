"""PMI, worked by hand."""

import numpy as np
import pytest
import scipy.sparse

from biassay.counts import pmi as module
from biassay.counts.pmi import pmi


def test_pmi_by_hand():
    # p(a, b) = 4/12, p(a) = p(b) = 5/12, p(c) = 2/12, p(a, c) = 1/12; the last word has no context
    counts = scipy.sparse.csr_array(np.array([[0.0, 4, 1, 0], [4, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]))
    ab, ac = np.log((4 / 12) / (5 / 12) ** 2), np.log((1 / 12) / (5 / 12 * 2 / 12))
    expected = [[0, ab, ac, 0], [ab, 0, ac, 0], [ac, ac, 0, 0], [0] * 4]
    np.testing.assert_allclose(pmi(counts, smoothing=1).toarray(), expected, rtol=1e-5)
    shifted = pmi(counts, smoothing=1, shift=1.5, positive=True)
    np.testing.assert_allclose(shifted.toarray(), np.maximum(expected - np.log(1.5), 0), rtol=1e-4)
    assert (shifted.data > 0).all()
    # smoothing raises the share of a rare context
    share = 2**0.75 / (2 * 5**0.75 + 2**0.75)
    assert pmi(counts).toarray()[0, 2] == pytest.approx(np.log((1 / 12) / (5 / 12 * share)), rel=1e-4)
    alone = scipy.sparse.csr_array(np.ones((1, 1)))  # log 1 = 0 without any rounding
    assert (pmi(alone, positive=True).nnz, pmi(alone).nnz) == (0, 1)


def test_rows_are_words_and_columns_contexts_whatever_the_block(monkeypatch):
    counts = np.array([[0.0, 4, 1, 0], [3, 0, 0, 2], [0, 1, 5, 1], [7, 0, 0, 1]])
    smoothed = counts.sum(axis=0) ** 0.6
    with np.errstate(divide="ignore"):
        expected = np.log(counts / counts.sum(axis=1)[:, None] / (smoothed / smoothed.sum())) - np.log(3)
    for rows in (1, 2, 3, 1000):
        monkeypatch.setattr(module, "ROWS", rows)
        found = pmi(scipy.sparse.csr_array(counts), smoothing=0.6, shift=3).toarray()
        np.testing.assert_allclose(found, np.where(counts > 0, expected, 0), rtol=1e-5)
