"""The problem and solver of `logistic_growth` by torch, for a GPU: all shuffles in every round, those that have arrived
with steps of zero, so that the host waits for the device twice a round only."""

import numpy as np
import torch

from biassay.numerics.logistic_growth import MEMORY, SHORTEST, SHRINK, SOUND


class Problem:
    """The loss of every shuffle; as `logistic_growth._Problem`."""

    def __init__(self, vectors: np.ndarray, labels: np.ndarray, n: int, c: float, device: str):
        found = torch.from_numpy(np.ascontiguousarray(vectors, np.float32)).to(device)
        self.scale = float(1 / torch.linalg.vector_norm(found, dim=1).mean())
        self.rows = torch.hstack([found * self.scale, found.new_ones(len(found), 1)])
        self.penalty = torch.cat([found.new_full((found.shape[1],), self.scale**2), found.new_zeros(1)])
        self.labels = torch.from_numpy(np.asarray(labels, np.float32)).to(device)
        self.taken = found.new_zeros(n, len(found))
        self.c = c

    def take(self, rows: np.ndarray) -> None:
        """Take the rows (n, r) into the shuffles' sets."""
        self.taken.scatter_(1, torch.from_numpy(np.ascontiguousarray(rows)).to(self.taken.device), 1.0)

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
    """L-BFGS for all shuffles at once; those that have arrived rest."""

    def __init__(self, problem: Problem, tolerance: float):
        n, width = len(problem.taken), problem.rows.shape[1]
        zeros = problem.rows.new_zeros
        self.problem, self.tolerance = problem, tolerance
        self.solution, self.inverse = zeros(n, width), torch.eye(width, device=problem.rows.device)
        self._steps, self._changes, self._scales = zeros(MEMORY, n, width), zeros(MEMORY, n, width), zeros(MEMORY, n)
        self._all = torch.arange(n, device=problem.rows.device)
        self._next = torch.zeros_like(self._all)
        self._ages = torch.arange(MEMORY, device=problem.rows.device)[:, None]

    def solve(self, rounds: int = 300) -> torch.Tensor:
        """Move all solutions to their optima; returns the gradients (n, d + 1) left there."""
        moving = torch.ones_like(self._all, dtype=torch.bool)
        gradient = self.problem.gradient(self.solution)
        for _ in range(rounds):
            step = -self._newton(gradient)
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
        slope, over = (step * gradient).sum(1), moving.clone()
        for _ in range(SHORTEST):
            new = self.problem.gradient(self.solution + step)
            end = (step * new).sum(1)
            over &= end > -0.9 * slope
            if not over.any():
                break
            shorter = torch.where(over, (slope / (slope - end)).clamp(*SHRINK), 1.0)
            step, slope = step * shorter[:, None], slope * shorter
        return step, new

    def _newton(self, gradient: torch.Tensor) -> torch.Tensor:
        """L-BFGS's estimate of the inverse Hessians times gradients (n, d + 1): the two-loop recursion."""
        ages = (self._next - 1 - self._ages) % MEMORY
        scales, steps, changes = (part[ages, self._all] for part in (self._scales, self._steps, self._changes))
        step, kept = gradient.clone(), []
        for age in range(MEMORY):
            kept.append(scales[age] * (steps[age] * step).sum(1))
            step -= kept[age][:, None] * changes[age]
        step = step @ self.inverse
        for age in reversed(range(MEMORY)):
            second = scales[age] * (changes[age] * step).sum(1)
            step += (kept[age] - second)[:, None] * steps[age]
        return step

    def _remember(self, step: torch.Tensor, change: torch.Tensor, moving: torch.Tensor) -> None:
        """Keep a pair of each shuffle that moved, in place of its oldest."""
        products = (step * change).sum(1)
        lengths = torch.linalg.vector_norm(step, dim=1) * torch.linalg.vector_norm(change, dim=1)
        sound = moving & (products > SOUND * lengths)
        at = self._next, self._all
        for pairs, value in ((self._steps, step), (self._changes, change)):
            pairs[at] = torch.where(sound[:, None], value, pairs[at])
        self._scales[at] = torch.where(sound, 1 / products, self._scales[at])
        self._next = (self._next + sound) % MEMORY
