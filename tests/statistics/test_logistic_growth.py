"""Parts of the solver for sets that grow: its estimate of the Hessian's inverse, its search, its warm start."""

import numpy as np
import pytest

from biassay.statistics import logistic, logistic_growth
from biassay.statistics.logistic_growth import MEMORY, fit_growing

N, D = 3, 4


def solver(n=N, d=D, m=30, c=2.0, tolerance=1e-4):
    """A solver of n shuffles, which have taken m/2 words each."""
    random = np.random.default_rng(1)
    vectors = random.standard_normal((m, d))
    labels = (vectors[:, 0] + random.standard_normal(m) > 0).astype(int)
    problem = logistic_growth._Problem(vectors, labels, n, c)
    problem.add(np.stack([random.permutation(m)[: m // 2] for _ in range(n)]))
    return logistic_growth._Solver(problem, tolerance)


@pytest.mark.parametrize("pairs", [0, 1, MEMORY - 1, MEMORY, MEMORY + 3])
def test_the_estimate_is_that_of_dense_bfgs_over_the_last_pairs(pairs):
    """H ← (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ, from the preconditioner on, for each shuffle by itself."""
    random = np.random.default_rng(pairs)
    found, width = solver(), D + 1
    root = random.standard_normal((width, width))
    found.inverse = (root @ root.T + np.eye(width)).astype(np.float32)
    dense = [[], [], []]
    for pair in range(pairs):
        moving = np.array([0, 2]) if pair % 3 else np.array([0, 1, 2])  # the second shuffle rests more often
        step = random.standard_normal((len(moving), width)).astype(np.float32)
        change = step * random.uniform(0.5, 2, width).astype(np.float32)  # s·y > 0
        found._store(step, change, moving)
        for shuffle, s, y in zip(moving, step, change, strict=True):
            dense[shuffle] = [*dense[shuffle], (s, y)][-MEMORY:]
    gradient = random.standard_normal((N, width)).astype(np.float32)
    for shuffle in range(N):
        h = found.inverse.astype(float)
        for s, y in dense[shuffle]:
            push = np.eye(width) - np.outer(s, y) / (s @ y)
            h = push @ h @ push.T + np.outer(s, s) / (s @ y)
        alone = found._newton(gradient[[shuffle]], np.array([shuffle]))[0]
        np.testing.assert_allclose(alone, h @ gradient[shuffle], rtol=2e-3, atol=2e-3 * np.abs(h).max())
        together = found._newton(gradient, np.arange(N))[shuffle]
        np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-4)


def test_a_pair_without_curvature_is_not_kept():
    found = solver()
    step = np.ones((2, D + 1), np.float32)
    change = np.ones((2, D + 1), np.float32)
    change[1] *= -1
    found._store(step, change, np.array([0, 2]))
    assert found._next.tolist() == [1, 0, 0]
    assert (found._scales != 0).sum() == 1
    # nearly at right angles: 4 · 1 − 3.9999999 is rounding
    change[0] = [1, 1, 1, 1, -4]
    found._store(step[:1], change[:1], np.array([1]))
    assert found._next.tolist() == [1, 0, 0]


def test_the_gradient_is_that_of_the_words_taken():
    found = solver()
    random = np.random.default_rng(2)
    solution = random.standard_normal((N, D + 1)).astype(np.float32)
    problem = found.problem
    for shuffles in ([0, 1, 2], [2], [1, 2]):
        gradient = problem.gradient(solution[shuffles], np.array(shuffles))
        for one, shuffle in zip(gradient, shuffles, strict=True):
            rows = np.flatnonzero(problem.is_member[shuffle])
            p = 1 / (1 + np.exp(-(problem.rows[rows] @ solution[shuffle])))
            expected = 2.0 * (p - problem.labels[rows]) @ problem.rows[rows] + problem.penalty * solution[shuffle]
            np.testing.assert_allclose(one, expected, rtol=1e-4, atol=1e-5)
    assert problem.is_member.sum(axis=1).tolist() == [15, 15, 15]
    assert problem.penalty[-1] == 0


@pytest.mark.parametrize("factor", [0.5, 1.0, 30.0, 3000.0])
def test_a_search_ends_where_the_slope_has_not_turned(factor):
    found, moving = solver(), np.arange(N)
    problem = found.problem
    found.inverse = problem.inverse(found.solution)
    gradient = problem.gradient(found.solution, moving)
    newton = -found._newton(gradient, moving)
    tried = (factor * newton).astype(np.float32)
    step, new = found._search(tried.copy(), gradient, moving)
    np.testing.assert_allclose(new, problem.gradient(found.solution + step, moving), rtol=1e-4, atol=1e-4)
    slope, end = (step * gradient).sum(axis=1), (step * new).sum(axis=1)
    assert (end <= -0.9 * slope * (1 + 1e-5)).all()
    lengths = np.linalg.norm(step, axis=1) / np.linalg.norm(tried, axis=1)
    np.testing.assert_allclose(step, tried * lengths[:, None], rtol=1e-4, atol=1e-6)
    if factor <= 1:
        np.testing.assert_array_equal(step, tried)
    else:  # not shortened beyond need either: a tenth at a time
        assert (lengths < 1).all()
        assert (np.linalg.norm(step, axis=1) > 0.09 * np.linalg.norm(newton, axis=1)).all()


def test_few_rounds_are_enough_from_nothing_and_fewer_from_near():
    found = solver(n=20, d=12, m=400, tolerance=1e-3)
    found.inverse = found.problem.inverse(found.solution)
    left = found.solve(rounds=14)
    assert np.linalg.norm(left @ found.problem.inverse(found.solution), axis=1).max() < 3e-3
    before = found.solution.copy()
    found.solve(rounds=1)  # it is there
    np.testing.assert_array_equal(found.solution, before)
    found.problem.add(np.full((20, 1), 150))
    found.solve(rounds=8)


def test_each_size_goes_on_from_the_one_before(monkeypatch):
    """A set that grows by a word hardly moves: few gradients, and preconditioners only every few words."""
    random = np.random.default_rng(3)
    vectors = random.standard_normal((120, 6))
    labels = np.repeat([0, 1], 60)
    vectors[60:] += 0.5
    shuffles = [np.stack([random.permutation(60) + 60 * label for _ in range(5)]) for label in (0, 1)]
    counts = {"gradient": 0, "inverse": []}

    class Counting(logistic_growth._Problem):
        def gradient(self, *arguments):
            counts["gradient"] += 1
            return super().gradient(*arguments)

        def inverse(self, solution):
            counts["inverse"].append(int(self.is_member[0].sum()))
            return super().inverse(solution)

    monkeypatch.setattr(logistic_growth, "_Problem", Counting)
    sizes = np.repeat(np.arange(1, 61)[:, None], 2, axis=1)
    fits = list(fit_growing(vectors, labels, shuffles, sizes))
    assert len(fits) == 60
    assert counts["gradient"] < 60 * 8
    # anew as soon as there are 1.04 times as many words as when it was made
    made = [2]
    for words in range(4, 121, 2):
        made += [words] * (words > 1.04 * made[-1])
    assert counts["inverse"] == made
    weights, intercept = logistic.fit(vectors, labels)
    np.testing.assert_allclose(
        fits[-1].weights @ vectors[0] + fits[-1].intercepts, weights @ vectors[0] + intercept, atol=5e-3
    )
