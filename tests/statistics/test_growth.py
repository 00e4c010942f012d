"""Growing subsets: their sizes and orders, and fast paths against the metric called on every subset."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from biassay.measurement import metric as metrics
from biassay.statistics import logistic
from biassay.statistics.directions import draw_pairings
from biassay.statistics.growth import grow
from biassay.statistics.logistic_growth import fit_growing
from biassay.statistics.ranks import growing_spearman
from biassay.studies.silhouette import values
from tests.metrics.test_contract import MODULES

ASKED = {name: module for name, module in MODULES.items() if module.METRIC.set and module.METRIC.takes == "vectors"}
HOOKS = [
    (name, side)
    for name, module in ASKED.items()
    for side in values.FAST_PATHS
    if hasattr(module, values.FAST_PATHS[side])
]

AGGREGATES = [name for name, module in ASKED.items() if module.METRIC.aggregate and not module.METRIC.set.labels]


def lists(sizes=((9, 7), (8, 11)), d=6, seed=0):
    """Groups and targets of unequal length, each with a word of another list in it."""
    random = np.random.default_rng(seed)
    groups, targets = ([random.standard_normal((m, d)) + 0.2 for m in pair] for pair in sizes)
    groups[1][0], targets[1][0] = groups[0][1], targets[0][2]
    return groups, targets


def test_equal_shares_until_a_list_is_exhausted_then_the_longer_goes_on_alone():
    growth = grow([3, 6], 4, 5, [1])
    assert growth.sizes.tolist() == [[2, 2], [3, 4], [3, 6]]
    assert growth.n_words.tolist() == [4, 7, 9]
    assert [part.tolist() for part in growth.subset(2, 2)] == [order[2].tolist() for order in growth.shuffles]


@given(st.lists(st.integers(2, 20), min_size=1, max_size=3), st.integers(1, 2), st.booleans())
def test_shuffles_are_permutations_and_subsets_grow(sizes, share, aligned):
    sizes = [sizes[0]] * len(sizes) if aligned else sizes
    growth = grow(sizes, share * len(sizes), 4, [7], aligned=aligned)
    for order, size in zip(growth.shuffles, sizes, strict=True):
        assert (np.sort(order, axis=1) == np.arange(size)).all()
    assert (np.diff(growth.n_words) > 0).all()
    assert growth.n_words[0] == min(share * len(sizes), sum(sizes))
    assert growth.sizes[-1].tolist() == sizes
    if aligned:
        assert all((order == growth.shuffles[0]).all() for order in growth.shuffles)
    again = grow(sizes, share * len(sizes), 4, [7], aligned=aligned)
    assert all((a == b).all() for a, b in zip(growth.shuffles, again.shuffles, strict=True))


@settings(max_examples=25)
@given(st.lists(st.integers(2, 9), min_size=1, max_size=2), st.booleans(), st.integers(0, 1000))
def test_every_word_is_as_likely_in_every_place_of_its_list(sizes, aligned, seed):
    """Of a longer list too, whose rest is then no certain words; 5.5 standard deviations for all cells."""
    sizes, n = [sizes[0]] * len(sizes) if aligned else sizes, 1500
    growth = grow(sizes, len(sizes), n, [seed], aligned=aligned)
    for order, size in zip(growth.shuffles, sizes, strict=True):
        counts = np.stack([np.bincount(column, minlength=size) for column in order.T])
        assert (np.abs(counts - n / size) <= 5.5 * np.sqrt(n / size * (1 - 1 / size))).all()
    if not aligned and len(sizes) == 2:  # words of two lists meet as often as chance has it
        together = (growth.shuffles[0][:, 0] == 0) & (growth.shuffles[1][:, 0] == 0)
        chance = 1 / np.prod(sizes)
        assert abs(together.sum() - n * chance) <= 5.5 * np.sqrt(n * chance)


def test_lists_side_by_side_are_equally_long():
    with pytest.raises(ValueError, match=r"aligned: .* got \[3, 4\]"):
        grow([3, 4], 2, 2, [1], aligned=True)


@pytest.mark.parametrize(
    ("sizes", "step", "message"), [([5, 5], 3, r"step: .* got 3"), ([5, 2], 6, r"step: .*2 words")]
)
def test_steps_that_do_not_fit(sizes, step, message):
    with pytest.raises(ValueError, match=message):
        grow(sizes, step, 2, [1])


@pytest.mark.parametrize(("name", "side"), HOOKS)
@pytest.mark.parametrize("seed", range(3))
def test_fast_paths_give_the_values_of_the_metric(name, side, seed):
    module = ASKED[name]
    for growing, step in (("groups", 2), ("targets", 4)):
        question = values.assign_inputs(module.METRIC, *lists(seed=seed), growing)
        if question.grows == side:
            growth = values.draw_growth(question, growing, step, 6, seed)
            tolerance = 2e-4 if name == "rnsb" else 1e-9  # RNSB's classifiers are fitted in single precision
            fast = values.measure_subsets(module, question, growth)
            np.testing.assert_allclose(
                fast, values.measure_each_subset(module, question, growth), rtol=0, atol=tolerance
            )


@pytest.mark.parametrize("name", AGGREGATES)
def test_means_of_word_level_values_give_the_values_of_the_metric(name):
    question = values.assign_inputs(ASKED[name].METRIC, *lists(), "targets")
    growth = values.draw_growth(question, "targets", 3, 5, 1)
    fast = values.measure_subsets(ASKED[name], question, growth)
    np.testing.assert_allclose(fast, values.measure_each_subset(ASKED[name], question, growth), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "options"),
    [("weat", {"ddof": 1}), ("ect", {"raw": True}), ("rnsb", {"c": 3.0}), ("direct_bias", {"c": 2.0}),
     ("direct_bias", {"n_directions": 1}), ("rnsb", {"per_word": True}), ("ripa", {"direction": "pairs"}),
     ("ripa", {"n_pairings": 3}), ("ripa", {"direction": "pairs", "n_pairings": 2, "seed": 4}),
     ("direct_bias", {"n_pairings": 2})],
)  # fmt: skip
@pytest.mark.parametrize("growing", values.TYPES)
@pytest.mark.parametrize("paired", [False, True])
def test_options_are_followed(name, options, growing, paired):
    question = values.assign_inputs(
        ASKED[name].METRIC, *lists(((7, 7), (8, 11)) if paired else ((9, 7), (8, 11))), growing, paired=paired
    )
    growth = values.draw_growth(question, growing, 2, 3, 1)
    fast = values.measure_subsets(ASKED[name], question, growth, **options)
    direct = values.measure_each_subset(ASKED[name], question, growth, **options)
    np.testing.assert_allclose(fast, direct, rtol=0, atol=2e-4 if name == "rnsb" else 1e-9)


@pytest.mark.parametrize("name", ["weat", "gweat", "same", "direct_bias", "ripa", "same_skew"])
def test_undefined_values_stay_undefined(name):
    groups, targets = lists(((4, 4), (4, 4)))
    groups[1], targets[1] = groups[0].copy(), targets[0].copy()
    groups[0][:] = groups[0][0]
    groups[1][:] = groups[0][0]
    for growing in values.TYPES:
        question = values.assign_inputs(ASKED[name].METRIC, groups, targets, growing)
        growth = values.draw_growth(question, growing, 2, 3, 1)
        direct = values.measure_each_subset(ASKED[name], question, growth)
        np.testing.assert_allclose(values.measure_subsets(ASKED[name], question, growth), direct, atol=1e-9)


@pytest.mark.parametrize("name", ["direct_bias", "ripa"])
def test_words_that_are_no_pairs_are_paired_anew_in_every_shuffle(name):
    groups, targets = lists()
    for growing in values.TYPES:
        found = {}
        for paired in (False, True):
            parts = [group[:7] for group in groups] if paired else groups
            question = values.assign_inputs(ASKED[name].METRIC, parts, targets, growing, paired=paired)
            found[paired] = values.measure_subsets(
                ASKED[name], question, values.draw_growth(question, growing, 2, 5, 1)
            )[:, -1]
        assert len(np.unique(found[False])) == 5  # all words, other pairs
        np.testing.assert_allclose(found[True], ASKED[name].set_bias(np.concatenate(targets), parts), rtol=1e-9)
    # the pairs are those of the option of so many pairings with the growth's seed, here of all five shuffles
    question = values.assign_inputs(ASKED[name].METRIC, groups, targets, "targets")
    growth = values.draw_growth(question, "targets", 2, 5, 1)
    expected = [ASKED[name].set_bias(np.concatenate(targets), pairs) for pairs in draw_pairings(groups, 5, (1, 1))]
    np.testing.assert_allclose(values.measure_subsets(ASKED[name], question, growth)[:, -1], expected, rtol=1e-9)


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(2, 30), st.integers(1, 8))
def test_rank_correlations_of_growing_sets_with_ties(seed, size, levels):
    random = np.random.default_rng(seed)
    first, second = random.integers(0, levels, (2, size)).astype(float)
    shuffles = np.stack([random.permutation(size) for _ in range(3)])
    found = growing_spearman(first, second, shuffles, np.arange(2, size + 1))
    for shuffle, order in enumerate(shuffles):
        for step, k in enumerate(range(2, size + 1)):
            part = order[:k]
            constant = np.ptp(first[part]) == 0 or np.ptp(second[part]) == 0
            expected = np.nan if constant else spearmanr(first[part], second[part]).statistic
            np.testing.assert_allclose(found[shuffle, step], expected, atol=1e-12)


@pytest.mark.parametrize(("c", "length"), [(1.0, 1.0), (100.0, 1.0), (1.0, 20.0), (0.01, 3.0)])
def test_classifiers_of_growing_sets_are_at_the_optimum(c, length):
    random = np.random.default_rng(3)
    vectors = random.standard_normal((60, 5)) * length
    labels = (vectors[:, 0] + random.standard_normal(60) * length > 0).astype(int)
    sizes = [int((labels == label).sum()) for label in (0, 1)]
    growth = grow(sizes, 4, 3, [2])
    shuffles = [np.flatnonzero(labels == label)[order] for label, order in enumerate(growth.shuffles)]
    for step, fit in enumerate(fit_growing(vectors, labels, shuffles, growth.sizes, c=c, tolerance=1e-4)):
        for shuffle in range(3):
            rows = np.concatenate([order[shuffle, :n] for order, n in zip(shuffles, growth.sizes[step], strict=True)])
            weights, intercept = logistic.fit(vectors[rows], labels[rows], c)
            exact = vectors @ weights + intercept
            found = vectors @ fit.weights[shuffle] + fit.intercepts[shuffle]
            np.testing.assert_allclose(found, exact, atol=5e-3 * (1 + abs(exact).max()))


def test_metrics_that_cannot_be_asked():
    groups, targets = lists()
    with pytest.raises(ValueError, match="no set level"):
        values.assign_inputs(metrics.Metric("", "", word=metrics.Level(0, 1)), groups, targets, "groups")
    with pytest.raises(ValueError, match="associations"):
        values.assign_inputs(
            metrics.Metric("", "", takes="associations", set=metrics.Level(0, 1)), groups, targets, "groups"
        )
    with pytest.raises(ValueError, match="takes no groups"):
        values.assign_inputs(MODULES["clustering"].METRIC, groups, targets, "groups")
