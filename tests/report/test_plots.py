"""Names and colours of methods, names beside points, and the files of figures."""

from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.image import imread

from biassay.report import labels, plots


@pytest.mark.parametrize(
    ("place", "name", "colour"),
    [
        (("skipgram", "explicit", "first_order"), "e-skipgram Λ1", plots.FIRST),
        (("skipgram", "vectors", "second_order_cosine"), "skipgram cosine", plots.SECOND),
        (("skipgram", "explicit", "second_order_cosine"), "e-skipgram cosine", plots.EXPLICIT),
        (("ppmi", "explicit", "first_order"), "ppmi Λ1", plots.FIRST),
        (("pmi_svd", "vectors", "second_order_nnd"), "pmi-SVD nnd", plots.SECOND),
        (("sppmi_svd", "explicit", "second_order_cosine"), "sppmi-SVD (explicit) cosine", plots.EXPLICIT),
        (("init_glove", "explicit", "first_order"), "init_glove Λ1", plots.FIRST),
        (("mine_svd", "explicit", "weat"), "e-mine-SVD (explicit) weat", plots.OWN),
    ],
)
def test_names_and_colours_of_methods(place, name, colour):
    assert plots.label(*place) == name
    assert plots.colour(*place[1:]) == colour


def test_first_order_is_told_from_similarity_and_groups_from_each_other():
    assert len({plots.FIRST, plots.SECOND, plots.EXPLICIT}) == 3
    assert len({shade for side in plots.SIDES for shade in side} | {plots.UNBIASED}) == 5
    assert list(plots.MODELS) == ["biased", "unbiased"]
    assert len(set(plots.MODELS.values())) == 2


def test_panels_have_a_light_grid_behind_and_no_frame():
    figure, axis = plt.subplots()
    assert [axis.spines[side].get_visible() for side in ("top", "right", "left", "bottom")] == [
        False,
        False,
        True,
        True,
    ]
    assert axis.xaxis.get_gridlines()[0].get_visible()
    assert axis.xaxis.get_gridlines()[0].get_alpha() < 0.5
    assert axis.xaxis.get_gridlines()[0].get_linewidth() < 0.8
    assert axis.get_axisbelow() is True
    assert figure.get_layout_engine() is not None
    assert rcParams["font.size"] == 9
    plt.close(figure)


def named(monkeypatch, boxes):
    """An axis of 4 by 2 inches from 0 to 4 and 0 to 2, three names, and what was asked of `labels.place`."""
    asked = []
    monkeypatch.setattr(labels, "place", lambda *arguments: asked.append(arguments) or np.array(boxes, float))
    figure = plt.figure(figsize=(4, 2), dpi=144, layout="none")
    axis = figure.add_axes((0, 0, 1, 1), xlim=(0, 4), ylim=(0, 2))
    points, away = np.array([[1, 1], [2, 1.5], [3, 0.5]]), np.array([[1, -1]] * 3)
    texts = plots.name_points(axis, points, ["one", "two", "three"], np.array([[1.0, 1], [0, 2]]), away)
    return figure, axis, texts, asked


def test_names_are_placed_in_points_of_the_page(monkeypatch):
    """An inch is 72 points, whatever the pixels."""
    boxes = [[80, 70, 90, 74], [np.nan] * 4, [180, 50, 210, 60]]
    figure, axis, texts, asked = named(monkeypatch, boxes)
    ((points, sizes, others, away, bounds),) = asked
    np.testing.assert_allclose(points, [[72, 72], [144, 108], [216, 36]])
    np.testing.assert_allclose(others, [[72, 72], [0, 144]])
    assert bounds == pytest.approx((0, 0, 288, 144))
    assert away.tolist() == [[1, -1]] * 3
    assert (sizes[:, 0] > 2 * 7 / 2).all()  # three letters of seven points
    assert (sizes[:, 0] < 5 * 7).all()
    assert ((sizes[:, 1] > 4) & (sizes[:, 1] < 11)).all()
    assert [text.get_text() for text in texts] == ["one", "three"]
    assert list(axis.texts) == texts  # those that were measured are gone
    assert [tuple(text.xy) for text in texts] == [(1, 1), (3, 0.5)]
    assert [list(text.xyann) for text in texts] == [[13, 0], [-21, 19]]
    for text in texts:
        assert (text.get_fontsize(), text.get_ha(), text.get_va()) == (7, "center", "center")
        assert not text.get_in_layout()
        assert text.anncoords == "offset points"
    plt.close(figure)


def test_a_line_leads_to_a_name_that_is_more_than_five_points_away(monkeypatch):
    boxes = [[77, 70, 90, 74], [149.5, 106, 160, 110], [216, 41.5, 230, 50]]  # 5 to the right, 5.5, 5.5 above
    figure, _, texts, _ = named(monkeypatch, boxes)
    arrows = [text.arrow_patch for text in texts]
    assert [arrow is not None for arrow in arrows] == [False, True, True]
    assert all(0 < arrow.get_linewidth() < 1 and arrow.shrinkA == 0 for arrow in arrows[1:])
    assert all(text.zorder > 3 for text in texts)  # above the dots
    assert not any(text.get_path_effects() for text in texts)  # which would make paths of them in an SVG
    plt.close(figure)


def test_text_of_an_svg_is_text(tmp_path):
    figure, axis = plt.subplots(figsize=(3, 3))
    axis.set(title="Λ1 against the cosine", xlim=(0, 4), ylim=(0, 4))
    points = np.array([[1.0, 1], [3, 2]])
    plots.name_points(axis, points, ["nurse", "mechanic"], points, np.array([[1, -1]] * 2))
    plots.save(figure, str(tmp_path / "f.svg"))
    texts = list(ElementTree.parse(tmp_path / "f.svg").iter("{http://www.w3.org/2000/svg}text"))
    assert {"Λ1 against the cosine", "nurse", "mechanic"} <= {text.text for text in texts}
    assert all("'DejaVu Sans', 'Verdana', sans-serif" in text.get("style") for text in texts)


def test_a_figure_too_tall_for_a_window_is_made_wider():
    assert plots.size(10, 7.5) == (10, 7.5)
    assert plots.size(10, 9) == (12, 9)


def test_without_points_there_are_no_names():
    figure, axis = plt.subplots()
    nothing = np.empty((0, 2))
    assert plots.name_points(axis, nothing, [], nothing, nothing) == []
    plt.close(figure)


def test_a_figure_is_saved_to_every_path_alike_each_time(tmp_path):
    files = []
    for time in "ab":
        figure, axis = plt.subplots(figsize=(2, 1))
        axis.fill_between([0, 1], [0, 0], [1, 1], hatch="/")  # of which SVG makes names by chance
        paths = [tmp_path / time / "deep" / f"f.{kind}" for kind in ("svg", "png")]
        plots.save(figure, *map(str, paths))
        files.append([path.read_bytes() for path in paths])
        assert not plt.fignum_exists(figure.number)
    assert files[0] == files[1]
    assert b"<dc:date>" not in files[0][0]
    assert imread(tmp_path / "a/deep/f.png").shape[:2] == (160, 320)


def test_a_figure_is_laid_out_and_drawn_once_for_each_file(tmp_path, monkeypatch):
    figure, axis = plt.subplots(figsize=(3, 2))
    axis.set(xlabel="x", ylabel="y", title="A title")
    figure.legend([], [], loc="outside lower center")
    drawn, draw = [], type(figure).draw
    monkeypatch.setattr(type(figure), "draw", lambda self, renderer: drawn.append(places(self)) or draw(self, renderer))
    before = places(figure)
    plots.save(figure, *(str(tmp_path / f"figure.{kind}") for kind in ("svg", "png", "pdf")))
    assert len(drawn) == 3
    assert drawn[0] == drawn[1] == drawn[2] == places(figure) != before


def places(figure):
    """Where a figure's panels are."""
    return [axis.get_position().bounds for axis in figure.axes]
