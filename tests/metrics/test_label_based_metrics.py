"""Label-based metrics: clusters, classes and neighbours, against scikit-learn and by hand."""

from itertools import product

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import SVC

from biassay.metrics import classification, clustering, neighbours
from biassay.statistics.geometry import unit

ANGLES = np.array([0, 2, 10, 13, 50, 90, 95, 180])
CIRCLE = np.stack([np.cos(np.radians(ANGLES)), np.sin(np.radians(ANGLES))], axis=1) * np.arange(1, 9)[:, None]
CASES = np.array(["a", "a", "b", "b", "c", "d", "d", "d"])
LABELS = np.array([0, 0, 1, 1, 0, 1, 1, 1])


def sentences(seed, cases=12, each=5, labels=3, spread=0.6):
    """Sentences of cases around places of their own, and a little around that of their label."""
    random = np.random.default_rng(seed)
    label = np.arange(cases) % labels
    places = 2 * random.standard_normal((cases, 6)) + 1.5 * random.standard_normal((labels, 6))[label]
    rows = np.repeat(places, each, axis=0) + spread * random.standard_normal((cases * each, 6))
    order = random.permutation(cases * each)
    return rows[order], np.repeat(label, each)[order], np.repeat(np.arange(cases) * 3, each)[order]


def test_two_clusters_are_the_best_of_all_partitions():
    rows = unit(np.random.default_rng(1).standard_normal((9, 3)))
    lengths = np.random.default_rng(2).uniform(0.1, 9, (9, 1))

    def inertia(side):
        return sum(((rows[side == k] - rows[side == k].mean(axis=0)) ** 2).sum() for k in set(side))

    best = min((np.array(side) for side in product((0, 1), repeat=9)), key=inertia)
    for labels in (np.arange(9) % 2, np.arange(9) // 5, (np.arange(9) == 4).astype(int)):
        agreement = (best == labels).mean()
        assert clustering.set_bias(rows * lengths, [], labels) == pytest.approx(max(agreement, 1 - agreement))


@pytest.mark.parametrize(("balanced", "normalize"), [(False, True), (True, True), (False, False)])
@pytest.mark.parametrize(("n_folds", "used", "c", "seed"), [(5, 5, 1.0, 1), (3, 3, 8.0, 2), (20, 12, 1.0, 1)])
def test_classes_are_predicted_by_machines_that_never_saw_the_target(balanced, normalize, n_folds, used, c, seed):
    random = np.random.default_rng(seed)
    labels = np.repeat([0, 1], [12, 30])
    rows = random.standard_normal((42, 3)) + 0.7 * labels[:, None]
    rows = unit(rows) if normalize else rows
    machine = SVC(C=c, gamma=1 / rows.var(axis=0).sum())
    split = StratifiedKFold(used, shuffle=True, random_state=seed)
    score = balanced_accuracy_score if balanced else accuracy_score
    expected = score(labels, cross_val_predict(machine, rows, labels, cv=split))
    targets = rows * random.uniform(0.1, 9, (42, 1)) if normalize else rows
    options = {"n_folds": n_folds, "c": c, "balanced": balanced, "normalize": normalize, "seed": seed}
    found = classification.set_bias(targets, [], labels, **options)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(("n_folds", "used"), [(3, 3), (5, 4)])
def test_classes_with_all_targets_of_a_case_in_a_fold(n_folds, used):
    rows, labels, cases = sentences(1)
    machine = SVC(C=0.7, gamma=1 / unit(rows).var(axis=0).sum())
    split = StratifiedGroupKFold(used, shuffle=True, random_state=8)
    expected = accuracy_score(labels, cross_val_predict(machine, unit(rows), labels, groups=cases, cv=split))
    found = classification.set_bias_by_case(rows, [], labels, cases, n_folds=n_folds, c=0.7, seed=8)
    assert found == pytest.approx(expected)
    assert classification.set_bias(rows, [], labels) > found + 0.1  # sentences of a case give its label away


def test_classes_at_the_edge():
    rows, labels = np.repeat(np.eye(2), 2, axis=0), np.array([0, 0, 1, 1])
    assert classification.set_bias(rows, [], labels) == 1  # two targets per label, thus two folds
    for wrong, options, message in ((labels, {"n_folds": 1}, "got 2 and 1"), (np.array([0, 0, 0, 1]), {}, "got 1 and")):
        with pytest.raises(ValueError, match=message):
            classification.set_bias(rows, [], wrong, **options)
    # vectors that are all equal, whose variance is 1e-33 by rounding
    alike = np.repeat(np.random.default_rng(0).standard_normal((1, 8)), 30, axis=0)
    assert np.isnan(classification.set_bias(alike, [], np.arange(30) % 2))
    rows, labels, cases = sentences(3, cases=7, labels=3)  # a label of a single case
    assert np.isnan(classification.set_bias_by_case(rows, [], np.where(cases == 0, 3, labels), cases))


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize(("k", "chunk"), [(1, 1000), (2, 5), (30, 38)])
def test_neighbours_equal_scikit_learns_in_chunks_of_any_size(monkeypatch, k, chunk, published):
    monkeypatch.setattr(neighbours, "CHUNK", chunk)
    random = np.random.default_rng(k)
    rows, labels = unit(random.standard_normal((11, 3))), np.array([0, 1, 2, 0, 1, 0, 0, 2, 1, 0, 0])
    targets = rows * random.uniform(0.1, 9, (11, 1))
    if published:  # Euclidean, and every target is its own first neighbour
        nearest = NearestNeighbors(n_neighbors=min(k, 11)).fit(targets).kneighbors(targets, return_distance=False)
    else:
        nearest = NearestNeighbors(n_neighbors=min(k, 10), metric="cosine").fit(rows).kneighbors(return_distance=False)
    expected = (labels[nearest] == labels[:, None]).mean(axis=1)
    options = {"n_neighbors": k, "normalize": not published, "include_self": published}
    np.testing.assert_allclose(neighbours.word_bias(targets, [], labels, **options), expected)
    assert neighbours.set_bias(targets, [], labels, **options) == pytest.approx(expected.mean())


def test_neighbours_of_other_cases_by_hand():
    # 0, 2 → 10 13 50; 10, 13 → 2 0 50; 50 → 13 10 90; 90, 95, 180 → 50 13 10
    shares = [1 / 3, 1 / 3, 0, 0, 0, 2 / 3, 2 / 3, 2 / 3]
    assert neighbours.set_bias_by_case(CIRCLE, [], LABELS, CASES, n_neighbors=3) == pytest.approx(np.mean(shares))
    # itself, 10 and 13, or 2 and 0, or 13 and 10, or 50 and 13
    shares, options = [1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 2 / 3], {"n_neighbors": 3, "include_self": True}
    assert neighbours.set_bias_by_case(CIRCLE, [], LABELS, CASES, **options) == pytest.approx(np.mean(shares))


def test_neighbours_at_the_edge():
    assert neighbours.word_bias(np.eye(3), [], np.array([0, 0, 0]), n_neighbors=1).tolist() == [1, 1, 1]
    assert np.isnan(neighbours.word_bias(np.eye(3)[:1], [], np.array([0])))
    assert np.isnan(neighbours.word_bias(np.diag([1, 0, 1]), [], np.array([0, 0, 1]), n_neighbors=1)).all()
    assert np.isnan(neighbours.set_bias_by_case(CIRCLE, [], LABELS, np.zeros(8)))
    # the largest case leaves two others, so that all targets have two neighbours: 95's are 90 and 50, 180's 95 and 90
    big, labels = np.array([0, 0, 0, 0, 0, 0, 1, 2]), np.array([0, 0, 0, 0, 0, 0, 0, 1])
    found = neighbours.set_bias_by_case(CIRCLE, [], labels, big, n_neighbors=7)
    assert found == pytest.approx(np.mean([0.5] * 6 + [1, 0]))


@pytest.mark.parametrize(
    ("module", "options"), [(neighbours, {"n_neighbors": 5}), (clustering, {"n_init": 3}),
                            (classification, {"balanced": True, "n_folds": 3}), (classification, {"seed": 5})]
)  # fmt: skip
def test_many_labels_at_once(module, options):
    targets = np.random.default_rng(1).standard_normal((24, 4))
    labels = np.stack([np.random.default_rng(seed).permutation(np.arange(24) % 2) for seed in range(5)])
    found = module.set_bias_by_labels(targets, [], labels, **options)
    assert found == pytest.approx([module.set_bias(targets, [], row, **options) for row in labels])
    assert len(set(found)) > 1
