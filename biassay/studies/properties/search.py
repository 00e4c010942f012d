"""Searches over target vectors: extremes of a metric, and targets on which it shows b_0 although a premise holds.

Closed-form candidates come first (directions that proofs use, in every pattern over the targets), then local
optimisation from many starts. Metrics are black boxes, so gradients are numeric.
"""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import scipy

from biassay.studies.properties.settings import Scored, Setting, lengths_of

ZERO = 1e-5  # |b − b_0| below this, relative to the metric's span in the setting, counts as b_0
Premise = Callable[[np.ndarray, Setting], float]


def candidates(scored: Scored, setting: Setting) -> Iterator[np.ndarray]:
    """Targets (n, d) made of a setting's special directions: all the same, one and another, each label alike."""
    directions = list(special(setting))
    for p in directions:
        yield np.tile(p, (scored.targets, 1))
    if scored.targets > 1:
        for p, q in product(directions, repeat=2):
            if p is not q:
                half = scored.targets // 2
                yield np.vstack([p] * half + [q] * (scored.targets - half))  # the labels apart
                yield np.vstack([(p, q)[i % 2] for i in range(scored.targets)])  # across the labels


def special(setting: Setting) -> Iterator[np.ndarray]:
    """Unit directions: ±(â_i − â_j), ±â_i, neutral ones (orthogonal to all differences), and mixtures of these."""
    means = setting.means
    differences = [means[0] - mean for mean in means[1:]]
    plain = [*differences, *means, *neutral(setting)]
    mixed = [differences[0] / np.linalg.norm(differences[0]) + direction for direction in neutral(setting)]
    for direction in [*plain, *mixed]:
        length = np.linalg.norm(direction)
        if length > 1e-9:
            yield direction / length
            yield -direction / length


def neutral(setting: Setting) -> np.ndarray:
    """Basis (k, d) of the directions that are equally near all groups."""
    differences = setting.means[1:] - setting.means[0]
    _, lengths, rows = np.linalg.svd(differences)
    return rows[np.count_nonzero(lengths > 1e-9) :]


def extremes(scored: Scored, setting: Setting, n_starts: int, random: np.random.Generator):
    """((least value, targets), (greatest value, targets)) found; None if the metric is undefined throughout.

    Optimisation is left out where a candidate reaches the bound that the metric declares, which no value exceeds.
    """
    found = [(scored(targets, setting), targets) for targets in candidates(scored, setting)]
    found = [pair for pair in found if np.isfinite(pair[0])]
    if not found:
        return None
    ends = []
    for sign, bound in ((-1, scored.range.b_min), (1, scored.range.b_max)):
        best = max(found, key=lambda pair, sign=sign: sign * pair[0])
        if bound is None or abs(best[0] - bound) > ZERO:
            for _ in range(n_starts):
                start = random.standard_normal((scored.targets, setting.dimensions))
                targets = _descend(lambda t, sign=sign: -sign * scored(t, setting), start)
                value = scored(targets, setting)
                best = max(
                    best,
                    (value, targets),
                    key=lambda pair, sign=sign: sign * np.nan_to_num(pair[0], nan=-sign * np.inf),
                )
        ends.append((best[0], _unit(best[1])))
    return tuple(ends)


def shows_b_0(
    scored: Scored, setting: Setting, premises: list[tuple[Premise, float]], span: float, n_starts: int,
    random: np.random.Generator,
) -> tuple[float, np.ndarray | None]:  # fmt: skip
    """Targets on which every premise reaches its margin and yet b = b_0.

    Returns the least |b − b_0| that was reached with the premises, relative to `span`, and the targets if it is ZERO.
    """

    def far(targets):
        value = abs(scored(targets, setting) - scored.b_0) / span
        return value if np.isfinite(value) else np.inf

    def holds(targets):
        return all(premise(targets, setting) >= 0.999 * margin for premise, margin in premises)

    best, above, below = np.inf, None, None
    for targets in _starts(scored, setting, n_starts, random):
        if holds(targets):
            if far(targets) < ZERO:
                return 0.0, _unit(targets)
            best = min(best, far(targets))
            above, below = (targets, below) if scored(targets, setting) > scored.b_0 else (above, targets)
    if above is not None and below is not None:
        crossing = _bisect(scored, setting, above, below)
        if crossing is not None and holds(crossing) and far(crossing) < ZERO:
            return 0.0, _unit(crossing)
    for number in range(3 * n_starts):
        free = min((1, 2, scored.targets)[number % 3], scored.targets)  # few free directions are solved more surely
        start = random.standard_normal((free, setting.dimensions))
        targets = _solve(scored, setting, premises, span, start)
        if holds(targets):
            best = min(best, far(targets))
            if best < ZERO:
                return best, _unit(targets)
    return best, None


def false_positive(scored: Scored, setting: Setting, span: float, n_starts: int, random: np.random.Generator):
    """Neutral targets, all equally near all groups, with b ≠ b_0: (|b − b_0| relative to span, targets or None).

    An undefined value is not b_0: if nothing else is found, the distance is infinite and the targets come back.
    """
    basis = neutral(setting)
    if not len(basis):
        return 0.0, None
    found = [np.tile(row, (scored.targets, 1)) for row in basis]
    found += [random.standard_normal((scored.targets, len(basis))) @ basis for _ in range(n_starts * 4)]
    distances = [abs(scored(targets, setting) - scored.b_0) / span for targets in found]
    finite = [d for d in distances if np.isfinite(d)]
    if not finite:
        return np.inf, _unit(found[-1])
    worst = int(np.nanargmax(distances))
    return distances[worst], _unit(found[worst]) if distances[worst] > 1e-3 else None


def _starts(scored: Scored, setting: Setting, n_starts: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    yield from candidates(scored, setting)
    for _ in range(8 * n_starts):
        yield random.standard_normal((scored.targets, setting.dimensions))


def _unit(targets: np.ndarray) -> np.ndarray:
    return targets / lengths_of(targets)


def _descend(objective: Callable[[np.ndarray], float], start: np.ndarray) -> np.ndarray:
    """Minimise over targets from a start, undefined values avoided."""

    def flat(values):
        value = objective(_unit(values.reshape(start.shape)))
        return value if np.isfinite(value) else 1e6

    result = scipy.optimize.minimize(flat, _unit(start).ravel(), method="L-BFGS-B", options={"maxiter": 60})
    return _unit(result.x.reshape(start.shape))


def _solve(
    scored: Scored, setting: Setting, premises: list[tuple[Premise, float]], span: float, start: np.ndarray
) -> np.ndarray:
    """Least squares of b − b_0 and of what the premises lack, from a start; its rows take turns over the targets."""
    turns = np.arange(scored.targets) % len(start)

    def residuals(values):
        targets = _unit(values.reshape(start.shape))[turns]
        distance = (scored(targets, setting) - scored.b_0) / span
        lacking = [max(0.0, margin - premise(targets, setting)) for premise, margin in premises]
        found = np.array([distance, *lacking])
        return found if np.isfinite(found).all() else np.nan_to_num(found, nan=1e3, posinf=1e3, neginf=-1e3)

    result = scipy.optimize.least_squares(residuals, _unit(start).ravel(), max_nfev=40)
    return _unit(result.x.reshape(start.shape))[turns]


def _bisect(scored: Scored, setting: Setting, above: np.ndarray, below: np.ndarray) -> np.ndarray | None:
    """Targets between two sets on which b crosses b_0; None if it is undefined on the way."""
    for _ in range(60):
        middle = (_unit(above) + _unit(below)) / 2
        if (np.linalg.norm(middle, axis=1) < 1e-9).any():
            middle = middle + 1e-3 * np.ones(middle.shape[1])
        value = scored(middle, setting)
        if not np.isfinite(value):
            return None
        above, below = (middle, below) if value > scored.b_0 else (above, middle)
    return middle
