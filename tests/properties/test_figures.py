"""Cells and arrows of the study's figures, against verdicts written by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from biassay.report import plots
from tests.artists import legend, panels, ticks
from tests.properties.handmade import example, tabulated, verdict
from tests.scripted import draw

PROPERTIES = ("comparable", "trustworthy", "skew", "stereotype")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def figures(folder, verdicts):
    """All figures of verdicts by metric."""
    table, files = tabulated(folder, verdicts)
    given = {"table": table, "verdicts": files}
    return draw("properties/plot.py", ("table", *PROPERTIES), input=given, params={"metrics": list(verdicts)})


@pytest.mark.parametrize("more", [[], [verdict("set", "comparable", "yes", groups=3)]])
def test_table_as_a_figure(tmp_path, more):
    """A panel a number of groups and level; metrics with more properties first; others' verdicts beside ours."""
    said = {"comparable": "yes", "trustworthy": "no", "skew": "yes", "stereotype": "conditional"}
    verdicts = {"mac": [verdict("word", "trustworthy", "yes"), verdict("word", "comparable", "conditional")]}
    verdicts["weat"] = [verdict("set", name, word) for name, word in said.items()] + more
    verdicts["same"] = [verdict("set", "skew", "yes"), verdict("word", "comparable", "yes")]
    verdicts["rnsb"] = [verdict("set", "skew", "not applicable")]
    figure = figures(tmp_path, verdicts)["table"]
    word, sets, *rest = figure.axes
    assert [axis.get_title() for axis in figure.axes] == [
        "2 groups,\nword level", "2 groups,\nset level", "3 groups,\nset level"
    ][: 2 + len(more)]  # fmt: skip
    weat = 1 if more else 2  # two of four properties as MAC has one of two, or three of five
    mac = 3 - weat
    rows = [["SAME", "MAC", "WEAT"], ["SAME", "WEAT", "MAC"]][bool(more)]
    assert ticks(word, "y") == ([0, 1, 2], rows)
    printed = "✓\npublished ✗"
    assert cells(word) == {
        (0, 0): ("✓", "yes"),
        (0, mac): ("(✓)\npublished ✗", "conditional"),
        (1, mac): (printed, "yes"),
    }
    assert cells(sets) == {
        (0, weat): ("✓", "yes"), (1, weat): ("✗", "no"), (2, weat): (printed, "yes"),
        (3, weat): ("(✓)", "conditional"), (2, 0): ("✓", "yes"),
    }  # fmt: skip
    assert [cells(axis) for axis in rest] == [{(0, weat): ("✓", "yes")}] * len(more)
    assert ticks(sets, "x") == (
        [0, 1, 2, 3],
        ["comparable", "trustworthy", "sensitive\nto skew", "sensitive\nto stereotypes"],
    )
    assert sets.get_xlim() == (-0.5, 3.5)
    assert sets.get_ylim() == (2.5, -0.5)
    (key,) = figure.legends
    marks = zip(key.get_texts(), key.legend_handles, strict=True)
    shown = {text.get_text(): to_hex(mark.get_facecolor()) for text, mark in marks}
    assert shown == {
        "✓ no counterexample found": plots.VERDICTS["yes"],
        "(✓) none if labels follow the stereotypes": plots.VERDICTS["conditional"],
        "✗ counterexample found": plots.VERDICTS["no"],
    }
    assert figure.get_suptitle() == "Which metrics have the properties of a good bias score?"


def cells(axis):
    """Sign and verdict, by the colour, of every cell by place."""
    colours = {colour: name for name, colour in plots.VERDICTS.items()}
    found = {}
    for text in axis.texts:
        (cell,) = [patch for patch in axis.patches if patch.get_xy() == tuple(np.subtract(text.get_position(), 0.5))]
        assert (cell.get_width(), cell.get_height(), to_hex(cell.get_edgecolor())) == (1, 1, "#ffffff")
        found[text.get_position()] = (text.get_text(), colours[to_hex(cell.get_facecolor())])
    assert len(found) == len(axis.patches)
    return found


def test_the_table_of_all_metrics_fits_a_window(tmp_path):
    said = [verdict(level, name, "no", groups) for groups in (2, 3) for level, names in
            (("word", PROPERTIES[:2]), ("set", PROPERTIES)) for name in names]  # fmt: skip
    figure = figures(tmp_path, {f"metric{i}": said for i in range(18)})["table"]
    width, height = figure.get_size_inches()
    assert height <= 0.75 * width


def test_nothing_applies(tmp_path):
    (axis,) = figures(tmp_path, {"rnsb": [verdict("set", "skew", "not applicable")]})["table"].axes
    assert not axis.texts


def test_panels_of_counterexamples_in_a_plane(tmp_path):
    """Only those of two dimensions, a figure a property; of single words only where there is none of sets."""
    solid = example([[0.0, 1.0, 0.0]], groups=[[[1.0, 0.0, 0.0]]] * 3)
    flat = [example([[1.0, 0.0]], value=value) for value in (0.123456, -1e-6, np.nan, -0.00041)]
    verdicts = {"weat": [verdict("set", "skew", "no", examples=[solid, flat[0]]),
                         verdict("word", "comparable", "no", examples=flat[:1]) | {"reason": "the smallest value"}],
                "mac": [verdict("word", "trustworthy", "no", examples=flat[:1]),
                        verdict("set", "trustworthy", "no", examples=flat[1:])],
                "mine": [verdict("set", "comparable", "no", examples=flat[3:]) | {"reason": "the largest value"},
                         verdict("word", "comparable", "no", examples=flat[:2])]}  # fmt: skip
    found = figures(tmp_path, verdicts)
    assert {name: [axis.get_title() for axis in found[name].axes if axis.get_visible()] for name in PROPERTIES} == {
        "comparable": ["WEAT, word level\nsmallest b = 0.123", "mine\nlargest b = −0.0004"],
        "trustworthy": ["MAC\nb = 0", "MAC\nb = nan", "MAC\nb = −0.0004"],
        "skew": ["WEAT\nb = 0.123"],
        "stereotype": [],
    }
    assert next(text.get_text() for text in found["stereotype"].texts).startswith("No two-dimensional")
    assert found["skew"].get_suptitle().startswith("Not sensitive to skew: ")
    assert {panels(found[name]) for name in PROPERTIES} == {(1, 4)}
    verdicts["mac"][1]["examples"] = flat * 3
    figure = figures(tmp_path, verdicts)["trustworthy"]
    assert panels(figure) == (3, 4)
    assert sum(axis.get_visible() for axis in figure.axes) == 12
    width, height = figure.get_size_inches()
    assert (width, height) == pytest.approx((8.8, 6.4))


def test_the_second_set_is_in_the_legend_where_there_is_one(tmp_path):
    one, two = example([[1.0, 0.0]], [0]), example([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    verdicts = {
        "weat": [verdict("set", "skew", "no", examples=[one]), verdict("set", "stereotype", "no", examples=[two])]
    }
    found = figures(tmp_path, verdicts)
    groups = ["words of the first group", "words of the second group"]
    assert list(legend(found["skew"]).entries) == [*groups, "targets"]
    assert list(legend(found["stereotype"]).entries) == [*groups, "targets, set X", "targets, set Y"]


def arrows(axis):
    """Lines of a panel: direction in degrees, length, colour, width, dashed, opacity."""
    found = []
    for line, tip in zip(axis.lines, axis.collections, strict=True):
        (x0, x), (y0, y) = line.get_data()
        assert (x0, y0) == (0, 0)
        np.testing.assert_allclose(tip.get_offsets(), [(x, y)])
        assert to_hex(tip.get_facecolor()[0]) == to_hex(line.get_color())
        assert (tip.get_alpha(), tip.get_sizes().item()) == (line.get_alpha(), 12)
        angle = np.degrees(np.arctan2(y, x)) % 360
        found.append((round(angle, 6), round(np.hypot(x, y), 6), to_hex(line.get_color()), line.get_linewidth(),
                      line.get_linestyle() != "-", line.get_alpha()))  # fmt: skip
    return found


def test_arrows_of_a_counterexample(tmp_path):
    """Attribute words in two colours; targets thin and black, Y dashed, equal ones turned by 5° each."""
    targets = [[0.0, 5.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 2.0], [-3.0, -0.0]]
    shown = [example(targets, [0, 0, 1, 1, 1], 0.2), example([[1.0, 1.0], [0.0, 1.0]])]
    first, second, *_ = figures(tmp_path, {"weat": [verdict("set", "skew", "no", examples=shown)]})["skew"].axes
    groups = [(0, 1, "#6a3d9a", 6, False, 0.45), (90, 1, "#6a3d9a", 6, False, 0.45),
              (180, 1, "#e08214", 6, False, 0.45), (270, 1, "#e08214", 6, False, 0.45)]  # fmt: skip
    black = [(90, False), (95, False), (180, True), (100, True), (185, True)]
    assert arrows(first) == groups + [(angle, 0.8, "#000000", 1.1, dashed, 1) for angle, dashed in black]
    assert arrows(second)[4:] == [(45, 0.8, "#000000", 1.1, False, 1), (90, 0.8, "#000000", 1.1, False, 1)]
    assert first.lines[6]._unscaled_dash_pattern == (0, (3, 2))
    assert (first.get_xlim(), first.get_ylim(), first.get_aspect()) == ((-1.15, 1.15), (-1.15, 1.15), 1)
    assert [*first.get_xticks(), *first.get_yticks()] == []
    assert not any(spine.get_visible() for spine in first.spines.values())
    assert first.title.get_size() == 10
