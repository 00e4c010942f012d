"""The problem and solver of `logistic_growth` by torch, for a GPU: all shuffles in every round, those that have arrived
with steps of zero, so that the host waits for the device twice a round only."""

import numpy as np
import torch

from biassay.numerics.logistic_growth import MEMORY, SHORTEST, SHRINK, SOUND


class Problem:
    """The loss of every shuffle; as `logistic_growth._Problem`."""

    def __init__(self, vectors: np.ndarray, labels: np.ndarray, n: int, c: float, device: str):
        found = torch.tensor(np.ascontiguousarray(vectors, np.float32), device=device)
        self.scale = float(1 / torch.linalg.vector_norm(found, dim=1).mean())
        self.rows = torch.hstack([found * self.scale, found.new_ones(len(found), 1)])
        self.penalty = torch.cat([found.new_full((found.shape[1],), self.scale**2), found.new_zeros(1)])
        self.labels = torch.tensor(np.asarray(labels, np.float32), device=device)
        self.taken = found.new_zeros(n, len(found))
        self.c = c

    def take(self, rows: np.ndarray) -> None:
        """Take the rows (n, r) into the shuffles' sets."""
        self.taken.scatter_(1, torch.tensor(np.ascontiguousarray(rows), device=self.taken.device), 1.0)

    def gradient(self, solution: torch.Tensor) -> torch.Tensor:
        """Gradients (n, d + 1) of the losses at solutions (n, d + 1)."""
        errors = (solution @ self.rows.T).sigmoid_().sub_(self.labels).mul_(self.taken)
        return (errors @ self.rows).mul_(self.c).add_(self.penalty * solution)

    def inverse(self, solution: torch.Tensor) -> torch.Tensor:
        """Inverse (d + 1, d + 1) of the mean Hessian of all shuffles."""
        p = (solution @ self.rows.T).sigmoid_()
        weighted = self.rows * (self.c * (self.taken * p * (1 - p)).mean(0)).sqrt()[:, None]
        hessian = (weighted.T @ weighted).double()
        hessian.diagonal().add_(self.penalty + 1e-9)
        return torch.linalg.inv(hessian).float()


class Solver:
    """L-BFGS for all shuffles at once; those that have arrived rest.

    Pairs of a step and a change of the gradient along it are (n, MEMORY, d + 1), the oldest first, each scaled to
    step · change = 1; zeros where there is none.
    """

    def __init__(self, problem: Problem, tolerance: float):
        n, width = len(problem.taken), problem.rows.shape[1]
        zeros = problem.rows.new_zeros
        self.problem, self.tolerance = problem, tolerance
        self.solution, self.inverse = zeros(n, width), torch.eye(width, device=problem.rows.device)
        self._steps, self._changes = zeros(n, MEMORY, width), zeros(n, MEMORY, width)

    def solve(self, rounds: int = 300) -> torch.Tensor:
        """Move all solutions to their optima; returns the gradients (n, d + 1) left there."""
        moving = self.solution.new_ones(len(self.solution), dtype=torch.bool)
        gradient = self.problem.gradient(self.solution)
        for _ in range(rounds):
            step = self._newton(gradient).neg_()
            moving &= torch.linalg.vector_norm(step, dim=1) > self.tolerance
            if not moving.any():
                return gradient
            step, new = self._search(step * moving[:, None], gradient, moving)
            self._remember(step, new - gradient, moving)
            self.solution += step
            gradient = torch.where(moving[:, None], new, gradient)
        left = int(moving.sum())
        raise ValueError(f"logistic regression: {left} shuffles are not at the optimum after {rounds} rounds")

    def _search(self, step: torch.Tensor, gradient: torch.Tensor, moving: torch.Tensor) -> tuple:
        """Shorten steps that go too far, by the secant of their slopes; the steps and the gradients at their ends."""
        slope, over = _dot(step, gradient), moving
        for _ in range(SHORTEST):
            new = self.problem.gradient(self.solution + step)
            end = _dot(step, new)
            over = over & (end > -0.9 * slope)
            if not over.any():
                break
            shorter = torch.where(over, (slope / (slope - end)).clamp(*SHRINK), 1.0)
            step, slope = step * shorter[:, None], slope * shorter
        return step, new

    def _newton(self, gradient: torch.Tensor) -> torch.Tensor:
        """L-BFGS's estimate of the inverse Hessians times gradients (n, d + 1).

        The two loops of the recursion substitute backwards and forwards in the triangle of all products of a step and
        the change of a newer pair, which a few operations do for all pairs at once.
        """
        products = self._steps @ self._changes.mT
        first = _solved(products, self._steps @ gradient[..., None], upper=True)
        step = (gradient - _sums(first, self._changes)) @ self.inverse
        rest = first - self._changes @ step[..., None]
        return step + _sums(_solved(products.mT, rest, upper=False), self._steps)

    def _remember(self, step: torch.Tensor, change: torch.Tensor, moving: torch.Tensor) -> None:
        """Keep a pair of each shuffle that moved, in place of its oldest."""
        products = _dot(step, change)
        lengths = torch.linalg.vector_norm(step, dim=1) * torch.linalg.vector_norm(change, dim=1)
        sound = (moving & (products > SOUND * lengths))[:, None, None]
        scales = products.rsqrt()[:, None]
        for pairs, value in ((self._steps, step), (self._changes, change)):
            newer = torch.cat([pairs[:, 1:], (value * scales)[:, None]], dim=1)
            pairs.copy_(torch.where(sound, newer, pairs))


def _dot(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Products of rows (n, d): (n,)."""
    return (x * y).sum(1)


def _sums(weights: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Weighted sums of the rows (n, k, d) by (n, k, 1): (n, d)."""
    return (weights.mT @ rows).squeeze(1)


def _solved(triangles: torch.Tensor, right: torch.Tensor, *, upper: bool) -> torch.Tensor:
    """Solutions of triangles of ones on the diagonal, whatever lies on it and beyond."""
    return torch.linalg.solve_triangular(triangles, right, upper=upper, unitriangular=True)
