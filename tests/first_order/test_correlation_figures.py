"""Figures of correlations: every mark from its row of the table, of the right corpus and list."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import plots
from scripts.first_order import plot_correlations
from tests.report import reading

PLACES = {  # embedding, space and method: label and colour
    ("sg", "explicit", "first_order"): ("e-sg Λ1", plots.FIRST),
    ("ppmi", "explicit", "first_order"): ("ppmi Λ1", plots.FIRST),
    ("sg", "vectors", "second_order_cosine"): ("sg cosine", plots.SECOND),
    ("sg", "explicit", "second_order_cosine"): ("e-sg cosine", plots.EXPLICIT),
    ("ppmi_svd", "vectors", "second_order_cosine"): ("ppmi-SVD cosine", plots.SECOND),
    ("ppmi_svd", "vectors", "second_order_nnd"): ("ppmi-SVD nnd", plots.SECOND),
    ("ppmi_svd", "vectors", "mine"): ("ppmi-SVD mine", plots.OWN),
}
ORDER = [0, 2, 3, 1, 4, 5, 6]  # embeddings together, in the order of the table
TITLES = {
    "labor": "Labor (planted)",
    "census": "Census (planted)",
    "planted": "Planted ground truth",
    "my_own": "my own (planted)",
}
LISTS = ["short", "medium", "long"]


@pytest.fixture(scope="module")
def table():
    """Correlations, each of another value; those of the largest list of a statistics come from the fewest words."""
    keys = [
        (corpus, *place, word_list, statistics)
        for corpus in ("control", "wiki")
        for statistics in (*TITLES, "planted_clear")
        for place in PLACES
        for word_list in LISTS
    ]
    rows = pd.DataFrame(keys, columns=["corpus", "embedding", "space", "method", "word_list", "statistics"])
    values = np.random.default_rng(1).permutation(10 * len(rows)).reshape(-1, 10) / (10 * len(rows))
    names = [f"{kind}{part}" for kind in ("spearman", "pearson") for part in ("", "_p", "_low", "_high", "_published")]
    rows[names] = values
    rows.loc[rows["method"] == "second_order_nnd", ["spearman_published", "pearson_published"]] = np.nan
    return rows.assign(n=30 + np.arange(len(rows)) % 17)


@pytest.fixture(scope="module")
def figures(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("figures") / "correlations.csv"
    table.to_csv(path, index=False)
    outs = (["r.svg", "r.png"], ["w.svg", "w.png"])
    found = reading.drawn(plot_correlations.main, str(path), "wiki", "medium", {"wiki": True}, *outs)
    assert list(found) == [("r.svg", "r.png"), ("w.svg", "w.png")]
    return list(found.values())


def rows(table, statistics, word_list="medium"):
    """Rows of wiki by embedding, space and method."""
    part = table[(table["corpus"] == "wiki") & (table["statistics"] == statistics) & (table["word_list"] == word_list)]
    return part.set_index(["embedding", "space", "method"])


def test_representations(table, figures):
    figure, places = figures[0], [list(PLACES)[i] for i in ORDER]
    assert reading.heading(figure) == "wiki: correlation of gender bias with the share of women, list “medium”"
    assert [axis.get_xlabel() for axis in figure.axes] == ["correlation with bias score"] * 4
    for axis, (statistics, title) in zip(figure.axes, TITLES.items(), strict=True):
        of = rows(table, statistics).loc[places]
        assert axis.get_title() == f"{title} (n = {of['n'].max()})"
        colours = [PLACES[place][1] for place in places]
        points = reading.points(axis)
        marks = zip(("spearman", "pearson"), "oD", points[::2], points[1::2], reading.strokes(axis), strict=True)
        for (kind, marker, ours, theirs, strokes), offset in zip(marks, (-0.2, 0.2), strict=True):
            (dots, of_dots, shape), (ends, of_ends) = ours, strokes
            y = np.arange(7) + offset
            np.testing.assert_allclose(dots, np.column_stack([of[kind], y]))
            np.testing.assert_allclose(ends[:, 0], np.column_stack([of[f"{kind}_low"], y]))
            np.testing.assert_allclose(ends[:, 1], np.column_stack([of[f"{kind}_high"], y]))
            assert of_dots == of_ends == colours
            assert shape == theirs[2] == marker
            np.testing.assert_allclose(theirs[0], np.column_stack([of[f"{kind}_published"], y]))
            assert theirs[1] == [None] * 7  # hollow
        zero, *between = reading.lines(axis)
        assert zero[:2] == ([0, 0], [0, 1])
        assert [line[1] for line in between] == [[2.5, 2.5], [3.5, 3.5]]  # embeddings apart
        assert axis.get_ylim() == (6.5, -0.5)


@pytest.mark.parametrize(
    ("generated", "title"), [({"control": True}, "Labor"), ({"wiki": False}, "Labor (not planted)")]
)
def test_statistics_are_named_by_what_they_are_in_the_text(table, tmp_path, generated, title):
    path = tmp_path / "correlations.csv"
    table.to_csv(path, index=False)
    found = reading.drawn(plot_correlations.main, str(path), "wiki", "medium", generated, ["r.svg"], ["w.svg"])
    for figure in found.values():
        assert figure.axes[0].get_title().startswith(title)
        assert [axis.get_title().split(" (")[0] for axis in figure.axes][2] == "Planted ground truth"


def test_a_figure_of_many_rows_is_no_taller_than_a_window(table, tmp_path):
    many = pd.concat([table.assign(embedding=table["embedding"] + str(i)) for i in range(8)])
    many[many["statistics"] == "labor"].to_csv(tmp_path / "correlations.csv", index=False)
    outs = (["r.svg"], ["w.svg"])
    found = reading.drawn(plot_correlations.main, str(tmp_path / "correlations.csv"), "wiki", "medium", {}, *outs)
    width, height = reading.size(found["r.svg",])
    assert height == pytest.approx(1.2 + 0.22 * 56)
    assert width == pytest.approx(height / 0.75)


def test_names_and_legend_of_representations(figures):
    figure = figures[0]
    labels = [label for label, _ in PLACES.values()]
    assert reading.ticks(figure.axes[0]) == {place: labels[i] for place, i in enumerate(ORDER)}
    handles = reading.legend(figure)
    assert {name: reading.marker(handle) for name, handle in handles.items()} == {
        "Spearman": "o", "Spearman, published": "o", "Pearson": "D", "Pearson, published": "D",
    }  # fmt: skip
    assert reading.size(figure) == (14, 2.74)


def test_lines_between_rows_are_thinnest_and_intervals_thickest(figures):
    for axis in figures[0].axes:
        zero, *between = (line.get_linewidth() for line in axis.get_lines())
        intervals = [width for ends in axis.collections[::3] for width in ends.get_linewidths()]
        assert 0 < max(between) < zero < min(intervals) <= max(intervals) < 1.5
        assert axis.collections[0].zorder < axis.collections[1].zorder  # dots upon their intervals
    assert all(0 < line.get_linewidth() < 1.5 for axis in figures[1].axes for line in axis.get_lines())


def test_word_lists(table, figures):
    """First order, and cosines of vectors, by list."""
    figure, shown = figures[1], [place for i, place in enumerate(PLACES) if i not in (3, 5)]
    assert reading.heading(figure).startswith("wiki: ")
    assert [axis.get_title() for axis in figure.axes] == list(TITLES.values())
    assert [axis.get_xlabel() for axis in figure.axes] == ["definitional word list"] * 4
    assert [axis.get_ylabel() for axis in figure.axes][:2] == ["Spearman correlation with the share of women", ""]
    assert len({axis.get_ylim() for axis in figure.axes}) == 1
    names = [PLACES[place][0] for place in shown]
    assert list(reading.legend(figure)) == names
    for axis, statistics in zip(figure.axes, TITLES, strict=True):
        assert [text.get_text() for text in axis.get_xticklabels()] == LISTS
        assert list(axis.get_xticks()) == [0, 1, 2]
        lines = zip(axis.get_lines(), reading.strokes(axis), np.linspace(-0.3, 0.3, 5), shown, strict=True)
        for line, (ends, of_ends), shift, place in lines:
            places = np.arange(3) + shift
            np.testing.assert_allclose(line.get_xdata(), places)
            for end, name in enumerate(("spearman_low", "spearman_high")):
                values = [rows(table, statistics, word_list).loc[place, name] for word_list in LISTS]
                np.testing.assert_allclose(ends[:, end], np.column_stack([places, values]))
            assert set(of_ends) == {PLACES[place][1]}
            values = [rows(table, statistics, word_list).loc[place, "spearman"] for word_list in LISTS]
            np.testing.assert_allclose(line.get_ydata(), values)
            assert (line.get_label(), line.get_color()) == PLACES[place]
        assert [line.get_marker() for line in axis.get_lines()] == list("osD^v")
    handles = reading.legend(figure).values()
    assert [(h.get_marker(), h.get_color()) for h in handles] == [
        (marker, PLACES[place][1]) for marker, place in zip("osD^v", shown, strict=True)
    ]
    assert reading.size(figure) == (12.8, 4)
