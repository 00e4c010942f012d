"""The study's figures, read from their artists."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import curves
from biassay.report.formatting import format_decimal, metric_label
from tests.artists import dots, legend, ticks, words
from tests.scripted import draw

CORRELATIONS, RELIABILITY = "intrinsic/plot_correlations.py", "intrinsic/plot_reliability.py"


def drawn(script, names, paths, tables=None, folder=None):
    """Figures of the tables at paths, some of them replaced."""
    for name, table in (tables or {}).items():
        table.to_csv(folder / f"{name}.csv", index=False)
        paths = paths | {name: folder / f"{name}.csv"}
    return draw(script, names, input=paths)


def check_heat_map(axis, table, value, order):
    """Each correlation is a cell below the diagonal, in its colour and written; others are empty."""
    (image,) = axis.images
    cells = image.get_array().filled(np.nan)
    assert cells.shape == (len(order), len(order))
    assert image.get_clim() == (-1, 1)
    written = words(axis)
    shown = {*table["first"], *table["second"]}
    assert len(written) == len(table) == len(shown) * (len(shown) - 1) / 2
    assert np.isfinite(cells).sum() == table[value].notna().sum()
    for row in table.to_dict("records"):
        column, line = order.index(row["first"]), order.index(row["second"])
        assert line > column
        assert cells[line, column] == pytest.approx(row[value], nan_ok=True)
        assert written[column, line] == format_decimal(row[value])
        (text,) = (text for text in axis.texts if text.get_position() == (column, line))
        assert text.get_color() == ("white" if abs(row[value]) > 0.6 else "black")
    assert np.isnan(cells[np.triu_indices(len(order))]).all()
    names = [metric_label(name) for name in order]
    assert ticks(axis, "x") == (list(range(len(order) - 1)), names[:-1])
    assert ticks(axis, "y") == (list(range(1, len(order))), names[1:] if axis.get_subplotspec().is_first_col() else [])
    assert axis.get_xlim() == (-0.5, len(order) - 1.5)
    assert axis.get_ylim() == (len(order) - 0.5, 0.5)


def test_heat_maps(made, tmp_path):
    paths, found = made
    table = found["words"].copy()
    table.loc[2, "r_mean"] = np.nan  # none of a pair
    table.loc[[3, 4], "r_mean"] = -0.61, 0.6
    figures = drawn(CORRELATIONS, ["words", "sets_noisy", "sets_ideal"], paths, {"words": table}, tmp_path)
    orders = [list(dict.fromkeys(["data", *of["second"]])) for of in (table, found["sets"])]
    check_figure(figures["words"], table, "r_mean", orders[0])
    assert "–" in words(figures["words"].axes[0]).values()
    assert "mean r of 12 models, over 8 occupations each" in figures["words"].get_suptitle()
    for labels in ("noisy", "ideal"):
        figure = figures[f"sets_{labels}"]
        check_figure(figure, curves.select_rows(found["sets"], labels=labels), "r", orders[1])
        assert f"r over 12 models of 6 distributions, {labels} stereotypes" in figure.get_suptitle()
        width, height = figure.get_size_inches()
        assert height <= 0.73 * width


def check_figure(figure, table, value, order):
    """A heat map of each attribute, of the same rows and columns, and the bar of colours."""
    *axes, bar = figure.axes
    assert [axis.get_title() for axis in axes] == ["gender", "religion"]
    for axis in axes:
        check_heat_map(axis, table[table["attribute"] == axis.get_title()], value, order)
    assert bar.get_ylabel() == "Pearson's r"


def reliability(made, folder, **tables):
    names = ["templates", "retraining_variability", "detection"]
    return drawn(RELIABILITY, names, made[0], tables, folder)


def bars(container):
    """Ends of the error bars."""
    (lines,) = container[2]
    return np.array([[ends[0, 1], ends[1, 1]] for ends in lines.get_segments()])


def test_templates(made, tmp_path):
    _, found = made
    figure = reliability(made, tmp_path)["templates"]
    (axis,) = figure.axes
    colours = []
    for number, name in enumerate(("gender", "religion")):
        curve = found["reliability_curve"].query("attribute == @name")
        whole = found["reliability"].query("attribute == @name").iloc[0]
        few, of_most = axis.containers[2 * number : 2 * number + 2]
        assert few.get_label() == name
        np.testing.assert_allclose(few[0].get_xydata(), curve[["n", "mean"]])
        expected = np.column_stack([curve["mean"] - curve["std"], curve["mean"] + curve["std"]])
        np.testing.assert_allclose(bars(few), expected)
        np.testing.assert_allclose(of_most[0].get_xydata(), [[whole["n_sampled"], whole["mean"]]])
        np.testing.assert_allclose(bars(of_most), [[whole["mean"] - whole["std"], whole["mean"] + whole["std"]]])
        assert of_most[0].get_markerfacecolor() == "white"
        (dashes,) = [
            line for line in axis.lines if line.get_linestyle() == "--" and line.get_color() == few[0].get_color()
        ]
        np.testing.assert_allclose(dashes.get_xydata(), curve[["n", "disagreement"]])
        colours.append(few[0].get_color())
        assert of_most[0].get_color() == colours[-1]
        cross = dots(axis)[number]
        assert cross.marker == "x"
        np.testing.assert_allclose(cross.places, [[whole["n_sampled"], whole["published"]]])
    assert np.isfinite(dots(axis)[1].places).all()
    assert len(set(colours)) == 2
    (limit,) = [line for line in axis.lines if line.get_linestyle() == ":"]
    assert set(limit.get_ydata()) == {0.05}
    assert axis.get_xscale() == "log"
    assert ticks(axis, "x") == ([1, 2, 5], ["1", "2", "5"])
    assert list(legend(figure).entries)[-2:] == ["gender", "religion"]
    assert [name.split(",")[0] for name in legend(figure).entries][:5] == [
        "compared with all sentences", "compared with equally many others", "90 % of the sentences", "published",
        "5 % of the samples",
    ]  # fmt: skip


def test_more_templates_in_another_order(made, tmp_path):
    numbers = made[1]["reliability_curve"][::-1].assign(n=lambda table: 25 * table["n"])
    figure = reliability(made, tmp_path, reliability_curve=numbers)["templates"]
    (axis,) = figure.axes
    assert list(legend(figure).entries)[-2:] == ["religion", "gender"]
    assert ticks(axis, "x")[1] == ["1", "2", "5", "10", "20", "50", "100"]


def test_repeats(made, tmp_path):
    _, found = made
    figure = reliability(made, tmp_path)["retraining_variability"]
    assert [axis.get_title() for axis in figure.axes] == ["gender", "religion"]
    for axis in figure.axes:
        table = found["retraining_variability"][found["retraining_variability"]["attribute"] == axis.get_title()]
        assert ticks(axis, "y") == (list(range(len(table))), [metric_label(name) for name in table["metric"]])
        found_dots = dots(axis)
        assert [of.marker for of in found_dots] == ["D", "o", "x"]
        for of, column in zip(found_dots, ("difference_from_first", "difference", "published"), strict=True):
            np.testing.assert_allclose(of.places, np.column_stack([table[column], range(len(table))]))
        assert axis.get_xscale() == "log"
        assert axis.yaxis_inverted()
    assert tuple(figure.get_size_inches()) == (7.2, pytest.approx(1.6 + 0.28 * 8))
    entries = legend(figure).entries
    assert list(entries) == [
        "as printed: |b − b₀| / b₀",
        "symmetric: |a − b| / mean",
        "published (BERT-base, 80 models)",
    ]
    title = figure.get_suptitle()
    assert title == "Do models of one distribution get the same scores? 6 distributions"


def test_one_repeat_has_no_differences(made, tmp_path):
    """Nothing to compare: empty panels that still name the metrics."""
    table = made[1]["retraining_variability"].assign(difference_from_first=np.nan, difference=np.nan, distributions=0)
    figure = reliability(made, tmp_path, retraining_variability=table)["retraining_variability"]
    assert all(axis.get_xscale() == "linear" for axis in figure.axes)
    table = table.assign(difference_from_first=0.3)
    assert (
        reliability(made, tmp_path, retraining_variability=table)["retraining_variability"].axes[0].get_xscale()
        == "log"
    )
    figure.canvas.draw()
    assert figure.get_suptitle().endswith("0 distributions")


def test_detection(made, tmp_path):
    _, found = made
    figure = reliability(made, tmp_path)["detection"]
    assert [axis.get_title() for axis in figure.axes] == ["gender", "religion"]
    looks = {}
    for axis in figure.axes:
        table = found["power"][found["power"]["attribute"] == axis.get_title()]
        metrics = table["metric"].unique()
        *lines, limit, chance = axis.lines
        assert [line.get_label() for line in lines] == [metric_label(name) for name in metrics]
        for line, metric in zip(lines, metrics, strict=True):
            np.testing.assert_allclose(
                line.get_xydata(), table[table["metric"] == metric][["divergence", "detection_rate"]]
            )
            looks.setdefault(metric, set()).add((line.get_marker(), line.get_color()))
        assert (set(limit.get_ydata()), set(chance.get_ydata())) == ({0.95}, {0.5})
        assert axis.get_ylim() == (0, 1.03)
    assert all(len(look) == 1 for look in looks.values())  # the same in both panels
    assert len(set.union(*looks.values())) == len(looks) == 6
    assert list(legend(figure).entries) == [metric_label(name) for name in found["power"]["metric"].unique()]
    assert figure.get_suptitle() == "Which bias is detected? 3 models per strength, and as many unbiased controls"


def test_no_models_for_detection(made, tmp_path):
    empty = pd.DataFrame(columns=list(made[1]["power"]))
    figure = reliability(made, tmp_path, power=empty)["detection"]
    (axis,) = figure.axes
    assert list(words(axis).values()) == ["no detection models: set intrinsic.detection.strengths"]
    assert not axis.axison
