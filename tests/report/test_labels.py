"""Names in figures: no two overlap, nor a name and another's leader line."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from biassay.report import labels, plots

DISTANCES = (3, 6, 10, 15, 21, 28, 36, 46, 58, 72, 90, 110)  # in points
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


def near(box, point, gap):
    return box[0] - gap < point[0] < box[2] + gap and box[1] - gap < point[1] < box[3] + gap


def line(point, box):
    """Twenty places from a point to the nearest place of a box."""
    end = [min(max(point[i], box[i]), box[i + 2]) for i in (0, 1)]
    return [[point[i] + step / 19 * (end[i] - point[i]) for i in (0, 1)] for step in range(20)]


def one_by_one(points, sizes, others, away, bounds, gap=2):
    """What `place` says, one candidate after another: the cheapest of those that are free, a covered point worth 6."""
    placed, lines = {}, []
    for number, ((x, y), (width, height)) in enumerate(zip(points, sizes, strict=True)):
        best = np.inf
        for distance in DISTANCES:
            for turn in np.arange(24) * np.pi / 12:
                middle = (x + np.cos(turn) * (width / 2 + distance), y + np.sin(turn) * (height / 2 + distance))
                box = [middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2]
                own = line((x, y), box)
                free = box[0] >= bounds[0] and box[1] >= bounds[1] and box[2] <= bounds[2] and box[3] <= bounds[3]
                free &= (middle[0] - x) * away[number][0] + (middle[1] - y) * away[number][1] >= 0
                free &= not any(near(box, point, gap) for point in (*points, *lines))
                for other in filter(lambda other: other[0] < number, placed.items()):
                    free &= not any(near(other[1], point, gap) for point in own)
                    apart = [box[i] >= other[1][i + 2] + gap or box[i + 2] + gap <= other[1][i] for i in (0, 1)]
                    free &= any(apart)
                cost = distance + 6 * sum(near(box, point, 0) for point in others)
                if free and cost < best:
                    best, placed[number], leader = cost, box, own
        lines += leader if best < np.inf else []
    return np.array([placed.get(number, [np.nan] * 4) for number in range(len(points))])


@pytest.mark.parametrize("spread", [25, 60, 400])
def test_each_name_takes_the_cheapest_free_place(spread):
    random = np.random.default_rng(spread)
    points, others = random.uniform(0, spread, (8, 2)) + 20, random.uniform(0, spread, (60, 2)) + 20
    sizes = np.column_stack([random.uniform(15, 50, 8), np.full(8, 8.0)])
    away = random.choice([-1.0, 1.0], (8, 2))
    given = (points, sizes, np.concatenate([others, points]), away, (-30, 5, spread + 70, spread + 35))
    np.testing.assert_allclose(labels.place(*given), one_by_one(*given), atol=1e-9)
    assert np.isnan(labels.place(*given)).any() == (spread == 25)


def test_a_name_alone_stands_to_the_right_three_points_away():
    assert labels.DISTANCES == DISTANCES
    alone = (np.array([[100.0, 100]]), np.array([[20.0, 8]]), np.empty((0, 2)))
    assert labels.place(*alone, np.array([[0.0, 0]]), (0, 0, 200, 200)).tolist() == [[103, 96, 123, 104]]
    assert np.isnan(labels.place(*alone, np.array([[0.0, 0]]), (90, 90, 110, 110))).all()


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
