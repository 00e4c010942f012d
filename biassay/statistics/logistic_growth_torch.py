"""The problem and solver of `logistic_growth` by torch, for a GPU.

All shuffles take part in every round, with steps of zero at their optimum, so that the host waits for the device only
twice per round.
"""

import numpy as np
import torch

from biassay.statistics.logistic_growth import MAX_SHORTENINGS, MEMORY, MIN_COSINE, SHRINK


class Problem:
    """Losses of all shuffles, as `logistic_growth._Problem`."""

    def __init__(self, vectors: np.ndarray, labels: np.ndarray, n: int, c: float, device: str):
        rows = torch.tensor(np.ascontiguousarray(vectors, np.float32), device=device)
        self.scale = float(1 / torch.linalg.vector_norm(rows, dim=1).mean())
        self.rows = torch.hstack([rows * self.scale, rows.new_ones(len(rows), 1)])
        self.penalty = torch.cat([rows.new_full((rows.shape[1],), self.scale**2), rows.new_zeros(1)])
        self.labels = torch.tensor(np.asarray(labels, np.float32), device=device)
        self.is_member = rows.new_zeros(n, len(rows))
        self.c = c

    def add(self, rows: np.ndarray) -> None:
        """Add the rows (n, r) to the sets of the shuffles."""
        self.is_member.scatter_(1, torch.tensor(np.ascontiguousarray(rows), device=self.is_member.device), 1.0)

    def gradient(self, solution: torch.Tensor) -> torch.Tensor:
        """Compute the gradients (n, d + 1) of the losses at solutions (n, d + 1)."""
        errors = (solution @ self.rows.T).sigmoid_().sub_(self.labels).mul_(self.is_member)
        return (errors @ self.rows).mul_(self.c).add_(self.penalty * solution)

    def inverse(self, solution: torch.Tensor) -> torch.Tensor:
        """Compute the inverse (d + 1, d + 1) of the mean Hessian of all shuffles."""
        p = (solution @ self.rows.T).sigmoid_()
        weighted = self.rows * (self.c * (self.is_member * p * (1 - p)).mean(0)).sqrt()[:, None]
        hessian = (weighted.T @ weighted).double()
        hessian.diagonal().add_(self.penalty + 1e-9)
        return torch.linalg.inv(hessian).float()


class Solver:
    """L-BFGS for all shuffles at once.

    Steps and changes of the gradient along them are (n, MEMORY, d + 1), oldest first, scaled to step · change = 1;
    zeros for no pair.
    """

    def __init__(self, problem: Problem, tolerance: float):
        n, width = len(problem.is_member), problem.rows.shape[1]
        zeros = problem.rows.new_zeros
        self.problem, self.tolerance = problem, tolerance
        self.solution, self.inverse = zeros(n, width), torch.eye(width, device=problem.rows.device)
        self._steps, self._changes = zeros(n, MEMORY, width), zeros(n, MEMORY, width)

    def solve(self, rounds: int = 300) -> torch.Tensor:
        """Move all solutions to their optima; return the remaining gradients (n, d + 1)."""
        moving = self.solution.new_ones(len(self.solution), dtype=torch.bool)
        gradient = self.problem.gradient(self.solution)
        for _ in range(rounds):
            step = self._newton(gradient).neg_()
            moving &= torch.linalg.vector_norm(step, dim=1) > self.tolerance
            if not moving.any():
                return gradient
            step, new = self._search(step * moving[:, None], gradient, moving)
            self._store(step, new - gradient, moving)
            self.solution += step
            gradient = torch.where(moving[:, None], new, gradient)
        n_moving = int(moving.sum())
        raise ValueError(f"logistic regression: {n_moving} shuffles did not reach the optimum in {rounds} rounds")

    def _search(self, step: torch.Tensor, gradient: torch.Tensor, moving: torch.Tensor) -> tuple:
        """Shorten steps that are too long, by the secant of their slopes; return steps and gradients at their ends."""
        slope, over = _dot(step, gradient), moving
        for _ in range(MAX_SHORTENINGS):
            new = self.problem.gradient(self.solution + step)
            end = _dot(step, new)
            over = over & (end > -0.9 * slope)
            if not over.any():
                break
            shorter = torch.where(over, (slope / (slope - end)).clamp(*SHRINK), 1.0)
            step, slope = step * shorter[:, None], slope * shorter
        return step, new

    def _newton(self, gradient: torch.Tensor) -> torch.Tensor:
        """Multiply gradients (n, d + 1) by L-BFGS's estimates of the inverse Hessians.

        The two loops of the recursion are backward and forward substitutions in the triangle of products of steps and
        newer changes, which are solved for all pairs at once.
        """
        products = self._steps @ self._changes.mT
        first = _solve_triangular(products, self._steps @ gradient[..., None], upper=True)
        step = (gradient - _sums(first, self._changes)) @ self.inverse
        remainder = first - self._changes @ step[..., None]
        return step + _sums(_solve_triangular(products.mT, remainder, upper=False), self._steps)

    def _store(self, step: torch.Tensor, change: torch.Tensor, moving: torch.Tensor) -> None:
        """Store a pair of each shuffle that moved, in place of its oldest one."""
        products = _dot(step, change)
        lengths = torch.linalg.vector_norm(step, dim=1) * torch.linalg.vector_norm(change, dim=1)
        is_usable = (moving & (products > MIN_COSINE * lengths))[:, None, None]
        scales = products.rsqrt()[:, None]
        for pairs, value in ((self._steps, step), (self._changes, change)):
            newer = torch.cat([pairs[:, 1:], (value * scales)[:, None]], dim=1)
            pairs.copy_(torch.where(is_usable, newer, pairs))


def _dot(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Compute products of corresponding rows (n, d): (n,)."""
    return (x * y).sum(1)


def _sums(weights: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Sum rows (n, k, d) with weights (n, k, 1): (n, d)."""
    return (weights.mT @ rows).squeeze(1)


def _solve_triangular(triangles: torch.Tensor, right: torch.Tensor, *, upper: bool) -> torch.Tensor:
    """Solve triangular systems with ones on the diagonal; other entries of the matrices are ignored."""
    return torch.linalg.solve_triangular(triangles, right, upper=upper, unitriangular=True)
