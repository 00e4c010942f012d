"""Folders of embeddings and of counts that are broken or do not fit together: one error each, which names the file."""

import numpy as np
import pytest
import scipy.sparse

from biassay.vectors.embedding import Embedding
from biassay.vectors.readers import read_vectors
from tests.full_disk import full_disk

WORDS = ["a", "b", "c"]
MATRIX = scipy.sparse.csr_array(np.array([[0, 1, 2], [0, 0, 0], [3, 0, 4.0]], np.float32))


def rows(*values):
    return np.array(values, np.float32)


def int32(*values):
    return np.array(values, np.int32)


def put(path, content):
    """Write a file of a folder: an array, text, or nothing."""
    if content is None:
        path.unlink()
    elif isinstance(content, str):
        path.write_text(content)
    else:
        np.save(path, content)


SPARSE_FAULTS = [
    ("indices.npy", int32(1, 2, 0, 3), "expected columns from 0 to 2, got 3"),
    ("indices.npy", int32(1, 2, 0), r"data\.npy: is float32 of shape \(4,\); expected floats or integers, 3"),
    ("indptr.npy", int32(0, 2, 1, 4), "expected row pointers from 0 to 4"),
    ("data.npy", rows(1, np.nan, 3, 4), "has values that are not finite"),
    ("words.txt", "a\nb\n", r"indptr\.npy: is int32 of shape \(4,\); expected integers, 3"),
    ("norms.npy", rows(1, 2), r"is float32 of shape \(2,\); expected floats, 3"),
    ("embedding.json", "{", "broken description of an embedding"),
    ("embedding.json", '{"link": ["product"]}', r"link: unknown value \['product'\]; expected one of"),
]
DENSE_FAULTS = [
    ("vectors.npy", np.ones((2, 2), np.float32), r"is float32 of shape \(2, 2\); expected floats, 3 × any"),
    ("vectors.npy", rows([1, 2], [3, np.nan], [5, 6]), "has values that are not finite"),
    ("contexts.npy", np.ones((3, 3), np.float32), r"is float32 of shape \(3, 3\); expected floats, 3 × 2"),
    ("contexts.npy", None, "embedding.json: the link 'product' needs context vectors"),
]


@pytest.mark.parametrize(
    ("is_sparse", "name", "content", "message"),
    [(True, *fault) for fault in SPARSE_FAULTS] + [(False, *fault) for fault in DENSE_FAULTS],
)
def test_damaged_folders_are_named(tmp_path, is_sparse, name, content, message):
    dense = Embedding(WORDS, np.ones((3, 2)), np.ones((3, 2)), "product", np.ones(3))
    (Embedding(WORDS, MATRIX, link="product") if is_sparse else dense).save(tmp_path)
    put(tmp_path / name, content)
    with pytest.raises(ValueError, match=message) as raised:
        Embedding.open(tmp_path)
    assert str(raised.value).startswith(str(tmp_path))
    with pytest.raises(ValueError, match=message):
        read_vectors(tmp_path, ["b"])


def test_what_was_saved_comes_back(tmp_path):
    vectors, contexts = rows([1, 2], [3, 4], [5, 6]), rows([6, 5], [4, 3], [2, 1])
    Embedding(WORDS, vectors, contexts, "sigmoid", rows(7, 8, 9)).save(tmp_path)
    found = Embedding.open(tmp_path)
    assert isinstance(found.vectors, np.memmap)
    assert (found.vectors.tolist(), found.contexts.tolist()) == (vectors.tolist(), contexts.tolist())
    assert (found.words, found.link, found.norms.tolist()) == (WORDS, "sigmoid", [7, 8, 9])
    Embedding(WORDS, MATRIX, link="product").save(tmp_path)  # nothing of the other is left
    found = Embedding.open(tmp_path)
    assert found.vectors.toarray().tolist() == MATRIX.toarray().tolist()
    assert (found.contexts, found.norms) == (None, None)


@pytest.mark.parametrize(
    ("embedding", "message"),
    [
        (Embedding(["a", "new york", "c"], MATRIX), "the word 'new york' is empty or has white space"),
        (Embedding(WORDS, rows([1], [2], [np.nan])), "vectors are not finite"),
        (Embedding(WORDS, rows([1], [2], [3]), rows([1], [np.inf], [1])), "contexts are not finite"),
    ],
)
def test_an_embedding_that_would_not_come_back_leaves_the_former_one(tmp_path, embedding, message):
    Embedding(WORDS, MATRIX, link="product").save(tmp_path)
    with pytest.raises(ValueError, match=message):
        embedding.save(tmp_path)
    assert Embedding.open(tmp_path).vectors.toarray().tolist() == MATRIX.toarray().tolist()


@pytest.mark.parametrize("after", [2, 130, 143])
def test_a_full_disk_leaves_no_embedding(tmp_path, after):
    for vectors in (MATRIX, np.ones((3, 50), np.float32)):
        with pytest.raises(OSError, match=f"File too large: '{tmp_path}/"), full_disk(after):
            Embedding(WORDS, vectors).save(tmp_path)
        assert list(tmp_path.iterdir()) == []


def test_the_first_of_equal_words_counts():
    repeated = Embedding(["a", "b", "a"], rows([1, 2], [3, 4], [5, 6]))
    assert repeated.rows(["a"]).tolist() == [[1, 2]]
