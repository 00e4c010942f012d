"""Binary logistic regression at its optimum, by Newton's method: the same answer on every machine and every run."""

import numpy as np
from scipy.special import expit


def fit(vectors: np.ndarray, labels: np.ndarray, c: float = 1.0) -> tuple[np.ndarray, float]:
    """Weights (d,) and intercept that minimise ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))), y = ±1, for vectors (n, d) and
    labels (n,) 0 or 1.

    The intercept is not penalised. The loss is strictly convex in w, and in b where both labels occur. With fewer
    vectors than dimensions the optimum lies in their span, where it is sought.
    """
    vectors, labels = np.asarray(vectors, np.float64), np.asarray(labels) == 1
    if labels.all() or not labels.any():
        raise ValueError("logistic regression: the labels are all the same; both 0 and 1 must occur")
    if vectors.shape[0] < vectors.shape[1]:
        basis, coordinates = np.linalg.qr(vectors.T)
        weights, intercept = fit(np.ascontiguousarray(coordinates.T), labels, c)
        return basis @ weights, intercept
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
