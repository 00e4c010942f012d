"""Sizes of figures that fit into a window."""

MAX_RATIO = 0.73  # height / width: 880 of 1,200 pixels


def fit_size(width: float, height: float) -> tuple[float, float]:
    """Return width and height in inches, wider than requested if the figure would be too high for a window."""
    return max(width, height / MAX_RATIO), height
