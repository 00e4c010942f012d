"""The figure of word-level R² (Figure 6), against its tables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from scripts.same import plot_words
from tests.artists import dots, legend, panels, ticks
from tests.same import study
from tests.same.answers import name_of
from tests.scripted import draw

METRICS = {"signed": ["weat", "same", "ripa", "unmasking"],
           "unsigned": ["weat", "same", "mac", "direct_bias", "ripa", "unmasking"]}  # fmt: skip
PUBLISHED = "published mean (BERT-base, 330 models)"
UPPER_BOUND = "upper bound: unmasking"
RED = "#b2182b"
PANELS = [(ground_truth, against) for ground_truth in METRICS for against in ("training", "unmasking")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tables and the figures by name."""
    paths = study.write(tmp_path_factory.mktemp("figures"))
    figures = draw("same/plot_words.py", ("words", "angles"), input=paths)
    params = {"metrics": list(study.METRICS)}
    figures |= draw("same/plot_examples.py", ("example", "examples"), input=paths, params=params)
    yield study.read(paths), figures
    plt.close("all")


def chosen(tables, ground_truth, metric, against):
    table = tables["correlations"]
    rows = (table["ground_truth"] == ground_truth) & (table["metric"] == metric) & (table["against"] == against)
    return table[rows & table["learned"]]


def test_words_have_panels_of_each_truth_and_bias_and_a_row_a_metric(made):
    figure = made[1]["words"]
    assert panels(figure) == (2, 2)
    for axis, (ground_truth, against) in zip(figure.axes, PANELS, strict=True):
        what = {"signed": "p", "unsigned": "|0.5 − p|"}[ground_truth]
        bias = {"training": "training bias", "unmasking": "unmasking bias"}[against]
        assert axis.get_title() == f"with {what} of {bias}"
        assert axis.get_ylim() == (len(METRICS[ground_truth]) - 0.4, -0.6)
        names = [name_of(ground_truth, metric) for metric in METRICS[ground_truth]]
        assert ticks(axis, "y") == (list(range(len(names))), names if against == "training" else ticks(axis, "y")[1])
    for left, right in (figure.axes[:2], figure.axes[2:]):
        assert left.get_shared_y_axes().joined(left, right)
    assert figure.axes[0].get_shared_x_axes().joined(figure.axes[0], figure.axes[3])
    assert [axis.get_xlabel() for axis in figure.axes] == ["", ""] + ["R² over the occupations of a model"] * 2
    entries = {"one model": "#9a9a9a", PUBLISHED: RED, UPPER_BOUND: "#000000", "mean ± standard deviation": "#000000"}
    assert legend(figure) == (entries, 2, False, 8)
    assert figure.get_suptitle() == "Do word-level scores follow the bias? 15 models"
    assert tuple(figure.get_size_inches()) == (8.6, pytest.approx(2.1 + 0.38 * 10))


@pytest.mark.parametrize("panel", range(4))
def test_words_show_the_models_and_their_means(made, panel):
    tables, figures = made
    (ground_truth, against), axis = PANELS[panel], figures["words"].axes[panel]
    metrics = METRICS[ground_truth]
    *models, published = dots(axis)
    assert len(models) == len(metrics)
    for place, (metric, found) in enumerate(zip(metrics, models, strict=True)):
        r2 = chosen(tables, ground_truth, metric, against)["r2"].dropna()
        np.testing.assert_array_equal(found.places[:, 0], r2)
        if len(r2):
            assert found.places[:, 1] == pytest.approx(np.full(len(r2), place + 0.225), abs=0.126)
            assert np.ptp(found.places[:, 1]) > 0.05
        assert (found.marker, found.faces, found.size, found.width) == ("o", ["#9a9a9a"], 12, 0)
        assert found.label.startswith("_") == (place != 0)
    summary = (
        tables["summary"]
        .query("against == @against and ground_truth == @ground_truth")
        .set_index("metric")
        .reindex(metrics)
    )
    (bar,) = axis.containers
    line, caps, (spread,) = bar.lines
    x, y = line.get_data()
    np.testing.assert_array_equal(x.astype(float), summary["r2_mean"])
    assert y == pytest.approx(np.arange(len(metrics)) - 0.12)
    assert (line.get_marker(), line.get_color(), line.get_markersize(), line.get_linestyle()) == (
        "D", "black", 4.5, "None"
    )  # fmt: skip
    ends = [(m - s, m + s) for m, s in zip(summary["r2_mean"], summary["r2_std"].fillna(0), strict=True)]
    segments = [segment[:, 0] for segment in spread.get_segments() if len(segment)]
    np.testing.assert_allclose([s for s in segments if np.isfinite(s).all()], [e for e in ends if np.isfinite(e).all()])
    assert spread.get_linewidth().item() == pytest.approx(1.1)
    assert {cap.get_markersize() for cap in caps} == {5}
    drawn = published.places[np.isfinite(published.places.astype(float)).all(axis=1)]
    expected = {"signed": [(0.41, -0.34)], "unsigned": [(0.04, 1.66), (0.13, 2.66)]}[ground_truth]
    np.testing.assert_allclose(drawn, expected if against == "training" else np.empty((0, 2)))
    assert (published.marker, published.faces, published.size, published.width) == ("x", [RED], 34, 1.4)
    assert published.above == 5 > max(line.zorder, *(found.above for found in models))
    upper_bounds = [line.get_xdata()[0] for line in axis.lines if line.get_linestyle() == ":"]
    assert upper_bounds == ([summary["r2_mean"]["unmasking"]] if against == "training" else [])


def test_words_from_the_least_to_one(made):
    tables, figures = made
    summary = tables["summary"]
    least = min(m - s for m, s in zip(summary["r2_mean"], summary["r2_std"], strict=True) if np.isfinite(m))
    assert least < -0.01
    assert figures["words"].axes[0].get_xlim() == pytest.approx((least - 0.02, 1.03))
    figure = plot_words.draw_words(tables["correlations"], summary.assign(r2_std=0.0))
    assert figure.axes[0].get_xlim() == pytest.approx((-0.03, 1.03))
    figure = plot_words.draw_words(tables["correlations"], summary.assign(r2_mean=np.nan))
    assert figure.axes[0].get_xlim() == pytest.approx((-0.03, 1.03))


@pytest.mark.parametrize(("n", "size"), [(49, 12), (50, 4)])
def test_many_models_have_smaller_dots(n, size):
    parts = [{"metric": "mac", "ground_truth": ground_truth, "against": "training"} for ground_truth in METRICS]
    table = pd.concat(pd.DataFrame({"model": range(n), "r2": np.linspace(0, 1, n)}).assign(**part) for part in parts)
    row = {"signed": False, "r2_mean": 0.5, "r2_std": 0.1, "published": np.nan, "upper_bound": np.nan}
    figure = plot_words.draw_words(table, pd.DataFrame([part | row for part in parts]))
    assert dots(figure.axes[0])[0].size == size
    assert f"{n} models" in figure.get_suptitle()
    plt.close(figure)
