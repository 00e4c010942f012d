"""Logistic regressions of many growing sets of words at once: one for every shuffle, warm-started from the set before.

All shuffles share their words, so that one product of matrices serves them all, words not yet taken masked out. Each
is solved by L-BFGS over a preconditioner that all share: the mean of their Hessians.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

GROWTH = 1.04  # the preconditioner is made anew when the sets have grown by this
MEMORY = 8  # pairs of L-BFGS, kept from one size to the next
LIMIT = np.float32(80.0)  # of the logits, so that exp does not overflow
SHORTEST, SHRINK = 30, (0.1, 0.9)  # times that a step is shortened, and by what
SOUND = 1e-7  # cosine of step and change above which a pair is kept


@dataclass(frozen=True)
class Fit:
    """Classifiers of n shuffles at one size: weights (n, d), intercepts (n,), norms (n,) of the loss's gradient."""

    weights: np.ndarray
    intercepts: np.ndarray
    gradients: np.ndarray


def fit_growing(
    vectors: np.ndarray, labels: np.ndarray, shuffles: list[np.ndarray], sizes: np.ndarray, *,
    c: float = 1.0, tolerance: float = 1e-3, device: str | None = None,
) -> Iterator[Fit]:  # fmt: skip
    """For each row of `sizes` (steps, lists), fit the first sizes[i] rows of each list of `shuffles`, (n, m_i) rows of
    `vectors` (m, d), by their `labels` (m,) 0 or 1, in n shuffles: the loss of `logistic.fit`.

    A fit ends when the step that is left would move a logit of a word of mean length by less than `tolerance`. Raises
    ValueError if that is not reached. Single precision; the cost does not depend on how alike the shuffles are. By
    numpy, or by torch on a device such as cuda.
    """
    problem, solver = _made(vectors, labels, len(shuffles[0]), c, tolerance, device)
    before, built = np.zeros_like(sizes[0]), 0.0
    for now in sizes:
        for order, start, stop in zip(shuffles, before, now, strict=True):
            problem.take(order[:, start:stop])
        if now.sum() > GROWTH * built:
            solver.inverse, built = problem.inverse(solver.solution), now.sum()
        before = now
        (gradient, solution), scale = _on_host(solver.solve(), solver.solution), problem.scale
        lengths = np.sqrt(np.square(gradient[:, :-1] / scale).sum(axis=1) + np.square(gradient[:, -1]))
        yield Fit(solution[:, :-1] * scale, solution[:, -1].copy(), lengths)


def _made(vectors, labels, n: int, c: float, tolerance: float, device: str | None) -> tuple:
    """The problem of n shuffles, and its solver."""
    if device is None:
        problem = _Problem(vectors, labels, n, c)
        return problem, _Solver(problem, tolerance)
    from biassay.numerics import logistic_growth_torch as by_torch

    problem = by_torch.Problem(vectors, labels, n, c, device)
    return problem, by_torch.Solver(problem, tolerance)


def _on_host(*parts) -> list[np.ndarray]:
    return [part if isinstance(part, np.ndarray) else part.numpy(force=True) for part in parts]


class _Problem:
    """The loss of every shuffle, of words scaled to a mean length of 1 with a last entry of 1 for the intercept."""

    def __init__(self, vectors: np.ndarray, labels: np.ndarray, n: int, c: float):
        vectors = np.asarray(vectors, np.float32)
        self.scale = np.float32(1 / np.linalg.norm(vectors, axis=1).mean())
        self.rows = np.hstack([vectors * self.scale, np.ones((len(vectors), 1), np.float32)])
        self.penalty = np.append(np.full(vectors.shape[1], self.scale**2, np.float32), np.float32(0))
        self.labels = np.asarray(labels, np.float32)
        self.taken = np.zeros((n, len(vectors)), np.float32)
        self.c = np.float32(c)

    def take(self, rows: np.ndarray) -> None:
        """Take the rows (n, r) into the shuffles' sets."""
        np.put_along_axis(self.taken, rows, np.float32(1), axis=1)

    def gradient(self, solution: np.ndarray, shuffles: np.ndarray) -> np.ndarray:
        """Gradients (k, d + 1) of some shuffles' losses at their solutions (k, d + 1)."""
        errors = self._probabilities(solution)
        errors -= self.labels
        errors *= self.taken if len(shuffles) == len(self.taken) else self.taken[shuffles]
        gradient = errors @ self.rows
        gradient *= self.c
        return gradient + self.penalty * solution

    def inverse(self, solution: np.ndarray) -> np.ndarray:
        """Inverse (d + 1, d + 1) of the mean Hessian of all shuffles."""
        p = self._probabilities(solution)
        weighted = self.rows * np.sqrt(self.c * (self.taken * p * (1 - p)).mean(axis=0))[:, None]
        hessian = (weighted.T @ weighted).astype(np.float64)
        hessian[np.diag_indices_from(hessian)] += self.penalty + 1e-9
        return np.linalg.inv(hessian).astype(np.float32)

    def _probabilities(self, solution: np.ndarray) -> np.ndarray:
        """P(label 1) of all words, (k, m), by operations in place: they cost as much as the product."""
        logits = solution @ self.rows.T
        np.negative(logits, out=logits)
        np.minimum(logits, LIMIT, out=logits)
        np.exp(logits, out=logits)
        logits += 1
        return np.reciprocal(logits, out=logits)


class _Solver:
    """L-BFGS for all shuffles at once; those that have arrived rest."""

    def __init__(self, problem: _Problem, tolerance: float):
        n, width = len(problem.taken), problem.rows.shape[1]
        self.problem, self.tolerance = problem, tolerance
        self.solution = np.zeros((n, width), np.float32)
        self.inverse = np.eye(width, dtype=np.float32)
        self._steps = np.zeros((MEMORY, n, width), np.float32)
        self._changes = np.zeros((MEMORY, n, width), np.float32)  # of the gradient along the steps
        self._scales = np.zeros((MEMORY, n), np.float32)  # 1 / (step · change), 0 where there is no pair
        self._next = np.zeros(n, int)

    def solve(self, rounds: int = 300) -> np.ndarray:
        """Move all solutions to their optima; returns the gradients (n, d + 1) left there."""
        moving = np.arange(len(self.solution))
        gradient = self.problem.gradient(self.solution, moving)
        for _ in range(rounds):
            step = -self._newton(gradient[moving], moving)
            far = np.linalg.norm(step, axis=1) > self.tolerance
            if not far.any():
                return gradient
            moving, step = moving[far], step[far]
            step, new = self._search(step, gradient[moving], moving)
            self._remember(step, new - gradient[moving], moving)
            self.solution[moving] += step
            gradient[moving] = new
        raise ValueError(f"logistic regression: {len(moving)} shuffles are not at the optimum after {rounds} rounds")

    def _search(self, step: np.ndarray, gradient: np.ndarray, moving: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shorten steps that go too far, by the secant of their slopes; the steps and the gradients at their ends."""
        slope, new, over = (step * gradient).sum(axis=1), np.empty_like(step), np.arange(len(step))
        for _ in range(SHORTEST):
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
        """L-BFGS's estimate of the inverse Hessians times gradients (k, d + 1): the two-loop recursion."""
        ages = [(self._next[moving] - 1 - age) % MEMORY for age in range(MEMORY)]
        step, kept = gradient.copy(), []
        for at in ages:
            kept.append(self._scales[at, moving] * (self._steps[at, moving] * step).sum(axis=1))
            step -= kept[-1][:, None] * self._changes[at, moving]
        step = step @ self.inverse
        for at, first in zip(reversed(ages), reversed(kept), strict=True):
            second = self._scales[at, moving] * (self._changes[at, moving] * step).sum(axis=1)
            step += (first - second)[:, None] * self._steps[at, moving]
        return step

    def _remember(self, step: np.ndarray, change: np.ndarray, moving: np.ndarray) -> None:
        """Keep a pair of each shuffle that moved, in place of its oldest."""
        products = (step * change).sum(axis=1)
        sound = products > SOUND * np.linalg.norm(step, axis=1) * np.linalg.norm(change, axis=1)
        at, moving = self._next[moving[sound]], moving[sound]
        self._steps[at, moving], self._changes[at, moving] = step[sound], change[sound]
        self._scales[at, moving] = 1 / products[sound]
        self._next[moving] = (at + 1) % MEMORY
