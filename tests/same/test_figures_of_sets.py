"""Figures of set-level R², retraining and subsampling variability, against tables written by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from scripts.same import plot_sets
from tests.artists import dots, legend, panels, strokes, ticks
from tests.scripted import draw

NAN = np.nan
OURS, PUBLISHED = "ours, with 95 % interval if available", "published (BERT-base, 330 models)"
RETRAINING = pd.DataFrame(
    {"metric": ["weat", "mac", "unmasking"], "distributions": [8, 9, 7], "models": [16, 18, 14],
     "difference": [0.31, 0.12, 0.07], "low": [0.21, NAN, 0.05], "high": [0.44, NAN, 0.11],
     "within_std": [0.01, 0.02, 0.03], "between_std": [0.1, 0.3, 0.2], "noise_ratio": [0.7, 0.5, 0.3], "note": "",
     "published": [0.15, NAN, 0.096]}
)  # fmt: skip
SUBSAMPLING = pd.DataFrame(
    {"metric": ["weat", "ripa", "same"], "models": [13, 15, 14], "n_subsets": 20, "deviation": [0.04, 0.2, 0.002],
     "low": [0.03, 0.1, 0.001], "high": [0.06, 0.3, 0.004], "relative": [False, True, False], "scale": [4, 1.5, 1],
     "undefined": 0.0, "published": [0.0397, NAN, 0.0016]}
)  # fmt: skip
SETS = pd.DataFrame(
    [("same_skew", "mean", 11, 0.9, 0.81, 0.7, 0.88, 0.001, 0.006, 0.21),
     ("same_skew", "std", 10, -0.5, 0.25, 0.04, 0.45, 0.03, 0.06, NAN),
     ("same_skew", "absolute", 11, 0.1, 0.01, NAN, NAN, 0.4, 0.8, NAN),
     ("weat", "mean", 11, 0.75, 0.55, NAN, NAN, 0.05, 0.05, 0.32),
     ("weat", "std", 9, NAN, NAN, NAN, NAN, NAN, NAN, NAN),
     ("weat", "absolute", 11, 0.749, 0.56, 0.2, 0.8, 0.0499, 0.0499, NAN)],
    columns=["metric", "against", "n", "r", "r2", "low", "high", "p", "p_holm", "published"],
).assign(signed=True, ground_truth="signed")  # fmt: skip


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    paths = {name: folder / f"{name}.csv" for name in ("retraining_variability", "sets", "subsampling_variability")}
    for path, table in zip(paths.values(), (RETRAINING, SETS, SUBSAMPLING), strict=True):
        table.to_csv(path, index=False)
    return draw("same/plot_sets.py", tuple(paths), input=paths)


def assert_rows(axis, table, column, names, faces):
    """One row per metric: our value with its interval, and the published one on top."""
    rows = np.arange(len(table))
    ours, published = dots(axis)
    np.testing.assert_allclose(ours.places, np.column_stack([table[column], rows]))
    assert (ours.marker, ours.faces, set(ours.edges), ours.size, ours.label) == ("D", faces, {"#000000"}, 22, OURS)
    known = table["published"].notna().to_numpy()
    places = np.ma.filled(published.places.astype(float), NAN)
    np.testing.assert_allclose(places[known], np.column_stack([table["published"], rows])[known])
    assert np.isnan(places[~known, 0]).all()
    assert (published.marker, published.faces, published.size, published.width, published.label) == (
        "x", ["#b2182b"], 34, 1.4, PUBLISHED
    )  # fmt: skip
    (spread,) = strokes(axis)
    ends = [[(low, row), (high, row)] for low, high, row in zip(table["low"], table["high"], rows, strict=True)]
    np.testing.assert_allclose(spread.ends, [pair for pair in ends if np.isfinite(pair).all()])
    assert (spread.colour, spread.width, spread.dashed) == ("#000000", 1.2, False)
    assert published.above == 5 > ours.above == 3 > axis.collections[0].zorder
    assert ticks(axis, "y") == (list(rows), names)
    assert axis.get_ylim() == (len(table) - 0.4, -0.6)


def test_repeats(figures):
    figure = figures["retraining_variability"]
    spread, word = figure.axes
    assert panels(figure) == (1, 2)
    assert spread.get_shared_y_axes().joined(spread, word)
    assert_rows(spread, RETRAINING, "difference", ["WEAT", "MAC", "unmasking"], ["#000000"] * 3)
    (noise,) = dots(word)
    np.testing.assert_allclose(noise.places, [(0.7, 0), (0.5, 1), (0.3, 2)])
    assert (noise.marker, noise.faces, noise.size, noise.above) == ("D", ["#000000"], 22, 3)
    assert [axis.get_title() for axis in figure.axes] == [
        "Table 2: spread of a model's scores",
        "score of an occupation",
    ]
    assert [axis.get_xlabel() for axis in figure.axes] == [
        "relative difference of standard deviations", "std over repeats / std over occupations"
    ]  # fmt: skip
    assert {axis.get_xlim()[0] for axis in figure.axes} == {0}
    assert legend(figure) == ({OURS: "#000000", PUBLISHED: "#b2182b"}, 2, False, 8)
    assert figure.get_suptitle() == "Do models trained on the same bias get the same scores? 9 distributions"
    assert tuple(figure.get_size_inches()) == (8.6, pytest.approx(1.4 + 0.34 * 3))
    assert not spread.texts


def test_one_repeat_is_said_in_the_figure():
    figure = plot_sets.draw_retraining_variability(RETRAINING.assign(difference=NAN))
    (note,) = figure.axes[0].texts
    assert (note.get_text(), note.get_position()) == ("not computable: one model per distribution", (0.5, 0.5))
    assert note.get_transform() == figure.axes[0].transAxes
    some = RETRAINING.assign(difference=[NAN, 0.1, 0.2])
    assert not plot_sets.draw_retraining_variability(some).axes[0].texts


def test_halves(figures):
    figure = figures["subsampling_variability"]
    (axis,) = figure.axes
    assert_rows(axis, SUBSAMPLING, "deviation", ["WEAT", "RIPA (relative)", "SAME"], ["#000000", "#ffffff", "#000000"])
    assert axis.get_xscale() == "log"
    assert axis.get_xlabel() == "mean |b(half of the occupations) − b(all)|, as a share of the metric's range"
    axis.set_xlim(0.0009, 0.6)
    places, labels = ticks(axis, "x")
    inside = {label: place for place, label in zip(places, labels, strict=True) if 0.0009 < place < 0.6}
    assert list(inside) == ["0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5"]
    assert [float(label) for label in inside] == pytest.approx(list(inside.values()))
    assert not len(axis.xaxis.get_minorticklocs())
    assert legend(figure) == ({OURS: "#000000", PUBLISHED: "#b2182b"}, 2, False, 8)
    assert figure.get_suptitle() == "Table 3: is half of the occupations enough? 15 models"
    assert tuple(figure.get_size_inches()) == (6.6, pytest.approx(1.5 + 0.34 * 3))


@pytest.mark.parametrize(("values", "scale"), [([0.0, 0.0, NAN], "linear"), ([0.0, 0.1, NAN], "log")])
def test_halves_that_change_nothing_need_no_logarithm(values, scale):
    assert plot_sets.draw_subsampling_variability(SUBSAMPLING.assign(deviation=values)).axes[0].get_xscale() == scale


def test_sets(figures):
    figure = figures["sets"]
    axis = figure.axes[0]
    (image,) = axis.images
    np.testing.assert_allclose(np.ma.filled(image.get_array(), NAN), [[0.81, 0.25, 0.01], [0.55, NAN, 0.56]])
    assert (image.get_clim(), image.get_cmap().name, axis.get_aspect()) == ((0, 1), "Greys", "auto")
    dark, light = "white", "black"  # ink on dark and on light
    expected = [
        ((0, 0), "0.81*", "bold", dark, "0.70 to 0.88; published 0.21"),
        ((1, 0), "0.25", "bold", light, "0.04 to 0.45"),
        ((2, 0), "0.01", "normal", light, ""), ((0, 1), "0.55", "normal", light, "published 0.32"),
        ((1, 1), "–", "normal", light, ""), ((2, 1), "0.56*", "bold", dark, "0.20 to 0.80"),
    ]  # fmt: skip
    for (place, value, weight, ink, note), above, below in zip(
        expected, axis.texts[::2], axis.texts[1::2], strict=True
    ):
        assert (above.get_position(), above.get_text(), above.get_weight()) == (place, value, weight)
        assert (below.get_position(), below.get_text()) == (place, note)
        assert {above.get_color(), below.get_color()} == {ink}
        assert (above.get_va(), below.get_va()) == ("bottom", "top")
        assert (above.get_size(), below.get_size()) == (9, 7)


def test_sets_have_a_column_a_figure_of_the_bias(figures):
    figure = figures["sets"]
    axis, bar = figure.axes
    assert ticks(axis, "x") == ([0, 1, 2], ["mean", "standard\ndeviation", "Σ|0.5 − p|"])
    assert ticks(axis, "y") == ([0, 1], ["SAME skew", "WEAT"])
    assert "p < 0.05" in axis.get_xlabel()
    assert axis.xaxis.label.get_size() == 8
    assert not any(line.get_visible() for line in (*axis.get_xgridlines(), *axis.get_ygridlines()))
    assert {mark.get_markersize() for mark in (*axis.xaxis.get_ticklines(), *axis.yaxis.get_ticklines())} == {0}
    assert bar.get_ylabel() == "R²"
    assert figure.get_suptitle() == "Figure 9: R² of set-level scores with the unmasking bias, 11 models"
    assert tuple(figure.get_size_inches()) == (6.2, pytest.approx(1.7 + 0.46 * 2))
    figure.draw_without_rendering()
    assert bar.get_position().height == pytest.approx(0.8 * axis.get_position().height, rel=0.05)
    assert to_hex(axis.images[0].cmap(0.0)) == "#ffffff"  # no correlation is white


@pytest.mark.filterwarnings("ignore:Attempting to set identical")
def test_no_metric_of_sets_is_said_in_the_titles():
    for figure in (plot_sets.draw_sets(SETS[:0]), plot_sets.draw_subsampling_variability(SUBSAMPLING[:0])):
        assert figure.get_suptitle().endswith("no metric has set-level scores")
