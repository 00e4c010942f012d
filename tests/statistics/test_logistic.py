"""Logistic regression: the equations of its optimum, by itself and for sets that grow together."""

import numpy as np
import pytest
from scipy.special import expit

from biassay.statistics import logistic, logistic_growth
from biassay.statistics.growth import grow
from biassay.statistics.logistic_growth import fit_growing


def slopes(vectors, labels, c, weights, intercept):
    """Derivatives of ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))) with respect to w and b, summed word by word."""
    of_weights, of_intercept = np.array(weights, float), 0.0
    for x, label in zip(vectors, labels, strict=True):
        y = 1 if label == 1 else -1
        push = -c * y * expit(-y * (weights @ x + intercept))
        of_weights = of_weights + push * x
        of_intercept += push
    return np.append(of_weights, of_intercept)


def words(seed, n, d, length=1.0):
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((n, d)) * length
    labels = (vectors[:, 0] + length * random.standard_normal(n) > 0).astype(int)
    labels[:2] = 0, 1
    return vectors, labels


@pytest.mark.parametrize("c", [0.01, 1.0, 300.0])
@pytest.mark.parametrize("shape", [(2, 1), (30, 4), (5, 5), (4, 5), (6, 40), (2, 3)])
def test_both_derivatives_vanish_at_the_optimum_but_for_rounding(shape, c):
    for length in (0.1, 3.0):
        vectors, labels = words(1, *shape, length)
        weights, intercept = logistic.fit(vectors, labels, c)
        assert weights.shape == shape[1:]
        assert isinstance(intercept, float)
        np.testing.assert_allclose(slopes(vectors, labels, c, weights, intercept), 0, atol=1e-14 * (1 + c))


def test_by_hand_of_two_words():
    # of x = ±1 at c: w = 2c/(1 + e^w), b = 0; at c = (1 + e)/2 is w = 1; 7 to the right is b = −7
    c = (1 + np.e) / 2
    for shift in (0.0, 7.0):
        weights, intercept = logistic.fit(np.array([[1.0], [-1]]) + shift, np.array([1, 0]), c)
        assert (weights[0], intercept) == (pytest.approx(1), pytest.approx(-shift, abs=1e-9))
    weights, _ = logistic.fit(np.array([[1.0, 0, 0], [-1, 0, 0]]), [False, True], c)
    np.testing.assert_allclose(weights, [-1, 0, 0], atol=1e-12)
    # x = 0 says nothing: b = log(3/1)
    weights, intercept = logistic.fit(np.zeros((4, 1)), [1, 1, 0, 1])
    assert (weights[0], intercept) == (0, pytest.approx(np.log(3)))


@pytest.mark.parametrize(("seed", "c"), [(100, 1e3), (128, 1e5), (235, 1e4), (269, 1e5)])
def test_steps_that_go_too_far_are_halved(seed, c):
    """Words of very different lengths and hardly any penalty: whole Newton steps would raise the loss."""
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((8, 2)) * 10.0 ** random.uniform(-2, 3, (8, 1))
    labels = random.permutation(8) % 2
    weights, intercept = logistic.fit(vectors, labels, c)
    np.testing.assert_allclose(slopes(vectors, labels, c, weights, intercept), 0, atol=1e-7 * c)


@pytest.mark.parametrize("label", [0, 1])
def test_labels_that_are_all_the_same(label):
    with pytest.raises(ValueError, match="both labels 0 and 1"):
        logistic.fit(np.eye(3), np.full(3, label))


def test_too_few_steps_are_an_error():
    vectors, labels = words(1, 30, 4)
    rows, penalty = np.hstack([vectors, np.ones((30, 1))]), np.array([1.0, 1, 1, 1, 0])
    with pytest.raises(ValueError, match="not at the optimum after 2 Newton steps"):
        logistic._newton(rows, labels == 1, penalty, 1.0, steps=2)
    found = logistic._newton(rows, labels == 1, penalty, 1.0, steps=9)
    np.testing.assert_array_equal(found, np.append(*logistic.fit(vectors, labels)))


def subsets(labels, growth):
    """Orders of the words of each label, and a function that gives the words of a subset."""
    shuffles = [np.flatnonzero(labels == label)[order] for label, order in enumerate(growth.shuffles)]

    def rows(shuffle, step):
        return np.concatenate([order[shuffle, :n] for order, n in zip(shuffles, growth.sizes[step], strict=True)])

    return shuffles, rows


@pytest.mark.parametrize(("c", "length", "d"), [(1.0, 1.0, 4), (0.05, 5.0, 4), (20.0, 0.3, 3), (1.0, 2.0, 30)])
def test_growing_sets_have_the_optimum_of_each_and_say_how_near_they_are(c, length, d):
    vectors, labels = words(5, 40, d, length)
    growth = grow([int((labels == label).sum()) for label in (0, 1)], 6, 4, [1])
    shuffles, rows = subsets(labels, growth)
    fits = list(fit_growing(vectors, labels, shuffles, growth.sizes, c=c, tolerance=1e-4))
    assert len(fits) == len(growth.sizes)
    for step, fit in enumerate(fits):
        assert fit.weights.shape == (4, d)
        for shuffle in range(4):
            part = rows(shuffle, step)
            weights, intercept = logistic.fit(vectors[part], labels[part], c)
            np.testing.assert_allclose(
                vectors @ fit.weights[shuffle] + fit.intercepts[shuffle],
                vectors @ weights + intercept,
                atol=1e-3 * (1 + np.abs(vectors @ weights + intercept).max()),
            )
            left = slopes(vectors[part], labels[part], c, fit.weights[shuffle], fit.intercepts[shuffle])
            assert fit.gradients[shuffle] == pytest.approx(np.linalg.norm(left), rel=0.02, abs=2e-4 * c)


def test_a_tolerance_is_kept():
    """No logit of a word of mean length is farther from its optimum than about so much."""
    vectors, labels = words(6, 60, 5, 2.0)
    growth = grow([int((labels == label).sum()) for label in (0, 1)], 10, 3, [2])
    shuffles, rows = subsets(labels, growth)
    mean_length = np.linalg.norm(vectors, axis=1).mean()
    worst = {}
    for tolerance in (0.3, 1e-3, 1e-5):
        worst[tolerance] = 0.0
        for step, fit in enumerate(fit_growing(vectors, labels, shuffles, growth.sizes, tolerance=tolerance)):
            for shuffle in range(3):
                part = rows(shuffle, step)
                weights, intercept = logistic.fit(vectors[part], labels[part])
                far = np.append((fit.weights[shuffle] - weights) * mean_length, fit.intercepts[shuffle] - intercept)
                worst[tolerance] = max(worst[tolerance], np.linalg.norm(far))
    assert worst[1e-5] < 5e-5
    assert 1e-5 < worst[1e-3] < 3e-3
    assert 1e-2 < worst[0.3] < 0.9


def test_far_words_do_not_overflow():
    vectors, labels = np.array([[300.0], [-300], [1], [-1], [0.5]]), np.array([1, 0, 1, 0, 0])
    shuffles = [np.array([[1, 3, 4]]), np.array([[0, 2]])]
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        (fit,) = fit_growing(vectors, labels, shuffles, np.array([[3, 2]]), c=50.0)
    weights, intercept = logistic.fit(vectors, labels, 50.0)
    assert (fit.weights[0, 0], fit.intercepts[0]) == (
        pytest.approx(weights[0], rel=0.01),
        pytest.approx(intercept, 0.02),
    )


def test_an_optimum_that_is_not_reached_is_an_error():
    vectors, labels = words(5, 40, 4)
    problem = logistic_growth._Problem(vectors, labels, 2, 1.0)
    problem.add(np.tile(np.arange(40), (2, 1)))
    solver = logistic_growth._Solver(problem, 1e-6)
    with pytest.raises(ValueError, match="2 shuffles did not reach the optimum in 1 rounds"):
        solver.solve(rounds=1)


def test_the_preconditioner_is_the_inverse_of_the_mean_hessian():
    """At 0 every p is ½: c/4 of the words' squares, and the penalty but for the intercept."""
    vectors, labels = words(8, 6, 2)
    problem = logistic_growth._Problem(vectors, labels, 2, 3.0)
    problem.add(np.array([[0, 1, 2], [0, 3, 4]]))
    mean_length = np.linalg.norm(vectors, axis=1).mean()
    rows = np.hstack([vectors / mean_length, np.ones((6, 1))])
    share = np.diag([1, 0.5, 0.5, 0.5, 0.5, 0])  # of the two shuffles that took a word
    hessian = 3 / 4 * rows.T @ share @ rows + np.diag([1 / mean_length**2] * 2 + [0])
    found = problem.inverse(np.zeros((2, 3), np.float32))
    np.testing.assert_allclose(found, np.linalg.inv(hessian), rtol=1e-4)


def test_probabilities_are_those_of_the_logits():
    vectors, labels = words(8, 6, 2)
    problem = logistic_growth._Problem(vectors, labels, 1, 1.0)
    solution = np.array([[1.0, -2, 0.5]], np.float32)
    expected = expit(problem.rows @ solution[0])
    np.testing.assert_allclose(problem._probabilities(solution)[0], expected, rtol=1e-5)


def test_products_of_the_words_are_enough():
    """Few words of many dimensions and many of few: w = Σ a_i x_i, and a sums to 0."""
    for shape in ((12, 40), (30, 4)):
        vectors, labels = words(6, *shape)
        weights, intercept = logistic.fit(vectors, labels, 2.0)
        parts, same = logistic.fit_gram(vectors @ vectors.T, labels, 2.0)
        np.testing.assert_allclose(parts @ vectors, weights, atol=1e-10)
        assert same == pytest.approx(intercept, abs=1e-9)
        assert parts.sum() == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(parts, 2 * (labels - expit(vectors @ weights + intercept)), atol=1e-10)
    with pytest.raises(ValueError, match="not at the optimum after 1 Newton steps"):
        logistic.fit_gram(np.eye(2), np.array([0, 1]), steps=1)
