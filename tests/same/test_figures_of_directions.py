"""What the figures of bias directions (F7, F8) and of the effect size (F2) show."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from scripts.same import demonstrate_effect_size, plot_words
from tests.artists import dots, legend, strokes, ticks
from tests.same import study
from tests.scripted import draw

PUBLISHED = "published mean (BERT-base, 330 models)"
RED = "#b2182b"


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def angles(same, direct, angle):
    """F7/F8 of models with these R² and angles."""
    differences = pd.DataFrame({"r2_same": same, "r2_direct_bias": direct, "angle": angle}, dtype=float)
    differences["difference"] = differences["r2_same"] - differences["r2_direct_bias"]
    groups = pd.DataFrame({"group": ["similar", "between", "worse"], "angle_mean": [11.0, 22.0, 33.0],
                           "published": [10.9, np.nan, 17.6]})  # fmt: skip
    return plot_words.draw_angles(differences, groups)


def test_angles_fill_the_models_that_same_sees():
    figure = angles([0.6, 0.9, 0.59, 0.7, np.nan, 0.8], [0.7, 0.1, 0.2, 0.1, 0.3, np.nan], [10, 20, 30, 35, 40, 50])
    (axis,) = figure.axes
    sees, less = dots(axis)
    np.testing.assert_allclose(sees.places, [(10, -0.1), (20, 0.8), (35, 0.6)])
    np.testing.assert_allclose(less.places, [(30, 0.39)])
    assert (sees.faces, less.faces, sees.edges, less.edges) == (["#000000"], ["none"], ["#555555"], ["#555555"])
    assert {(found.marker, found.size, found.width) for found in (sees, less)} == {("o", 20, 0.7)}
    limits = {line.get_ydata()[0]: (line.get_linestyle(), line.get_linewidth()) for line in axis.lines}
    assert limits == {0.25: (":", 0.8), 0.4: (":", 0.8)}
    means = [(lines.ends[0, 0, 0], lines.ends[0, :, 1].tolist(), *lines[1:]) for lines in strokes(axis)]
    assert means == [
        (10.9, [pytest.approx(-0.1), 0.25], RED, 1.4, True), (11, [pytest.approx(-0.1), 0.25], "#000000", 1.4, False),
        (17.6, [0.4, pytest.approx(0.8)], RED, 1.4, True), (33, [0.4, pytest.approx(0.8)], "#000000", 1.4, False),
    ]  # fmt: skip
    entries = {"SAME has R² ≥ 0.6 (3)": "#000000", "SAME has less (1)": "none", PUBLISHED: RED,
               "mean of the group's filled points": "#000000"}  # fmt: skip
    assert legend(figure) == (entries, 2, False, 8)
    assert (axis.get_xlabel(), axis.get_ylabel()) == (
        "angle between the first principal component and the mean direction (degrees)", "R² of SAME − R² of Direct Bias"
    )  # fmt: skip
    assert axis.get_xlim()[0] == 0
    assert tuple(figure.get_size_inches()) == (6.6, 4.4)
    assert sees.above == less.above == 3 > axis.lines[0].zorder


def test_angles_without_differences():
    figure = angles([np.nan], [np.nan], [10])
    spans = [lines.ends[0, :, 1].tolist() for lines in strokes(figure.axes[0])]
    assert spans == [[0, 0.25], [0, 0.25], [0.4, 0.6], [0.4, 0.6]]
    assert list(legend(figure).entries)[:2] == ["SAME has R² ≥ 0.6 (0)", "SAME has less (0)"]
    spans = [lines.ends[0, :, 1].tolist() for lines in strokes(angles([0.7], [0.2], [10]).axes[0])]
    assert spans == [[0, 0.25], [0, 0.25], [0.4, 0.6], [0.4, 0.6]]


def test_angles_of_the_study(tmp_path):
    paths = study.write(tmp_path)
    names = ("example", "words", "angles")
    figure = draw("same/plot_words.py", names, input=paths, params={"metrics": list(study.METRICS)})["angles"]
    rows = study.read(paths)["differences"].dropna(subset="difference")
    found = np.vstack([found.places for found in dots(figure.axes[0])])
    np.testing.assert_allclose(sorted(map(tuple, found)), sorted(map(tuple, rows[["angle", "difference"]].to_numpy())))
    assert len(rows) == 14  # of 15 kept models one has no score of SAME that varies


def test_effect_size_is_drawn_row_by_row():
    steps = pd.DataFrame(
        {"step": ["first", "second", "last"], "x_1": [0.1, 0.2, 0.3], "x_2": [0.4, 0.5, 0.6], "y_1": [-0.1, -0.2, -0.3],
         "y_2": [-0.4, -0.5, -0.6], "effect_size": [2.0, 1.5, 1.2], "mean_absolute": [0.7, 0.8, 0.9],
         "same": [0.05, 0.15, 0.25], "same_stereotype": [0.35, 0.4, 0.45]}
    )  # fmt: skip
    figure = demonstrate_effect_size.draw(steps)
    words, weat, same = figure.axes
    rows = np.arange(3)
    expected = [("x_1", -0.19, "^", "#000000"), ("x_2", -0.09, "^", "#000000"), ("y_1", 0.09, "v", "#ffffff"),
                ("y_2", 0.19, "v", "#ffffff")]  # fmt: skip
    for found, (column, offset, marker, face) in zip(dots(words), expected, strict=True):
        np.testing.assert_allclose(found.places, np.column_stack([steps[column], rows + offset]))
        assert (found.marker, found.faces, found.edges, found.size, found.width) == (
            marker, [face], ["#000000"], 34, 0.9
        )  # fmt: skip
    (d,), (mean, spread) = dots(weat), dots(same)
    for found, column, look in (
        (d, "effect_size", ("D", ["#000000"], 26)), (mean, "same", ("o", ["#54278f"], 28)),
        (spread, "same_stereotype", ("s", ["none"], 28)),
    ):  # fmt: skip
        np.testing.assert_allclose(found.places, np.column_stack([steps[column], rows]))
        assert (found.marker, found.faces, found.size) == look
    assert (spread.edges, spread.width) == (["#b35806"], 1.2)
    assert (spread.above, mean.above, d.above, dots(words)[0].above) == (4, 3, 3, 3)  # above the lines


def test_effect_size_has_axes_limits_and_a_legend(tmp_path):
    out = {"table": tmp_path / "steps.csv"}
    figure = draw("same/demonstrate_effect_size.py", ["figure"], output=out)["figure"]
    steps = pd.read_csv(out["table"])
    assert list(steps) == [
        "step",
        "x_1",
        "x_2",
        "y_1",
        "y_2",
        "effect_size",
        "mean_absolute",
        "same",
        "same_stereotype",
    ]
    words, weat, same = figure.axes
    assert [axis.get_title() for axis in figure.axes] == ["the words", "WEAT", "SAME"]
    assert [axis.get_xlabel() for axis in figure.axes] == [
        "s(w, A, B): nearer B  ←   → nearer A", "effect size d", "value"
    ]  # fmt: skip
    assert [axis.get_xlim() for axis in figure.axes] == [(-1, 1), (1, 2.1), (0, 0.5)]
    assert {axis.get_ylim() for axis in figure.axes} == {(5.5, -0.5)}
    assert ticks(words, "y") == (list(range(6)), steps["step"].tolist())
    np.testing.assert_allclose(dots(weat)[0].places[:, 0], steps["effect_size"], rtol=1e-5)
    (zero,), (least,) = words.lines, weat.lines
    assert [list(line.get_xdata()) for line in (zero, least)] == [[0, 0], [pytest.approx(2 / 3**0.5)] * 2]
    assert [(line.get_linestyle(), line.get_linewidth()) for line in (zero, least)] == [("-", 0.8), (":", 0.9)]
    entries = {"words of X": "#000000", "words of Y": "#ffffff", "effect size d (WEAT)": "#000000",
               "least possible d, 2/√3": "#000000", "SAME": "#54278f", "SAME stereotype": "none"}  # fmt: skip
    assert legend(figure) == (entries, 3, False, 8)
    widths = [axis.get_position().width for axis in figure.axes]
    assert widths[1] == pytest.approx(widths[2]) == pytest.approx(0.65 * widths[0])
    assert words.get_shared_y_axes().joined(words, same)
    assert tuple(figure.get_size_inches()) == (8.8, 3.6)
    assert figure.get_suptitle() == "The effect size can fall when more stereotyped words replace milder ones"
    limits = [axis.get_xlim() for axis in figure.axes]
    for axis, (low, high) in zip(figure.axes, limits, strict=True):
        assert all(low < x < high for found in dots(axis) for x in found.places[:, 0])
