"""Growing subsets: sizes, shuffles, means and rank correlations, by hand and by their properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.statistics import growth as growing
from biassay.statistics.growth import Growth, grow
from biassay.statistics.ranks import growing_spearman


def test_means_and_subsets_by_hand():
    growth = Growth([np.array([[2, 0, 1], [0, 1, 2]]), np.array([[1, 0], [0, 1]])], np.array([[1, 1], [3, 2]]))
    assert (growth.n_shuffles, growth.n_words.tolist()) == (2, [2, 5])
    assert [part.tolist() for part in growth.subset(0, 1)] == [[2, 0, 1], [1, 0]]
    first, second = np.array([1, 2, 6], np.float32), np.array([[10, 0], [20, 4]])
    (a, b), (c, d) = zip(*growth.means([first, second]), strict=True)
    assert (a.tolist(), c.tolist(), a.dtype) == ([6, 3], [1, 3], np.float64)
    assert (b.tolist(), d.tolist()) == ([[20, 4], [15, 2]], [[10, 0], [15, 2]])
    cube = np.arange(12.0).reshape(3, 2, 2)  # rows that are matrices
    ((means,),) = Growth([np.array([[1, 2, 0]])], np.array([[2], [3]])).means([cube])
    np.testing.assert_array_equal(means, [(cube[1] + cube[2]) / 2, cube.mean(axis=0)])


def test_means_of_a_single_step_are_those_of_many_and_do_not_depend_on_blocks(monkeypatch):
    random = np.random.default_rng(1)
    arrays = [random.standard_normal((9, 4, 2)), random.standard_normal(12).astype(np.float32), np.eye(6)]
    arrays[2][0] = np.nan
    several = grow([9, 12, 6], 12, 8, [1])
    alone = Growth(several.shuffles, several.sizes[1:2], drawn=random.integers(9, size=(8, 5)))
    for all_steps, one_step in zip(several.means(arrays), alone.means(arrays), strict=True):
        np.testing.assert_allclose(one_step, all_steps[:, 1:2], rtol=1e-13)
    monkeypatch.setattr(growing, "BLOCK", 7)
    assert [part.n_shuffles for part in alone.blocks(2)] == [3, 3, 2]
    for parts, means in zip(
        zip(*[part.means(arrays) for part in alone.blocks(2)], strict=True), alone.means(arrays), strict=True
    ):
        np.testing.assert_allclose(np.concatenate(parts), means, rtol=1e-13)
    values = random.standard_normal((8, 1, 9))
    drawn = np.concatenate(
        [part.draw(block) for part, block in zip(alone.blocks(2), np.split(values, [3, 6]), strict=True)]
    )
    assert drawn.tolist() == [[row[0][places].tolist()] for row, places in zip(values, alone.drawn, strict=True)]


@pytest.mark.parametrize(
    ("sizes", "step", "aligned", "message"),
    [([5, 2], 6, False, "step: .*2 words .* got 3"), ([3, 4], 2, True, r"aligned: .* got \[3, 4\]")],
)
def test_steps_and_lists_that_do_not_fit(sizes, step, aligned, message):
    with pytest.raises(ValueError, match=message):
        grow(sizes, step, 2, [1], aligned=aligned)
    assert grow([3, 4, 2], 3, 2, [1]).sizes.tolist() == [[1, 1, 1], [2, 2, 2], [3, 3, 2], [3, 4, 2]]


@given(st.lists(st.integers(2, 20), min_size=1, max_size=3), st.integers(1, 2), st.booleans())
def test_shuffles_are_permutations_and_subsets_grow(sizes, share, aligned):
    sizes = [sizes[0]] * len(sizes) if aligned else sizes
    growth, again = (grow(sizes, share * len(sizes), 4, [7], aligned=aligned) for _ in range(2))
    for order, same, size in zip(growth.shuffles, again.shuffles, sizes, strict=True):
        assert (np.sort(order, axis=1) == np.arange(size)).all()
        assert (order == same).all()
        assert not aligned or (order == growth.shuffles[0]).all()
    assert (np.diff(growth.n_words) > 0).all()
    assert growth.n_words[0] == min(share * len(sizes), sum(sizes))
    assert growth.sizes[-1].tolist() == sizes


def test_rank_correlations_by_hand():
    # in the order of numbers: ranks 1 2 | 1 2, then 2 3 1 | 1 2 3, then 2 3½ 1 3½ | 1 2 3 4
    first, second = np.array([5.0, 9, 1, 9]), np.array([-1.0, 0, 4, 7])
    # ρ of three = 1 − 6·(1 + 1 + 4)/24; of four: −½ 1 −1½ 1 by −1½ −½ ½ 1½ is 1, over √(4.5·5)
    expected = [1, 1 - 6 * 6 / 24, 1 / np.sqrt(4.5 * 5)]
    found = growing_spearman(first, second, np.array([[0, 1, 2, 3]] * 2), np.array([2, 3, 4]))
    np.testing.assert_allclose(found, [expected] * 2)
    # the two nines are a tie, so that one side is constant
    found = growing_spearman(first, second, np.array([[1, 3, 0, 2]]), np.array([2, 4]))
    np.testing.assert_allclose(found, [[np.nan, 1 / np.sqrt(4.5 * 5)]])
    found = growing_spearman(first, -first, np.array([[0, 1, 2, 3], [3, 2, 1, 0]]), np.array([4]))
    assert found.tolist() == [[-1], [-1]]
