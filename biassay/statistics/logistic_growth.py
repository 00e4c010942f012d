"""Logistic regressions of many growing sets of words at once, one per shuffle, warm-started from the previous size.

All shuffles share their words, so one matrix product serves them all; words outside a set are masked. Each regression
is solved by L-BFGS with a shared preconditioner, the mean of the Hessians.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

GROWTH = 1.04  # factor of set size after which the preconditioner is recomputed
MEMORY = 8  # pairs of L-BFGS, reused for the next size
MAX_LOGIT = np.float32(80.0)  # exp does not overflow
MAX_SHORTENINGS, SHRINK = 30, (0.1, 0.9)  # of a step: number and range of factors
MIN_COSINE = 1e-7  # of step and change, for a pair to be stored


@dataclass(frozen=True)
class Fit:
    """Classifiers of n shuffles at one size: weights (n, d), intercepts (n,), gradient norms (n,) of the loss."""

    weights: np.ndarray
    intercepts: np.ndarray
    gradients: np.ndarray


def fit_growing(
    vectors: np.ndarray, labels: np.ndarray, shuffles: list[np.ndarray], sizes: np.ndarray, *,
    c: float = 1.0, tolerance: float = 1e-3, device: str | None = None,
) -> Iterator[Fit]:  # fmt: skip
    """Fit the loss of `logistic.fit` on growing sets of words, for all shuffles at once, in single precision.

    Parameters
    ----------
    vectors : ndarray of shape (m, d)
    labels : ndarray of shape (m,)
        0 or 1.
    shuffles : list of ndarray of shape (n_shuffles, m_i)
        For each list, rows of `vectors` in the order in which they are added.
    sizes : ndarray of shape (steps, n_lists)
    c : float
        Inverse strength of the regularisation.
    tolerance : float
        A fit ends if the next step would change a logit of a word of mean length by less.
    device : str, optional
        Compute by torch on a device, such as "cuda", instead of numpy.

    Yields
    ------
    Fit
        The classifiers of one step.

    Raises
    ------
    ValueError
        If the tolerance is not reached.
    """
    problem, solver = _create(vectors, labels, len(shuffles[0]), c, tolerance, device)
    previous, n_preconditioned = np.zeros_like(sizes[0]), 0.0
    for current in sizes:
        for order, start, stop in zip(shuffles, previous, current, strict=True):
            problem.add(order[:, start:stop])
        if current.sum() > GROWTH * n_preconditioned:
            solver.inverse, n_preconditioned = problem.inverse(solver.solution), current.sum()
        previous = current
        (gradient, solution), scale = _on_host(solver.solve(), solver.solution), problem.scale
        lengths = np.sqrt(np.square(gradient[:, :-1] / scale).sum(axis=1) + np.square(gradient[:, -1]))
        yield Fit(solution[:, :-1] * scale, solution[:, -1].copy(), lengths)


def _create(vectors, labels, n: int, c: float, tolerance: float, device: str | None) -> tuple:
    """Create the problem of n shuffles and its solver."""
    if device is None:
        problem = _Problem(vectors, labels, n, c)
        return problem, _Solver(problem, tolerance)
    from biassay.statistics import logistic_growth_torch as by_torch

    problem = by_torch.Problem(vectors, labels, n, c, device)
    return problem, by_torch.Solver(problem, tolerance)


def _on_host(*parts) -> list[np.ndarray]:
    return [part if isinstance(part, np.ndarray) else part.numpy(force=True) for part in parts]


class _Problem:
    """Losses of all shuffles; words are scaled to a mean length of 1 and get an entry of 1 for the intercept."""

    def __init__(self, vectors: np.ndarray, labels: np.ndarray, n: int, c: float):
        vectors = np.asarray(vectors, np.float32)
        self.scale = np.float32(1 / np.linalg.norm(vectors, axis=1).mean())
        self.rows = np.hstack([vectors * self.scale, np.ones((len(vectors), 1), np.float32)])
        self.penalty = np.append(np.full(vectors.shape[1], self.scale**2, np.float32), np.float32(0))
        self.labels = np.asarray(labels, np.float32)
        self.is_member = np.zeros((n, len(vectors)), np.float32)
        self.c = np.float32(c)

    def add(self, rows: np.ndarray) -> None:
        """Add the rows (n, r) to the sets of the shuffles."""
        np.put_along_axis(self.is_member, rows, np.float32(1), axis=1)

    def gradient(self, solution: np.ndarray, shuffles: np.ndarray) -> np.ndarray:
        """Compute the gradients (k, d + 1) of some shuffles' losses at their solutions (k, d + 1)."""
        errors = self._probabilities(solution)
        errors -= self.labels
        errors *= self.is_member if len(shuffles) == len(self.is_member) else self.is_member[shuffles]
        gradient = errors @ self.rows
        gradient *= self.c
        return gradient + self.penalty * solution

    def inverse(self, solution: np.ndarray) -> np.ndarray:
        """Compute the inverse (d + 1, d + 1) of the mean Hessian of all shuffles."""
        p = self._probabilities(solution)
        weighted = self.rows * np.sqrt(self.c * (self.is_member * p * (1 - p)).mean(axis=0))[:, None]
        hessian = (weighted.T @ weighted).astype(np.float64)
        hessian[np.diag_indices_from(hessian)] += self.penalty + 1e-9
        return np.linalg.inv(hessian).astype(np.float32)

    def _probabilities(self, solution: np.ndarray) -> np.ndarray:
        """Compute P(label 1) of all words, (k, m), in place, because copies take as long as the product."""
        logits = solution @ self.rows.T
        np.negative(logits, out=logits)
        np.minimum(logits, MAX_LOGIT, out=logits)
        np.exp(logits, out=logits)
        logits += 1
        return np.reciprocal(logits, out=logits)


class _Solver:
    """L-BFGS for all shuffles at once; shuffles at their optimum are skipped."""

    def __init__(self, problem: _Problem, tolerance: float):
        n, width = len(problem.is_member), problem.rows.shape[1]
        self.problem, self.tolerance = problem, tolerance
        self.solution = np.zeros((n, width), np.float32)
        self.inverse = np.eye(width, dtype=np.float32)
        self._steps = np.zeros((MEMORY, n, width), np.float32)
        self._changes = np.zeros((MEMORY, n, width), np.float32)  # changes of the gradient along the steps
        self._scales = np.zeros((MEMORY, n), np.float32)  # 1 / (step · change), 0 for no pair
        self._next = np.zeros(n, int)

    def solve(self, rounds: int = 300) -> np.ndarray:
        """Move all solutions to their optima; return the remaining gradients (n, d + 1)."""
        moving = np.arange(len(self.solution))
        gradient = self.problem.gradient(self.solution, moving)
        for _ in range(rounds):
            step = -self._newton(gradient[moving], moving)
            far = np.linalg.norm(step, axis=1) > self.tolerance
            if not far.any():
                return gradient
            moving, step = moving[far], step[far]
            step, new = self._search(step, gradient[moving], moving)
            self._store(step, new - gradient[moving], moving)
            self.solution[moving] += step
            gradient[moving] = new
        raise ValueError(f"logistic regression: {len(moving)} shuffles did not reach the optimum in {rounds} rounds")

    def _search(self, step: np.ndarray, gradient: np.ndarray, moving: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shorten steps that are too long, by the secant of their slopes; return steps and gradients at their ends."""
        slope, new, over = (step * gradient).sum(axis=1), np.empty_like(step), np.arange(len(step))
        for _ in range(MAX_SHORTENINGS):
            new[over] = self.problem.gradient(self.solution[moving[over]] + step[over], moving[over])
            end = (step * new).sum(axis=1)
            over = np.flatnonzero(end > -0.9 * slope)
            if not len(over):
                break
            shorter = np.clip(slope[over] / (slope[over] - end[over]), *SHRINK)
            step[over] *= shorter[:, None]
            slope[over] *= shorter
        return step, new

    def _newton(self, gradient: np.ndarray, moving: np.ndarray) -> np.ndarray:
        """Multiply gradients (k, d + 1) by L-BFGS's estimates of the inverse Hessians (two-loop recursion)."""
        ages = [(self._next[moving] - 1 - age) % MEMORY for age in range(MEMORY)]
        step, products = gradient.copy(), []
        for at in ages:
            products.append(self._scales[at, moving] * (self._steps[at, moving] * step).sum(axis=1))
            step -= products[-1][:, None] * self._changes[at, moving]
        step = step @ self.inverse
        for at, first in zip(reversed(ages), reversed(products), strict=True):
            second = self._scales[at, moving] * (self._changes[at, moving] * step).sum(axis=1)
            step += (first - second)[:, None] * self._steps[at, moving]
        return step

    def _store(self, step: np.ndarray, change: np.ndarray, moving: np.ndarray) -> None:
        """Store a pair of each shuffle that moved, in place of its oldest one."""
        products = (step * change).sum(axis=1)
        is_usable = products > MIN_COSINE * np.linalg.norm(step, axis=1) * np.linalg.norm(change, axis=1)
        at, moving = self._next[moving[is_usable]], moving[is_usable]
        self._steps[at, moving], self._changes[at, moving] = step[is_usable], change[is_usable]
        self._scales[at, moving] = 1 / products[is_usable]
        self._next[moving] = (at + 1) % MEMORY
