"""What a figure shows, read back from its artists."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.markers import MarkerStyle

MARKERS = "oD^vxs"


class Dots(NamedTuple):
    """Points of one scatter: places (n, 2), a face colour a point or one for all ("none": hollow), and their look."""

    label: str
    places: np.ndarray
    marker: str
    faces: list[str]
    edges: list[str]
    size: float
    width: float
    above: float


def dots(axis):
    """The scatters of an axis, in the order of drawing."""
    return [_dots(artist) for artist in axis.collections if isinstance(artist, PathCollection)]


def _dots(artist):
    path = artist.get_paths()[0]
    shapes = {name: MarkerStyle(name) for name in MARKERS}
    same = [
        name for name, shape in shapes.items()
        if np.array_equal(shape.get_path().transformed(shape.get_transform()).vertices, path.vertices)
    ]  # fmt: skip
    faces, edges = (
        list(map(to_hex, colours)) or ["none"] for colours in (artist.get_facecolor(), artist.get_edgecolor())
    )
    (size,), (width,) = set(artist.get_sizes()), set(artist.get_linewidths())
    return Dots(artist.get_label(), np.array(artist.get_offsets()), same[0], faces, edges, size, width, artist.zorder)


class Strokes(NamedTuple):
    """Straight lines of one hlines or vlines: their ends (n, 2, 2), and their look."""

    ends: np.ndarray
    colour: str
    width: float
    dashed: bool


def strokes(axis):
    """The hlines and vlines of an axis, in the order of drawing."""
    found = [artist for artist in axis.collections if isinstance(artist, LineCollection)]
    return [
        Strokes(np.array(lines.get_segments()), to_hex(lines.get_colors()[0]), lines.get_linewidths()[0],
                lines.get_linestyles()[0][1] is not None)
        for lines in found
    ]  # fmt: skip


def ticks(axis, which):
    """Places and labels of the ticks of "x" or "y"."""
    axis = getattr(axis, f"{which}axis")
    return list(axis.get_majorticklocs()), [label.get_text() for label in axis.get_ticklabels()]


def legend(figure):
    """The legend's entries and how many stand in a row."""
    (found,) = figure.legends
    return [text.get_text() for text in found.get_texts()], found._ncols


def words(axis):
    """The texts in an axis by place."""
    return {text.get_position(): text.get_text() for text in axis.texts}
