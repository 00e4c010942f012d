"""Permutation tests on parts of word lists: by listing all reassignments, by another metric, and on noise."""

from itertools import combinations

import numpy as np
import pytest

from biassay.measurement import metric as metrics
from biassay.studies.silhouette import false_positives
from biassay.studies.silhouette.reference import Reference


def lists(seed, sizes=((3, 4), (5, 4)), lean=0.0, d=5):
    """Groups and targets of noise; the first of each lean along an axis."""
    random = np.random.default_rng(seed)
    made = [[random.standard_normal((m, d)) for m in pair] for pair in sizes]
    for pair in made:
        pair[0][:, 0] += lean
    return made


def p_of(metric, groups, targets, permutations=99, **options):
    module = metrics.load(metric)
    b_0 = module.METRIC.range("set", 2).b_0
    return false_positives.compute_p_value(metric, module, groups, targets, b_0, permutations, 1, options)


@pytest.mark.parametrize("metric", ["same", "gweat", "mac", "rnsb"])
def test_p_is_the_share_of_all_reassignments(metric):
    """Of 35 ways to give 3 of 7 words to the first group, those as far from b_0; draws come near that share."""
    groups, targets = lists(3, lean=0.8)
    module, pooled = metrics.load(metric), np.concatenate(groups)
    b_0 = module.METRIC.range("set", 2).b_0
    labels = np.repeat([0, 1], list(map(len, targets)))
    of_words, found = np.repeat([0, 1], [3, 4]), []
    for chosen in combinations(range(7), 3):
        rest = [word for word in range(7) if word not in chosen]
        parts = [pooled[list(chosen)], pooled[rest]]
        if metric == "gweat":
            found.append(module.set_bias(np.concatenate(parts), targets, of_words))
        else:
            found.append(module.set_bias(np.concatenate(targets), parts, *([labels] if metric == "rnsb" else [])))
    far = np.abs(np.array(found) - b_0)  # the first way is the groups as they are
    p, least = p_of(metric, groups, targets, permutations=1999)
    assert p == pytest.approx((far >= far[0] - 1e-9).mean(), abs=0.04)
    assert least == 1 / 2000


def test_weat_has_its_own_test_which_says_what_reassigning_says():
    for seed in range(6):
        groups, targets = lists(seed, lean=0.4)
        p, least = p_of("weat", groups, targets)
        assert least == 1 / 35
        assert p == pytest.approx(p_of("gweat", groups, targets, permutations=1999)[0], abs=0.05)
    assert p_of("weat", *lists(1, ((17, 16), (5, 5))))[1] == 1 / 10_000  # more than 32 words are drawn, not listed
    groups, targets = lists(1, ((20, 20), (5, 5)), lean=3)
    assert p_of("weat", groups, targets) == (1 / 10_000, 1 / 10_000)


def test_a_value_that_does_not_depend_on_who_is_where_has_no_p():
    groups, targets = lists(2, ((4, 4), (3, 3)))
    p, least = p_of("mac", groups, targets)  # a mean over both groups, of equal size
    assert (np.isnan(p), least) == (True, 1 / 100)
    assert np.isfinite(p_of("mac", [groups[0][:3], groups[1]], targets)[0])
    groups = [np.repeat(groups[0][:1], 4, axis=0)] * 2
    assert np.isnan(p_of("same", groups, targets)[0])


def test_parts_are_as_large_as_asked_and_the_same_for_all():
    groups, targets = ([np.arange(m)[:, None] + start for m, start in pair] for pair in
                        (((8, 0), (8, 100)), ((11, 200), (3, 300))))  # fmt: skip
    drawn = list(false_positives.draw_parts(groups, targets, 0.5, 200, 1, paired=True))
    assert [[len(rows) for rows in part] for part in drawn[0]] == [[4, 4], [6, 2]]
    assert all((part[0][0] + 100 == part[0][1]).all() for part in drawn)
    often = np.bincount(np.concatenate([part[1][0].ravel() for part in drawn]) - 200)
    np.testing.assert_allclose(often / 200, 6 / 11, atol=0.2)
    apart = list(false_positives.draw_parts(groups, targets, 0.5, 200, 1, paired=False))
    assert not all((part[0][0] + 100 == part[0][1]).all() for part in apart)
    again = list(false_positives.draw_parts(groups, targets, 0.5, 200, 1, paired=True))
    assert all((one[0][0] == other[0][0]).all() for one, other in zip(drawn, again, strict=True))


def reference(lean):
    """A bias of which one model has vectors of noise, and the other groups and targets that lean."""
    words = {name: [f"{name}{number}" for number in range(10)] for name in ("a", "b", "c", "d")}
    vectors = {}
    for model, of_model in (("biased", lean), ("unbiased", 0.0)):
        groups, targets = lists(4, ((10, 10), (10, 10)), of_model)
        vectors[model] = np.concatenate([*groups, *targets]).astype(np.float32)
    content = {"groups": {key: words[key] for key in "ab"}, "targets": {key: words[key] for key in "cd"}}
    return Reference([word for of in words.values() for word in of], vectors, {"x": content}, [])


def test_bias_is_found_where_it_is():
    table = false_positives.run_tests("same_skew", {}, 0.0, reference(0.0), 0.5, 5, 19, 1)
    assert table.columns.tolist() == false_positives.COLUMNS
    assert table.groupby(["model", "share"])["shuffle"].agg(list).to_dict() == {
        (model, share): shuffles
        for model in ("biased", "unbiased")
        for share, shuffles in ((0.5, [*range(5)]), (1.0, [0]))
    }
    assert table.groupby("share")["min_p_value"].unique().str[0].to_dict() == {0.5: 1 / 20, 1.0: 1 / 200}
    found = false_positives.run_tests("weat", {}, 0.0, reference(3.0), 0.5, 20, 19, 1).groupby("model")["p"]
    assert found.median()["biased"] <= 0.05 < found.median()["unbiased"]


@pytest.mark.parametrize(("metric", "b_0"), [("clustering", 0.5), ("neighbours", None), ("weat_p_value", None)])
def test_metrics_without_groups_or_b_0_are_not_tested(metric, b_0):
    assert false_positives.run_tests(metric, {}, b_0, reference(0.0), 0.5, 2, 19, 1).empty


def test_p_values_are_uniform_where_words_are_exchangeable():
    """Vectors of noise, with nothing that the words of a group have in common."""
    for metric in ("same", "weat"):
        p = np.array([p_of(metric, *lists(seed, ((6, 6), (6, 6))), permutations=39)[0] for seed in range(150)])
        assert (p <= 0.05).mean() <= 0.11
        assert np.mean(p) == pytest.approx(0.5, abs=0.1)
