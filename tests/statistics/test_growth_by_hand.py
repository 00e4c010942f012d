"""Growing subsets worked by hand: orders, sizes, means, rank correlations."""

import dataclasses

import numpy as np
import pytest

from biassay.statistics import growth as growing
from biassay.statistics.growth import Growth, grow
from biassay.statistics.ranks import growing_spearman


def test_means_of_growing_rows_by_hand():
    growth = Growth([np.array([[2, 0, 1], [0, 1, 2]]), np.array([[1, 0], [0, 1]])], np.array([[1, 1], [3, 2]]))
    assert growth.n_shuffles == 2
    assert growth.n_words.tolist() == [2, 5]
    assert growth.cache == {}
    first, second = np.array([1, 2, 6], np.float32), np.array([[10, 0], [20, 4]])
    (a, b), (c, d) = growth.means([first, second])
    assert (a.tolist(), c.tolist()) == ([6, 3], [1, 3])
    assert (b.tolist(), d.tolist()) == ([[20, 4], [15, 2]], [[10, 0], [15, 2]])
    assert a.dtype == np.float64
    # rows that are matrices
    cube = np.arange(12.0).reshape(3, 2, 2)
    alone = Growth([np.array([[1, 2, 0]])], np.array([[2], [3]]))
    ((means,),) = alone.means([cube])
    np.testing.assert_array_equal(means, [(cube[1] + cube[2]) / 2, cube.mean(axis=0)])


def test_means_of_a_single_step_are_those_of_many_to_the_last_bit(monkeypatch):
    monkeypatch.setattr(growing, "BATCH", 3)
    random = np.random.default_rng(1)
    arrays = [
        random.standard_normal((9, 4)),
        random.standard_normal(12).astype(np.float32),
        np.arange(24).reshape(6, 4),
    ]
    several = grow([9, 12, 6], 12, 8, [1])
    alone = Growth(several.shuffles, several.sizes[1:2])
    for of_several, of_one in zip(several.means(arrays), alone.means(arrays), strict=True):
        for means, mean in zip(of_several, of_one, strict=True):
            np.testing.assert_array_equal(mean, means[1:2])
            assert mean.dtype == np.float64


def test_subsets_by_hand():
    growth = Growth([np.array([[2, 0, 1]]), np.array([[1, 0]])], np.array([[1, 1], [3, 2]]))
    assert [part.tolist() for part in growth.subset(0, 0)] == [[2], [1]]
    assert [part.tolist() for part in growth.subset(0, 1)] == [[2, 0, 1], [1, 0]]


def test_lists_that_do_not_belong_together():
    growth = Growth([np.array([[2, 0, 1]]), np.array([[1, 0]])], np.array([[1, 1], [3, 2]]))
    with pytest.raises(ValueError, match="zip"):
        list(growth.means([np.arange(3)]))
    with pytest.raises(ValueError, match="zip"):
        Growth(growth.shuffles, np.array([[1]])).subset(0, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        growth.sizes = np.array([[1, 1]])


@pytest.mark.parametrize(
    ("sizes", "step", "expected"),
    [
        ([3], 3, [[3]]),
        ([3], 2, [[2], [3]]),
        ([2, 2], 4, [[2, 2]]),
        ([2, 5], 4, [[2, 2], [2, 4], [2, 5]]),
        ([3, 4, 2], 3, [[1, 1, 1], [2, 2, 2], [3, 3, 2], [3, 4, 2]]),
    ],
)
def test_sizes_by_hand(sizes, step, expected):
    assert grow(sizes, step, 2, [1]).sizes.tolist() == expected


@pytest.mark.parametrize(
    ("sizes", "step", "message"),
    [
        ([5, 5], 3, "step: .* 2, .* got 3"),
        ([5, 5], 0, "step: .* 2, .* got 0"),
        ([5, 5, 5], 2, "step: .* 3, .* got 2"),
        ([5, 2], 6, "step: .*2 words .* got 3"),
    ],
)
def test_steps_that_do_not_fit_say_why(sizes, step, message):
    with pytest.raises(ValueError, match=message):
        grow(sizes, step, 2, [1])


def test_shuffles_differ_and_words_come_in_every_place():
    growth = grow([4, 6], 2, 4000, [1])
    for order, size in zip(growth.shuffles, (4, 6), strict=True):
        assert order.shape == (4000, size)
        places = np.stack([np.bincount(column, minlength=size) for column in order.T]) / 4000
        np.testing.assert_allclose(places, 1 / size, atol=0.05)
    assert (growth.shuffles[1][:, :4] != growth.shuffles[0]).any()
    assert any((a != b).any() for a, b in zip(growth.shuffles, grow([4, 6], 2, 4000, [2]).shuffles, strict=True))


def test_words_side_by_side_have_an_order_in_common():
    first, second, third = grow([3, 3, 3], 3, 500, [1], aligned=True).shuffles
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(first, third)


def test_a_shuffle_alone():
    growth = grow([4, 6], 2, 7, [1])
    alone = growth.select_shuffle(5)
    assert (alone.n_shuffles, alone.seed, growth.seed) == (1, (1,), (1,))
    assert grow([4], 2, 2, [3, 1]).seed == (3, 1)
    for step in range(len(growth.sizes)):
        for one, other in zip(alone.subset(0, step), growth.subset(5, step), strict=True):
            np.testing.assert_array_equal(one, other)


def test_rank_correlations_by_hand():
    # in the order of numbers: ranks 1 2 | 1 2, then 2 3 1 | 1 2 3, then 2 3½ 1 3½ | 1 2 3 4
    first, second = np.array([5.0, 9, 1, 9]), np.array([-1.0, 0, 4, 7])
    # ρ of three = 1 − 6·(1 + 1 + 4)/24; of four: −½ 1 −1½ 1 by −1½ −½ ½ 1½ is 1, over √(4.5·5)
    expected = [1, 1 - 6 * 6 / 24, 1 / np.sqrt(4.5 * 5)]
    found = growing_spearman(first, second, np.array([[0, 1, 2, 3]] * 2), np.array([2, 3, 4]))
    np.testing.assert_allclose(found, [expected] * 2)
    # others first: the two nines are a tie, so that one side is constant
    found = growing_spearman(first, second, np.array([[1, 3, 0, 2]]), np.array([2, 4]))
    np.testing.assert_allclose(found, [[np.nan, 1 / np.sqrt(4.5 * 5)]])
    # a step that takes several words, and the other side constant
    found = growing_spearman(first, np.ones(4), np.array([[0, 1, 2, 3]]), np.array([3, 4]))
    assert np.isnan(found).all()
    found = growing_spearman(first, -first, np.array([[0, 1, 2, 3], [3, 2, 1, 0]]), np.array([4]))
    assert found.tolist() == [[-1], [-1]]


def test_rank_correlations_never_leave_the_range():
    random = np.random.default_rng(1)
    for m in (2, 3, 7, 12, 31, 39):
        values = random.integers(0, m, m).astype(float)
        values[:2] = 0, m
        shuffles = np.stack([random.permutation(m) for _ in range(4)])
        for sign in (1, -1):
            found = growing_spearman(values, sign * values, shuffles, np.array([m]))
            assert np.abs(found).max() <= 1
            np.testing.assert_allclose(found, sign)
