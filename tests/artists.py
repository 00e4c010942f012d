"""Content of a figure, read from its artists."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex


class Dots(NamedTuple):
    """Points of one scatter: its label, the positions (n, 2), and face colours ("none": hollow)."""

    label: str
    places: np.ndarray
    faces: list[str]


def dots(axis):
    """Return the scatters of an axis, in drawing order."""
    scatters = [artist for artist in axis.collections if isinstance(artist, PathCollection)]
    return [
        Dots(artist.get_label(), np.array(artist.get_offsets()), list(map(to_hex, artist.get_facecolor())) or ["none"])
        for artist in scatters
    ]


def ticks(axis, which):
    """Return positions and labels of the ticks of "x" or "y"."""
    axis = getattr(axis, f"{which}axis")
    return list(axis.get_majorticklocs()), [label.get_text() for label in axis.get_ticklabels()]


def words(axis):
    """Return the texts in an axis by position."""
    return {text.get_position(): text.get_text() for text in axis.texts}
