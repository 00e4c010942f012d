"""How large figures are: none is higher than can be read without scrolling."""

MOST = 0.73  # height by width: 880 of 1,200 pixels


def fitting(width: float, height: float) -> tuple[float, float]:
    """Width and height of a figure, in inches, that is made wider if it were too high."""
    return max(width, height / MOST), height
