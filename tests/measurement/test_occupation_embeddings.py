"""Metrics on stored embeddings of several sentences per occupation, against the metrics themselves."""

import numpy as np
import pytest

from biassay.measurement.occupation_embeddings import OccupationEmbeddings, draw_halves, score_set, score_words
from biassay.metrics import classification, direct_bias, gweat, neighbours, weat

RANDOM = np.random.default_rng(3)
TARGETS = RANDOM.standard_normal((8, 3, 5))
GROUPS = [RANDOM.standard_normal((4, 5)) for _ in range(3)]
LABELS = np.array([0, 1, -1, 2, 1, 0, 2, -1])
RATED = [0, 1, 3, 4, 5, 6]
THREE = OccupationEmbeddings(TARGETS, GROUPS, LABELS)
TWO = OccupationEmbeddings(TARGETS, GROUPS[:2], np.where(LABELS == 2, 1, LABELS))
NEAREST = {"n_neighbors": 4}


def flatten(rows, labels=LABELS):
    """All sentences of occupations, and their labels."""
    return TARGETS[rows].reshape(-1, 5), np.repeat(labels[rows], 3)


def test_metrics_that_need_labels_use_rated_occupations_only():
    rows, labels = flatten(RATED)
    expected = neighbours.word_bias(rows, [], labels, **NEAREST)
    found = score_words(neighbours, THREE, NEAREST)
    np.testing.assert_allclose(found[RATED], expected.reshape(6, 3).mean(axis=1))
    assert np.isnan(found[[2, 7]]).all()
    assert score_set(neighbours, THREE, None, NEAREST) == pytest.approx(expected.mean())
    assert score_set(gweat, THREE) == pytest.approx(gweat.set_bias(rows, GROUPS, labels))
    assert score_set(weat, TWO) == pytest.approx(weat.set_bias(rows, GROUPS[:2], flatten(RATED, TWO.labels)[1]))
    rows, labels = flatten([0, 3, 4])
    assert score_set(gweat, THREE, np.array([0, 2, 3, 4])) == pytest.approx(gweat.set_bias(rows, GROUPS, labels))


def test_a_label_without_occupations_gives_no_value():
    lacking = OccupationEmbeddings(TARGETS, GROUPS, np.where(LABELS == 2, -1, LABELS))
    assert np.isnan(score_words(neighbours, lacking, NEAREST)).all()
    for module in (gweat, neighbours, classification):
        for by_case in (False, True):
            assert np.isnan(score_set(module, lacking, by_case=by_case))
    assert np.isfinite(score_set(direct_bias, lacking))


@pytest.mark.parametrize("n", [2, 7, 100])
def test_halves(n):
    found = draw_halves(n, 50, seed=3)
    assert found.shape == (50, n // 2)
    assert all(list(half) == sorted(set(half)) for half in found.tolist())
    assert set(found.ravel()) == set(range(n))
    assert (found != draw_halves(n, 50, seed=4)).any()
    np.testing.assert_array_equal(found[:20], draw_halves(n, 20, seed=3))
