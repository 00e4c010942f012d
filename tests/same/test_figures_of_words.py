"""What the figures of words show (F5, F6), against the tables that they were drawn from."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import scipy.stats

from scripts.same import plot_words
from tests.artists import dots, legend, panels, ticks
from tests.same import study
from tests.same.study import bias, sample
from tests.scripted import draw

METRICS = ["weat", "same", "mac", "direct_bias", "ripa", "unmasking"]
NAMES = ["WEAT", "SAME", "MAC", "Direct Bias", "RIPA", "unmasking"]
PUBLISHED = "published mean (BERT-base, 330 models)"
RED = "#b2182b"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tables and the figures by name."""
    paths = study.write(tmp_path_factory.mktemp("figures"))
    figures = draw(
        "same/plot_words.py", ("example", "words", "angles"), input=paths, params={"metrics": list(study.METRICS)}
    )
    yield study.read(paths), figures
    plt.close("all")


def chosen(tables, metric, against):
    table = tables["correlations"]
    return table[(table["metric"] == metric) & (table["against"] == against) & table["kept"]]


def test_words_have_a_panel_a_bias_and_a_row_a_metric(made):
    figure = made[1]["words"]
    left, right = figure.axes
    assert left.get_shared_y_axes().joined(left, right)
    assert left.get_shared_x_axes().joined(left, right)
    assert [axis.get_title() for axis in (left, right)] == [
        "with the bias trained on", "with the model's unmasking bias"
    ]  # fmt: skip
    assert {axis.get_xlabel() for axis in (left, right)} == {"R² over the occupations of a model"}
    assert ticks(left, "y") == (list(range(6)), NAMES)
    assert left.get_ylim() == (5.6, -0.6)
    entries = {"a model": "#9a9a9a", PUBLISHED: RED, "mean ± standard deviation": "#000000"}
    assert legend(figure) == (entries, 3, False, 8)
    assert panels(figure) == (1, 2)
    assert figure.get_suptitle() == "Do scores of words follow the bias? 15 kept models"
    assert tuple(figure.get_size_inches()) == (8.6, pytest.approx(1.3 + 0.42 * 6))


@pytest.mark.parametrize(("panel", "against"), [(0, "training"), (1, "unmasking")])
def test_words_show_the_kept_models_and_their_means(made, panel, against):
    tables, figures = made
    axis = figures["words"].axes[panel]
    *models, published = dots(axis)
    assert len(models) == len(METRICS)
    for place, (metric, found) in enumerate(zip(METRICS, models, strict=True)):
        r2 = chosen(tables, metric, against)["r2"].dropna()
        np.testing.assert_array_equal(found.places[:, 0], r2)
        if len(r2):
            assert found.places[:, 1] == pytest.approx(np.full(len(r2), place + 0.225), abs=0.126)
            assert np.ptp(found.places[:, 1]) > 0.05
        assert (found.marker, found.faces, found.size, found.width) == ("o", ["#9a9a9a"], 12, 0)
        assert found.label.startswith("_") == ((place, panel) != (0, 0))
    summary = tables["summary"].query("against == @against").set_index("metric").reindex(METRICS)
    (bar,) = axis.containers
    line, caps, (spread,) = bar.lines
    x, y = line.get_data()
    np.testing.assert_array_equal(x.astype(float), summary["r2_mean"])
    assert y == pytest.approx(np.arange(6) - 0.12)
    assert (line.get_marker(), line.get_color(), line.get_markersize(), line.get_linestyle()) == (
        "D", "black", 4.5, "None"
    )  # fmt: skip
    ends = [(m - s, m + s) for m, s in zip(summary["r2_mean"], summary["r2_std"].fillna(0), strict=True)]
    segments = [segment[:, 0] for segment in spread.get_segments() if len(segment)]
    np.testing.assert_allclose([s for s in segments if np.isfinite(s).all()], [e for e in ends if np.isfinite(e).all()])
    assert spread.get_linewidth().item() == pytest.approx(1.1)
    assert {cap.get_markersize() for cap in caps} == {5}
    drawn = published.places[np.isfinite(published.places.astype(float)).all(axis=1)]
    np.testing.assert_allclose(drawn, [(0.41, -0.34), (0.04, 1.66), (0.13, 2.66)])
    assert (published.marker, published.faces, published.size, published.width) == ("x", [RED], 34, 1.4)
    assert published.above == 5 > max(line.zorder, *(found.above for found in models))


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
    table = pd.DataFrame({"model": range(n), "metric": "mac", "against": "training", "r2": np.linspace(0, 1, n)})
    row = {"metric": "mac", "against": "training", "r2_mean": 0.5, "r2_std": 0.1, "published": np.nan}
    figure = plot_words.draw_words(table, pd.DataFrame([row]))
    assert dots(figure.axes[0])[0].size == size
    assert f"{n} kept models" in figure.get_suptitle()
    plt.close(figure)


def median(tables, metrics):
    """The kept model of the lower median of R², averaged over metrics."""
    table = tables["correlations"]
    table = table[table["kept"] & (table["against"] == "training") & table["metric"].isin(metrics)]
    means = {model: np.nanmean(part["r2"]) for model, part in table.groupby("model")}
    order = sorted(means, key=means.get)
    return order[(len(order) - 1) // 2]


@pytest.mark.parametrize("metrics", [METRICS, ["mac", "same", "unmasking", "direct_bias"]])
def test_example_shows_the_scores_of_the_median_model(made, metrics):
    tables, figures = made
    figure = figures["example"]
    if metrics != METRICS:
        figure = plot_words.draw_example(*example_input(tables, metrics))
    model = median(tables, metrics)
    row = tables["models"].set_index("model").loc[model]
    assert model != median(tables, ["weat"])
    assert figure.get_suptitle() == (
        f"Scores of occupations against the bias trained on: model {model}, the median one "
        f"(μ = {row['mean']:g}, σ = {row['spread']:g})"
    )
    assert tuple(figure.get_size_inches()) == (8.6, pytest.approx(0.5 + 2.3 * 2))
    assert [axis.get_visible() for axis in figure.axes] == [True] * len(metrics) + [False] * (6 - len(metrics))
    assert panels(figure) == (2, 3)
    in_order = [metric for metric in METRICS if metric in metrics]
    for axis, metric in zip(figure.axes, in_order, strict=False):
        scores, p = sample(tables, metric, model), bias(tables, model, "training")
        unsigned = metric in ("mac", "direct_bias")
        truth = {word: abs(0.5 - value) if unsigned else value for word, value in p.items()}
        words = sorted(set(scores) & set(p))
        (found,) = dots(axis)
        places = np.ma.filled(found.places.astype(float), np.nan)
        expected = sorted((truth[word], scores[word]) for word in words)
        np.testing.assert_allclose(sorted(map(tuple, places[np.isfinite(places).all(axis=1)])), expected)
        r2 = scipy.stats.pearsonr([truth[w] for w in words], [scores[w] for w in words])[0] ** 2
        assert axis.get_title() == f"{NAMES[METRICS.index(metric)]}, R² = {r2:.2f}".replace("0.", ".")
        assert axis.get_xlabel() == ("|0.5 − p|" if unsigned else "p, share of male pronouns")
        assert (found.marker, found.faces, found.size, found.width) == ("o", ["#54278f"], 9, 0)


def test_example_without_a_kept_model_and_models_without_scores(made):
    grid, table, scores = example_input(made[0], METRICS)
    figure = plot_words.draw_example(grid, table.assign(kept=False), scores)
    assert figure.get_suptitle() == "Scores of occupations against the bias trained on: no model was kept"
    assert [axis.get_visible() for axis in figure.axes] == [False] * 3
    rows = pd.DataFrame({"model": [0, 1, 2, 3], "r2": [np.nan, 0.5, 0.1, np.nan]})
    assert plot_words.median_model(rows) == 2


def example_input(tables, metrics):
    """What draw_example takes, for some metrics; the grid is read from the tables."""
    table = tables["correlations"]
    wide = {name: tables["bias"].pivot(index="model", columns="occupation", values=name) for name in
            ("training", "unmasking")}  # fmt: skip
    grid = plot_words.tables.Grid(tables["models"].set_index("model"), **wide)
    return grid, table[table["metric"].isin(metrics)], tables["scores_at"]
