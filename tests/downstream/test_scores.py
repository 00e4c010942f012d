"""Scores of stored vectors: which classes stand for which group, and values of sets, classes and pairs, by hand."""

import numpy as np
import pytest

from biassay.metrics import direct_bias, gweat, mac, neighbours, same, weat
from biassay.studies.downstream import scores
from biassay.studies.downstream.scores import COUNT
from biassay.studies.downstream.texts import Texts

HALF = np.sqrt(0.5)
TERMS = [np.array([[1.0, 0], [1, 0]]), np.array([[0.0, 1], [0, 1]])]  # two groups along the axes
TEXTS = np.array([[1.0, 0], [0, 2], [1, 1], [3, 0]])
LABELS = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]], np.uint8)


def labels_of(counts):
    """Labels and groups of texts, so many of each group (rows) and class (columns)."""
    cells = [(group, number) for (group, number), n in np.ndenumerate(np.array(counts)) for _ in range(n)]
    groups, of_class = np.array(cells).T
    return np.eye(np.shape(counts)[1], dtype=np.uint8)[of_class], groups


@pytest.mark.parametrize(
    ("counts", "grouping", "expected"),
    [
        ([[5, 1, 3], [2, 4, 3]], COUNT, [(0, 0), (1, 1), (2, 0)]),  # 3 of 3 each: the first group
        ([[8, 9, 3], [2, 4, 3]], COUNT, [(0, 0), (1, 0), (2, 0), (1, 1)]),  # none is left; its largest share: 4 of 9
        ([[8, 9, 3], [2, 1, 3]], "share", [(0, 0), (1, 0), (2, 1)]),  # 3 of 20 against 3 of 6
        ([[2, 8], [1, 9], [3, 7]], "share", [(0, 2), (1, 1), (1, 0)]),  # the second class serves two groups
        ([[1, 1, 8], [0, 0, 9], [0, 0, 7]], "share", [(0, 0), (1, 0), (2, 1), (2, 2)]),
        ([[3, 0], [2, 0]], COUNT, [(0, 0), (1, 0), (0, 1)]),
        ([[2, 3], [4, 1], [0, 0]], COUNT, [(0, 1), (1, 0), (0, 2)]),  # no text is of the third group
    ],
)
def test_which_classes_stand_for_which_group(counts, grouping, expected):
    labels, groups = labels_of(counts)
    assert scores.assign_classes(labels, groups, len(counts), grouping) == expected


def test_sets_by_hand():
    vectors, sides = (TEXTS, TERMS), [(0, 0), (1, 1)]
    assert scores.score_texts(same, *vectors, LABELS, sides, {}) == pytest.approx(3 * HALF / 4)
    assert scores.score_texts(direct_bias, *vectors, LABELS, sides, {"c": 2.0}) == pytest.approx(3 * 0.5 / 4)
    s = np.array([1.0, 0, -1, 0])  # of the first class, then of the second; one text is of both
    assert scores.score_texts(weat, *vectors, LABELS, sides, {}) == pytest.approx(1 / s.std())
    assert scores.score_texts(weat, *vectors, LABELS, sides, {"ddof": 1}) == pytest.approx(1 / s.std(ddof=1))
    assert scores.score_texts(weat, *vectors, LABELS, [(0, 1), (1, 0)], {}) == pytest.approx(-1 / s.std())
    x, y = np.array([1 + HALF, HALF]) / 2, np.array([HALF, 1 + HALF]) / 2  # of unit length
    assert scores.score_texts(gweat, *vectors, LABELS, sides, {}) == pytest.approx((x - y) @ [1, -1] / 2)
    assert np.isnan(scores.score_texts(weat, *vectors, LABELS, [(0, 0), (2, 1)], {}))  # no text is of the third class
    assert isinstance(scores.score_texts(same, *vectors, LABELS, sides, {}), float)


def test_classes_by_hand():
    vectors = TEXTS, TERMS
    np.testing.assert_allclose(scores.score_classes(same, *vectors, LABELS[:, :2], {}), [HALF / 2, -HALF / 2])
    np.testing.assert_allclose(scores.score_classes(weat, *vectors, LABELS[:, :2], {}), [0.5, -0.5])
    np.testing.assert_allclose(scores.score_classes(direct_bias, *vectors, LABELS[:, :2], {"c": 2.0}), [0.25, 0.25])
    assert [scores.has_words(module) for module in (same, weat, gweat, neighbours)] == [True, True, False, False]


@pytest.mark.parametrize(
    ("module", "n", "expected"),
    [(weat, 2, True), (weat, 3, False), (weat, 1, False), (same, 5, True), (neighbours, 2, False)],
)
def test_takes_groups(module, n, expected):
    assert scores.takes_groups(module, n) is expected


def test_a_class_without_texts_and_a_text_without_a_value_spoil_no_other_class():
    vectors = np.array([[1.0, 0], [0, 2], [1, 1], [0, 0]]), TERMS
    labels = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
    found = scores.score_classes(same, *vectors, labels, {})
    np.testing.assert_allclose(found, [HALF / 2, -HALF / 2, np.nan, np.nan])


def test_bias_directions_from_texts_of_groups_of_unequal_sizes():
    groups = np.array([0] * 30 + [1] * 4)
    vectors = np.random.default_rng(1).normal(size=(34, 3))
    texts = Texts("race", ["a", "b"], ["x"], [""] * 34, [""] * 34, groups, np.ones((34, 1), np.uint8))
    words = [np.eye(3)[:1]] * 2
    assert scores.choose_sets("words", words, vectors, texts, seed=1) is words
    first, second = scores.choose_sets("texts", words, vectors, texts, seed=1)
    np.testing.assert_array_equal(np.sort(first, axis=0), np.sort(vectors[:30], axis=0))
    assert len(second) == 30
    assert {*map(tuple, second)} == {*map(tuple, vectors[30:])}
    assert not np.array_equal(first, vectors[:30])  # paired at random


@pytest.mark.parametrize(("module", "grouping"), [(same, COUNT), (weat, COUNT), (weat, "share")])
def test_nested_subsets(module, grouping):
    random, groups, shares = np.random.default_rng(4), np.arange(20) % 2, [0.5, 0.2, 0.01]
    labels = (random.random((20, 3)) < np.array([[0.8, 0.3, 0.5], [0.2, 0.6, 0.5]])[groups]).astype(np.uint8)
    texts = Texts("gender", ["male", "female"], ["nurse", "chef", "pilot"], [""] * 20, [""] * 20, groups, labels)
    targets, terms = random.normal(size=(20, 3)), [np.eye(3)[:1], np.eye(3)[1:2]]
    found = list(scores.score_subsets(module, targets, terms, texts, grouping, {}, shares, 3, seed=7))
    kinds = [False, True] if module is weat else [False]
    again, fixed = np.random.default_rng(7), scores.assign_classes(labels, groups, 2, grouping)
    for permutation in range(3):
        order = again.permutation(20)
        for share, n in zip(shares, (10, 4, 1), strict=True):
            rows = order[:n]
            own = labels[rows], groups[rows]
            for kind in kinds:
                assignment = scores.assign_classes(*own, 2, grouping) if kind else fixed
                *key, value = found.pop(0)
                assert key == [share, permutation, kind]
                np.testing.assert_equal(value, scores.score_texts(module, targets[rows], terms, own[0], assignment, {}))
    assert not found


OF_PAIRS = {"white": np.array([[1.0, 0, 0]]), "black": np.array([[0.0, 1, 0]]), "asian": np.array([[0.0, 0, 1]])}
FIRST, SECOND = np.array(["white", "black", "black", "asian"]), np.array(["black", "white", "asian", "white"])
SENTENCES = np.array([[1.0, 0, 0], [1, 0, 0], [0, 0, 2], [1, 1, 0]])


def score_pairs(module, first=FIRST, options=None):
    return scores.score_pairs(module, SENTENCES, OF_PAIRS, first, SECOND, options or {})


def test_pairs_by_hand():
    """Each by its own two groups, the one named first is the positive one."""
    np.testing.assert_allclose(score_pairs(same)[1], [HALF, -HALF, -HALF, -0.5])
    np.testing.assert_allclose(score_pairs(weat)[1], [1, -1, -1, -HALF])
    np.testing.assert_allclose(score_pairs(mac)[1], [0.5, 0.5, 0.5, 1 - HALF / 2])
    np.testing.assert_allclose(score_pairs(direct_bias, options={"c": 2.0})[1], [0.5, 0.5, 0.5, 0.25])
    assert score_pairs(gweat)[1] is None
    assert score_pairs(neighbours) == (None, None)


def test_sets_of_pairs_by_hand():
    """Without labels by all groups, with labels by those that are named first."""
    assert score_pairs(mac)[0] == pytest.approx(np.mean([2 / 3] * 3 + [1 - 2 * HALF / 3]))
    assert score_pairs(weat)[0] is None
    of_two = FIRST[[0, 1, 2, 2]]
    s = np.array([1.0, 1, 0, 0])  # white less black
    assert score_pairs(weat, of_two)[0] == pytest.approx((1 - 1 / 3) / s.std())
    assert score_pairs(weat, of_two, {"ddof": 1})[0] == pytest.approx((1 - 1 / 3) / s.std(ddof=1))
    assert score_pairs(weat, np.array(["black"] * 4))[0] is None
    means = [SENTENCES[0], (SENTENCES[1] + SENTENCES[2] / 2) / 2, SENTENCES[3] * HALF]
    middle = np.mean(means, axis=0)
    expected = sum((mean - middle) @ (axis - 1 / 3) for mean, axis in zip(means, np.eye(3), strict=True))
    assert score_pairs(gweat)[0] == pytest.approx(expected)
