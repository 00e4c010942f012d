"""Binary logistic regression at its optimum, by Newton's method: the same answer on every machine and every run."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit


def fit(vectors: np.ndarray, labels: np.ndarray, c: float = 1.0) -> tuple[np.ndarray, float]:
    """Weights (d,) and intercept that minimise ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))), y = ±1, for vectors (n, d) and
    labels (n,) 0 or 1.

    The intercept is not penalised. The loss is strictly convex in w, and in b where both labels occur. With fewer
    vectors than dimensions the optimum lies in their span: w is a sum of the vectors, as `fit_gram` weighs them.
    """
    vectors, labels = np.asarray(vectors, np.float64), np.asarray(labels) == 1
    if labels.all() or not labels.any():
        raise ValueError("logistic regression: the labels are all the same; both 0 and 1 must occur")
    if vectors.shape[0] < vectors.shape[1]:
        parts, intercept = fit_gram(vectors @ vectors.T, labels, c)
        return parts @ vectors, intercept
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    penalty = np.append(np.ones(vectors.shape[1]), 0.0)
    solution = _newton(rows, labels, penalty, c)
    return solution[:-1], float(solution[-1])


def _newton(rows: np.ndarray, labels: np.ndarray, penalty: np.ndarray, c: float, steps: int = 100) -> np.ndarray:
    """Newton steps, halved until the loss falls; raises ValueError if they do not reach the optimum."""
    signs = np.where(labels, 1.0, -1.0)

    def loss(solution):
        return 0.5 * penalty @ solution**2 + c * np.logaddexp(0, -signs * (rows @ solution)).sum()

    solution, near = np.zeros(rows.shape[1]), False
    for _ in range(steps):
        p = expit(rows @ solution)
        gradient = penalty * solution + c * (rows.T @ (p - labels))
        weighted = rows * np.sqrt(c * p * (1 - p))[:, None]
        hessian = weighted.T @ weighted  # one array on both sides: half the work
        hessian[np.diag_indices_from(hessian)] += penalty
        step = np.linalg.solve(hessian, gradient)
        before, gain = loss(solution), gradient @ step
        if near:
            return solution - step
        # so near, the loss no longer tells steps apart, and two whole steps end at rounding
        near, size = gain < 1e-10 * (1 + before), 1.0
        while not near and size > 1e-10 and loss(solution - size * step) > before - 1e-4 * size * gain:
            size /= 2
        solution = solution - size * step
    raise ValueError(f"logistic regression: not at the optimum after {steps} Newton steps")


def fit_gram(gram: np.ndarray, labels: np.ndarray, c: float = 1.0, steps: int = 100) -> tuple[np.ndarray, float]:
    """`fit` for vectors of which the products with each other (n, n) are given: their parts a (n,), and the intercept.

    w = Σ a_i x_i; at the optimum a = c (y − p), which sums to 0. Newton's method on these two equations: with
    W = c p (1 − p), the matrix to be factorised is I + W½ G W½, whose eigenvalues are 1 or more.
    """
    signs = np.where(labels, 1.0, -1.0)

    def loss(parts, pushed, intercept):
        return 0.5 * parts @ pushed + c * np.logaddexp(0, -signs * (pushed + intercept)).sum()

    parts, pushed, intercept, near = np.zeros(len(gram)), np.zeros(len(gram)), 0.0, False
    for _ in range(steps):
        p = expit(pushed + intercept)
        roots = np.sqrt(c * p * (1 - p))
        bent = roots[:, None] * gram * roots
        bent[np.diag_indices_from(bent)] += 1
        short = parts + c * (p - (signs > 0))
        sides = roots[:, None] * np.column_stack([gram @ short, np.ones(len(gram))])
        solved = roots[:, None] * cho_solve(cho_factor(bent, check_finite=False), sides, check_finite=False)
        step = short - solved[:, 0]
        shift = (parts.sum() - step.sum()) / solved[:, 1].sum()
        step += shift * solved[:, 1]
        moved = gram @ step
        before, gain = loss(parts, pushed, intercept), short @ moved - shift * c * (p - (signs > 0)).sum()
        if near:
            return parts - step, float(intercept + shift)
        near, size = gain < 1e-10 * (1 + before), 1.0
        while not near and size > 1e-10:
            if (
                loss(parts - size * step, pushed - size * moved, intercept + size * shift)
                <= before - 1e-4 * size * gain
            ):
                break
            size /= 2
        parts, pushed, intercept = parts - size * step, pushed - size * moved, intercept + size * shift
    raise ValueError(f"logistic regression: not at the optimum after {steps} Newton steps")
