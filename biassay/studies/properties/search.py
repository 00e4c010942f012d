"""Searches over target vectors: extremes of a metric, missed bias (b = b_0) and false positives (b ≠ b_0).

The search starts with closed-form candidates (directions from proofs, in every pattern over the targets) and continues
with local optimisation from many starts. Metrics are black boxes, so gradients are numeric.
"""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import scipy

from biassay.studies.properties.settings import PER_LABEL, ScoredMetric, Setting, measure_lengths

ZERO = 1e-5  # a smaller |b − b_0|, relative to the metric's span in the setting, counts as b = b_0
Premise = Callable[[np.ndarray, Setting], float]


def generate_candidates(scored: ScoredMetric, setting: Setting) -> Iterator[np.ndarray]:
    """Generate targets (n, d) from special directions: all equal, two directions by label, two across labels."""
    directions = list(generate_directions(setting))
    for p in directions:
        yield np.tile(p, (scored.n_targets, 1))
    if scored.n_targets > 1:
        for p, q in product(directions, repeat=2):
            if p is not q:
                half = scored.n_targets // 2
                yield np.vstack([p] * half + [q] * (scored.n_targets - half))  # one per label
                yield np.vstack([(p, q)[i % 2] for i in range(scored.n_targets)])  # across the labels


def generate_directions(setting: Setting) -> Iterator[np.ndarray]:
    """Generate unit directions: ±(â_i − â_j), ±â_i, neutral ones (orthogonal to all differences), and mixtures."""
    means = setting.means
    differences = [means[0] - mean for mean in means[1:]]
    plain = [*differences, *means, *neutral_basis(setting)]
    mixed = [differences[0] / np.linalg.norm(differences[0]) + direction for direction in neutral_basis(setting)]
    for direction in [*plain, *mixed]:
        length = np.linalg.norm(direction)
        if length > 1e-9:
            yield direction / length
            yield -direction / length


def neutral_basis(setting: Setting) -> np.ndarray:
    """Return a basis (n_directions, d) of the directions that are equally near all groups."""
    differences = setting.means[1:] - setting.means[0]
    _, lengths, rows = np.linalg.svd(differences)
    return rows[np.count_nonzero(lengths > 1e-9) :]


def find_extremes(scored: ScoredMetric, setting: Setting, n_starts: int, random: np.random.Generator):
    """Find the smallest and the largest value, each with its targets; None if the metric is always undefined.

    A candidate that reaches a declared bound needs no optimisation, because no value can exceed the bound.
    """
    pairs = [(scored(targets, setting), targets) for targets in generate_candidates(scored, setting)]
    pairs = [pair for pair in pairs if np.isfinite(pair[0])]
    if not pairs:
        return None
    ends = []
    for sign, bound in ((-1, scored.range.b_min), (1, scored.range.b_max)):
        best = max(pairs, key=lambda pair, sign=sign: sign * pair[0])
        if bound is None or abs(best[0] - bound) > ZERO:
            for _ in range(n_starts):
                start = random.standard_normal((scored.n_targets, setting.dimensions))
                targets = _descend(lambda t, sign=sign: -sign * scored(t, setting), start)
                value = scored(targets, setting)
                if sign * value > sign * best[0]:  # never for NaN
                    best = (value, targets)
        ends.append((best[0], _unit(best[1])))
    return tuple(ends)


def find_missed_bias(
    scored: ScoredMetric, setting: Setting, premises: list[tuple[Premise, float]], span: float, n_starts: int,
    random: np.random.Generator,
) -> tuple[float, np.ndarray | None]:  # fmt: skip
    """Find targets for which every premise reaches its margin and yet b = b_0.

    Returns the smallest |b − b_0| of targets that satisfy the premises, relative to `span`, and the targets if this
    distance counts as zero.
    """

    def distance(targets):
        value = abs(scored(targets, setting) - scored.b_0) / span
        return value if np.isfinite(value) else np.inf

    def holds(targets):
        return all(premise(targets, setting) >= 0.999 * margin for premise, margin in premises)

    best, above, below = np.inf, None, None
    for targets in _starts(scored, setting, n_starts, random):
        if holds(targets):
            if distance(targets) < ZERO:
                return 0.0, _unit(targets)
            best = min(best, distance(targets))
            above, below = (targets, below) if scored(targets, setting) > scored.b_0 else (above, targets)
    if above is not None and below is not None:
        crossing = _bisect(scored, setting, above, below)
        if crossing is not None and holds(crossing) and distance(crossing) < ZERO:
            return 0.0, _unit(crossing)
    # fewer free directions are easier to solve
    n_free = [min(n, scored.n_targets) for n in (1, 2, scored.n_targets)] * n_starts
    starts = [random.standard_normal((n, setting.dimensions)) for n in n_free]
    for start in [*starts, *_draw_ordered(scored, setting, n_starts, random)]:
        targets = _solve(scored, setting, premises, span, start)
        if holds(targets):
            best = min(best, distance(targets))
            if best < ZERO:
                return best, _unit(targets)
    return best, None


def find_false_positive(
    scored: ScoredMetric, setting: Setting, span: float, n_starts: int, random: np.random.Generator
):
    """Find a counterexample to trustworthiness: targets that are equally near all groups, but have b ≠ b_0.

    Returns the largest |b − b_0| of all candidates, relative to `span`, and its candidate; None if the distance is
    practically zero. Candidates with an undefined b are ignored; if b is undefined for all, the distance is infinite.
    """
    basis = neutral_basis(setting)
    if not len(basis):
        return 0.0, None
    all_targets = [np.tile(row, (scored.n_targets, 1)) for row in basis]
    all_targets += [random.standard_normal((scored.n_targets, len(basis))) @ basis for _ in range(n_starts * 4)]
    distances = [abs(scored(targets, setting) - scored.b_0) / span for targets in all_targets]
    finite = [d for d in distances if np.isfinite(d)]
    if not finite:
        return np.inf, _unit(all_targets[-1])
    worst = int(np.nanargmax(distances))
    return distances[worst], _unit(all_targets[worst]) if distances[worst] > 1e-3 else None


def _starts(scored: ScoredMetric, setting: Setting, n_starts: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    yield from generate_candidates(scored, setting)
    for _ in range(8 * n_starts):
        yield random.standard_normal((scored.n_targets, setting.dimensions))
    yield from _draw_ordered(scored, setting, 8 * n_starts, random)


def _draw_ordered(scored: ScoredMetric, setting: Setting, n: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw n targets of more than two lists, each list near its group; random ones seldom follow the stereotypes."""
    own = np.repeat(setting.means - setting.means.mean(axis=0), PER_LABEL, axis=0)
    if len(setting.groups) > 2 and scored.n_targets == len(own):
        for _ in range(n):
            yield own + 0.3 * setting.width * random.standard_normal(own.shape)


def _unit(targets: np.ndarray) -> np.ndarray:
    return targets / measure_lengths(targets)


def _descend(objective: Callable[[np.ndarray], float], start: np.ndarray) -> np.ndarray:
    """Minimise over targets from a start, avoiding undefined values."""

    def penalised(values):
        value = objective(_unit(values.reshape(start.shape)))
        return value if np.isfinite(value) else 1e6

    result = scipy.optimize.minimize(penalised, _unit(start).ravel(), method="L-BFGS-B", options={"maxiter": 60})
    return _unit(result.x.reshape(start.shape))


def _solve(
    scored: ScoredMetric, setting: Setting, premises: list[tuple[Premise, float]], span: float, start: np.ndarray
) -> np.ndarray:
    """Solve b = b_0 and the premises by least squares from a start, whose rows repeat over the targets."""
    turns = np.arange(scored.n_targets) % len(start)

    def residuals(values):
        targets = _unit(values.reshape(start.shape))[turns]
        distance = (scored(targets, setting) - scored.b_0) / span
        deficits = [max(0.0, margin - premise(targets, setting)) for premise, margin in premises]
        errors = np.array([distance, *deficits])
        return errors if np.isfinite(errors).all() else np.nan_to_num(errors, nan=1e3, posinf=1e3, neginf=-1e3)

    result = scipy.optimize.least_squares(residuals, _unit(start).ravel(), max_nfev=40)
    return _unit(result.x.reshape(start.shape))[turns]


def _bisect(scored: ScoredMetric, setting: Setting, above: np.ndarray, below: np.ndarray) -> np.ndarray | None:
    """Find targets between two sets where b crosses b_0; None if b is undefined on the way."""
    for _ in range(60):
        middle = (_unit(above) + _unit(below)) / 2
        if (np.linalg.norm(middle, axis=1) < 1e-9).any():
            middle = middle + 1e-3 * np.ones(middle.shape[1])
        value = scored(middle, setting)
        if not np.isfinite(value):
            return None
        above, below = (middle, below) if value > scored.b_0 else (above, middle)
    return middle
