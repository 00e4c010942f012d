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


def shard(folder, matrix, **changes):
    folder.mkdir()
    storage.save(scipy.sparse.csr_array(matrix), folder)
    for name, content in changes.items():
        np.save(folder / f"{name}.npy", content)
    return folder


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": np.array([1, 0, 2])}, r"data\.npy: expected counts ≥ 1"),
        ({"data": np.array([1, -2, 2])}, r"data\.npy: expected counts ≥ 1"),
        ({"data": np.array([1.0, 1, 2])}, r"data\.npy: is float64 of shape \(3,\); expected integers, 3"),
        ({"indices": int32(1, 0, 1)}, r"indices\.npy: expected columns that increase"),
        ({"indices": int32(1, 1, 1)}, r"indices\.npy: expected columns that increase"),
        ({"indices": int32(0, 7, 1)}, r"indices\.npy: .* from 0 to 1, got 7"),
        ({"indptr": int32(0, 3, 2)}, r"indptr\.npy: expected row pointers from 0 to 3"),
        ({"indptr": int32(0, 2, 2, 3)}, r"indptr\.npy: is int32 of shape \(4,\); expected integers, 3"),
    ],
)
@pytest.mark.parametrize("block", [1, 2, 100])
def test_shards_are_checked_before_they_are_merged(tmp_path, monkeypatch, changes, message, block):
    monkeypatch.setattr("biassay.core.arrays.BLOCK", block)
    good = shard(tmp_path / "good", np.array([[1, 2], [0, 3]]))
    bad = shard(tmp_path / "bad", np.array([[1, 2], [0, 3]]), **changes)
    with pytest.raises(ValueError, match=message) as raised:
        storage.check_shard(bad, storage.check_shard(good))
    assert str(raised.value).startswith(str(bad))
