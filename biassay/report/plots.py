"""Style of the figures."""

import logging
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from textwrap import fill

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from matplotlib.transforms import Bbox

FIRST, SECOND, EXPLICIT = "#6a3d9a", "#e08214", "#999999"  # first order, vectors' similarity, explicit similarity
OWN = "#1b7837"  # a user's metric
METHODS = {"first_order": "Λ1", "second_order_cosine": "cosine", "second_order_nnd": "nnd"}
SERIES = ("#0072b2", "#d55e00", "#009e73", "#7a1f5c", "#7cc4f0", "#f0b400", "#000000")  # for colour-blind readers too
MARKERS = "osD^v<>pP*Xh"
UNBIASED = "#b8b8b8"
SIDES = (("#54278f", "#b39ddb"), ("#b35806", "#fdb863"))  # dark and light colour of the two lists of targets
VERDICTS = {"yes": "#bcd9f2", "conditional": "#fff7c9", "no": "#eda06f"}  # backgrounds of verdicts on properties
DISTANCES, COVER_COST = (3, 6, 10, 15, 21, 28), 6  # of names from points, in points; a covered point counts as 6
STEPS = [np.array([np.cos(angle), np.sin(angle)]) for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
WIDTH = 7.0  # inches, of all figures: two columns of a paper; the smallest text has 7 points
TITLE_LENGTH = 95  # characters that fit into this width
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}  # look of published values
STATISTICS = {"labor": "Labor", "census": "Census", "planted": "Planted ground truth"}

logging.getLogger("fontTools").setLevel(logging.WARNING)  # which reports every font in a PDF
plt.rcParams.update(
    {
        "font.size": 8.5,
        "axes.titlesize": 8.5,
        "figure.titlesize": 9.5,
        "legend.fontsize": 8,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Verdana"],  # laid out with the first; the second is equally wide
        "svg.fonttype": "none",  # text can be searched, selected and read aloud
        "pdf.fonttype": 42,  # TrueType, which publishers require
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.titley": 1.0,  # no ticks are above, and looking for them takes time
        "grid.alpha": 0.3,
        "grid.linewidth": 0.6,
        "svg.hashsalt": "biassay",  # reproducible files
        "figure.constrained_layout.use": True,
    }
)


def label(embedding: str, space: str, method: str) -> str:
    """Return the label of a representation and method: "e-skipgram Λ1" for explicit skip-gram Λ1."""
    prefix = "e-" if space == "explicit" and not embedding.startswith(("pmi", "ppmi", "sppmi", "init_")) else ""
    suffix = " (explicit)" if space == "explicit" and embedding.endswith("_svd") else ""
    return f"{prefix}{embedding.replace('_svd', '-SVD')}{suffix} {METHODS.get(method, method)}"


def colour(space: str, method: str) -> str:
    """Return the colour of a method: first order, similarity of vectors or of explicit vectors, or a user's metric."""
    if method not in METHODS:
        return OWN
    return FIRST if method == "first_order" else EXPLICIT if space == "explicit" else SECOND


def series(number: int) -> str:
    """Return the colour of a line by its number; colours repeat from the eighth on."""
    return SERIES[number % len(SERIES)]


def line_look(number: int) -> dict[str, str]:
    """Return the marker and the colour of a line by its number."""
    return {"marker": MARKERS[number % len(MARKERS)], "color": series(number)}


def make_panels(n: int, max_columns: int, height: float, rest: float, **shared: bool) -> tuple[plt.Figure, np.ndarray]:
    """Make a figure of n panels, at least one, with `rest` of its height (inches) around the panels.

    Returns the figure and its axes, row by row; those beyond n are invisible.
    """
    n_columns = max(1, min(max_columns, n))
    n_rows = max(1, -(-n // n_columns))
    size = WIDTH, rest + height * n_rows
    figure, axes = plt.subplots(n_rows, n_columns, squeeze=False, figsize=size, **shared)
    for axis in axes.flat[n:]:
        axis.set_visible(False)
    return figure, axes


def use_log_axis(axis: plt.Axes) -> None:
    """Make the x-axis logarithmic, with plain numbers at 1, 2 and 5."""
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def name_points(
    axis: plt.Axes, points: np.ndarray, names: list[str], others: np.ndarray, away: np.ndarray
) -> list[plt.Annotation]:
    """Write the names of points next to them without overlap; names without room are omitted.

    Each name takes the place, in the direction `away` of its point (n, 2), that covers the fewest of all points
    `others` (m, 2) and is closest. The most important point comes first. Call this after drawing everything else,
    because the names do not move with the layout.
    """
    figure = axis.figure
    lay_out(figure)
    figure.draw_without_rendering()
    pixels = figure.dpi / 72  # per point
    inside, covered = axis.get_window_extent(), axis.transData.transform(others)
    centres = axis.transData.transform(points) if len(points) else points
    taken, placed = [Bbox.from_extents(*(at - 2 * pixels), *(at + 2 * pixels)) for at in centres], []
    for name, point, at, direction in zip(names, points, centres, away, strict=True):
        text = axis.annotate(
            name,
            point,
            (0, 0),
            textcoords="offset points",
            fontsize=7,
            ha="center",
            va="center",
            zorder=5,
            in_layout=False,
            annotation_clip=False,
            bbox={"facecolor": "white", "alpha": 0.65, "linewidth": 0, "pad": 0},  # halos turn text into paths
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#555555", "shrinkA": 0},
        )
        extent = plt.Text.get_window_extent(text)  # without the line to the point
        places = []
        for distance, step in product(DISTANCES, STEPS):
            offset = step * (extent.size / 2 + distance * pixels)
            box = Bbox.from_bounds(*(at + offset - extent.size / 2), *extent.size)
            is_inside = inside.contains(*box.min) and inside.contains(*box.max)
            if offset @ direction >= 0 and is_inside and not box.count_overlaps(taken):
                places.append((distance + COVER_COST * box.count_contains(covered), len(places), offset, box))
        if not places:
            text.remove()
            continue
        _, _, offset, box = min(places)
        text.set_position(tuple(offset / pixels))
        taken.append(box)
        placed.append(text)
    return placed


def add_legend(figure: plt.Figure, handles: Sequence | None = None) -> None:
    """Add a legend below a figure, with as many columns as fit; by default of all labels of its axes."""
    if handles is None:
        pairs = [pair for axis in figure.axes for pair in zip(*axis.get_legend_handles_labels(), strict=True)]
        handles = list({label: handle for handle, label in reversed(pairs)}.values())[::-1]
    for n_columns in range(len(handles), 0, -1):
        legend = figure.legend(handles=handles, loc="outside lower center", ncols=n_columns, frameon=False)
        if n_columns == 1 or legend.get_window_extent().width < figure.bbox.width:
            return
        legend.remove()


def lay_out(figure: plt.Figure) -> None:
    """Break the title into lines and fix the layout of a figure, so that drawing takes a third of the time."""
    if title := figure.get_suptitle():
        figure.suptitle(fill(title, TITLE_LENGTH))
    if engine := figure.get_layout_engine():
        engine.execute(figure)
    figure.set_layout_engine("none")


def save(figure: plt.Figure, *paths: str) -> None:
    """Write a figure to files in the formats of their suffixes, and close it."""
    lay_out(figure)
    with plt.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)  # otherwise every file would draw the figure twice
        for path in paths:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}  # omitted: files are reproducible
            figure.savefig(path, dpi=160, metadata=dates.get(Path(path).suffix))
    plt.close(figure)
