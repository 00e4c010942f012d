"""Names and colours of methods, names beside points, and the files of figures."""

from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.image import imread

from biassay.report import plots


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (("skipgram", "explicit", "first_order"), "e-skipgram Λ1"),
        (("skipgram", "vectors", "second_order_cosine"), "skipgram cosine"),
        (("ppmi", "explicit", "first_order"), "ppmi Λ1"),
        (("sppmi_svd", "explicit", "second_order_cosine"), "sppmi-SVD (explicit) cosine"),
        (("mine_svd", "explicit", "weat"), "e-mine-SVD (explicit) weat"),
    ],
)
def test_names_of_methods(place, name):
    assert plots.label(*place) == name


def test_names_of_points_do_not_overlap_and_are_on_their_side():
    points = np.random.default_rng(1).normal(0.5, 0.1, (100, 2))
    figure, axis = plt.subplots(figsize=(6, 6))
    axis.scatter(*points.T)
    axis.set(xlim=(0, 1), ylim=(0, 1))
    away = np.sign(points[:15, :1] - points[:15, 1:]) * [1, -1]
    placed = plots.name_points(axis, points[:15], [f"occupation{i}" for i in range(15)], points, away)
    assert 8 < len(placed) <= 15
    figure.set_dpi(160)  # as it is when saved
    figure.draw_without_rendering()
    boxes = [plt.Text.get_window_extent(text) for text in placed]
    assert all(box.count_overlaps(boxes) == 1 for box in boxes)
    assert all(axis.get_window_extent().contains(*corner) for box in boxes for corner in (box.min, box.max))
    sides = {tuple(point): direction for point, direction in zip(points, away, strict=False)}
    assert all(np.dot(text.get_position(), sides[tuple(text.xy)]) >= 0 for text in placed)
    assert plots.name_points(axis, points[:1], ["nurse" * 50], points, away[:1]) == []  # no room
    assert plots.name_points(axis, points[:0], [], points, away[:0]) == []
    plt.close(figure)


def test_a_figure_too_tall_for_a_window_is_made_wider():
    assert plots.size(10, 7.5) == (10, 7.5)
    assert plots.size(10, 9) == (12, 9)


def test_a_figure_is_saved_to_every_path_alike_each_time(tmp_path):
    files = []
    for time in "ab":
        figure, axis = plt.subplots(figsize=(2, 1))
        axis.fill_between([0, 1], [0, 0], [1, 1], hatch="/")  # of which SVG makes names by chance
        axis.set_title("Λ1")
        paths = [tmp_path / time / "deep" / f"f.{kind}" for kind in ("svg", "png")]
        plots.save(figure, *map(str, paths))
        files.append([path.read_bytes() for path in paths])
        assert not plt.fignum_exists(figure.number)
    assert files[0] == files[1]
    assert imread(tmp_path / "a/deep/f.png").shape[:2] == (160, 320)
    texts = ElementTree.fromstring(files[0][0]).iter("{http://www.w3.org/2000/svg}text")
    assert "Λ1" in {text.text for text in texts}  # which can be searched


def test_a_figure_is_laid_out_and_drawn_once_for_each_file(tmp_path, monkeypatch):
    def places(figure):
        return [axis.get_position().bounds for axis in figure.axes]

    figure, axis = plt.subplots(figsize=(3, 2))
    axis.set(xlabel="x", title="A title")
    drawn, draw = [], type(figure).draw
    monkeypatch.setattr(type(figure), "draw", lambda self, renderer: drawn.append(places(self)) or draw(self, renderer))
    before = places(figure)
    plots.save(figure, *(str(tmp_path / f"figure.{kind}") for kind in ("svg", "png")))
    assert len(drawn) == 2
    assert drawn[0] == drawn[1] == places(figure) != before
