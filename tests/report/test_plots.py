"""Names and colours of methods, names beside points, and the files of figures."""

from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np

from biassay.report import plots


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


def test_a_figure_is_saved_to_every_path_alike_each_time(tmp_path):
    files = []
    for time in "ab":
        figure, axis = plt.subplots(figsize=(2, 1))
        axis.fill_between([0, 1], [0, 0], [1, 1], hatch="/")  # of which SVG makes names by chance
        axis.set_title("Λ1")
        paths = [tmp_path / time / "deep" / f"f.{kind}" for kind in ("svg", "png", "pdf")]
        plots.save(figure, *map(str, paths))
        files.append([path.read_bytes() for path in paths])
        assert not plt.fignum_exists(figure.number)
    assert files[0] == files[1]
    texts = ElementTree.fromstring(files[0][0]).iter("{http://www.w3.org/2000/svg}text")
    assert "Λ1" in {text.text for text in texts}  # which can be searched
