"""Binary logistic regression, solved to the optimum so that results are reproducible.

`fit` uses Newton's method; `fit_samples` fits many samples of the same vectors at once, and `fit_growing` many growing
sets.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import get_lapack_funcs
from scipy.linalg.lapack import sposv
from scipy.special import expit

from biassay.statistics.intervals import count_cases

GROWTH = 1.04  # factor of set size after which the preconditioner is recomputed
MEMORY = 8  # pairs of L-BFGS, reused for the next size
MAX_STEPS, MAX_STEPS_SINGLE = 15, 100  # of Newton's method for many samples; for a single one
MAX_CHANGE, MAX_CHANGE_SINGLE = 1e-5, 1e-3  # of a logit in the last step; in single precision
MAX_ITERATIONS, RESIDUAL = 100, 0.1  # of conjugate gradients; relative residual
MAX_VECTORS = 12  # as many different vectors as a sample has, for samples that are fitted with one matrix product
MAX_GRAM = 1 << 21  # inner products, or numbers of vectors, of samples held at a time
MAX_COST = 25.0  # of a sample's own system, in products of all vectors with a step
MAX_DRIFT = 8.0  # of a logit in a step, after which the preconditioner is recomputed
MAX_RATIO = 0.8  # vectors per dimension for which it pays to express weights by fewer numbers
MAX_LOGIT = np.float32(80.0)  # exp does not overflow
MAX_SHORTENINGS, SHRINK = 30, (0.1, 0.9)  # of a step: number and range of factors
MIN_COSINE = 1e-7  # of step and change, for a pair to be stored


def fit(vectors: np.ndarray, labels: np.ndarray, c: float = 1.0) -> tuple[np.ndarray, float]:
    """Minimise ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))), y = ±1; the intercept b is not penalised.

    The loss is strictly convex in w, and in b if both labels occur. Newton's steps are halved until the loss falls.

    vectors (n, d) have labels (n,), 0 or 1, which must both occur. Returns the weights (d,) and the intercept.
    """
    vectors, labels = np.asarray(vectors, np.float64), np.asarray(labels) == 1
    if labels.all() or not labels.any():
        raise ValueError("logistic regression: expected both labels 0 and 1, got one of them")
    if len(vectors) < vectors.shape[1]:  # the weights are sums of the vectors
        basis, triangle = np.linalg.qr(vectors.T)
        weights, intercept = fit(triangle.T, labels, c)
        return basis @ weights, intercept
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    penalty = np.append(np.ones(vectors.shape[1]), 0.0)
    signs = np.where(labels, 1.0, -1.0)

    def loss(solution):
        return 0.5 * penalty @ solution**2 + c * np.logaddexp(0, -signs * (rows @ solution)).sum()

    solution, is_near = np.zeros(rows.shape[1]), False
    for _ in range(MAX_STEPS_SINGLE):
        p = expit(rows @ solution)
        gradient = penalty * solution + c * (rows.T @ (p - labels))
        weighted = rows * np.sqrt(c * p * (1 - p))[:, None]
        hessian = weighted.T @ weighted  # a product of an array with itself takes half the time
        hessian[np.diag_indices_from(hessian)] += penalty
        step = np.linalg.solve(hessian, gradient)
        if is_near:
            solution -= step
            return solution[:-1], float(solution[-1])
        # Near the optimum, differences of the loss are rounding; two full steps then suffice.
        gain, before, size = gradient @ step, loss(solution), 1.0
        is_near = gain < 1e-10 * (1 + before)
        while not is_near and size > 1e-10 and loss(solution - size * step) > before - 1e-4 * size * gain:
            size /= 2
        solution = solution - size * step
    raise ValueError(f"logistic regression: not at the optimum after {MAX_STEPS_SINGLE} Newton steps")


@dataclass(frozen=True)
class Fit:
    """Classifiers of n shuffles at one size: weights (n, d) and intercepts (n,)."""

    weights: np.ndarray
    intercepts: np.ndarray


def fit_samples(vectors: np.ndarray, labels: np.ndarray, samples: np.ndarray, c: float = 1.0) -> Fit:
    """Fit the loss of `fit` on samples (n_samples, k) of the vectors (m, d), given by row numbers, which may repeat.

    Samples of the same vectors, such as resamples, are fitted with one matrix product for all; samples of few of the
    vectors by Newton steps of their own, in blocks. Those that need many steps are fitted alone.
    """
    vectors, labels = np.asarray(vectors, np.float64), np.asarray(labels)
    used, places = np.unique(samples, return_inverse=True)
    k, d = samples.shape[1], vectors.shape[1]
    has_small_gram = k < 1.5 * d
    cost = k**3 if has_small_gram else 2 * k * d**2
    if len(used) <= k or (len(used) <= MAX_VECTORS * k and cost >= MAX_COST * len(used) * d):
        counts = count_cases(places.reshape(samples.shape), len(used))
        solution = _fit_centred(vectors[used], labels[used] == 1, c * counts)
    else:
        fit_block, size = (_fit_grams, k * k) if has_small_gram else (_fit_hessians, k * d)
        n = max(1, MAX_GRAM // size)
        blocks = (samples[start : start + n] for start in range(0, len(samples), n))
        solution = np.concatenate([fit_block(vectors[block], labels[block] == 1, c) for block in blocks])
    for sample in np.flatnonzero(np.isnan(solution[:, -1])):
        solution[sample] = np.append(*fit(vectors[samples[sample]], labels[samples[sample]], c))
    return Fit(solution[:, :-1], solution[:, -1])


def _fit_grams(vectors: np.ndarray, y: np.ndarray, c: float) -> np.ndarray:
    """Fit n samples of k vectors (n, k, d) with labels (n, k), from inner products: (n, d + 1); NaN if not found.

    w = Σ a_i x_i; at the optimum a = c (y − p), which sums to 0. Newton's method on these two equations factorises
    I + W½ G W½ with W = c p (1 − p) and the inner products G; its eigenvalues are at least 1. The systems are solved in
    single precision, which slows Newton's method a little; the optimum is that of doubles.
    """
    gram, diagonal = vectors @ vectors.swapaxes(1, 2), np.arange(y.shape[1])
    grams = gram.astype(np.float32)
    coefficients, scores, intercepts = np.zeros(y.shape), np.zeros(y.shape), np.zeros((len(y), 1))
    for _ in range(MAX_STEPS):
        p = expit(scores + intercepts)
        roots = np.sqrt(c * p * (1 - p))
        single = roots.astype(np.float32)
        systems = single[:, :, None] * grams * single[:, None]
        systems[:, diagonal, diagonal] += 1
        residual = coefficients + c * (p - y)
        right_sides = np.stack([roots * _multiply(gram, residual), roots], axis=-1)
        solved = [
            sposv(system.T, sides, overwrite_a=True)[1] for system, sides in zip(systems, right_sides, strict=True)
        ]
        step, unit = np.moveaxis(roots[..., None] * np.array(solved), -1, 0)
        step = residual - step
        shift = (coefficients - step).sum(axis=1, keepdims=True) / unit.sum(axis=1, keepdims=True)
        step += shift * unit
        score_step = _multiply(gram, step)
        coefficients, scores, intercepts = coefficients - step, scores - score_step, intercepts + shift
        largest = np.abs(score_step - shift).max(axis=1)
        if largest.max() < MAX_CHANGE:
            break
    intercepts[~(largest < MAX_CHANGE)] = np.nan
    return np.hstack([_multiply(vectors.swapaxes(1, 2), coefficients), intercepts])


def _fit_hessians(vectors: np.ndarray, y: np.ndarray, c: float) -> np.ndarray:
    """Fit as `_fit_grams` does, by Newton's method on the weights, for more vectors than dimensions."""
    rows = np.concatenate([vectors, np.ones((*y.shape, 1))], axis=2)
    singles, penalty = rows.astype(np.float32), np.append(np.ones(vectors.shape[2]), 0.0)
    solution, diagonal = np.zeros((len(y), rows.shape[2])), np.arange(rows.shape[2])
    for _ in range(MAX_STEPS):
        p = expit(_multiply(rows, solution))
        weighted = singles * np.sqrt(c * p * (1 - p)).astype(np.float32)[..., None]
        systems = weighted.swapaxes(1, 2) @ weighted
        systems[:, diagonal, diagonal] += penalty
        gradient = penalty * solution + c * _multiply(rows.swapaxes(1, 2), p - y)
        pairs = zip(systems, gradient, strict=True)
        step = np.array([sposv(system.T, side, overwrite_a=True)[1] for system, side in pairs])
        solution -= step
        largest = np.abs(_multiply(rows, step)).max(axis=1)
        if largest.max() < MAX_CHANGE:
            break
    solution[~(largest < MAX_CHANGE)] = np.nan
    return solution


def _multiply(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Multiply each matrix (n, j, k) with its vector (n, k): (n, j)."""
    return (matrices @ vectors[..., None])[..., 0]


def fit_labels(vectors: np.ndarray, labels: np.ndarray, c: float = 1.0) -> Fit:
    """Fit the loss of `fit` on vectors (m, d) with each row of labels (n, m), all at once and in single precision."""
    vectors, labels = np.asarray(vectors, np.float64), np.asarray(labels)
    solution = _fit_centred(vectors, labels == 1, np.full(labels.shape, c))
    for sample in np.flatnonzero(np.isnan(solution[:, -1])):
        solution[sample] = np.append(*fit(vectors, labels[sample], c))
    return Fit(solution[:, :-1], solution[:, -1])


def _fit_centred(vectors: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Fit as `_fit_all` does in single precision, which would lose small differences of vectors beside their mean."""
    mean = vectors.mean(axis=0)
    solution = _fit_all((vectors - mean).astype(np.float32), y, counts).astype(np.float64)
    solution[:, -1] -= solution[:, :-1] @ mean
    return solution


def _fit_all(vectors: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Minimise the losses of samples that count the vectors (m, d) `counts` (n, m) times: (n, d + 1); NaN if not found.

    vectors: in single precision. y: labels (m,) or (n, m). Newton's steps are solved by conjugate gradients, with the
    inverse Hessian of all samples as preconditioner.
    """
    if len(vectors) < MAX_RATIO * vectors.shape[1]:  # the weights are sums of the vectors
        basis, triangle = np.linalg.qr(vectors.T)
        solution = _fit_all(triangle.T, y, counts)
        return np.hstack([solution[:, :-1] @ basis.T, solution[:, -1:]])
    rows = np.hstack([vectors, np.ones((len(vectors), 1), np.float32)])
    penalty, counts = np.append(np.ones(vectors.shape[1], np.float32), np.float32(0)), counts.astype(np.float32)
    solution, largest = np.zeros((len(counts), rows.shape[1]), np.float32), np.full(len(counts), np.inf)
    for _ in range(MAX_STEPS):
        p = expit(solution @ rows.T)
        curvature = counts * p * (1 - p)
        if largest.max() > MAX_DRIFT:
            weighted = rows * np.sqrt(curvature.mean(axis=0))[:, None]
            inverse, is_definite = _invert(weighted.T @ weighted + np.diag(penalty + np.finfo(np.float32).eps))
            if not is_definite:
                break
        gradient = penalty * solution + (counts * (p - y)) @ rows
        step = _solve(lambda v, w=curvature: (w * (v @ rows.T)) @ rows + penalty * v, inverse, gradient)
        solution -= step
        largest = np.abs(step @ rows.T).max(axis=1)
        if largest.max() < MAX_CHANGE_SINGLE:
            break
    solution[~(largest < MAX_CHANGE_SINGLE)] = np.nan
    return solution


def _invert(matrix: np.ndarray) -> tuple[np.ndarray, bool]:
    """Invert a positive definite matrix (d, d), in half the time of `np.linalg.inv`; return whether it is one."""
    potrf, potri = get_lapack_funcs(("potrf", "potri"), (matrix,))
    factor, failed = potrf(matrix, clean=True)
    upper, _ = potri(factor)
    return upper + np.triu(upper, 1).T, not failed


def _solve(multiply: Callable, inverse: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Solve Hessian · step = gradient (n, d) of every sample by conjugate gradients, preconditioned with `inverse`."""
    step, residual, direction, before = np.zeros_like(gradient), gradient, np.zeros_like(gradient), np.inf
    goal, tiny = RESIDUAL**2 * _multiply_rows(gradient, gradient @ inverse), np.finfo(gradient.dtype).tiny
    for _ in range(MAX_ITERATIONS):
        preconditioned = residual @ inverse
        product = _multiply_rows(residual, preconditioned)
        if (product <= goal).all():
            break
        direction = preconditioned + product / np.maximum(before, tiny) * direction
        image = multiply(direction)
        size = np.where(product > goal, product / np.maximum(_multiply_rows(direction, image), tiny), 0)
        step, residual, before = step + size * direction, residual - size * image, product
    return step


def _multiply_rows(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Compute the inner products of the rows of two arrays (n, d): (n, 1)."""
    return np.einsum("ij,ij->i", left, right)[:, None]


def fit_growing(
    vectors: np.ndarray,
    labels: np.ndarray,
    shuffles: list[np.ndarray],
    sizes: np.ndarray,
    *,
    c: float = 1.0,
    tolerance: float = 3e-3,
) -> Iterator[Fit]:
    """Fit the loss of `fit` on growing sets of words, for all shuffles at once, in single precision.

    All shuffles share their words, so one matrix product serves them all; words outside a set are masked. Each
    regression starts from the previous size and is solved by L-BFGS with a shared preconditioner, the mean of the
    Hessians.

    vectors (m, d) have labels (m,), 0 or 1. shuffles: for each list, rows of `vectors` in the order in which they are
    added, (n_shuffles, m_i); sizes (steps, n_lists). Yields the classifiers of each step. A fit ends if the next step
    would change a logit of a word of mean length by less than the tolerance; ValueError if it never does.
    """
    problem = _Problem(vectors, labels, len(shuffles[0]), c)
    solver = _Solver(problem, tolerance)
    previous, n_preconditioned = np.zeros_like(sizes[0]), 0.0
    for current in sizes:
        for order, start, stop in zip(shuffles, previous, current, strict=True):
            solver.add(order[:, start:stop])
        if current.sum() > GROWTH * n_preconditioned:
            solver.inverse, n_preconditioned = problem.inverse(solver.solution), current.sum()
        previous = current
        solver.solve()
        yield Fit(solver.solution[:, :-1] * problem.scale, solver.solution[:, -1].copy())


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

    def add(self, rows: np.ndarray, solution: np.ndarray) -> np.ndarray:
        """Add the rows (n, r) to the sets of the shuffles; return how their gradients (n, d + 1) change."""
        np.put_along_axis(self.is_member, rows, np.float32(1), axis=1)
        added = self.rows[rows]
        errors = expit(_multiply(added, solution)) - self.labels[rows]
        return self.c * _multiply(added.swapaxes(1, 2), errors)

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
        self.solution, self._gradient = np.zeros((2, n, width), np.float32)
        self.inverse = np.eye(width, dtype=np.float32)
        self._steps = np.zeros((MEMORY, n, width), np.float32)
        self._changes = np.zeros((MEMORY, n, width), np.float32)  # changes of the gradient along the steps
        self._scales = np.zeros((MEMORY, n), np.float32)  # 1 / (step · change), 0 for no pair
        self._next = np.zeros(n, int)

    def add(self, rows: np.ndarray) -> None:
        """Add the rows (n, r) to the sets of the shuffles."""
        self._gradient += self.problem.add(rows, self.solution)

    def solve(self, rounds: int = 300) -> None:
        """Move all solutions to their optima."""
        moving, gradient = np.arange(len(self.solution)), self._gradient
        for _ in range(rounds):
            step = -self._newton(gradient[moving], moving)
            far = np.linalg.norm(step, axis=1) > self.tolerance
            if not far.any():
                return
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
