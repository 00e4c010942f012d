"""Summaries of classifiers: by hand, against scikit-learn, and against the metric fold by fold."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from biassay.metrics import tpr_gap
from biassay.studies.downstream.classifiers import summarise

CLASSES = ["nurse", "pilot", "chef"]


def material(groups=2, n=400, seed=1):
    """Texts with one class or two, which are found more often in the first group."""
    random = np.random.default_rng(seed)
    labels = np.eye(3, dtype=int)[random.integers(3, size=n)] | np.eye(3, dtype=int)[random.integers(3, size=n)]
    of_texts = random.integers(groups, size=n)
    likely = np.where(labels == 1, 0.85 - 0.2 * of_texts[:, None] * np.array([1, 0, -0.5]), 0.2)
    found = np.where(random.random((n, 3)) < likely, 0.9, 0.1)
    return found, labels, of_texts, np.arange(n) % 5


def summary(found, labels, groups, folds, names="ab", min_quality=None, **options):
    options = {"n_resamples": 50, "min_quality": min_quality or {}} | options
    classes, classifier = summarise(
        found, labels, groups, folds, classes=CLASSES[: labels.shape[1]], names=list(names), **options
    )
    return SimpleNamespace(classes=classes, **classifier)


@pytest.mark.parametrize(("names", "with_gap"), [("ab", range(5)), ("abc", range(5)), ("abc", (0, 1, 3, 4))])
def test_gaps_are_the_metrics_in_every_fold_with_all_groups(names, with_gap):
    found, labels, groups, folds = material(len(names))
    lacks_last = ~np.isin(folds, with_gap) & (groups == 2)
    groups[lacks_last] = 1
    got = summary(found, labels, groups, folds, names)
    parts = [(found[folds == fold] > 0.5, labels[folds == fold], groups[folds == fold]) for fold in with_gap]
    values = np.array([tpr_gap.word_bias(*part) for part in parts])
    np.testing.assert_allclose(got.classes["gap"], values.mean(axis=0))
    spreads = np.mean([tpr_gap.word_bias(*part, spread="std") for part in parts], axis=0)
    np.testing.assert_allclose(got.classes["gap_std"], spreads)
    assert got.gap == pytest.approx(np.abs(values.mean(axis=0)).mean())
    assert got.gap_std == pytest.approx(np.abs(spreads).mean())
    assert (got.gap != got.gap_std) == (len(names) == 3)


def test_quality_is_scikit_learns():
    found, labels, groups, folds = material()
    got, said = summary(found, labels, groups, folds), found > 0.5
    for name, function in (("recall", recall_score), ("precision", precision_score), ("f1", f1_score)):
        np.testing.assert_allclose(got.classes[name], function(labels, said, average=None))
    assert got.recall == pytest.approx(recall_score(labels, said, average="micro"))
    assert got.precision == pytest.approx(precision_score(labels, said, average="micro"))
    assert got.f1 == pytest.approx(f1_score(labels, said, average="weighted"))
    assert got.classes["class"].tolist() == CLASSES


def test_by_hand_with_folds_that_say_nothing_of_a_class():
    """Fold 0: nurse TPR 1 and .5; fold 1: nurse .5 and 0, pilot 1 in the first group, no text of it in the second."""
    nurse, pilot = [1, 0], [0, 1]
    labels = np.array([nurse, nurse, nurse, nurse, nurse, nurse, pilot, nurse])
    groups, folds = np.array([0, 1, 1, 0, 0, 1, 0, 0]), np.array([0, 0, 0, 1, 1, 1, 1, 0])
    found = np.array([nurse, nurse, pilot, nurse, pilot, pilot, pilot, nurse]) * 0.8
    got = summary(found, labels, groups, folds)
    np.testing.assert_allclose(got.classes["gap"], [0.5, np.nan])
    assert got.gap == 0.5
    assert got.classes["n_texts_by_group"].tolist() == ["4/3", "1/0"]
    assert got.classes["too_small"].tolist() == [True, True]
    np.testing.assert_allclose(got.classes["recall"], [4 / 7, 1])
    np.testing.assert_allclose(got.classes["precision"], [1, 1 / 4])
    assert np.isnan(got.classes.loc[1, ["low", "high"]].astype(float)).all()
    folds[6] = 0
    groups[1] = 0
    np.testing.assert_allclose(summary(found, labels, groups, folds).classes["gap"], [0.75, np.nan])


def test_a_class_that_is_never_found_has_no_precision():
    found, labels, groups, folds = material()
    found[:, 2] = 0
    got = summary(found, labels, groups, folds, min_quality={"class_precision": 0.0})
    assert np.isnan(got.classes["precision"][2])
    assert got.classes["recall"][2] == 0
    assert not got.is_valid
    assert got.f1 == pytest.approx(f1_score(labels, found > 0.5, average="weighted"))


@pytest.mark.parametrize(("n", "too_small"), [(30, False), (29, True)])
def test_too_small_is_below_thirty_texts(n, too_small):
    labels, groups = np.ones((n + 31, 1), int), np.repeat([0, 1], [n, 31])
    assert summary(labels * 0.5, labels, groups, np.arange(n + 31) % 2).recall == 0  # half is not found
    got = summary(labels * 0.501, labels, groups, np.arange(n + 31) % 2)
    assert got.recall == 1
    assert got.classes["n_texts_by_group"].tolist() == [f"{n}/31"]
    assert got.classes["too_small"].tolist() == [too_small]


def test_the_interval_is_of_texts_draw_counts_within_folds():
    """Against drawing rows in a plain loop: the same quantiles but for chance, and the estimate inside."""
    found, labels, groups, folds = material(n=300)
    got = summary(found, labels, groups, folds, n_resamples=2000, seed=3)
    random, values = np.random.default_rng(0), []
    rows = [np.flatnonzero(folds == fold) for fold in range(5)]
    for _ in range(800):
        drawn = [random.choice(part, len(part)) for part in rows]
        values.append(np.mean([tpr_gap.word_bias(found[part] > 0.5, labels[part], groups[part]) for part in drawn], 0))
    np.testing.assert_allclose(got.classes[["low", "high"]].T, np.quantile(values, [0.025, 0.975], axis=0), atol=0.02)
    assert (got.classes["low"] < got.classes["gap"]).all()
    assert (got.classes["gap"] < got.classes["high"]).all()


@pytest.mark.parametrize("rates", [(0.8, 0.8, 0.8), (0.9, 0.8, 0.7)])
def test_the_interval_of_a_variance_of_rates_has_the_true_one(rates):
    """Sampling raises the variance of three groups' rates, and resampling it raises it again."""
    random, n, covers = np.random.default_rng(7), 600, []
    groups, folds = np.arange(n) % 3, np.arange(n) // 3 % 5
    for seed in range(60):
        found = (random.random((n, 1)) < np.array(rates)[groups, None]) * 0.9
        got = summary(found, np.ones((n, 1), int), groups, folds, "abc", n_resamples=200, seed=seed)
        covers.append(got.classes["low"][0] <= np.var(rates) <= got.classes["high"][0])
    assert np.mean(covers) > 0.85


@pytest.mark.parametrize("key", ["recall", "precision", "class_recall", "class_precision"])
def test_a_classifier_counts_above_all_that_is_asked(key):
    found, labels, groups, folds = material()
    got = summary(found, labels, groups, folds)
    reached = {"recall": got.recall, "precision": got.precision}
    reached |= {f"class_{name}": got.classes[name].min() for name in ("recall", "precision")}
    below = dict.fromkeys(reached, 0.1)
    assert not summary(found, labels, groups, folds, min_quality=below | {key: reached[key]}).is_valid
    assert summary(found, labels, groups, folds, min_quality=below | {key: reached[key] - 1e-9}).is_valid
