"""Which heads are chosen and which are trained again, by hand, and what they must not see."""

import numpy as np
import pytest

from biassay.language_models import head_training, heads
from biassay.language_models.heads import Heads, cross_validate
from tests.language_models.head_material import FOLDS, LABELS, OF_FOLDS, OPTIONS, VECTORS, alone, parts_of
from tests.progress import kept


@pytest.fixture(scope="module")
def found():
    return cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS)


def test_what_a_head_is_judged_by_has_no_part_in_its_training():
    """Texts of fold 0 with other labels change nothing that its heads say; what other folds' heads say, they do."""
    labels = LABELS.copy()
    rows = np.flatnonzero(OF_FOLDS == 0)
    labels[rows] = labels[rows[::-1]]
    vectors = VECTORS.copy()
    other = rows[:5]
    vectors[:, other] += 3
    one = cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS)
    two = cross_validate(vectors, labels, OF_FOLDS, attempts=1, **OPTIONS)
    assert (one.rates[:, 0] == two.rates[:, 0]).all()
    assert (one.probabilities[:, rows[5:]] == two.probabilities[:, rows[5:]]).all()
    assert (one.probabilities[:, other] != two.probabilities[:, other]).any()
    assert (one.probabilities[:, OF_FOLDS != 0] != two.probabilities[:, OF_FOLDS != 0]).any()


def test_the_validation_part_chooses_only():
    """Its texts are none of those trained on, and have their share of the classes."""
    for fold in range(FOLDS):
        train, held = parts_of(fold, 3)
        assert sorted([*train, *held]) == np.flatnonzero(fold != OF_FOLDS).tolist()
        assert len(held) == 16
        assert len(parts_of(fold, 3, 0.001)[1]) == 1
    labels = np.eye(2)[np.repeat([0, 1], [60, 40])]
    for seed in range(5):
        _, held = heads._split(np.arange(100), labels, 0.2, seed)
        assert labels[held].sum(axis=0).tolist() == [12, 8]
    assert set(parts_of(0, 3)[1]) != set(parts_of(0, 4)[1])


def test_the_rule_by_hand():
    """Four texts of class 0, two of class 1, none of class 2: F1 counts classes by their texts."""
    ground_truth = np.array([[1, 0, 0]] * 4 + [[0, 1, 0]] * 2, bool)
    half = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    all_of_one, none_of_one = half.copy(), half.copy()
    all_of_one[:, 0], none_of_one[:, 1] = True, False
    between = 0.01, 1
    scores, valid = head_training.score_heads(np.stack([half, all_of_one, none_of_one]), ground_truth, between)
    first, second = 2 * 2 / (2 + 4), 2 * 1 / (3 + 2)
    np.testing.assert_allclose(scores, [(4 * first + 2 * second) / 6, (4 * 0.8 + 2 * second) / 6, 4 * first / 6])
    assert valid.tolist() == [True, False, False]
    scores, valid = head_training.score_heads(half[None], np.zeros((6, 3), bool), between)
    assert scores.tolist() == [0]
    assert valid.tolist() == [True]
    many = np.ones((200, 1), bool)
    for hits, counts in ((1, False), (2, False), (3, True), (199, True), (200, False)):
        assert head_training.score_heads(np.arange(200)[None, :, None] < hits, many, between)[1].tolist() == [counts]
    assert head_training.score_heads(many[None], many, (0.01, 1.01))[1].tolist() == [True]
    some = np.arange(200)[:, None] < 5
    assert head_training.score_heads((some | some[::-1])[None], some, between)[1].tolist() == [
        True
    ]  # all five, and others


def test_heads_that_do_not_count_are_trained_again_from_another_seed(found, monkeypatch, caplog):
    begun = kept(monkeypatch, head_training)
    again = cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=2, **OPTIONS)
    failed = ~found.valid
    assert (again.attempts == 1 + failed).all()
    assert (again.probabilities[:, OF_FOLDS == 0][found.valid[:, 0]]
            == found.probabilities[:, OF_FOLDS == 0][found.valid[:, 0]]).all()  # fmt: skip
    assert f"{failed.sum()} of 6 folds" in caplog.text
    assert [part.done for part in begun] == [12, 2 * failed.sum()]
    for variant, fold, scores, valid, _ in alone(attempt=1):
        if not failed[variant, fold]:
            continue
        better = any(valid) or max(scores) > found.scores[variant, fold].max()
        expected = scores if better else found.scores[variant, fold]
        np.testing.assert_allclose(again.scores[variant, fold], expected, atol=1e-6)
        assert again.valid[variant, fold] == any(valid)
    assert again.valid[failed].any()
    assert not again.valid[failed].all()


def test_the_attempt_that_is_kept():
    """By hand: one that counts, even with a lower F1, else the highest F1; of rates likewise."""
    made = Heads(np.zeros((1, 2, 1), np.float32), np.array([0, 1]), np.full((1, 2), np.nan), np.full((1, 2, 2), -1.0),
                 np.zeros((1, 2), bool), np.zeros((1, 2), int))  # fmt: skip
    said = np.arange(2, dtype=np.float32).reshape(2, 1, 1)
    steps = [
        ([0.3, 0.5], [False, False], 0.02, False, 1),
        ([0.5, 0.4], [False, False], 0.02, False, 1),
        ([0.2, 0.6], [False, False], 0.02, False, 1),
        ([0.1, 0.6], [True, False], 0.01, True, 0),
    ]
    for number, (scores, counts, rate, valid, kept_one) in enumerate(steps):
        heads._update(made, (0.01, 0.02), (0, 1), said, np.array(scores), np.array(counts))
        assert made.rates[0, 1] == rate
        assert made.valid[0, 1] == valid
        assert made.probabilities[0, :, 0].tolist() == [0, kept_one]
        assert made.attempts.tolist() == [[0, number + 1]]
    assert made.scores[0].tolist() == [[-1, -1], [0.1, 0.6]]
    assert np.isnan(made.rates[0, 0])


def test_all_count_nothing_is_trained_again(monkeypatch):
    begun = kept(monkeypatch, head_training)
    found = cross_validate(VECTORS, LABELS, OF_FOLDS, recalls=(-1, 2), **OPTIONS)
    assert found.valid.all()
    assert (found.attempts == 1).all()
    assert sum(part.total for part in begun) == 12
