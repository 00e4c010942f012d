"""Names in figures: no two overlap, nor a name and another's leader line."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from biassay.figures import labels, plots

RANDOM = np.random.default_rng(7)


def test_overlap_and_coverage_by_hand():
    boxes = np.array([[0.0, 0, 4, 2], [3, 1, 6, 3], [5, 0, 7, 0.5]])
    assert labels.overlap(boxes[:1], boxes).tolist() == [[True, True, False]]
    assert labels.overlap(boxes[:1], boxes[2:], gap=1.5).item()
    assert labels.covered(boxes[:1], np.array([[1.0, 1], [5, 1]])).tolist() == [[True, False]]
    np.testing.assert_array_equal(labels.leader(np.array([5.0, 1]), boxes[:1]), [[4, 1]])


def test_boxes_are_apart_inside_and_on_their_side():
    points = RANDOM.uniform(20, 180, (40, 2))
    sizes = np.column_stack([RANDOM.uniform(15, 50, 40), np.full(40, 8.0)])
    away = np.where(RANDOM.random((40, 1)) < 0.5, [[1, -1]], [[-1, 1]])
    boxes = labels.place(points, sizes, points, away, (0, 0, 200, 200))
    placed = ~np.isnan(boxes[:, 0])
    assert 5 < placed.sum() < 40  # there is no room for all
    overlaps = labels.overlap(boxes[placed], boxes[placed])
    assert overlaps.sum() == placed.sum()  # each with itself
    assert not labels.covered(boxes[placed], points).any()
    assert boxes[placed].min() >= 0
    assert boxes[placed].max() <= 200
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2 - points
    assert ((middles * away).sum(axis=1)[placed] >= 0).all()


@pytest.mark.parametrize("dpi", [100, 160])
def test_drawn_names_do_not_overlap(dpi):
    points = RANDOM.normal(0.5, 0.1, (200, 2))
    figure, axis = plt.subplots(figsize=(6, 6))
    axis.scatter(*points.T)
    axis.set(xlim=(0, 1), ylim=(0, 1), xlabel="x", ylabel="y", title="z")
    chosen = points[:25]
    away = np.sign(chosen[:, :1] - chosen[:, 1:]) * [1, -1]
    placed = plots.name_points(axis, chosen, [f"occupation{i}" for i in range(25)], points, away)
    assert len(placed) > 12
    figure.set_dpi(dpi)  # as it is when saved
    figure.draw_without_rendering()
    texts = np.array([plt.Text.get_window_extent(text).extents for text in placed])  # without leader lines
    assert labels.overlap(texts, texts).sum() == len(placed)
    plt.close(figure)
