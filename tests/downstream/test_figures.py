"""The study's figures, read back from their artists, and studies with fewer parts."""

import numpy as np
import pandas as pd
import pytest

from biassay.report.formatting import metric_label
from scripts.downstream import plot
from tests.artists import dots, ticks
from tests.downstream import study
from tests.downstream.test_answer import write_page
from tests.scripted import draw

FIGURES = ["classes", "sets", "ranking", "robustness"]


def draw_all(paths):
    names = ("by_class", "by_pair", "cases", "ranking", "robustness", "titles")
    return draw("downstream/plot.py", FIGURES, input={name: paths[name] for name in names})


@pytest.fixture(scope="module")
def figures(made):
    return draw_all(made[0])


def find_panel(figure, title):
    (axis,) = [axis for axis in figure.axes if title in (axis.get_title(), axis.get_title(loc="left"))]
    return axis


def test_correlations_within_models(made, figures):
    by_class, by_pair = made[1]["by_class"], made[1]["by_pair"]
    classes = by_class[(by_class["n_directions"] == 0) & (by_class["classes"] == "all")]
    pairs = by_pair[~by_pair["signed"]].assign(version="")
    assert len(figures["classes"].axes) == 4
    for units, table in (("classes", classes), ("pairs", pairs)):
        for (name, attribute), part in table.groupby(["set", "attribute"]):
            axis = find_panel(figures["classes"], f"{name}, {attribute}: {units}")
            assert ticks(axis, "x")[1] == [metric_label(metric) for metric in part["metric"].unique()]
            drawn = [scatter for scatter in dots(axis) if scatter.label.startswith("_")]  # without the legend
            values = np.concatenate([scatter.places[:, 1] for scatter in drawn])
            np.testing.assert_allclose(np.sort(values), np.sort(part["r"].dropna()))
            filled = sum(len(scatter.places) for scatter in drawn if scatter.faces != ["none"])
            assert filled == (part["p"] < 0.05).sum()


def test_sets_and_their_bias(made, figures):
    cases = made[1]["cases"]
    cases = cases[(cases["group_words"] == "raw") & (cases["version"] != "raw")].dropna(subset=["value", "bias"])
    drawn = [scatter.places for axis in figures["sets"].axes for scatter in dots(axis)]
    expected = cases[["value", "bias"]].to_numpy(float)
    np.testing.assert_allclose(*(np.sort(points.ravel()) for points in (np.concatenate(drawn), expected)))


def test_ranking(made, figures):
    table = made[1]["ranking"]
    table = table[(table["group_words"] == "raw") & (table["version"] != "raw")]
    groups = table.groupby(["ground_truth", "set", "attribute"], sort=False)
    for axis, (_, part) in zip(figures["ranking"].axes, groups, strict=False):
        assert ticks(axis, "y")[1] == [metric_label(score) for score in part["score"]]
        points = [scatter for scatter in dots(axis) if not scatter.label or scatter.label.startswith("_")]
        for place, row in enumerate(part.itertuples()):
            for scatter, value in zip(points[2 * place :], (row.ranking_accuracy, row.published), strict=False):
                expected = [[value, place]] if np.isfinite(value) else np.empty((0, 2))
                np.testing.assert_allclose(scatter.places[np.isfinite(scatter.places).all(axis=1)], expected)
            chance, interval = (
                [line.get_xdata().astype(float) for line in axis.lines if line.get_linewidth() == width]
                for width in (9, 1.4)
            )
            np.testing.assert_allclose(chance[place], [row.chance_low, row.chance_high])
            np.testing.assert_allclose(interval[place], [row.low, row.high])


def test_robustness(made, figures):
    robustness, titles = made[1]["robustness"], made[1]["titles"]
    upper, lower = np.reshape(figures["robustness"].axes, (2, 2))
    for above, below, name in zip(upper, lower, ("biographies", "comments"), strict=True):
        part = robustness[robustness["set"] == name]
        lines = part.groupby(["metric", "regrouped"], sort=False)
        for bar, (_, line) in zip(above.containers, lines, strict=True):
            np.testing.assert_allclose(
                np.column_stack(bar.lines[0].get_data()).astype(float), line[["n_texts", "mean"]]
            )
        (bar,) = below.containers
        np.testing.assert_allclose(bar.lines[0].get_xdata().astype(float), titles.loc[titles["set"] == name, "mean"])


@pytest.mark.parametrize(
    ("options", "n_tables"),
    [({"sets": ()}, 5), ({"pair_sets": ()}, 7), ({"units": {"tiny": ["tiny"]}, "sets": ()}, 4),
     ({"units": {"deep": ["deep"]}, "sets": ()}, 0)],
)  # fmt: skip
def test_studies_with_fewer_parts(tmp_path, monkeypatch, options, n_tables):
    monkeypatch.setattr(study, "METRICS", ["weat"])
    paths = study.write(tmp_path, **options)
    drawn = {title.split(",")[0] for figure in draw_all(paths).values() for axis in figure.axes
             for title in (axis.get_title(), axis.get_title(loc="left")) if title}  # fmt: skip
    names = {*options.get("sets", ["biographies", "comments"]), *options.get("pair_sets", ["sentences"])}
    assert drawn == names - ({"sentences"} if "deep" in options.get("units", ()) else set())  # it has no scores of them
    page, _ = write_page(paths, tmp_path)
    assert len(page.tables) == n_tables


def test_more_metrics_than_markers(made):
    table = made[1]["robustness"]
    more = pd.concat([table.assign(metric=f"{name} {i}") for i in range(3) for name in study.METRICS])
    assert len(plot.draw_robustness(more, made[1]["titles"]).axes[0].containers) == 15 * 2
