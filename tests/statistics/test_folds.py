"""Folds have their share of every class and group, whatever the sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.statistics.folds import assign_folds, assign_folds_by_text, shuffle_by_kind


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=60), st.data())
def test_folds_differ_by_one_text_of_each_kind_at_most(texts, data):
    n, seed = data.draw(st.integers(2, min(6, len(texts)))), data.draw(st.integers(0, 9))
    labels, groups = np.array([(c & 1, c >> 1) for c, _ in texts]), np.array([g for _, g in texts])
    found = assign_folds(labels, groups, n, seed)
    sizes = np.bincount(found, minlength=n)
    assert sizes.max() - sizes.min() <= 1
    for kind in set(texts):
        of_kind = np.bincount(found[[text == kind for text in texts]], minlength=n)
        assert of_kind.max() - of_kind.min() <= 1
    assert (assign_folds(labels, groups, n, seed) == found).all()


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3)), min_size=2, max_size=40), st.data())
def test_equal_texts_are_dealt_out_as_their_first_one(texts, data):
    """Against `folds` of one text each, in the order of the texts' names."""
    words, kinds = [word for word, _ in texts], np.array([kind for _, kind in texts])
    labels, groups = np.column_stack([kinds & 1, 1 - (kinds & 1)]), kinds >> 1
    firsts = [words.index(word) for word in sorted(set(words))]
    n, seed = data.draw(st.integers(2, max(2, len(firsts)))), data.draw(st.integers(0, 9))
    if n > len(firsts):
        with pytest.raises(ValueError, match=r"folds: .*2 to 1.* got 2"):
            assign_folds_by_text(labels, groups, words, n, seed)
        return
    of_words = dict(
        zip(sorted(set(words)), assign_folds(labels[firsts], groups[firsts], n, seed).tolist(), strict=True)
    )
    assert assign_folds_by_text(labels, groups, words, n, seed).tolist() == [of_words[word] for word in words]


def test_equal_texts_by_hand():
    """Templates with three terms each: a fold has all three or none, whatever groups and labels they have."""
    words = np.repeat(["x", "y", "z", "u"], 3)
    labels, groups = np.eye(2)[[0, 0, 1] * 4], np.arange(12) % 3
    found = assign_folds_by_text(labels, groups, words, 2, 5).reshape(4, 3)
    assert (found == found[:, :1]).all()
    assert sorted(found[:, 0].tolist()) == [0, 0, 1, 1]


def test_the_seed_decides_who_is_where():
    labels, groups = np.eye(2)[np.arange(40) % 2], np.arange(40) // 20
    assert (assign_folds(labels, groups, 4, 1) != assign_folds(labels, groups, 4, 2)).any()


def test_texts_of_a_kind_follow_one_another_in_a_random_order():
    kinds = np.arange(30)[:, None] % 3
    order = shuffle_by_kind(kinds, 1)
    assert sorted(order.tolist()) == list(range(30))
    assert kinds[order, 0].tolist() == [0] * 10 + [1] * 10 + [2] * 10
    assert order[:10].tolist() != sorted(order[:10])
    assert order.tolist() != shuffle_by_kind(kinds, 2).tolist()


@pytest.mark.bad_input("material of classification heads", "refused; the message names the argument and its value")
@pytest.mark.parametrize(
    ("labels", "groups", "n", "message"),
    [
        (np.ones((4, 1)), np.ones(4), 1, r"folds: .*2 to 4.* got 1"),
        (np.ones((4, 1)), np.ones(4), 5, r"folds: .*2 to 4.* got 5"),
        (np.ones(4), np.ones(4), 2, r"got shapes \(4,\) and \(4,\)"),
        (np.ones((4, 1)), np.ones(3), 2, r"got shapes \(4, 1\) and \(3,\)"),
    ],
)
def test_what_cannot_be_is_said(labels, groups, n, message):
    with pytest.raises(ValueError, match=message):
        assign_folds(labels, groups, n, 1)


@pytest.mark.bad_input("material of classification heads", "refused; the message names the argument and its value")
@pytest.mark.parametrize("sizes", [(3, 4, 4), (5, 4, 4), (4, 5, 4), (4, 4, 3)])
def test_equals_of_other_texts_are_refused(sizes):
    texts, labels, groups = sizes
    with pytest.raises(ValueError, match=f"{texts} texts, got {labels} labels and {groups} groups"):
        assign_folds_by_text(np.ones((labels, 1)), np.ones(groups), ["a", "b", "c", "d", "e"][:texts], 2, 1)


def test_as_many_folds_as_texts():
    assert sorted(assign_folds(np.ones((4, 1)), np.ones(4), 4, 1).tolist()) == [0, 1, 2, 3]
