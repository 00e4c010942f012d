"""Tests of labels where targets of one case say nothing of each other, against plain code and by hand."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.svm import SVC

from biassay.metrics import classification, neighbours

ANGLES = np.array([0, 2, 10, 13, 50, 90, 95, 180])
CIRCLE = np.stack([np.cos(np.radians(ANGLES)), np.sin(np.radians(ANGLES))], axis=1) * np.arange(1, 9)[:, None]
CASES = np.array(["a", "a", "b", "b", "c", "d", "d", "d"])
LABELS = np.array([0, 0, 1, 1, 0, 1, 1, 1])


@pytest.mark.parametrize(
    ("k", "shares"),
    [
        (1, [0, 0, 0, 0, 0, 0, 0, 0]),  # 0, 2 → 10; 10, 13 → 2; 50 → 13; 90, 95, 180 → 50
        (2, [0, 0, 0, 0, 0, 1 / 2, 1 / 2, 1 / 2]),  # and → 13; → 0; → 10 or 90, as near; → 13
        (3, [1 / 3, 1 / 3, 0, 0, 0, 2 / 3, 2 / 3, 2 / 3]),  # and → 50; → 50; → 10 and 90; → 10
    ],
)
def test_neighbours_of_other_cases_by_hand(k, shares):
    assert neighbours.set_bias_by_case(CIRCLE, [], LABELS, CASES, n_neighbors=k) == pytest.approx(np.mean(shares))


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_against_a_loop(seed, monkeypatch):
    random = np.random.default_rng(seed)
    rows, cases = random.standard_normal((40, 4)), random.permutation(np.repeat(np.arange(10) * 7, 4))
    labels = cases // 7 % 3
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for k in (1, 5, 36, 100):
        plain = []
        for i in range(40):
            near = [j for j in np.argsort(-(units @ units[i])) if cases[j] != cases[i]][:k]
            plain.append(np.mean([labels[j] == labels[i] for j in near]))
        assert neighbours.set_bias_by_case(rows, [], labels, cases, n_neighbors=k) == pytest.approx(np.mean(plain))
        monkeypatch.setattr(neighbours, "CHUNK", 100)
        assert neighbours.set_bias_by_case(rows, [], labels, cases, n_neighbors=k) == pytest.approx(np.mean(plain))
        monkeypatch.undo()
    assert neighbours.set_bias_by_case(rows, [], labels, cases) == neighbours.set_bias_by_case(
        rows, [], labels, cases, n_neighbors=36
    )
    apart = neighbours.set_bias_by_case(rows, [], labels, np.arange(40), n_neighbors=5)
    assert apart == pytest.approx(neighbours.set_bias(rows, [], labels, n_neighbors=5))


def test_neighbours_that_cannot_be():
    assert np.isnan(neighbours.set_bias_by_case(CIRCLE, [], LABELS, np.zeros(8)))
    assert np.isnan(neighbours.set_bias_by_case(CIRCLE * (ANGLES != 50)[:, None], [], LABELS, CASES, n_neighbors=1))
    with pytest.raises(ValueError, match=r"n_neighbors: .* got 0"):
        neighbours.set_bias_by_case(CIRCLE, [], LABELS, CASES, n_neighbors=0)
    # the largest case leaves fewer others than k: all targets have as many
    big = np.array([0, 0, 0, 0, 0, 0, 1, 2])
    labels = np.array([0, 0, 0, 0, 0, 0, 0, 1])
    expected = np.mean([0.5] * 6 + [1, 0])  # 2 others at most; 95's: 90 and 50; 180's: 95 and 90
    assert neighbours.set_bias_by_case(CIRCLE, [], labels, big, n_neighbors=7) == pytest.approx(expected)


def sentences(seed, cases=12, each=5, labels=3, spread=0.6):
    """Sentences of cases around places of their own, and a little around that of their label."""
    random = np.random.default_rng(seed)
    label = np.arange(cases) % labels
    places = 2 * random.standard_normal((cases, 6)) + 1.5 * random.standard_normal((labels, 6))[label]
    rows = np.repeat(places, each, axis=0) + spread * random.standard_normal((cases * each, 6))
    order = random.permutation(cases * each)
    return rows[order], np.repeat(label, each)[order], np.repeat(np.arange(cases) * 3, each)[order]


@pytest.mark.parametrize(("folds", "used"), [(3, 3), (5, 4), (2, 2)])
@pytest.mark.parametrize("balanced", [False, True])
def test_classes_against_plain_folds(folds, used, balanced):
    rows, labels, cases = sentences(folds)
    keep = ~((labels == 0) & (cases == 0) & (np.arange(60) % 2 == 0))  # shares of labels unequal
    rows, labels, cases = rows[keep], labels[keep], cases[keep]
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    gamma = 1 / ((units - units.mean(axis=0)) ** 2).sum(axis=1).mean()
    guess, tested = np.empty(len(rows)), []
    for train, test in StratifiedGroupKFold(used, shuffle=True, random_state=8).split(units, labels, cases):
        assert not set(cases[train]) & set(cases[test])
        guess[test] = SVC(C=0.7, gamma=gamma).fit(units[train], labels[train]).predict(units[test])
        tested += list(test)
    assert sorted(tested) == list(range(len(rows)))
    score = balanced_accuracy_score if balanced else accuracy_score
    found = classification.set_bias_by_case(rows, [], labels, cases, n_folds=folds, c=0.7, balanced=balanced, seed=8)
    assert found == score(labels, guess)


def test_no_case_is_in_two_folds(monkeypatch):
    import sklearn.model_selection

    peer, asked = sklearn.model_selection.cross_val_predict, []

    def watched(machine, rows, labels, groups, cv):
        asked.append([(cases[train], cases[test]) for train, test in cv.split(rows, labels, groups)])
        return peer(machine, rows, labels, groups=groups, cv=cv)

    monkeypatch.setattr(sklearn.model_selection, "cross_val_predict", watched)
    rows, labels, cases = sentences(1)
    by_case = classification.set_bias_by_case(rows, [], labels, cases)
    assert len(asked[0]) == 4  # of 5 asked for: a label has 4 cases
    assert not any(set(train) & set(test) for train, test in asked[0])
    assert classification.set_bias(rows, [], labels) > by_case + 0.1  # sentences of a case give its label away


def test_defaults_are_those_of_the_set():
    rows, labels, _ = sentences(2, cases=40, each=1, labels=2, spread=2)
    found = classification.set_bias_by_case(rows, [], labels, np.arange(40))
    assert found == classification.set_bias_by_case(
        rows, [], labels, np.arange(40), n_folds=5, c=1.0, balanced=False, seed=1
    )
    others = [{"n_folds": 9}, {"c": 0.01}, {"seed": 5}]
    assert all(classification.set_bias_by_case(rows, [], labels, np.arange(40), **one) != found for one in others)


def test_a_label_of_a_single_case_has_no_value():
    rows, labels, cases = sentences(3, cases=7, labels=3)  # 3, 2 and 2 cases
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(classification.set_bias_by_case(rows, [], labels, cases))
        assert np.isnan(classification.set_bias_by_case(rows, [], np.where(cases == 3 * 4, 1, 0), cases))
        lone = np.where(cases == 0, 3, labels)
        assert np.isnan(classification.set_bias_by_case(rows, [], lone, cases))
        assert np.isnan(classification.set_bias_by_case(np.ones_like(rows), [], labels, cases))
        assert np.isnan(classification.set_bias_by_case(rows * (cases > 0)[:, None], [], labels, cases))


@pytest.mark.parametrize("seed", range(4))
def test_a_label_of_two_cases_of_unlike_size_is_in_both_folds(seed):
    """Else a machine would be fitted to one label."""
    random = np.random.default_rng(seed)
    cases = np.repeat(np.arange(6), [9, 1, 2, 7, 3, 5])
    found = classification.set_bias_by_case(random.standard_normal((27, 3)), [], (cases < 2) * 1, cases, seed=seed)
    assert 0 <= found <= 1
