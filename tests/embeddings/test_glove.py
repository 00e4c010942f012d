"""GloVe's descent, against a plain loop and on counts whose factors are known."""

import numpy as np
import pytest
import scipy.sparse

from biassay.core import registry
from biassay.embeddings import _glove_kernel as glove

FAMILY = registry.load("embeddings", "glove")
RANDOM = np.random.default_rng(4)


def planted(size=60, rank=3):
    """Counts whose logarithms are of low rank, biases included, all above x_max, and these logarithms."""
    left, right = RANDOM.standard_normal((2, size, rank))
    logs = left @ right.T + RANDOM.standard_normal((size, 1)) + RANDOM.standard_normal(size) + 15
    return scipy.sparse.csr_array(np.exp(logs)), logs


def counted(size=40):
    """Sparse counts of words, some above and some below x_max."""
    values = RANDOM.zipf(1.3, (size, size)).clip(1, 10**6)
    return scipy.sparse.csr_array(np.where(RANDOM.random((size, size)) < 0.5, values, 0.0))


def plain_descent(model, rows, columns, counts, order, rate, x_max, alpha):
    """One step a pair, as one would write it first."""
    parts = [part.astype(float) for part in model]
    cost = 0
    for i in order:
        word, context = slice(rows[i], rows[i] + 1), slice(columns[i], columns[i] + 1)
        v, u, b, c, *squares = (part[at] for part, at in zip(parts, (word, context) * 4, strict=True))
        difference = (v * u).sum() + b + c - np.log(counts[i])
        weighted = min(1, (counts[i] / x_max) ** alpha) * difference
        cost += 0.5 * (weighted * difference).item()
        steps = rate * weighted * u, rate * weighted * v, weighted, weighted
        for values, sums, step in zip((v, u, b, c), squares, steps, strict=True):
            values -= step / np.sqrt(sums)
            sums += step**2
    return cost, parts


def test_steps_are_those_of_a_plain_loop():
    matrix = counted(5).tocoo()
    rows, columns = (part.astype(np.int32) for part in matrix.coords)
    order = RANDOM.permutation(np.tile(np.arange(matrix.nnz, dtype=np.int32), 4))
    model = glove.start(5, 7, seed=1)
    cost, expected = plain_descent(model, rows, columns, matrix.data, order, 0.05, 10, 0.75)
    weights = np.minimum(1, (matrix.data / 10) ** 0.75).astype(np.float32)
    logs = np.log(matrix.data).astype(np.float32)
    assert glove.descend(model, rows, columns, logs, weights, order, np.float32(0.05)) == pytest.approx(cost, rel=1e-4)
    for found, wanted in zip(model, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-5)


def test_a_model_begins_as_stanfords():
    model = glove.start(2000, 9, seed=5)
    random = np.random.default_rng(5)
    for values, shape in zip(model[:4], [(2000, 9), (2000, 9), (2000,), (2000,)], strict=True):
        np.testing.assert_allclose(values, (random.random(shape, np.float32) - 0.5) / 10, rtol=1e-6)  # by d + 1
        assert values.dtype == np.float32
    assert all((squares == 1).all() for squares in model[4:])


def test_training_is_its_epochs():
    matrix, words = counted(), [f"w{i}" for i in range(40)]
    options = {"x_max": 30.0, "alpha": 0.5, "seed": 7, "threads": 1}
    trained = FAMILY.train(words, matrix, dimensions=4, epochs=3, learning_rate=0.03, **options)
    model = glove.start(40, 4, seed=7)
    for number in (1, 2, 3):
        mean = glove.epoch(model, matrix, number=number, rate=0.03, **options)
        assert 0 < mean < np.log(10**6) ** 2 / 2  # the largest logarithm, where the model begins near 0
    assert (trained.vectors == model.vectors).all()
    assert (trained.contexts == model.contexts).all()
    assert (trained.link, trained.words) == ("product", words)


def test_planted_factors_are_recovered():
    matrix, logs = planted()
    model = glove.start(60, 3, seed=1)
    for number in range(1, 401):
        glove.epoch(model, matrix, number=number, x_max=100, alpha=0.75, rate=0.05, seed=1, threads=1)
    found = model.vectors @ model.contexts.T + model.word_biases[:, None] + model.context_biases
    assert np.abs(found - logs).mean() < 0.05


def test_a_training_that_diverges_and_empty_counts_are_errors():
    with pytest.raises(ValueError, match=r"glove: the training diverged .* lower learning_rate \(1e\+18\)"):
        FAMILY.train(["a"] * 40, counted(), dimensions=4, learning_rate=1e18)
    with pytest.raises(ValueError, match="glove: the counts of the 3 words are empty"):
        FAMILY.train(["a", "b", "c"], scipy.sparse.csr_array((3, 3)))


def test_init_glove_is_the_probability_of_a_word_beside_a_context():
    matrix = counted()
    embedding = registry.load("embeddings", "init_glove").train([f"w{i}" for i in range(40)], matrix)
    np.testing.assert_allclose(embedding.vectors.toarray(), matrix.toarray() / matrix.sum(axis=0), rtol=1e-6)
