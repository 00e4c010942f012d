"""Permutations, resamples and random words, and the values and p that they give."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import chisquare

from biassay.auditing import scoring
from biassay.auditing.bound_metrics import NotApplicable, bind, difference_of_lists
from biassay.auditing.scoring import Settings, score
from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.entry import measure
from tests.audit.example_vectors import question, used, vectors

ONE_STEP = Settings(permutations=99, resamples=40, random_words=49, shuffles=4)
FIT = ["direct_bias", "ect", "gweat", "mac", "ripa", "rnd", "rnsb", "same", "same_skew", "same_stereotype", "weat"]


def bound(name, example, source):
    sides = {"groups": example.groups, "targets": example.targets}
    lists = {side: [source.stack(words) for words in lists.values()] for side, lists in sides.items()}
    return bind(metrics.load(name), example, lists)


def flat(example, source, side):
    return [source.stack(words)[:, 0] for words in getattr(example, side).values()]


@pytest.mark.parametrize("name", FIT)
def test_a_value_is_that_of_measure(name):
    example = question(paired=True)
    source = vectors(example, 0.5)
    scored, references = ("groups", "targets") if name in ("weat", "gweat") else ("targets", "groups")
    rows = flat(example, source, scored)
    labels = np.repeat([0, 1], [8, 8])
    expected = measure(name, targets=np.concatenate(rows), groups=flat(example, source, references), labels=labels)
    assert bound(name, example, source).value() == pytest.approx(expected.set)


@pytest.mark.parametrize("name", [*FIT, "second_order_cosine"])
@pytest.mark.parametrize("t", [1, 3])
def test_words_from_pools_have_the_values_of_each_sample(name, t):
    example = question(groups=5, targets=6, paired=True)
    ask = bound(name, example, vectors(example, 0.5, t=t))
    random = np.random.default_rng(2)
    for side in ("groups", "targets"):
        pools = [np.concatenate(ask.lists[side])] * 2
        shuffles = [random.permuted(np.tile(np.arange(len(pools[0])), (5, 1)), axis=1)[:, :size] for size in (5, 4)]
        if ask.module.METRIC.paired and side == "groups":
            shuffles = [order[:, :4] for order in shuffles]
        for row, value in enumerate(ask.values_from_pools("any", side, pools, shuffles)):
            lists = [pool[order[row]] for pool, order in zip(pools, shuffles, strict=True)]
            assert value == pytest.approx(ask.value(**{side: lists}), rel=2e-2, abs=2e-4)


def test_p_counts_reassignments_as_far_from_no_bias():
    example = question(groups=3, targets=4)
    ask = bound("gweat", example, vectors(example, 1.0))
    pooled = np.concatenate(ask.lists["groups"])
    distances = []
    for first in map(list, combinations(range(6), 3)):
        rest = [number for number in range(6) if number not in first]
        distances.append(abs(ask.value(groups=[pooled[first], pooled[rest]])))
    exact = np.mean(np.array(distances) >= abs(ask.value()) - 1e-9)
    test = scoring.permutation_test(ask, 4999, 3)
    assert scoring.p_value(test.far) == pytest.approx(exact, abs=0.02)
    assert test.min_p_value == pytest.approx(2 / 20)  # with the groups exchanged, the value is as far


def test_no_p_is_below_the_smallest_possible_one():
    """Random permutations can find the assignments that are as far less often than they occur among all."""
    example = question(groups=3, targets=4)
    source = vectors(example, 5.0)
    for seed in range(8):
        settings = replace(ONE_STEP, seed=seed)
        row = score("gweat", metrics.load("gweat"), used(example, source), source, settings).rows[0]
        assert row["p"] >= row["min_p_value"] == pytest.approx(2 / 20)


@pytest.mark.parametrize(("name", "reason"), [
    ("pll", "takes language model"), ("first_order", "takes associations"), ("weat_p_value", "without bias"),
    ("direct_bias", "paired"),
])  # fmt: skip
def test_a_metric_that_does_not_apply_has_a_reason(name, reason):
    example = question()
    with pytest.raises(NotApplicable, match=reason):
        bound(name, example, vectors(example, 0))


def test_more_groups_than_two():
    example = question(groups=4)
    example = replace(example, groups=dict(example.groups) | {"third": ["aa", "bb", "cc", "dd"]})
    source = vectors(example, 0.5)
    scores = {
        name: score(name, metrics.load(name), used(example, source), source, ONE_STEP)
        for name in registry.names("metrics")
    }
    rows = {name: of_metric.rows[0] for name, of_metric in scores.items() if of_metric.rows}
    assert set(rows) == {
        "classification", "clustering", "mac", "neighbours", "rnsb", "same", "same_skew", "same_stereotype",
    }  # fmt: skip
    for name, row in rows.items():
        assert np.isfinite(row["value"])
        assert row["p"] > 0 or name in ("mac", "neighbours")  # k is all others, whoever has which label
    assert all(bool(of_metric.reason) != bool(of_metric.rows) for of_metric in scores.values())


@pytest.mark.parametrize(("scored", "name"), [("groups", "weat"), ("targets", "weat"), ("targets", "gweat")])
def test_weat_reassigns_x_and_y_as_published_and_keeps_the_sentences_of_a_word_together(scored, name):
    example = question(groups=4, targets=4, scored=scored)
    one = vectors(example, 0.4)
    sides = ("groups", "targets") if scored == "groups" else ("targets", "groups")
    x, y = (flat(example, one, side) for side in sides)
    expected = measure("weat_p_value", targets=np.concatenate(x), alternative="two_sided", groups=y,
                       labels=np.repeat([0, 1], 4)).set  # fmt: skip
    repeated = replace(one, rows={word: np.repeat(row, 5, axis=0) for word, row in one.rows.items()})
    for source in (one, repeated):
        test = scoring.permutation_test(bound(name, example, source), 4999, 1)
        assert (test.description, test.min_p_value) == (f"{scored} reassigned", pytest.approx(2 / 70))
        assert scoring.p_value(test.far) == pytest.approx(expected, abs=0.02)


def test_a_metric_of_single_words_compares_the_lists_of_targets():
    example = question()
    source = vectors(example, 0.5)
    module = metrics.load("second_order_cosine")
    values = module.word_bias(np.concatenate(flat(example, source, "targets")), flat(example, source, "groups"))
    assert bound("second_order_cosine", example, source).value() == pytest.approx(values[:8].mean() - values[8:].mean())
    assert difference_of_lists(module).METRIC.range("set", 2) == (-4.0, 4.0, 0.0, True)


@pytest.mark.parametrize("name", [
    "direct_bias", "ect", "gweat", "mac", "ripa", "rnd", "rnsb", "same", "same_stereotype", "second_order_cosine",
    "second_order_nnd", "weat",
])  # fmt: skip
def test_resamples_draw_words_and_pairs_with_repeats(name):
    example = question(groups=3, targets=4, paired=True)
    ask = bound(name, example, vectors(example, 0.0, t=2))
    resampled, draws = scoring.resample_values(ask, 30, 1), ask.samples["draws"]
    assert (draws["groups"][0] == draws["groups"][1]).all()
    assert [numbers.shape for side in ("groups", "targets") for numbers in draws[side]] == [(30, 3)] * 2 + [(30, 4)] * 2
    assert sum(len(set(row)) < 3 for row in draws["groups"][0].tolist()) > 15
    for number, value in enumerate(resampled):
        lists = {side: [rows[numbers[number]] for rows, numbers in zip(ask.lists[side], draws[side], strict=True)]
                 for side in draws}  # fmt: skip
        assert ask.value(**lists) == pytest.approx(value, rel=1e-4, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_a_fast_path_that_ignores_the_drawn_words_is_not_used(unit):
    example = question(groups=3, targets=4, paired=True)
    ask, module = bound("same", example, vectors(example, 0.5)), metrics.load("same")

    def ignore(scored, references, growth):
        return unit * module.set_bias_growing_groups(scored, references, replace(growth, drawn=None, cache={}))

    def measure(targets, groups):
        return unit * module.set_bias(targets, groups)

    own = SimpleNamespace(**vars(module) | {"set_bias_growing_groups": ignore, "set_bias": measure})
    expected = unit * scoring.resample_values(ask, 30, 1)
    assert scoring.resample_values(replace(ask, module=own), 30, 1) == pytest.approx(expected)


def test_random_words_replace_words_of_their_block_of_ranks():
    example = question()
    source = vectors(example, 0.0, pool=600)
    words = [*example.words[16:], example.words[16]]
    drawn, picks = scoring.draw_random_words(words, source, 4000, 1)
    assert drawn == sorted({*words, *source.pool}, key=source.ranks.get)
    assert (picks[:, 0] == picks[:, -1]).all()  # a word of two lists has one random word in both
    assert all(len(set(row)) == len(words) - 1 for row in picks.tolist())
    blocks = np.array_split(np.arange(len(drawn)), len(drawn) // scoring.BLOCK)
    for place, word in enumerate(words):
        (block,) = [block for block in blocks if drawn.index(word) in block]
        counts = np.bincount(picks[:, place] - block[0], minlength=len(block))
        assert len(counts) == len(block)  # the word itself is one of them
        assert chisquare(counts).pvalue > 1e-4
    for one, again in zip((drawn, picks), scoring.draw_random_words(words, source, 4000, 1), strict=True):
        assert np.array_equal(one, again)
    drawn, picks = scoring.draw_random_words(words, replace(source, ranks=None), 400, 1)
    assert (drawn, len(np.unique(picks))) == (sorted(drawn), len(drawn))
    ask = bound("same", example, source)
    for pool, n in ((31, 0), (32, 49)):  # twice the 16 targets
        few = vectors(example, 0.0, pool=pool)
        assert len(scoring.random_word_values(ask, used(example, few), few, 49, 1)) == n


def test_labels_are_reassigned_to_means_over_the_sentences_of_a_word():
    example = question(groups=2, targets=3)
    source = vectors(example, 0.0, t=2)
    ask = bound("clustering", example, source)
    calls = []
    module = SimpleNamespace(METRIC=ask.module.METRIC, __name__="own", set_bias_by_labels=lambda rows, groups, labels: (
        calls.append((rows, labels)) or np.zeros(len(labels))))  # fmt: skip
    assert scoring.permute_values(replace(ask, module=module), "targets", 50, 1).shape == (51,)
    ((rows, labels),) = calls
    means = np.concatenate([source.stack(words).mean(axis=1) for words in example.targets.values()])
    assert np.allclose(rows, means)
    assert labels[0].tolist() == [0, 0, 0, 1, 1, 1]
    assert (labels.sum(axis=1) == 3).all()
    assert len({tuple(row) for row in labels.tolist()}) > 10
