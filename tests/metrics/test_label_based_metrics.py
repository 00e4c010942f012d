"""Tests of labels only, clusters, classes and neighbours, each against its definition written plainly."""

from itertools import product

import numpy as np
import pytest

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.metrics import classification, clustering, neighbours

MODULES = {name: metrics.load(name) for name in registry.names("metrics")}
SEEDS = range(3)


def units(seed, n, d=3):
    rows = np.random.default_rng(seed).standard_normal((n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def squares(rows):
    """Sum of squared distances to the mean; none for no rows."""
    return ((rows - rows.mean(axis=0)) ** 2).sum() if len(rows) else 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_two_clusters_are_the_best_of_all_partitions(seed):
    rows = units(seed, 9)
    sides = [np.array(side) for side in product((0, 1), repeat=9)]
    best = min(sides, key=lambda side: squares(rows[side == 0]) + squares(rows[side == 1]))
    lengths = np.random.default_rng(seed).uniform(0.1, 9, (9, 1))
    for labels in (np.arange(9) % 2, np.arange(9) // 5, (np.arange(9) == 4).astype(int)):
        agreeing = sum(a == b for a, b in zip(best, labels, strict=True))
        found = clustering.set_bias(rows * lengths, [], labels)
        assert found == pytest.approx(max(agreeing, 9 - agreeing) / 9)


def test_starts_and_seed_of_the_clusters_are_followed(monkeypatch):
    import sklearn.cluster

    asked = []
    peer = sklearn.cluster.KMeans
    monkeypatch.setattr(
        sklearn.cluster, "KMeans", lambda k, **options: asked.append((k, options)) or peer(k, **options)
    )
    clustering.set_bias(units(1, 8), [], np.arange(8) % 2, n_init=3, seed=5)
    assert asked == [(2, {"n_init": 3, "random_state": 5})]


def test_a_target_without_direction_has_no_clusters_or_classes():
    rows, labels = units(1, 8), np.arange(8) % 2
    rows[3] = 0
    assert np.isnan(clustering.set_bias(rows, [], labels))
    assert np.isnan(classification.set_bias(rows, [], labels))


def predicted(rows, labels, folds, c, seed):
    """Labels by machines that never saw the target: exp(−γ‖x − y‖²), 1/γ the mean squared distance to the mean."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    gamma = len(rows) / squares(rows)
    kernel = np.array([[np.exp(-gamma * ((x - y) @ (x - y))) for y in rows] for x in rows])
    found = np.empty(len(rows), int)
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows, labels):
        machine = SVC(C=c, kernel="precomputed").fit(kernel[np.ix_(train, train)], labels[train])
        found[test] = machine.predict(kernel[np.ix_(test, train)])
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("options", "folds"), [({}, 5), ({"n_folds": 3, "c": 8.0, "seed": 2}, 3), ({"n_folds": 20}, 12)]
)
def test_classes_are_those_of_machines_that_never_saw_the_target(seed, options, folds):
    random = np.random.default_rng(seed)
    rows, labels = units(seed, 42), np.repeat([0, 1], [12, 30])
    rows = rows + 0.7 * labels[:, None]  # some are told apart, some are not
    plain = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    found = predicted(plain, labels, folds, options.get("c", 1.0), options.get("seed", 1))
    lengths = random.uniform(0.1, 9, (42, 1))
    right = found == labels
    assert classification.set_bias(rows * lengths, [], labels, **options) == pytest.approx(right.mean())
    recalls = [right[labels == label].mean() for label in (0, 1)]
    balanced = classification.set_bias(rows * lengths, [], labels, balanced=True, **options)
    assert balanced == pytest.approx(np.mean(recalls))
    assert recalls[0] != pytest.approx(recalls[1])


def test_classes_at_the_edge():
    rows, labels = np.repeat(np.eye(2), 2, axis=0), np.array([0, 0, 1, 1])
    assert classification.set_bias(rows, [], labels) == 1  # two targets a label, thus two folds
    assert classification.set_bias(np.repeat(rows, 2, axis=0), [], np.repeat(labels, 2), n_folds=2) == 1
    with pytest.raises(ValueError, match="2 folds, got 2 and 1"):
        classification.set_bias(rows, [], labels, n_folds=1)
    with pytest.raises(ValueError, match="got 1 and 5"):
        classification.set_bias(rows, [], np.array([0, 0, 0, 1]))
    # vectors that are all the same, whose variance comes out as 1e-33
    alike = np.repeat(np.random.default_rng(0).standard_normal((1, 8)), 30, axis=0)
    assert np.isnan(classification.set_bias(alike, [], np.arange(30) % 2))
    nearly = alike / np.linalg.norm(alike[0]) + 1e-7 * np.random.default_rng(1).standard_normal((30, 8))
    assert 0 <= classification.set_bias(nearly, [], np.arange(30) % 2) <= 1


def nearest(rows, labels, k):
    """Shares by sorting all others by their cosine, one target after another."""
    found = []
    for i, w in enumerate(rows):
        others = sorted((j for j in range(len(rows)) if j != i), key=lambda j: -(w @ rows[j]))
        found.append(sum(labels[j] == labels[i] for j in others[:k]) / min(k, len(others)))
    return found


@pytest.mark.parametrize("k", [1, 2, 5, 10, 30])
@pytest.mark.parametrize("tile", [1, 3, 4, 11])
def test_neighbours_whatever_the_tile(monkeypatch, k, tile):
    monkeypatch.setattr(neighbours, "CHUNK", tile * 11 + 5)  # `tile` rows of 11 cosines, and a little more
    rows, labels = units(k, 11), np.array([0, 1, 2, 0, 1, 0, 0, 2, 1, 0, 0])
    rows[7] = rows[2]  # a duplicate is another target
    lengths = np.random.default_rng(k).uniform(0.1, 9, (11, 1))
    found = neighbours.word_bias(rows * lengths, [], labels, n_neighbors=k)
    np.testing.assert_allclose(found, nearest(rows, labels, k))
    assert neighbours.set_bias(rows * lengths, [], labels, n_neighbors=k) == pytest.approx(
        np.mean(nearest(rows, labels, k))
    )


@pytest.mark.parametrize(("tile", "shapes"), [(45, [(4, 11), (4, 11), (3, 11)]), (5, [(1, 11)] * 11)])
def test_a_tile_or_a_row_is_held_at_a_time_and_may_be_left_in_any_order(monkeypatch, tile, shapes):
    held = []

    def partition(array, kth, axis):
        """What numpy promises and no more: those behind the kth stand backwards."""
        held.append(array.shape)
        order = np.argsort(array, axis=axis)
        return np.hstack([order[:, : kth + 1], order[:, :kth:-1]])

    monkeypatch.setattr(np, "argpartition", partition)
    monkeypatch.setattr(neighbours, "CHUNK", tile)
    rows, labels = units(1, 11), np.arange(11) % 3
    np.testing.assert_allclose(neighbours.word_bias(rows, [], labels, n_neighbors=3), nearest(rows, labels, 3))
    assert held == shapes


def test_the_hundred_nearest_by_default():
    # 120 words on a half circle, the last ten of label 1: the 100 nearest to the last hold the 9 others
    angles = np.linspace(0, 3, 120)
    rows, labels = np.column_stack([np.cos(angles), np.sin(angles)]), (np.arange(120) >= 110).astype(int)
    found = neighbours.word_bias(rows, [], labels)
    assert found[-1] == pytest.approx(9 / 100)
    assert found[0] == 1
    assert found[109] == pytest.approx(90 / 100)  # the last of label 0: all ten of label 1 are near


def test_neighbours_at_the_edge():
    rows = np.eye(3)
    assert neighbours.word_bias(rows, [], np.array([0, 0, 0]), n_neighbors=1).tolist() == [1, 1, 1]
    assert np.isnan(neighbours.word_bias(rows[:1], [], np.array([0])))
    rows[1] = 0
    found = neighbours.word_bias(rows, [], np.array([0, 0, 1]), n_neighbors=1)
    assert found.shape == (3,)
    assert np.isnan(found).all()
    assert np.isnan(neighbours.set_bias(rows, [], np.array([0, 0, 1]), n_neighbors=1))
    with pytest.raises(ValueError, match=r"n_neighbors: .* got 0"):
        neighbours.word_bias(np.eye(3), [], np.array([0, 0, 1]), n_neighbors=0)


@pytest.mark.parametrize("name", [name for name, module in MODULES.items() if hasattr(module, "set_bias_by_labels")])
def test_several_labels_at_once_have_the_values_of_each(name):
    random = np.random.default_rng(4)
    targets = random.standard_normal((30, 4))
    labels = random.permuted(np.tile(np.arange(30) % 2, (6, 1)), axis=1)
    options_of = {
        "neighbours": {"n_neighbors": 5},
        "clustering": {"n_init": 3},
        "classification": {"balanced": True, "n_folds": 3},
    }
    for options in ({}, options_of[name]):
        found = MODULES[name].set_bias_by_labels(targets, [], labels, **options)
        assert found == pytest.approx([MODULES[name].set_bias(targets, [], row, **options) for row in labels])
        assert len(set(found)) > 1 or (name == "neighbours" and not options)  # k is all others
