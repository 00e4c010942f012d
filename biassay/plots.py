"""The look of the figures."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FIRST, SECOND, EXPLICIT = "#6a3d9a", "#e08214", "#999999"  # first order, vectors' similarity, explicit similarity
METHODS = {"first_order": "Λ1", "second_order_cosine": "cosine", "second_order_nnd": "nnd"}
STATISTICS = {"labor": "Labor", "census": "Census", "planted": "Planted truth"}

plt.rcParams.update(
    {
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.alpha": 0.3,
        "grid.linewidth": 0.6,
        "svg.hashsalt": "biassay",  # the same figure, the same file
        "figure.constrained_layout.use": True,
    }
)


def label(embedding: str, space: str, method: str) -> str:
    """A representation and method as figures name them: explicit skip-gram Λ1 is "e-skipgram Λ1"."""
    prefix = "e-" if space == "explicit" and not embedding.startswith(("pmi", "ppmi", "sppmi")) else ""
    suffix = " (explicit)" if space == "explicit" and embedding.endswith("_svd") else ""
    return f"{prefix}{embedding.replace('_svd', '-SVD')}{suffix} {METHODS.get(method, method)}"


def colour(space: str, method: str) -> str:
    """Colour of a method: first order, similarity of vectors, similarity of explicit vectors."""
    return FIRST if method == "first_order" else EXPLICIT if space == "explicit" else SECOND


def save(figure: plt.Figure, *paths: str) -> None:
    """Write a figure to files of any format and close it."""
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=160, metadata={"Date": None} if path.endswith(".svg") else None)
    plt.close(figure)
