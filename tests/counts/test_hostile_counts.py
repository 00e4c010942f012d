"""Counts on disk that compiled code must not go through."""

import numpy as np
import pytest
import scipy.sparse

from biassay.counts import storage


def int32(*values):
    return np.array(values, np.int32)


def test_unsorted_columns_are_read(tmp_path):
    matrix = scipy.sparse.csr_array((np.float32([1, 2, 3]), int32(2, 0, 1), int32(0, 2, 2, 3)), shape=(3, 3))
    storage.save(matrix, tmp_path)
    assert storage.load(tmp_path).toarray().tolist() == [[2, 0, 1], [0, 0, 0], [0, 3, 0]]
    storage.save(scipy.sparse.csr_array((3, 3)), tmp_path)
    assert storage.load(tmp_path, 3).nnz == 0
    with pytest.raises(ValueError, match=r"indptr\.npy: is .*shape \(4,\); expected integers, 3"):
        storage.load(tmp_path, 2)
