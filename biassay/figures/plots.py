"""The look of the figures."""

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from biassay.figures import labels

FIRST, SECOND, EXPLICIT = "#6a3d9a", "#e08214", "#999999"  # first order, vectors' similarity, explicit similarity
OWN = "#1b7837"  # a metric of one's own
METHODS = {"first_order": "Λ1", "second_order_cosine": "cosine", "second_order_nnd": "nnd"}
SERIES = ("#0072b2", "#d55e00", "#009e73", "#7a1f5c", "#7cc4f0", "#f0b400", "#000000")  # of lines and points
UNBIASED = "#b8b8b8"
SIDES = (("#54278f", "#b39ddb"), ("#b35806", "#fdb863"))  # of the two targets: dark, and light
MODELS = {"biased": "#b2182b", "unbiased": "#4393c3"}  # reference models; in grey the one is dark, the other light
VERDICTS = {"yes": "#bcd9f2", "conditional": "#fff7c9", "no": "#eda06f"}  # of properties, under their signs
TALLEST = 0.75  # of a figure's width: a window of 1200 by 900 shows all of it
STATISTICS = {"labor": "Labor", "census": "Census", "planted": "Planted truth"}

plt.rcParams.update(
    {
        "font.size": 9,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Verdana"],  # measured with the first; the second is as wide, elsewhere
        "svg.fonttype": "none",  # text stays text: to be searched, selected, read aloud
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.alpha": 0.3,
        "grid.linewidth": 0.6,
        "svg.hashsalt": "biassay",  # the same figure, the same file
        "figure.constrained_layout.use": True,
    }
)


def label(embedding: str, space: str, method: str) -> str:
    """A representation and method as figures name them: explicit skip-gram Λ1 is "e-skipgram Λ1"."""
    prefix = "e-" if space == "explicit" and not embedding.startswith(("pmi", "ppmi", "sppmi", "init_")) else ""
    suffix = " (explicit)" if space == "explicit" and embedding.endswith("_svd") else ""
    return f"{prefix}{embedding.replace('_svd', '-SVD')}{suffix} {METHODS.get(method, method)}"


def colour(space: str, method: str) -> str:
    """Colour of a method: first order, similarity of vectors, of explicit vectors, and a metric of one's own."""
    if method not in METHODS:
        return OWN
    return FIRST if method == "first_order" else EXPLICIT if space == "explicit" else SECOND


def series(number: int) -> str:
    """Colour of one of several lines, by its number; told apart by the colour-blind, repeated from the eighth on."""
    return SERIES[number % len(SERIES)]


def name_points(
    axis: plt.Axes, points: np.ndarray, names: list[str], others: np.ndarray, away: np.ndarray
) -> list[plt.Annotation]:
    """Write the names of points (n, 2), the most important first, beside them without overlap, in the direction `away`
    (n, 2); those that find no room are left out. `others` (m, 2) are all points, of which names cover few.

    To be called when all else is drawn, for the names do not move with the layout afterwards.
    """
    if not len(points):
        return []
    lay_out(axis.figure)
    axis.figure.draw_without_rendering()
    scale = 72 / axis.figure.dpi
    texts = [
        axis.annotate(name, point, fontsize=7, annotation_clip=False) for name, point in zip(names, points, strict=True)
    ]
    extents = [text.get_window_extent() for text in texts]
    sizes = np.array([(extent.width, extent.height) for extent in extents]) * scale
    at, around = (axis.transData.transform(places) * scale for places in (points, others))
    boxes = labels.place(at, sizes, around, away, tuple(np.array(axis.get_window_extent().extents) * scale))
    for text in texts:
        text.remove()
    placed = []
    for name, point, place, box in zip(names, points, at, boxes, strict=True):
        if np.isnan(box[0]):
            continue
        far = np.linalg.norm(labels.leader(place, box[None])[0] - place) > 5
        placed.append(
            axis.annotate(
                name, point, (box[:2] + box[2:]) / 2 - place, textcoords="offset points", fontsize=7, ha="center",
                va="center", zorder=5, in_layout=False,
                bbox={"facecolor": "white", "alpha": 0.65, "linewidth": 0, "pad": 0},  # a halo would make paths of it
                arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#555555", "shrinkA": 0} if far else None,
            )
        )  # fmt: skip
    return placed


def size(width: float, height: float) -> tuple[float, float]:
    """A figure's size in inches, made wider where it would be too tall for a window."""
    return max(width, height / TALLEST), height


def lay_out(figure: plt.Figure) -> None:
    """Place all that a figure shows, once: from here on nothing moves, and it is drawn in a third of the time."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)
    figure.set_layout_engine("none")


def save(figure: plt.Figure, *paths: str) -> None:
    """Write a figure to files of any format and close it."""
    lay_out(figure)
    with plt.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)  # as lay_out leaves it, a figure is drawn twice for every file
        for path in paths:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, dpi=160, metadata={"Date": None} if path.endswith(".svg") else None)
            if path.endswith(".svg"):
                text = Path(path).read_text("utf-8")
                Path(path).write_text(re.sub(r"<(path|use|text|rect)\b[^>]*>", _rounded, text), "utf-8")
    plt.close(figure)


def _rounded(element: re.Match) -> str:
    """Coordinates to a hundredth of a point, which takes a fifth off the file."""
    return re.sub(r'(?<= )[dxy]="[^"]*"', lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), element[0])
