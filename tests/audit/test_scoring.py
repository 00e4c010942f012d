"""Intervals, random words, power, Holm's correction and silhouettes of one score, by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from biassay.auditing import scoring
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Level, Metric
from tests.audit.example_vectors import question, used, vectors

QUICK = scoring.Settings(permutations=19, resamples=20, random_words=20, shuffles=3)


def fake(b_min=-1.0, b_max=2.0, b_0=0.5, references="groups"):
    """A bound metric with this range."""
    module = SimpleNamespace(METRIC=Metric("", "", set=Level(b_min, b_max, b_0)), __name__="fake")
    return SimpleNamespace(module=module, references=references, scored="targets", lists=lambda side: [[1], [2]])


def scored(monkeypatch, name="mac", **draws_by_name):
    """Score a metric on random vectors, with given samples."""
    test = scoring.PermutationTest(0.2, 0.1, np.linspace(0.9, 1.1, 41), "groups reassigned")
    monkeypatch.setattr(scoring, "permutation_test", lambda *arguments: test)
    for key, draws in draws_by_name.items():
        monkeypatch.setattr(scoring, key, lambda *arguments, draws=draws: np.asarray(draws, float))
    example = question()
    source = vectors(example, 0.3)
    return scoring.score(name, metrics.load(name), used(example, source), source, QUICK)


def test_the_interval_is_of_95_percent_of_the_defined_draws(monkeypatch):
    draws = np.random.default_rng(1).permutation(np.append(np.arange(1001) / 1000, [np.nan] * 500))
    row = scored(monkeypatch, resample_values=draws).row
    assert (row["ci_low"], row["ci_high"]) == (pytest.approx(0.025), pytest.approx(0.975))
    row = scored(monkeypatch, resample_values=[0.3]).row
    assert np.isnan([row["ci_low"], row["ci_high"]]).all()


def test_noise_is_how_far_from_no_bias_one_set_in_twenty_is():
    sampled = 0.5 + np.array([1, -1] * 10 + [0.5]) * np.append(np.arange(1, 21), 0) / 100  # .01 … .20 and 0 away
    noise, p = scoring._compare_with_random_words(fake(), 0.5 - 0.15, np.append(sampled, np.nan))
    assert noise == pytest.approx(0.19)
    assert p == pytest.approx((1 + 6) / 22)  # .15 … .20 are as far
    assert np.isnan(scoring._compare_with_random_words(fake(), 0.3, sampled[:19])).all()
    assert not np.isnan(scoring._compare_with_random_words(fake(), 0.3, sampled[:20])).any()


def test_what_can_be_detected_is_beyond_the_null_by_the_spread():
    null, sampled = (
        0.5 + np.linspace(-0.4, 0.4, 41),
        np.tile([0.6, 0.8], 10),
    )  # distances 0, .02 … .40, each but 0 twice
    expected = np.quantile(np.abs(np.linspace(-0.4, 0.4, 41)), 0.95) + 0.8416 * 0.1
    assert scoring._min_detectable_effect(fake(), np.append(null, np.nan), sampled) == pytest.approx(expected)
    assert scoring._min_detectable_effect(fake(0.1, 0.9), null, sampled) == np.inf  # reaches .4 only
    assert scoring._min_detectable_effect(fake(0.2, None), null, sampled) == pytest.approx(expected)
    assert scoring._min_detectable_effect(fake(0.3, 0.5 + expected + 1e-6), null, sampled) == pytest.approx(expected)
    assert np.isnan(scoring._min_detectable_effect(fake(), null[:19], sampled))
    assert np.isnan(scoring._min_detectable_effect(fake(), null, sampled[:19]))
    assert np.isfinite(scoring._min_detectable_effect(fake(), null[:20], sampled[:20]))


def test_p_is_corrected_among_the_metrics_of_a_test_that_ask_the_same():
    p = {("a", "x"): [0.01, 0.04, 0.03, np.nan], ("a", "y"): [0.04], ("b", "x"): [0.05, 0.02]}
    rows = [{"test": test, "sides": asks, "p": value, "p_random": 0.01, "value": 1.0}
            for (test, asks), values in p.items() for value in values]  # fmt: skip
    table = scoring.add_findings(pd.DataFrame(rows).sample(frac=1, random_state=1)).sort_index()
    assert table["p_holm"].tolist() == pytest.approx([0.03, 0.06, 0.06, np.nan, 0.04, 0.05, 0.04], nan_ok=True)
    assert table["finding"].tolist() == ["found", "none", "none", "none", "found", "found", "found"]


@pytest.mark.parametrize(("p", "p_random", "expected"), [
    (0.05, 0.05, "found"), (0.050001, 0.01, "none"), (0.05, 0.050001, "noise"), (0.05, np.nan, "found"),
])  # fmt: skip
def test_findings_at_the_level(p, p_random, expected):
    assert scoring.classify(p, p_random, 0.0) == expected


def test_the_worse_of_both_silhouettes_counts(monkeypatch):
    example = question()
    source = vectors(example, 0.3)
    robust, needed = iter([0.8, 0.6]), iter([12.0, np.inf])
    monkeypatch.setattr(scoring.scores, "robustness", lambda *arguments: np.array([1.0, next(robust)]))
    monkeypatch.setattr(scoring.scores, "count_words_needed", lambda *arguments: next(needed))
    scored_metric = scoring.score("mac", metrics.load("mac"), used(example, source), source, QUICK)
    assert (scored_metric.row["robustness"], scored_metric.row["share_needed"]) == (0.6, 1.0)
    needed, robust = iter([12.0, 4.0]), iter([0.6, 0.8])
    monkeypatch.setattr(scoring.scores, "robustness", lambda *arguments: np.array([1.0, next(robust)]))
    monkeypatch.setattr(scoring.scores, "count_words_needed", lambda *arguments: next(needed))
    scored_metric = scoring.score("mac", metrics.load("mac"), used(example, source), source, QUICK)
    assert (scored_metric.row["robustness"], scored_metric.row["share_needed"]) == (0.6, 0.75)  # 12 of 16
    assert set(scored_metric.silhouettes["growing"]) == {"groups", "targets"}
    assert set(scored_metric.silhouettes["metric"]) == {"mac"}


def test_silhouettes_have_so_many_points_and_none_are_of_lists_with_one_step():
    def sizes(groups, targets):
        example = question(groups=groups, targets=targets)
        source = vectors(example, 0.3)
        shown = scoring.score("mac", metrics.load("mac"), used(example, source), source, QUICK).silhouettes
        return {} if shown.empty else {growing: rows["n_words"].tolist() for growing, rows in shown.groupby("growing")}

    assert sizes(3, 2) == {"groups": [2, 4, 6], "targets": [1, 2, 3, 4]}
    assert sizes(3, 16)["targets"] == list(range(2, 33, 2))  # of 32 words not each has a point
    assert "groups" not in sizes(1, 8)


def test_an_undefined_value_says_why_and_nothing_else():
    example = question()
    source = vectors(example, 0.3)
    for word in example.words:
        source.rows[word] = np.ones((1, 12))
    row = scoring.score("weat", metrics.load("weat"), used(example, source), source, QUICK).row
    assert row["undefined"] == metrics.load("weat").METRIC.set.undefined
    assert np.isnan(
        [row[key] for key in ("value", "ci_low", "p", "random_q95", "min_detectable_effect", "robustness")]
    ).all()
    assert row["n_words"] == 32
    assert row["direction"] == ""


def test_words_are_of_all_lists_that_the_metric_takes():
    example = question(groups=5, targets=7)
    source = vectors(example, 0.3)
    words = {name: scoring.score(name, metrics.load(name), used(example, source), source, QUICK).row["n_words"]
             for name in ("mac", "clustering")}  # fmt: skip
    assert words == {"mac": 24, "clustering": 14}
