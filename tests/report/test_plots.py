"""Names and colours of methods, names beside points, and the files of figures."""

from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.image import imread

from biassay.report import plots


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


@pytest.mark.parametrize("dpi", [100, 160])
def test_names_of_points_do_not_overlap_and_are_on_their_side(dpi):
    points = np.random.default_rng(1).normal(0.5, 0.1, (200, 2))
    figure, axis = plt.subplots(figsize=(6, 6))
    axis.scatter(*points.T)
    axis.set(xlim=(0, 1), ylim=(0, 1), xlabel="x", ylabel="y", title="z")
    away = np.sign(points[:25, :1] - points[:25, 1:]) * [1, -1]
    placed = plots.name_points(axis, points[:25], [f"occupation{i}" for i in range(25)], points, away)
    assert 12 < len(placed) <= 25
    figure.set_dpi(dpi)  # as it is when saved
    figure.draw_without_rendering()
    boxes = [plt.Text.get_window_extent(text) for text in placed]
    assert all(box.count_overlaps(boxes) == 1 for box in boxes)
    assert all(axis.get_window_extent().contains(*corner) for box in boxes for corner in (box.min, box.max))
    sides = {tuple(point): direction for point, direction in zip(points, away, strict=False)}
    assert all(np.dot(text.get_position(), sides[tuple(text.xy)]) >= 0 for text in placed)
    plt.close(figure)


def test_a_single_name_is_beside_its_point_and_none_without_points_or_room():
    figure, axis = plt.subplots(figsize=(4, 4))
    axis.set(xlim=(0, 1), ylim=(0, 1))
    point, none = np.array([[0.5, 0.5]]), np.empty((0, 2))
    (text,) = plots.name_points(axis, point, ["nurse"], point, np.array([[1, 0]]))
    assert 0 < text.get_position()[0] < 40
    assert plots.name_points(axis, none, [], none, none) == []
    assert plots.name_points(axis, point, ["nurse" * 50], point, np.array([[1, 0]])) == []
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
