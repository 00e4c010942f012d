"""Content of a figure, read from its artists."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.container import Container
from matplotlib.markers import MarkerStyle

MARKERS = "oD^vxs"


class Dots(NamedTuple):
    """Points of one scatter: positions (n, 2), one face colour per point or for all ("none": hollow), and style."""

    label: str
    places: np.ndarray
    marker: str
    faces: list[str]
    edges: list[str]
    size: float
    width: float
    above: float


def dots(axis):
    """Return the scatters of an axis, in drawing order."""
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


def ticks(axis, which):
    """Return positions and labels of the ticks of "x" or "y"."""
    axis = getattr(axis, f"{which}axis")
    return list(axis.get_majorticklocs()), [label.get_text() for label in axis.get_ticklabels()]


class Legend(NamedTuple):
    """Return the entries of a figure's legend with the colours of their marks ("none": hollow), and its style."""

    entries: dict[str, str]
    columns: int
    framed: bool
    size: float


def legend(figure):
    (found,) = figure.legends
    names = [text.get_text() for text in found.get_texts()]
    entries = dict(zip(names, map(_colour, found.legend_handles), strict=True))
    return Legend(entries, found._ncols, found.get_frame_on(), found.get_texts()[0].get_size())


def _colour(handle):
    if isinstance(handle, Container):
        handle = handle[0]
    if isinstance(handle, PathCollection):
        return next((to_hex(colour) for colour in handle.get_facecolor()), "none")
    return to_hex(handle.get_color()[0] if isinstance(handle, LineCollection) else handle.get_color())


def panels(figure):
    """Return the numbers of rows and columns of a figure's axes."""
    return figure.axes[0].get_subplotspec().get_gridspec().get_geometry()


def words(axis):
    """Return the texts in an axis by position."""
    return {text.get_position(): text.get_text() for text in axis.texts}
