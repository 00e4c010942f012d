"""Cells and arrows of the study's figures, against verdicts written by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from tests.artists import panels, ticks
from tests.properties.handmade import example, tabulated, verdict
from tests.scripted import draw

COLOURS = {"yes": "#cfe8cf", "no": "#f4c7c3", "conditional": "#fdf0c4", "not applicable": "#ffffff"}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def figures(folder, verdicts):
    """Both figures of verdicts by metric."""
    table, files = tabulated(folder, verdicts)
    given = {"table": table, "verdicts": files}
    return draw("properties/plot.py", ("table", "counterexamples"), input=given, params={"metrics": list(verdicts)})


@pytest.mark.parametrize("more", [[], [verdict("set", "comparable", "not applicable", groups=3)]])
def test_table_as_a_figure(tmp_path, more):
    """Whether all verdicts are published, or some are not: those that differ stand beside ours."""
    said = {"comparable": "yes", "trustworthy": "no", "skew": "yes", "stereotype": "conditional"}
    verdicts = {"weat": [verdict("set", name, word) for name, word in said.items()] + more}
    verdicts["mac"] = [verdict("sample", "trustworthy", "yes"), verdict("sample", "comparable", "conditional")]
    (axis,) = figures(tmp_path, verdicts)["table"].axes
    last = 1 + len(more)
    expected = {
        (0, 0): ("✓", "yes"), (1, 0): ("✗", "no"), (2, 0): ("✓  (printed ✗)", "yes"), (3, 0): ("(✓)", "conditional"),
        (1, last): ("✓  (printed ✗)", "yes"), (0, last): ("(✓)  (printed ✗)", "conditional"),
    }  # fmt: skip
    expected |= {(0, 1): ("–", "not applicable")} if more else {}
    found = {text.get_position(): text.get_text() for text in axis.texts}
    assert found == {place: text for place, (text, _) in expected.items()}
    cells = {(c.get_x() + 0.5, c.get_y() + 0.5): (to_hex(c.get_facecolor()), to_hex(c.get_edgecolor()),
             c.get_width(), c.get_height()) for c in axis.patches}  # fmt: skip
    assert cells == {place: (COLOURS[word], "#ffffff", 1, 1) for place, (_, word) in expected.items()}
    assert {(text.get_ha(), text.get_va(), text.get_size()) for text in axis.texts} == {("center", "center", 8)}
    rows = ["weat, set, 2 groups", "weat, set, 3 groups", "mac, sample, 2 groups"]
    rows = rows if more else rows[::2]
    assert ticks(axis, "y") == (list(range(len(rows))), rows)
    assert ticks(axis, "x") == ([0, 1, 2, 3], ["comparable", "trustworthy", "skew", "stereotype"])
    assert axis.xaxis.get_ticks_position() == "top"
    assert (axis.get_xlim(), axis.get_ylim()) == ((-0.5, 3.5), (len(rows) - 0.5, -0.5))
    assert tuple(axis.figure.get_size_inches()) == (6.5, pytest.approx(0.6 + 0.26 * len(rows)))
    assert not any(line.get_visible() for line in (*axis.get_xgridlines(), *axis.get_ygridlines()))
    assert {mark.get_markersize() for mark in (*axis.xaxis.get_ticklines(), *axis.yaxis.get_ticklines())} == {0}
    assert not any(spine.get_visible() for spine in axis.spines.values())


def test_panels_of_counterexamples_in_a_plane(tmp_path):
    """Only those of two dimensions, in the order of the files; panels that are left over are hidden."""
    solid = example([[0.0, 1.0, 0.0]], groups=[[[1.0, 0.0, 0.0]]] * 3)
    flat = [example([[1.0, 0.0]], value=value) for value in (0.123456, -1e-6, np.nan, 0.00041)]
    verdicts = {"weat": [verdict("set", "skew", "no", examples=[solid, flat[0]])],
                "mac": [verdict("sample", "trustworthy", "no", examples=flat[1:])]}  # fmt: skip
    figure = figures(tmp_path, verdicts)["counterexamples"]
    assert [axis.get_visible() for axis in figure.axes] == [True] * 4 + [False] * 2
    assert [axis.get_title() for axis in figure.axes[:4]] == [
        "weat, set\nnot skew: b = 0.123", "mac, sample\nnot trustworthy: b = 0",
        "mac, sample\nnot trustworthy: b = nan", "mac, sample\nnot trustworthy: b = 0.0004"
    ]  # fmt: skip
    assert panels(figure) == (1, 6)
    assert tuple(figure.get_size_inches()) == pytest.approx((12.6, 2.6))
    verdicts["mac"][0]["examples"] = flat + flat[:2]
    figure = figures(tmp_path, verdicts)["counterexamples"]
    assert panels(figure) == (2, 6)
    assert sum(axis.get_visible() for axis in figure.axes) == 7
    assert tuple(figure.get_size_inches()) == pytest.approx((12.6, 5.2))
    none = {"mac": [verdict("set", "skew", "yes")]}
    assert panels(figures(tmp_path, none)["counterexamples"]) == (1, 6)


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
    first, second, *_ = figures(tmp_path, {"weat": [verdict("set", "skew", "no", examples=shown)]})[
        "counterexamples"
    ].axes
    groups = [(0, 1, "#6a3d9a", 6, False, 0.45), (90, 1, "#6a3d9a", 6, False, 0.45),
              (180, 1, "#e08214", 6, False, 0.45), (270, 1, "#e08214", 6, False, 0.45)]  # fmt: skip
    black = [(90, False), (95, False), (180, True), (100, True), (185, True)]
    assert arrows(first) == groups + [(angle, 0.8, "#000000", 1.1, dashed, 1) for angle, dashed in black]
    assert arrows(second)[4:] == [(45, 0.8, "#000000", 1.1, False, 1), (90, 0.8, "#000000", 1.1, False, 1)]
    assert first.lines[6]._unscaled_dash_pattern == (0, (3, 2))
    assert (first.get_xlim(), first.get_ylim(), first.get_aspect()) == ((-1.15, 1.15), (-1.15, 1.15), 1)
    assert [*first.get_xticks(), *first.get_yticks()] == []
    assert not any(spine.get_visible() for spine in first.spines.values())
    assert first.title.get_size() == 8
