"""The solver by torch against the one by numpy."""

import numpy as np
import pytest

from biassay.statistics import logistic, logistic_growth
from biassay.statistics.logistic_growth import fit_growing

torch = pytest.importorskip("torch")


def growing(n=5, m=120, d=6):
    random = np.random.default_rng(3)
    vectors = random.standard_normal((m, d)) * [4, 2, 1, 1, 0.5, 0.1]
    labels = (vectors[:, 0] + 2 * random.standard_normal(m) > 0).astype(int)
    shuffles = [np.stack([random.permutation(np.flatnonzero(labels == label)) for _ in range(n)]) for label in (0, 1)]
    sizes = np.stack([np.arange(1, 40, 3)] * 2, axis=1)
    return vectors, labels, shuffles, sizes


def check(device):
    vectors, labels, shuffles, sizes = growing()
    ours = list(fit_growing(vectors, labels, shuffles, sizes, c=2.0, tolerance=1e-4, device=device))
    theirs = list(fit_growing(vectors, labels, shuffles, sizes, c=2.0, tolerance=1e-4))
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found.weights, expected.weights, atol=2e-3)
        np.testing.assert_allclose(found.intercepts, expected.intercepts, atol=2e-3)
        assert found.gradients.max() < 1e-2
    rows = np.concatenate([order[2, : sizes[-1][0]] for order in shuffles])
    weights, intercept = logistic.fit(vectors[rows], labels[rows], 2.0)
    np.testing.assert_allclose(ours[-1].weights[2], weights, atol=2e-3)
    assert ours[-1].intercepts[2] == pytest.approx(intercept, abs=2e-3)


def test_fits_are_those_of_numpy():
    check("cpu")


@pytest.mark.gpu
def test_fits_on_a_gpu_are_those_of_numpy(gpu):
    check(gpu.type)


def test_an_optimum_that_is_not_reached_is_told():
    from biassay.statistics import logistic_growth_torch

    vectors, labels, shuffles, _ = growing()
    problem = logistic_growth_torch.Problem(vectors, labels, 5, 1.0, "cpu")
    for order in shuffles:
        problem.add(order)
    with pytest.raises(ValueError, match="5 shuffles did not reach the optimum in 1 rounds"):
        logistic_growth_torch.Solver(problem, 1e-6).solve(rounds=1)


@pytest.mark.parametrize("rounds", [0, 3, 10])  # fewer and more than are kept
def test_directions_are_those_of_the_two_loops(rounds):
    from biassay.statistics import logistic_growth_torch

    vectors, labels, *_ = growing()
    random = np.random.default_rng(rounds)
    numpys = logistic_growth._Solver(logistic_growth._Problem(vectors, labels, 5, 1.0), 1e-4)
    ours = logistic_growth_torch.Solver(logistic_growth_torch.Problem(vectors, labels, 5, 1.0, "cpu"), 1e-4)
    for _ in range(rounds):
        step = random.standard_normal((5, 7)).astype(np.float32)
        change = step * np.arange(1, 8, dtype=np.float32)  # of a quadratic loss
        change[random.random(5) < 0.2] *= -1  # unsound: not kept
        moving = random.random(5) < 0.8
        numpys._store(step[moving], change[moving], np.flatnonzero(moving))
        ours._store(*map(torch.from_numpy, (step, change, moving)))
    gradient = random.standard_normal((5, 7)).astype(np.float32)
    numpys.inverse = np.diag(np.linspace(0.5, 2, 7, dtype=np.float32))
    ours.inverse = torch.from_numpy(numpys.inverse)
    expected = numpys._newton(gradient, np.arange(5))
    np.testing.assert_allclose(ours._newton(torch.from_numpy(gradient)), expected, rtol=1e-3, atol=1e-4)
    assert (np.abs(expected - gradient @ numpys.inverse).max() > 1e-3) == (rounds > 0)


def test_long_steps_are_shortened_as_by_numpy():
    from biassay.statistics import logistic_growth_torch

    vectors, labels, shuffles, _ = growing()
    problems = (
        logistic_growth._Problem(vectors, labels, 5, 1.0),
        logistic_growth_torch.Problem(vectors, labels, 5, 1.0, "cpu"),
    )
    for problem in problems:
        problem.add(shuffles[0][:, :30])
        problem.add(shuffles[1][:, :20])
    numpys, ours = logistic_growth._Solver(problems[0], 1e-4), logistic_growth_torch.Solver(problems[1], 1e-4)
    gradient = problems[0].gradient(numpys.solution, np.arange(5))
    far = 1000 * gradient
    expected, new = numpys._search(-far, gradient, np.arange(5))
    moving = torch.ones(5, dtype=torch.bool)
    found, of_found = ours._search(-torch.from_numpy(far), torch.from_numpy(gradient), moving)
    assert np.abs(expected).max() < np.abs(far).max()
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(of_found, new, rtol=1e-3, atol=1e-4)
