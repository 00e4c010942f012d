"""Logistic regression: the equations of its optimum, for one set of vectors and for growing sets."""

import numpy as np
import pytest
from scipy.special import expit

from biassay.statistics import logistic
from biassay.statistics.growth import grow
from biassay.statistics.logistic import fit_growing


def gradient_at(vectors, labels, c, weights, intercept):
    """Derivatives of ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))) with respect to w and b."""
    errors = c * (expit(vectors @ weights + intercept) - labels)
    return np.append(weights + errors @ vectors, errors.sum())


def words(seed, n, d, length=1.0):
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((n, d)) * length
    labels = (vectors[:, 0] + length * random.standard_normal(n) > 0).astype(int)
    labels[:2] = 0, 1
    return vectors, labels


@pytest.mark.parametrize("c", [0.01, 1.0, 300.0])
@pytest.mark.parametrize("shape", [(2, 1), (30, 4), (5, 5), (4, 5), (6, 40)])
def test_the_gradient_is_0_at_the_optimum(shape, c):
    for length in (0.1, 3.0):
        vectors, labels = words(1, *shape, length)
        weights, intercept = logistic.fit(vectors, labels, c)
        np.testing.assert_allclose(gradient_at(vectors, labels, c, weights, intercept), 0, atol=1e-13 * (1 + c))


def test_two_words_by_hand():
    # of x = ±1 at c: w = 2c/(1 + e^w), b = 0; at c = (1 + e)/2 is w = 1; 7 to the right is b = −7
    c = (1 + np.e) / 2
    for shift in (0.0, 7.0):
        weights, intercept = logistic.fit(np.array([[1.0], [-1]]) + shift, np.array([1, 0]), c)
        assert (weights[0], intercept) == (pytest.approx(1), pytest.approx(-shift, abs=1e-9))
    weights, _ = logistic.fit(np.array([[1.0, 0, 0], [-1, 0, 0]]), [False, True], c)
    np.testing.assert_allclose(weights, [-1, 0, 0], atol=1e-12)
    # x = 0 has no weight: b = log(3/1)
    weights, intercept = logistic.fit(np.zeros((4, 1)), [1, 1, 0, 1])
    assert (weights[0], intercept) == (0, pytest.approx(np.log(3)))


@pytest.mark.parametrize(("seed", "c"), [(100, 1e3), (128, 1e5), (235, 1e4)])
def test_steps_that_go_too_far_are_halved(seed, c):
    """Words of very different lengths and hardly any penalty: whole Newton steps would raise the loss."""
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((8, 2)) * 10.0 ** random.uniform(-2, 3, (8, 1))
    labels = random.permutation(8) % 2
    weights, intercept = logistic.fit(vectors, labels, c)
    np.testing.assert_allclose(gradient_at(vectors, labels, c, weights, intercept), 0, atol=1e-7 * c)


def test_labels_that_are_all_the_same():
    with pytest.raises(ValueError, match="both labels 0 and 1"):
        logistic.fit(np.eye(3), np.ones(3))


@pytest.mark.parametrize(("c", "length", "d"), [(1.0, 1.0, 4), (0.05, 5.0, 4), (20.0, 0.3, 3), (1.0, 2.0, 30)])
def test_growing_sets_have_the_optimum_of_each(c, length, d):
    """Within a tolerance: a logit of a word of mean length is hardly farther from its optimum."""
    vectors, labels = words(5, 40, d, length)
    growth = grow([int((labels == label).sum()) for label in (0, 1)], 6, 4, [1])
    shuffles = [np.flatnonzero(labels == label)[order] for label, order in enumerate(growth.shuffles)]
    mean_length, worst = np.linalg.norm(vectors, axis=1).mean(), {}
    for tolerance in (0.3, 1e-3):
        worst[tolerance] = 0.0
        for sizes, fit in zip(
            growth.sizes, fit_growing(vectors, labels, shuffles, growth.sizes, c=c, tolerance=tolerance), strict=True
        ):
            assert fit.weights.shape == (4, d)
            for shuffle in range(4):
                rows = np.concatenate([order[shuffle, :n] for order, n in zip(shuffles, sizes, strict=True)])
                weights, intercept = logistic.fit(vectors[rows], labels[rows], c)
                far = np.append((fit.weights[shuffle] - weights) * mean_length, fit.intercepts[shuffle] - intercept)
                worst[tolerance] = max(worst[tolerance], np.linalg.norm(far))
    assert worst[1e-3] < 5e-3 < worst[0.3] < 1.5


def test_added_words_change_the_gradient_as_if_it_were_computed_anew():
    vectors, labels = words(7, 30, 5)
    problem, everyone = logistic._Problem(vectors, labels, 3, 2.0), np.arange(3)
    solution = np.random.default_rng(7).standard_normal((3, 6)).astype(np.float32)
    gradient = problem.gradient(solution, everyone)
    gradient += problem.add(np.arange(27).reshape(3, 9), solution)
    np.testing.assert_allclose(gradient, problem.gradient(solution, everyone), rtol=1e-5, atol=1e-5)


def test_long_vectors_do_not_overflow():
    vectors, labels = np.array([[300.0], [-300], [1], [-1], [0.5]]), np.array([1, 0, 1, 0, 0])
    shuffles = [np.array([[1, 3, 4]]), np.array([[0, 2]])]
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        (fit,) = fit_growing(vectors, labels, shuffles, np.array([[3, 2]]), c=50.0)
    weights, intercept = logistic.fit(vectors, labels, 50.0)
    assert fit.weights[0, 0] == pytest.approx(weights[0], rel=0.01)
    assert fit.intercepts[0] == pytest.approx(intercept, rel=0.02)


@pytest.mark.parametrize(
    ("shape", "n_drawn", "c"),
    [((30, 4), 30, 1.0), ((12, 20), 12, 5.0), ((60, 5), 10, 1.0), ((60, 40), 10, 1.0), ((60, 40), 50, 20.0)],
)
@pytest.mark.parametrize("max_steps", [15, 2])
def test_samples_have_the_fit_of_each_alone(monkeypatch, shape, n_drawn, c, max_steps):
    """Repeated rows, fewer rows than dimensions, samples of other rows, and samples that do not converge."""
    monkeypatch.setattr(logistic, "MAX_STEPS", max_steps)
    monkeypatch.setattr(logistic, "MAX_GRAM", 300)  # several blocks
    random = np.random.default_rng(1)
    vectors, labels = random.standard_normal(shape) + 0.5, np.arange(shape[0]) % 3 == 0
    samples = random.integers(shape[0], size=(7, n_drawn))
    samples[:, :2] = 0, 1  # of both labels
    fits = logistic.fit_samples(vectors, labels, samples, c)
    for sample, weights, intercept in zip(samples, fits.weights, fits.intercepts, strict=True):
        expected, expected_intercept = logistic.fit(vectors[sample], labels[sample], c)
        np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-4)
        assert intercept == pytest.approx(expected_intercept, abs=1e-4)


@pytest.mark.parametrize("shape", [(40, 5), (12, 20)])
@pytest.mark.parametrize("max_steps", [15, 2])
def test_rows_of_labels_have_the_fit_of_each_alone(monkeypatch, shape, max_steps):
    """More and fewer vectors than dimensions, and fits that do not converge at once."""
    monkeypatch.setattr(logistic, "MAX_STEPS", max_steps)
    random = np.random.default_rng(2)
    vectors = random.standard_normal(shape)
    labels = np.stack([random.permutation(np.arange(shape[0]) % 3 == 0) for _ in range(6)])
    fits = logistic.fit_labels(vectors, labels, 3.0)
    for row, weights, intercept in zip(labels, fits.weights, fits.intercepts, strict=True):
        expected, expected_intercept = logistic.fit(vectors, row, 3.0)
        np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-4)
        assert intercept == pytest.approx(expected_intercept, abs=1e-4)


def test_a_mean_far_larger_than_the_differences_does_not_matter():
    vectors, labels = words(3, 60, 8)
    rows = np.array([labels, np.random.default_rng(4).permutation(labels)])
    near, far = (logistic.fit_labels(vectors + offset, rows) for offset in (0.0, 1e4))
    np.testing.assert_allclose(far.weights, near.weights, atol=1e-3)
    np.testing.assert_allclose(far.intercepts + far.weights.sum(axis=1) * 1e4, near.intercepts, atol=1e-3)
