"""Placement of the names of points in a figure without overlap. All units are points; boxes are (left, bottom, right,
top).
"""

import numpy as np

DISTANCES = (3, 6, 10, 15, 21, 28, 36, 46, 58, 72, 90, 110)
ANGLES = np.linspace(0, 2 * np.pi, 24, endpoint=False)
COVER_COST = 6.0  # distance that equals one covered point


def place(
    points: np.ndarray, sizes: np.ndarray, others: np.ndarray, away: np.ndarray, bounds: tuple[float, ...],
    gap: float = 2.0,
) -> np.ndarray:  # fmt: skip
    """Place the names of points greedily.

    Each name takes the closest place that covers the fewest points. Its box must be inside `bounds`, in the direction
    `away` of its point, and must not touch earlier boxes, leader lines or named points; its leader line must not touch
    earlier boxes.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        The most important point first.
    sizes : ndarray, shape (n, 2)
        Width and height of the names.
    others : ndarray, shape (m, 2)
        All points of the figure.
    away : ndarray, shape (n, 2)
    bounds : tuple
        A box.
    gap : float

    Returns
    -------
    ndarray, shape (n, 4)
        Boxes; NaN where there is no room.
    """
    boxes, lines = np.full((len(points), 4), np.nan), []
    for number, (point, size) in enumerate(zip(points, sizes, strict=True)):
        candidates = _around(point, size)
        ends = leader(point, candidates)
        cost = np.repeat(np.array(DISTANCES, float), len(ANGLES))
        cost += COVER_COST * covered(candidates, others).sum(axis=1)
        placed = boxes[~np.isnan(boxes[:, 0])]
        free = (candidates[:, :2] + candidates[:, 2:] - 2 * point) @ away[number] >= 0
        free &= (candidates[:, :2] >= bounds[:2]).all(axis=1) & (candidates[:, 2:] <= bounds[2:]).all(axis=1)
        free &= ~covered(candidates, points, gap).any(axis=1)
        free &= ~overlap(candidates, placed, gap).any(axis=1)
        if len(placed):
            free &= ~covered(candidates, np.concatenate(lines), gap).any(axis=1)
            crossed = covered(placed, _samples(point, ends).reshape(-1, 2), gap).any(axis=0)
            free &= ~crossed.reshape(len(ends), -1).any(axis=1)
        if free.any():
            best = int(np.argmin(np.where(free, cost, np.inf)))
            boxes[number] = candidates[best]
            lines.append(_samples(point, ends[best : best + 1])[0])
    return boxes


def overlap(left: np.ndarray, right: np.ndarray, gap: float = 0.0) -> np.ndarray:
    """Return whether boxes (n, 4) are closer than `gap` to boxes (m, 4), shape (n, m)."""
    left, right = left[:, None], right[None]
    apart = (left[..., :2] >= right[..., 2:] + gap) | (left[..., 2:] + gap <= right[..., :2])
    return ~apart.any(axis=-1)


def covered(boxes: np.ndarray, points: np.ndarray, gap: float = 0.0) -> np.ndarray:
    """Return whether boxes (n, 4), extended by `gap`, cover points (m, 2), shape (n, m)."""
    left, bottom, right, top = (boxes + gap * np.array([-1, -1, 1, 1])).T[..., None]
    x, y = points.T
    return (x > left) & (x < right) & (y > bottom) & (y < top)


def leader(point: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return the place of each box (n, 4) that is closest to a point, shape (n, 2)."""
    return np.clip(point, boxes[:, :2], boxes[:, 2:])


def _around(point: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return boxes of a size at all distances and angles from a point, shape (distances × angles, 4)."""
    directions = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    away = (directions[None] * (size / 2 + np.array(DISTANCES)[:, None, None])).reshape(-1, 2)
    return np.hstack([point + away - size / 2, point + away + size / 2])


def _samples(point: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return places on the lines from a point to ends (n, 2), shape (n, 20, 2)."""
    return point + np.linspace(0, 1, 20)[None, :, None] * (ends - point)[:, None]
