"""Folds have their share of every class and group, whatever the sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.numerics.folds import folds, spread


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=60), st.data())
def test_folds_differ_by_one_text_of_each_kind_at_most(texts, data):
    n, seed = data.draw(st.integers(2, min(6, len(texts)))), data.draw(st.integers(0, 9))
    labels, groups = np.array([(c & 1, c >> 1) for c, _ in texts]), np.array([g for _, g in texts])
    found = folds(labels, groups, n, seed)
    sizes = np.bincount(found, minlength=n)
    assert sizes.max() - sizes.min() <= 1
    for kind in set(texts):
        of_kind = np.bincount(found[[text == kind for text in texts]], minlength=n)
        assert of_kind.max() - of_kind.min() <= 1
    assert (folds(labels, groups, n, seed) == found).all()


def test_the_seed_decides_who_is_where():
    labels, groups = np.eye(2)[np.arange(40) % 2], np.arange(40) // 20
    assert (folds(labels, groups, 4, 1) != folds(labels, groups, 4, 2)).any()


def test_texts_of_a_kind_follow_one_another_in_a_random_order():
    kinds = np.arange(30)[:, None] % 3
    order = spread(kinds, 1)
    assert sorted(order.tolist()) == list(range(30))
    assert kinds[order, 0].tolist() == [0] * 10 + [1] * 10 + [2] * 10
    assert order[:10].tolist() != sorted(order[:10])
    assert order.tolist() != spread(kinds, 2).tolist()


@pytest.mark.bad_input("material of classification heads", "refused; the argument and its value are named")
@pytest.mark.parametrize(
    ("labels", "groups", "n", "message"),
    [
        (np.ones((4, 1)), np.ones(4), 1, "folds: 1; give 2 to 4, the number of texts"),
        (np.ones((4, 1)), np.ones(4), 5, "folds: 5; give 2 to 4"),
        (np.ones(4), np.ones(4), 2, r"labels \(4,\), groups \(4,\): must be of the same texts"),
        (np.ones((4, 1)), np.ones(3), 2, "must be of the same texts"),
    ],
)
def test_what_cannot_be_is_said(labels, groups, n, message):
    with pytest.raises(ValueError, match=message):
        folds(labels, groups, n, 1)


def test_as_many_folds_as_texts():
    assert sorted(folds(np.ones((4, 1)), np.ones(4), 4, 1).tolist()) == [0, 1, 2, 3]
