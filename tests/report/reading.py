"""What a figure shows, read back from what was drawn."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.markers import MarkerStyle

from biassay.report import plots


def drawn(main, *arguments):
    """The figures that a script's main() saves, by the paths that it saves them to."""
    figures = {}

    def keep(figure, *paths):
        assert paths not in figures
        figures[paths] = figure

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "save", keep)
        main(*arguments)
    plt.close("all")
    return figures


def lines(axis):
    """Lines as (x, y, colour, style)."""
    return [
        (list(line.get_xdata()), list(line.get_ydata()), to_hex(line.get_color()), line.get_linestyle())
        for line in axis.get_lines()
    ]


def points(axis):
    """Scattered points as (x and y (n, 2), colours (n,), marker), a set a call."""
    found = []
    for dots in axis.collections:
        if isinstance(dots, PathCollection):
            offsets = np.asarray(dots.get_offsets())
            colours = [to_hex(colour) for colour in dots.get_facecolors()] or [None]
            colours = colours * len(offsets) if len(colours) == 1 else colours
            found.append((offsets, colours, marker(dots)))
    return found


def marker(dots):
    """Which marker points have."""
    vertices = dots.get_paths()[0].vertices
    for name in "osD^v+x":
        style = MarkerStyle(name)
        wanted = style.get_path().transformed(style.get_transform()).vertices
        if wanted.shape == vertices.shape and np.allclose(wanted, vertices):
            return name
    raise AssertionError("a marker that the tests do not know")


def strokes(axis):
    """Lines of `hlines` as (ends (n, 2, 2), colours (n,)), a set a call."""
    sets = [found for found in axis.collections if isinstance(found, LineCollection)]
    return [(np.array(found.get_segments()), [to_hex(colour) for colour in found.get_colors()]) for found in sets]


def legend(figure):
    """What the legend of a figure says, with the handle of each entry."""
    (shown,) = figure.legends
    assert not shown.get_frame_on()
    return {text.get_text(): handle for text, handle in zip(shown.get_texts(), shown.legend_handles, strict=True)}


def columns(figure):
    """Columns of the legend of a figure."""
    return figure.legends[0]._ncols


def ticks(axis):
    """Names on the y axis by place."""
    return dict(zip(axis.get_yticks().tolist(), [text.get_text() for text in axis.get_yticklabels()], strict=True))


def heading(figure):
    return figure.get_suptitle()


def grid(figure):
    """Lines and columns of panels."""
    return figure.axes[0].get_subplotspec().get_gridspec().get_geometry()


def size(figure):
    """Width and height in inches."""
    return tuple(figure.get_size_inches().round(6).tolist())
