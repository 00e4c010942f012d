"""Intervals, random words, power, findings and silhouettes of one score, by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay import audit
from biassay.auditing import scoring
from biassay.auditing.bound_metrics import bind
from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.statistics import permutation_tests
from tests.audit.example_vectors import question, used, vectors, write

QUICK = scoring.Settings(permutations=20, resamples=20, random_words=20, shuffles=3)


def takes_vectors(name):
    return metrics.load(name).METRIC.takes == "vectors"


def score(name="mac", example=None, source=None, samples=None):
    example = example or question()
    source = source or vectors(example, 0.3)
    return scoring.score(name, metrics.load(name), used(example, source), source, QUICK, samples)


def test_the_interval_is_of_95_percent_of_the_defined_samples(monkeypatch):
    samples = np.random.default_rng(1).permutation(np.append(np.arange(1001) / 1000, [np.nan] * 500))
    monkeypatch.setattr(scoring, "resample_values", lambda *arguments: samples)
    (row,) = score().rows
    assert (row["ci_low"], row["ci_high"]) == (pytest.approx(0.025), pytest.approx(0.975))
    monkeypatch.setattr(scoring, "resample_values", lambda *arguments: np.array([0.3]))
    (row,) = score().rows
    assert np.isnan([row["ci_low"], row["ci_high"]]).all()


def test_p_counts_samples_as_far_and_needs_enough_defined_ones():
    far = np.array([0.15, *np.arange(1, 21) / 100])
    assert scoring.p_value(far) == pytest.approx((1 + 6) / 21)  # .15 … .20 are as far
    assert scoring.upper_quantile(far[1:]) == pytest.approx(0.1905)
    assert scoring.p_value(np.append(far, np.nan)) == pytest.approx((1 + 7) / 22)  # an undefined one may be as far
    for undefined in (far[:19], np.append(far, [np.nan] * 2), np.append(np.nan, far), np.full(30, 0.2)):
        assert np.isnan(scoring.p_value(undefined))
    assert np.isnan(scoring.upper_quantile(far[:19]))


def test_a_metric_of_labels_has_signed_distances_from_its_chance_level():
    (row,) = score("classification").rows
    assert row["b_0"] == 0.5
    assert row["permuted"][0] == pytest.approx(row["value"] - 0.5)
    assert row["permuted"].min() < 0
    assert row["random_q95"] == pytest.approx(np.quantile(row["permuted"][1:], 0.95))
    assert np.isnan(row["min_detectable_effect"])


def test_a_value_that_depends_on_no_group_has_no_p_and_no_detectable_effect():
    (row,) = score("mac").rows
    assert np.isnan([row["p"], row["min_detectable_effect"]]).all()
    assert (len(row["permuted"]), row["min_p_value"]) == (21, 1 / 21)
    assert np.isfinite(score("same").rows[0]["min_detectable_effect"])


def test_the_detectable_effect_is_beyond_the_null_by_the_spread():
    wide = Range(-1.0, 2.0, 0.5, True)
    far, sampled = np.abs(np.linspace(-0.4, 0.4, 41)), np.tile([0.6, 0.8], 10)
    expected = np.quantile(far, 0.95) + 0.8416 * 0.1
    assert scoring.min_detectable_effect(wide, np.append(far, np.nan), sampled) == pytest.approx(expected)
    assert scoring.min_detectable_effect(wide._replace(b_min=0.1, b_max=0.9), far, sampled) == np.inf  # reaches .4 only
    for b_max in (None, 0.5 + expected + 1e-6):
        assert scoring.min_detectable_effect(wide._replace(b_min=0.3, b_max=b_max), far, sampled) == pytest.approx(
            expected
        )
    assert np.isnan(scoring.min_detectable_effect(wide, far[:19], sampled))
    assert np.isnan(scoring.min_detectable_effect(wide, far, sampled[:19]))
    assert np.isfinite(scoring.min_detectable_effect(wide, far[:20], sampled[:20]))


@pytest.mark.parametrize(("robust", "needed", "share"), [
    ((0.8, 0.6), (12.0, np.inf), 1.0), ((0.6, 0.8), (12.0, 4.0), 0.75),  # 12 of 16
])  # fmt: skip
def test_the_worse_of_both_silhouettes_counts(monkeypatch, robust, needed, share):
    robust, needed = iter(robust), iter(needed)
    monkeypatch.setattr(scoring.scores, "robustness", lambda *arguments: np.array([1.0, next(robust)]))
    monkeypatch.setattr(scoring.scores, "count_words_needed", lambda *arguments: next(needed))
    scored = score()
    assert (scored.rows[0]["robustness"], scored.rows[0]["share_needed"]) == (0.6, share)
    assert set(scored.silhouettes["growing"]) == {"groups", "targets"}


def test_sizes_of_silhouettes_and_none_of_lists_with_one_size():
    def sizes(groups, targets):
        curves = score(example=question(groups=groups, targets=targets)).silhouettes
        return {growing: rows["n_words"].tolist() for growing, rows in curves.groupby("growing")}

    assert sizes(3, 2) == {"groups": [2, 4, 6], "targets": [1, 2, 3, 4]}
    assert sizes(3, 16)["targets"] == list(range(2, 33, 2))  # of 32 words not each has a point
    assert "groups" not in sizes(1, 8)


@pytest.mark.parametrize("name", [name for name in registry.names("metrics") if takes_vectors(name)])
def test_repeating_each_sentence_changes_nothing(name):
    source = vectors(question(), 0.3)
    repeated = replace(source, rows={word: np.tile(rows, (3, 1)) for word, rows in source.rows.items()})
    shared = {}
    for other in ("weat", "same"):
        score(other, source=repeated, samples=shared)
    bare, sentences = score(name, source=source), score(name, source=repeated, samples=shared)
    pd.testing.assert_frame_equal(sentences.silhouettes, bare.silhouettes)
    pd.testing.assert_frame_equal(pd.DataFrame(sentences.rows), pd.DataFrame(bare.rows))


def test_an_undefined_value_has_a_reason_and_nothing_else():
    example = question()
    source = vectors(example, 0.3)
    source.rows.update({word: np.ones((1, 12)) for word in example.words})
    (row,) = score("weat", example, source).rows
    assert row["reason"] == metrics.load("weat").METRIC.set.undefined
    assert np.isnan(row["value"])
    assert row["n_words"] == 32
    assert not {"ci_low", "p", "random_q95", "min_detectable_effect", "robustness", "direction"} & set(row)


def test_the_range_of_weat_follows_the_sizes_of_its_lists(tmp_path):
    """±N/√(m(N−m)): with one hypothesis, the corrected p is p, however far the values are."""
    example = question()
    few = replace(example, groups=dict(example.groups, his=example.groups["his"][:2]))
    source = vectors(few, 2.0)
    (row,) = score("weat", few, source).rows
    assert row["b_max"] == -row["b_min"] == pytest.approx(10 / np.sqrt(8 * 2))
    path = write(tmp_path / "vectors.txt", source)
    found = audit(path, tests=[few], metrics=["weat"], random_words=99).table.iloc[0]
    assert found["p_random_corrected"] == found["p_random"]


def test_metrics_with_other_numbers_of_rows_per_word_share_no_samples():
    example, module = question(), metrics.load("weat")
    bound, shuffles = [], [np.array([[0, 1], [2, 3]]), np.array([[4, 5], [6, 7]])]
    for t in (1, 3):
        lists = {
            side: [np.random.default_rng(t).standard_normal((8, t, 4)) for _ in "ab"] for side in ("groups", "targets")
        }
        bound.append(bind(module, example, lists))
    alone = [one.values_from_pools("random", "targets", one.lists["targets"], shuffles) for one in bound]
    shared = [replace(one, samples=bound[0].samples) for one in bound]
    again = [one.values_from_pools("random", "targets", one.lists["targets"], shuffles) for one in shared]
    np.testing.assert_allclose(again, alone)


@pytest.mark.parametrize(
    ("sizes", "is_symmetric", "share"),
    [([2, 2], True, 2 / 6), ([3, 2], True, 1 / 10), ([2, 2, 2], True, 6 / 90), ([2, 2, 2], False, 1 / 90)],
)
def test_the_smallest_share_counts_exchanges_of_equal_lists(sizes, is_symmetric, share):
    assert permutation_tests.smallest_share(sizes, is_symmetric) == pytest.approx(share)
