"""Metrics on the stored embeddings of a model's test sentences."""

import numpy as np
import pytest

from biassay.language_models.encoding import SentenceEmbeddings
from biassay.measurement import metric as metrics
from biassay.measurement.evaluation import evaluate
from biassay.measurement.occupation_embeddings import OccupationEmbeddings, draw_halves, score_set, score_words
from biassay.studies.same import directions, tables

STEREOTYPES = ["male", "female", "", "female", "male"]
TEMPLATES, WIDTH = 4, 6


@pytest.fixture
def embedded(tmp_path):
    """A model's folder as it is stored, female before male, read."""
    random = np.random.default_rng(1)
    for part, rows in (("targets", len(STEREOTYPES) * TEMPLATES), ("groups", 2 * TEMPLATES)):
        vectors = [random.normal(size=(rows, WIDTH)).astype(np.float16) for _ in range(3)]
        SentenceEmbeddings(*vectors).save(tmp_path / part)
    return tables.read_embeddings(tmp_path, "cls", STEREOTYPES)


def test_the_male_group_comes_first(embedded, tmp_path):
    stored = SentenceEmbeddings.open(tmp_path / "groups").cls
    np.testing.assert_array_equal(embedded.groups[0], stored[TEMPLATES:])
    np.testing.assert_array_equal(
        embedded.targets[1, 2], SentenceEmbeddings.open(tmp_path / "targets").cls[TEMPLATES + 2]
    )
    assert embedded.labels.tolist() == [0, 1, -1, 1, 0]


def test_a_positive_score_means_male():
    male, female = np.eye(3)[:2]
    targets = np.stack([[male, male], [female, [1.0, 1.0, 5.0]]])
    embedded = OccupationEmbeddings(targets, [male[None], female[None]], np.array([0, 1]))
    half = np.sqrt(0.5)
    found = score_words(metrics.load("same"), embedded)
    np.testing.assert_allclose(found, [half, -half / 2], atol=1e-12)
    assert score_set(metrics.load("same"), embedded) == pytest.approx(0.75 * half)
    assert score_set(metrics.load("same_skew"), embedded) == pytest.approx(half / 4)
    assert score_set(metrics.load("weat"), embedded) > 0


@pytest.mark.parametrize("name", ["same", "mac", "direct_bias", "same_stereotype", "ripa"])
def test_set_values_are_those_of_all_sentences(embedded, name):
    module = metrics.load(name)
    _, value = evaluate(module, embedded.targets.reshape(-1, WIDTH), embedded.groups)
    assert score_set(module, embedded) == value
    _, value = evaluate(module, embedded.targets[[0, 3]].reshape(-1, WIDTH), embedded.groups)
    assert score_set(module, embedded, np.array([0, 3])) == value


@pytest.mark.parametrize("name", ["weat", "gweat", "clustering", "neighbours"])
def test_metrics_of_stereotypes_see_rated_occupations(embedded, name):
    module, rated = metrics.load(name), np.array([0, 1, 3, 4])
    labels = np.repeat([0, 1, 1, 0], TEMPLATES)
    groups = embedded.groups if module.METRIC.groups != (0, 0) else []
    _, value = evaluate(module, embedded.targets[rated].reshape(-1, WIDTH), groups, labels)
    assert score_set(module, embedded) == value
    assert np.isnan(score_set(module, embedded, np.array([0, 2, 4])))  # none is rated female
    found = score_words(module, embedded)
    if name in ("gweat", "clustering"):
        assert found is None
    else:
        assert np.isnan(found[2]) == (name == "neighbours")
        assert np.isfinite(found[rated]).all()


def test_halves():
    found = draw_halves(7, 50, seed=1)
    assert found.shape == (50, 3)
    assert (np.diff(found, axis=1) > 0).all()
    assert set(found.ravel()) == set(range(7))
    np.testing.assert_array_equal(found, draw_halves(7, 50, seed=1))
    assert (found != draw_halves(7, 50, seed=2)).any()


def test_directions_by_means_and_by_kind_of_pronoun():
    female, kinds = np.tile([0.0, 0.0, 1.0], (4, 1)), np.array(["pronoun", "pronoun", "possessive", "possessive"])
    male = np.array([[1.0, 0, 0]] * 2 + [[0, 1.0, 0]] * 2)
    found = directions.bias_directions([male, female], kinds)
    assert list(found) == ["mean", "pronoun", "possessive", "principal"]
    np.testing.assert_allclose(found["pronoun"], np.array([1, 0, -1]) / np.sqrt(2))
    np.testing.assert_allclose(found["pronoun"] @ found["possessive"], 0.5)
    np.testing.assert_allclose(found["mean"], np.array([0.5, 0.5, -1]) / np.sqrt(1.5))
    np.testing.assert_allclose(found["mean"] @ found["principal"], 1)
    assert directions.bias_directions([female, female], kinds) == {}
