"""Tests on samples of word lists: by listing all reassignments, by other metrics, on noise and on planted bias."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from biassay.measurement import metric as metrics
from biassay.metrics import direct_bias
from biassay.statistics.intervals import wilson_interval
from biassay.studies.silhouette import false_positives, reassignment
from biassay.studies.silhouette.reference import Reference
from scripts.silhouette import score

LABELLED = ("rnsb", "gweat")
CONTRASTED = ("weat", "same", "ripa", "direct_bias", "rnd")
POOLING = ("ect", "mac", "same_skew", "same_stereotype")
FORMS = {metric: reassignment.FORMS for metric in LABELLED + CONTRASTED} | {metric: ("groups",) for metric in POOLING}


def lists(seed, sizes=((3, 4), (5, 4)), lean=0.0, d=5):
    """Groups and targets of noise; the first of each lean along an axis."""
    random = np.random.default_rng(seed)
    made = [[random.standard_normal((m, d)) for m in pair] for pair in sizes]
    for pair in made:
        pair[0][:, 0] += lean
    return made


def p_of(metric, form, *samples, permutations=99, level=None, **options):
    module = metrics.load(metric)
    b_0 = module.METRIC.range("set", 2).b_0
    return reassignment.compute_p_values(metric, module, form, list(samples), b_0, permutations, 1, options, level)


@pytest.mark.parametrize("metric", ["same", "gweat", "mac", "rnsb"])
def test_p_of_groups_is_the_share_of_all_reassignments(metric):
    """Of 35 ways to give 3 of 7 words to the first group, those as far from b_0."""
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
    expected = (far >= far[0] - 1e-9).mean()
    p, least = p_of(metric, "groups", (groups, targets), permutations=34)
    assert (p[0], least) == (pytest.approx(expected), 1 / 35)
    few, least = p_of(metric, "groups", (groups, targets), permutations=20)  # each used once
    assert (few[0], least) == (pytest.approx(expected, abs=0.2), 1 / 21)


@pytest.mark.parametrize(
    ("metric", "form", "n_as_far"), [("gweat", "groups", 2), ("gweat", "targets", 2), ("rnsb", "targets", 1)]
)
def test_few_words_far_apart_reach_their_smallest_p_with_every_seed(metric, form, n_as_far):
    """Equal lists that are exchanged are as far, except for RNSB, whose second list is the negative one."""
    sample, module = lists(5, ((4, 4), (4, 4)), lean=9), metrics.load(metric)
    for seed in range(40 if metric == "gweat" else 2):
        p, least = reassignment.compute_p_values(metric, module, form, [sample], 0.0, 99, seed, {})
        assert least == n_as_far / 70
        assert p[0] == least or metric == "rnsb"
        assert p[0] >= least


def test_many_ways_are_drawn_independently():
    orders = reassignment.draw_orders(14, 7, 99, seed=1)
    assert (orders[0] == range(14)).all()
    assert (np.sort(orders, axis=1) == range(14)).all()
    few = reassignment.draw_orders(10, 5, 99, seed=1)
    assert len({frozenset(row[:5]) for row in few.tolist()}) == 100
    assert not (few[1:, :5] == np.sort(few[1:, :5], axis=1)).all()  # pairs of words are not those of the alphabet


@pytest.mark.parametrize("metric", [*LABELLED, "ect"])
def test_ending_early_does_not_change_what_is_significant(metric):
    form = "targets" if metric in LABELLED else "groups"
    samples = [lists(seed, sizes=((9, 7), (8, 8)), lean=lean) for seed in range(6) for lean in (0, 3)]
    for level, permutations in ((0.05, 99), (0.05, 98), (0.1, 199)):
        p, _ = p_of(metric, form, *samples, permutations=permutations)
        early, _ = p_of(metric, form, *samples, permutations=permutations, level=level)
        np.testing.assert_array_equal(early <= level, p <= level)
        np.testing.assert_array_equal(early[p <= level], p[p <= level])
        assert 0 < (p <= level).mean() < 1
        assert (early != p).any()


@pytest.mark.parametrize(("metric", "name"), [("same", "word_bias"), ("direct_bias", "signed_word_bias"), ("rnsb", "")])
def test_p_of_targets_is_the_share_of_all_reassignments(metric, name):
    """Of 126 ways to give 5 of 9 words to the first list: differences of mean scores, or RNSB with other labels."""
    sample = lists(4, sizes=((4, 4), (5, 4)), lean=0.5)
    module, pooled, found = metrics.load(metric), np.concatenate(sample[1]), []
    for chosen in combinations(range(9), 5):
        labels = np.isin(np.arange(9), chosen, invert=True).astype(int)
        if name:
            scores = getattr(module, name)(pooled, sample[0])
            found.append(abs(scores[labels == 0].mean() - scores[labels == 1].mean()))
        else:
            found.append(module.set_bias(pooled, sample[0], labels))
    expected = (np.array(found) >= found[0] - 1e-5).mean()
    p, least = p_of(metric, "targets", sample, permutations=1999)
    assert p[0] == pytest.approx(expected, abs=0.02 if name else 1e-9)
    assert least == 1 / 126


def test_tests_of_one_statistic_agree():
    """With the targets as X and Y, WEAT and SAME differ by a factor, so their p are equal, and nearly that of gWEAT."""
    samples = [lists(seed, ((6, 6), (8, 8)), lean=0.4) for seed in range(6)]
    weat, least = p_of("weat", "targets", *samples)
    np.testing.assert_array_equal(weat, p_of("same", "targets", *samples)[0])
    np.testing.assert_allclose(weat, p_of("gweat", "targets", *samples, permutations=1999)[0], atol=0.05)
    assert least == 2 / 12_870  # exchanged lists have the same statistic
    swapped = [(targets, groups) for groups, targets in samples]
    np.testing.assert_allclose(weat, p_of("weat", "groups", *swapped)[0], atol=0.02)  # its published test, exact


def test_weat_has_its_published_test_of_groups():
    samples = [lists(seed, lean=0.4) for seed in range(6)]
    p, least = p_of("weat", "groups", *samples)
    assert least == 1 / 35
    np.testing.assert_allclose(p, p_of("gweat", "groups", *samples, permutations=1999)[0], atol=0.05)
    assert p_of("weat", "groups", lists(1, ((17, 16), (5, 5))))[1] == 1 / 10_000  # more than 32 words are drawn
    assert p_of("weat", "groups", lists(1, ((31, 1), (5, 5))))[1] == 1 / 32
    p, least = p_of("weat", "groups", lists(1, ((5, 5), (5, 5)), lean=30))
    assert (p.tolist(), least) == ([pytest.approx(2 / 252)], 2 / 252)  # all words exchanged is as far
    p, least = p_of("weat", "groups", lists(1, ((20, 20), (5, 5)), lean=3))
    assert (p.tolist(), least) == ([1 / 10_000], 1 / 10_000)
    p_of("weat", "targets", samples[0], ddof=1)  # an option of the set level alone


def test_a_value_that_does_not_depend_on_who_is_where_has_no_p():
    groups, targets = lists(2, ((4, 4), (3, 3)))
    p, least = p_of("mac", "groups", (groups, targets))  # a mean over both groups, of equal size
    assert (np.isnan(p[0]), least) == (True, 2 / 70)
    assert np.isfinite(p_of("mac", "groups", ([groups[0][:3], groups[1]], targets))[0])
    groups = [np.repeat(groups[0][:1], 4, axis=0)] * 2
    assert np.isnan(p_of("same", "groups", (groups, targets))[0])
    assert np.isnan(p_of("same", "targets", (groups, targets))[0])


def test_samples_are_as_large_as_asked_and_the_same_for_all():
    groups, targets = ([np.arange(m)[:, None] + start for m, start in pair] for pair in
                        (((8, 0), (8, 100)), ((11, 200), (3, 300))))  # fmt: skip
    drawn = list(false_positives.draw_samples(groups, targets, 0.5, 200, 1, paired=True))
    assert [[len(rows) for rows in part] for part in drawn[0]] == [[4, 4], [6, 2]]
    assert all((part[0][0] + 100 == part[0][1]).all() for part in drawn)
    often = np.bincount(np.concatenate([part[1][0].ravel() for part in drawn]) - 200)
    np.testing.assert_allclose(often / 200, 6 / 11, atol=0.2)
    apart = list(false_positives.draw_samples(groups, targets, 0.5, 200, 1, paired=False))
    assert not all((part[0][0] + 100 == part[0][1]).all() for part in apart)
    again = list(false_positives.draw_samples(groups, targets, 0.5, 200, 1, paired=True))
    assert all((one[0][0] == other[0][0]).all() for one, other in zip(drawn, again, strict=True))


def reference(lean, n=10):
    """A bias of which one model has vectors of noise, and the other groups and targets that lean."""
    words = {name: [f"{name}{number}" for number in range(n)] for name in ("a", "b", "c", "d")}
    vectors = {}
    for model, of_model in (("biased", lean), ("unbiased", 0.0)):
        groups, targets = lists(4, ((n, n), (n, n)), of_model)
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
    tests = false_positives.run_tests("weat", {}, 0.0, reference(3.0), 0.5, 20, 19, 1)
    medians = tests.groupby(["form", "model"])["p"].median()
    for form in reassignment.FORMS:
        assert medians[form, "biased"] <= 0.05 < medians[form, "unbiased"]


def test_samples_of_few_words_are_no_test():
    """Three of six words can be chosen in 20 ways, and the groups exchanged are as far: no p is below 0.1."""
    tests = false_positives.run_tests("weat", {}, 0.0, reference(3.0, n=6), 0.5, 5, 99, 1).assign(metric="weat")
    samples = tests[tests["share"] < 1]
    assert samples["p"].isna().all()
    assert samples["min_p_value"].tolist() == pytest.approx([0.1] * 20)
    assert tests[tests["share"] == 1]["p"].notna().all()
    assert set(false_positives.summarise_tests(tests, ["weat"])["share"]) == {1.0}
    described = false_positives.describe_p_values(tests, ["weat"], {})
    assert described["reason"].tolist() == [false_positives.TOO_FEW] * 4  # forms and models


@pytest.mark.parametrize(("metric", "b_0"), [("clustering", 0.5), ("neighbours", None), ("weat_p_value", None)])
def test_metrics_without_groups_or_b_0_are_not_tested(metric, b_0):
    assert false_positives.run_tests(metric, {}, b_0, reference(0.0), 0.5, 2, 19, 1).empty


def test_forms_of_metrics():
    for metric, forms in FORMS.items():
        module = metrics.load(metric)
        b_0 = module.METRIC.range("set", 2).b_0
        obstacles = {form: reassignment.find_obstacle(module, b_0, form) for form in reassignment.FORMS}
        assert tuple(form for form, obstacle in obstacles.items() if not obstacle) == forms, metric
    several = {form: reassignment.find_obstacle(direct_bias, 0.0, form, {"n_directions": 2}) for form in FORMS["weat"]}
    assert [form for form, obstacle in several.items() if obstacle] == ["targets"]
    variant = {"metric": "direct_bias", "options": {"n_directions": 2}, "range": None}
    assert score.find_obstacles(["several"], [variant]) == {("several", form): text for form, text in several.items()}
    three = SimpleNamespace(METRIC=replace(metrics.load("rnsb").METRIC, groups=(3, None)))
    assert reassignment.find_obstacle(three, 0.0, "groups") == "it does not take two groups"


def test_words_are_scored_with_the_options_of_the_value():
    groups, targets = lists(1, ((6, 6), (5, 5)))
    groups = [np.linspace(0.1, 9, len(group))[:, None] * group for group in groups]
    for options in ({"normalize": False}, {"c": 2.0}):
        found = reassignment._score_words(metrics.load("direct_bias"), groups, targets, options)
        expected = direct_bias.word_bias(np.concatenate(targets), groups, **options)
        np.testing.assert_allclose(np.abs(found), expected)


@pytest.mark.parametrize(("metric", "form"), [(metric, form) for metric, forms in FORMS.items() for form in forms])
def test_p_values_are_uniform_where_words_are_exchangeable(metric, form):
    """Vectors of noise: the rate of p up to 5 % is within binomial limits of 5 %, over independent models."""
    n = 200
    p, _ = p_of(metric, form, *(lists(seed, ((6, 7), (6, 6))) for seed in range(n)), permutations=39)
    low, high = wilson_interval(int((p <= 0.05).sum()), n)
    assert low <= 0.05 <= high
    assert p.mean() == pytest.approx(0.5, abs=0.08)


@pytest.mark.parametrize("metric", LABELLED + CONTRASTED)
def test_planted_associations_are_found_by_reassigned_targets(metric):
    p, _ = p_of(metric, "targets", *(lists(seed, ((6, 6), (8, 8)), lean=3.0) for seed in range(20)), permutations=39)
    assert (p <= 0.05).mean() >= 0.9


def make_tests(*rows, metric="same", share=0.5):
    """p-values on samples: (form, bias, model, p)."""
    table = [[form, bias, model, share, 0, "t", p, 0.01] for form, bias, model, p in rows]
    return pd.DataFrame(table, columns=false_positives.COLUMNS).assign(metric=metric)


def test_rates_by_hand():
    """Of 4 p-values on the unbiased model 2 are at most 0.05; on the biased one 2 of 2. Missing p do not count."""
    rows = [("groups", "gender", "unbiased", p) for p in (0.05, 0.051, 0.01, 0.9)]
    rows += [("groups", "gender", "biased", 0.01)] * 2 + [("targets", "gender", "unbiased", 0.2)]
    rows += [("groups", "religion", "unbiased", 0.5), ("groups", "religion", "biased", np.nan)]
    table = false_positives.summarise_tests(make_tests(*rows), ["same"])
    keys = [["groups", "gender"], ["groups", "religion"], ["targets", "gender"]]
    assert table[["form", "bias"]].to_numpy().tolist() == keys  # no mean without the power of every kind
    gender, religion, _ = table.to_dict("records")
    assert (gender["n_unbiased"], gender["false_positive_rate"], gender["n_biased"], gender["power"]) == (4, 0.5, 2, 1)
    ends = gender["false_positive_rate_low"], gender["false_positive_rate_high"]
    assert ends == pytest.approx((0.15, 0.85), abs=1e-4)  # Wilson: ½ ± 1.96 √(1/16 + 0.96/16) / 1.96
    assert gender["calibration"] == "liberal"
    assert (religion["n_unbiased"], religion["n_biased"], religion["calibration"]) == (1, 0, "")
    assert np.isnan([religion["power"], religion["false_positive_rate_low"]]).all()  # one test has no interval
    table = false_positives.summarise_tests(make_tests(*rows, ("groups", "religion", "biased", 0.5)), ["same"])
    every = table.iloc[0]
    values = every[["bias", "n_unbiased", "false_positive_rate", "power"]].tolist()
    assert values == ["all", 5, 0.25, 0.5]  # the mean of two kinds
    assert np.isnan(every["false_positive_rate_low"])


def test_distributions_of_p_by_hand():
    rows = [("targets", "gender", "unbiased", p) for p in (0.005, 0.05, 0.1, 0.4, 0.6, 0.8)]
    tests = pd.concat([make_tests(*rows), make_tests(*rows, share=1.0)])
    obstacles = {("same", "groups"): "why not", ("same", "targets"): ""}
    table = false_positives.describe_p_values(tests, ["same"], obstacles)
    missing, row = table.to_dict("records")
    assert (missing["form"], missing["reason"]) == ("groups", "why not")
    assert (row["n"], row["median"]) == (6, 0.25)
    assert [row[f"up_to_{level}"] for level in (0.01, 0.05, 0.1, 0.5)] == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6])


@pytest.mark.parametrize("metric", ["ripa", "direct_bias", "same", "rnsb", "weat"])
@pytest.mark.parametrize("form", reassignment.FORMS)
def test_samples_that_share_their_groups_have_the_p_of_each_alone(metric, form):
    groups = lists(5, ((20, 20), (6, 5)), lean=0.3)[0]
    samples = [[groups, lists(seed, ((2, 2), (6, 5)), lean=0.3)[1]] for seed in (1, 2, 3)]
    alone = [p_of(metric, form, sample)[0][0] for sample in samples]
    np.testing.assert_allclose(p_of(metric, form, *samples)[0], alone)
