"""Metrics on stored embeddings of sentences, several of each occupation, by hand and by plain loops."""

from types import SimpleNamespace

import numpy as np
import pytest

from biassay.measurement import occupation_embeddings
from biassay.measurement.occupation_embeddings import OccupationEmbeddings, draw_halves, score_set, score_words
from biassay.metrics import classification, direct_bias, gweat, mac, neighbours, ripa, same, weat

RANDOM = np.random.default_rng(3)
TARGETS = RANDOM.standard_normal((8, 3, 5))
GROUPS = [RANDOM.standard_normal((4, 5)) for _ in range(3)]
LABELS = np.array([0, 1, -1, 2, 1, 0, 2, -1])
RATED = [0, 1, 3, 4, 5, 6]
FOUND = OccupationEmbeddings(TARGETS, GROUPS, LABELS)
TWO = OccupationEmbeddings(TARGETS, GROUPS[:2], np.where(LABELS == 2, 1, LABELS))


def flat(rows):
    return TARGETS[rows].reshape(-1, 5), np.repeat(LABELS[rows], 3)


def test_values_of_occupations_are_means_over_their_sentences():
    for module in (direct_bias, ripa, mac, same):
        given = TWO if module is ripa else FOUND
        expected = [module.word_bias(sentences, given.groups).mean() for sentences in TARGETS]
        np.testing.assert_allclose(score_words(module, given), expected)
    options = {"n_directions": 1}
    expected = [direct_bias.word_bias(sentences, GROUPS, n_directions=1).mean() for sentences in TARGETS]
    np.testing.assert_allclose(score_words(direct_bias, FOUND, options), expected)


def test_values_of_labels_are_of_rated_occupations_only():
    rows, labels = flat(RATED)
    expected = neighbours.word_bias(rows, [], labels, n_neighbors=4).reshape(6, 3).mean(axis=1)
    found = score_words(neighbours, FOUND, {"n_neighbors": 4})
    np.testing.assert_allclose(found[RATED], expected)
    assert np.isnan(found[[2, 7]]).all()
    lacking = OccupationEmbeddings(TARGETS, GROUPS, np.where(LABELS == 2, -1, LABELS))
    assert np.isnan(score_words(neighbours, lacking, {"n_neighbors": 4})).all()
    assert np.isfinite(score_words(direct_bias, lacking)).all()


def test_a_metric_without_a_level_has_none():
    assert score_words(classification, FOUND) is None
    assert score_set(SimpleNamespace(METRIC=SimpleNamespace(levels={})), FOUND) is None


def test_sets():
    all_rows, rows, labels = TARGETS.reshape(-1, 5), *flat(RATED)
    assert score_set(direct_bias, FOUND) == pytest.approx(direct_bias.set_bias(all_rows, GROUPS))
    assert score_set(direct_bias, FOUND, options={"n_directions": 1}) == pytest.approx(
        direct_bias.set_bias(all_rows, GROUPS, n_directions=1)
    )
    assert score_set(gweat, FOUND) == pytest.approx(gweat.set_bias(rows, GROUPS, labels))
    assert score_set(neighbours, FOUND, None, {"n_neighbors": 4}) == pytest.approx(
        neighbours.set_bias(rows, [], labels, n_neighbors=4)
    )
    two_rows, two = flat(RATED)[0], np.repeat(TWO.labels[RATED], 3)
    assert score_set(weat, TWO) == pytest.approx(weat.set_bias(two_rows, GROUPS[:2], two))
    assert isinstance(score_set(neighbours, FOUND, None, {"n_neighbors": 4}), float)


def test_a_label_based_metric_gets_no_groups(monkeypatch):
    asked = []
    monkeypatch.setattr(neighbours, "set_bias", lambda targets, groups, labels: asked.append(groups) or 0.5)
    assert score_set(neighbours, FOUND) == 0.5
    assert asked == [[]]


@pytest.mark.parametrize("by_case", [False, True])
def test_a_label_without_occupations_gives_no_value(by_case):
    some = np.array([0, 2, 4])
    for module in (gweat, neighbours, classification):
        assert np.isnan(score_set(module, FOUND, some, by_case=by_case))
    assert np.isfinite(score_set(direct_bias, FOUND, some, by_case=by_case))


def test_by_case_sentences_of_an_occupation_say_nothing_of_each_other():
    rows, labels = flat(RATED)
    cases = np.repeat(np.arange(6), 3)
    for options in ({"n_neighbors": 2}, {"n_neighbors": 7}):
        expected = neighbours.set_bias_by_case(rows, [], labels, cases, **options)
        found = score_set(neighbours, FOUND, None, options, by_case=True)
        assert isinstance(found, float)
        assert found == pytest.approx(expected)
        assert found != score_set(neighbours, FOUND, None, options)
    options = {"n_folds": 2, "c": 3.0, "balanced": True, "seed": 4}
    expected = classification.set_bias_by_case(rows, [], labels, cases, **options)
    assert score_set(classification, FOUND, None, options, by_case=True) == pytest.approx(expected)
    some = np.array([6, 0, 2, 3, 4, 5])
    rows, labels = flat([6, 0, 3, 4, 5])
    expected = neighbours.set_bias_by_case(rows, [], labels, np.repeat(np.arange(5), 3), n_neighbors=4)
    assert score_set(neighbours, FOUND, some, {"n_neighbors": 4}, by_case=True) == pytest.approx(expected)


@pytest.mark.parametrize("n", [2, 7, 100])
def test_halves(n):
    found = draw_halves(n, 50, seed=3)
    assert found.shape == (50, n // 2)
    assert all(list(half) == sorted(set(half)) for half in found.tolist())
    assert set(found.ravel()) == set(range(n))
    assert (found == draw_halves(n, 50, seed=3)).all()
    assert (found != draw_halves(n, 50, seed=4)).any()
    np.testing.assert_array_equal(found[:20], draw_halves(n, 20, seed=3))
    assert occupation_embeddings.UNRATED == -1
