"""Metrics on stored embeddings of several sentences per occupation, against the metrics themselves."""

import numpy as np
import pytest

from biassay.measurement.occupation_embeddings import OccupationEmbeddings, draw_halves, score_set, score_words
from biassay.metrics import classification, direct_bias, gweat, mac, neighbours, ripa, weat

RANDOM = np.random.default_rng(3)
TARGETS = RANDOM.standard_normal((8, 3, 5))
GROUPS = [RANDOM.standard_normal((4, 5)) for _ in range(3)]
LABELS = np.array([0, 1, -1, 2, 1, 0, 2, -1])
RATED = [0, 1, 3, 4, 5, 6]
THREE = OccupationEmbeddings(TARGETS, GROUPS, LABELS)
TWO = OccupationEmbeddings(TARGETS, GROUPS[:2], np.where(LABELS == 2, 1, LABELS))
NEAREST = {"n_neighbors": 4}


def flatten(rows, labels=LABELS):
    """All sentences of occupations, their labels, and the numbers of their occupations."""
    return TARGETS[rows].reshape(-1, 5), np.repeat(labels[rows], 3), np.repeat(np.arange(len(rows)), 3)


@pytest.mark.parametrize(
    ("module", "given", "options"),
    [(mac, THREE, {}), (ripa, TWO, {}), (direct_bias, THREE, {"n_directions": 1})],
)  # fmt: skip
def test_values_of_occupations_are_means_over_their_sentences(module, given, options):
    expected = [module.word_bias(sentences, given.groups, **options).mean() for sentences in TARGETS]
    np.testing.assert_allclose(score_words(module, given, options), expected)
    whole = score_set(module, given, options=options)
    assert whole == pytest.approx(module.set_bias(TARGETS.reshape(-1, 5), given.groups, **options))
    assert score_set(module, given, None, options, by_case=True) == whole
    half = score_set(module, given, np.array([0, 2, 3, 4]), options)
    assert half == pytest.approx(module.set_bias(TARGETS[[0, 2, 3, 4]].reshape(-1, 5), given.groups, **options))


def test_metrics_that_need_labels_use_rated_occupations_only():
    rows, labels, _ = flatten(RATED)
    expected = neighbours.word_bias(rows, [], labels, **NEAREST)
    found = score_words(neighbours, THREE, NEAREST)
    np.testing.assert_allclose(found[RATED], expected.reshape(6, 3).mean(axis=1))
    assert np.isnan(found[[2, 7]]).all()
    assert score_set(neighbours, THREE, None, NEAREST) == pytest.approx(expected.mean())
    assert score_set(gweat, THREE) == pytest.approx(gweat.set_bias(rows, GROUPS, labels))
    assert score_set(weat, TWO) == pytest.approx(weat.set_bias(rows, GROUPS[:2], flatten(RATED, TWO.labels)[1]))
    rows, labels, _ = flatten([0, 3, 4])
    assert score_set(gweat, THREE, np.array([0, 2, 3, 4])) == pytest.approx(gweat.set_bias(rows, GROUPS, labels))


def test_a_label_without_occupations_gives_no_value():
    lacking = OccupationEmbeddings(TARGETS, GROUPS, np.where(LABELS == 2, -1, LABELS))
    assert np.isnan(score_words(neighbours, lacking, NEAREST)).all()
    for module in (gweat, neighbours, classification):
        for by_case in (False, True):
            assert np.isnan(score_set(module, lacking, by_case=by_case))
    assert np.isfinite(score_set(direct_bias, lacking))


@pytest.mark.parametrize(
    ("module", "options"),
    [(neighbours, {"n_neighbors": 2}), (classification, {"n_folds": 2, "c": 3.0, "balanced": True, "seed": 4})],
)  # fmt: skip
def test_sentences_of_an_occupation_as_one_unit(module, options):
    for chosen in (RATED, [6, 0, 2, 3, 4, 5]):
        rows, labels, cases = flatten([row for row in chosen if row in RATED])
        found = score_set(module, THREE, np.array(chosen), options, by_case=True)
        assert found == pytest.approx(module.set_bias_by_case(rows, [], labels, cases, **options), nan_ok=True)


@pytest.mark.parametrize("n", [2, 7, 100])
def test_halves(n):
    found = draw_halves(n, 50, seed=3)
    assert found.shape == (50, n // 2)
    assert all(list(half) == sorted(set(half)) for half in found.tolist())
    assert set(found.ravel()) == set(range(n))
    assert (found != draw_halves(n, 50, seed=4)).any()
    np.testing.assert_array_equal(found[:20], draw_halves(n, 20, seed=3))
