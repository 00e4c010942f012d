"""Binary logistic regression by Newton's method, solved to the optimum so that results are reproducible."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit


def fit(vectors: np.ndarray, labels: np.ndarray, c: float = 1.0) -> tuple[np.ndarray, float]:
    """Minimise ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))), y = ±1; the intercept b is not penalised.

    The loss is strictly convex in w, and in b if both labels occur. With fewer vectors than dimensions, w is a weighted
    sum of the vectors and `fit_gram` computes the weights.

    Parameters
    ----------
    vectors : ndarray of shape (n, d)
    labels : ndarray of shape (n,)
        0 or 1.
    c : float
        Inverse strength of the regularisation.

    Returns
    -------
    weights : ndarray of shape (d,)
    intercept : float
    """
    vectors, labels = np.asarray(vectors, np.float64), np.asarray(labels) == 1
    if labels.all() or not labels.any():
        raise ValueError("logistic regression: expected both labels 0 and 1, got one of them")
    if vectors.shape[0] < vectors.shape[1]:
        coefficients, intercept = fit_gram(vectors @ vectors.T, labels, c)
        return coefficients @ vectors, intercept
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    penalty = np.append(np.ones(vectors.shape[1]), 0.0)
    solution = _newton(rows, labels, penalty, c)
    return solution[:-1], float(solution[-1])


def _newton(rows: np.ndarray, labels: np.ndarray, penalty: np.ndarray, c: float, steps: int = 100) -> np.ndarray:
    """Take Newton steps, halved until the loss falls; raise ValueError if the optimum is not reached."""
    signs = np.where(labels, 1.0, -1.0)

    def loss(solution):
        return 0.5 * penalty @ solution**2 + c * np.logaddexp(0, -signs * (rows @ solution)).sum()

    solution, is_near = np.zeros(rows.shape[1]), False
    for _ in range(steps):
        p = expit(rows @ solution)
        gradient = penalty * solution + c * (rows.T @ (p - labels))
        weighted = rows * np.sqrt(c * p * (1 - p))[:, None]
        hessian = weighted.T @ weighted  # a product of an array with itself takes half the time
        hessian[np.diag_indices_from(hessian)] += penalty
        step = np.linalg.solve(hessian, gradient)
        before, gain = loss(solution), gradient @ step
        if is_near:
            return solution - step
        # Near the optimum, differences of the loss are rounding; two full steps then suffice.
        is_near, size = gain < 1e-10 * (1 + before), 1.0
        while not is_near and size > 1e-10 and loss(solution - size * step) > before - 1e-4 * size * gain:
            size /= 2
        solution = solution - size * step
    raise ValueError(f"logistic regression: not at the optimum after {steps} Newton steps")


def fit_gram(gram: np.ndarray, labels: np.ndarray, c: float = 1.0, steps: int = 100) -> tuple[np.ndarray, float]:
    """Fit as `fit` does, from the inner products of the vectors (n, n): coefficients a (n,) and the intercept.

    w = Σ a_i x_i; at the optimum a = c (y − p), which sums to 0. Newton's method on these two equations factorises
    I + W½ G W½ with W = c p (1 − p), whose eigenvalues are at least 1.
    """
    signs = np.where(labels, 1.0, -1.0)

    def loss(coefficients, scores, intercept):
        return 0.5 * coefficients @ scores + c * np.logaddexp(0, -signs * (scores + intercept)).sum()

    coefficients, scores, intercept, is_near = np.zeros(len(gram)), np.zeros(len(gram)), 0.0, False
    for _ in range(steps):
        p = expit(scores + intercept)
        roots = np.sqrt(c * p * (1 - p))
        system = roots[:, None] * gram * roots
        system[np.diag_indices_from(system)] += 1
        residual = coefficients + c * (p - (signs > 0))
        right_sides = roots[:, None] * np.column_stack([gram @ residual, np.ones(len(gram))])
        solved = roots[:, None] * cho_solve(cho_factor(system, check_finite=False), right_sides, check_finite=False)
        step = residual - solved[:, 0]
        shift = (coefficients.sum() - step.sum()) / solved[:, 1].sum()
        step += shift * solved[:, 1]
        score_step = gram @ step
        before = loss(coefficients, scores, intercept)
        gain = residual @ score_step - shift * c * (p - (signs > 0)).sum()
        if is_near:
            return coefficients - step, float(intercept + shift)
        is_near, size = gain < 1e-10 * (1 + before), 1.0
        while not is_near and size > 1e-10:
            if (
                loss(coefficients - size * step, scores - size * score_step, intercept + size * shift)
                <= before - 1e-4 * size * gain
            ):
                break
            size /= 2
        coefficients, scores = coefficients - size * step, scores - size * score_step
        intercept += size * shift
    raise ValueError(f"logistic regression: not at the optimum after {steps} Newton steps")
