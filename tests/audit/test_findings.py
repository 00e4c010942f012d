"""Corrected p, findings and clusters: by hand, and their rates under known nulls and effects."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, norm

from biassay.auditing import findings

N = 199


def is_at_most(n_rejected, n, rate):
    """Whether the 99 % interval of a rate reaches down to the nominal one."""
    return binomtest(n_rejected, n).proportion_ci(0.99).low <= rate


def distances(random, m=6, correlation=0.5, effect=0.0, undefined=0):
    """Distances of m metrics, the data first; the first metric has an effect, the second one skewed distances."""
    shared = random.standard_normal((N + 1, 1))
    values = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * random.standard_normal((N + 1, m))
    values[0, 0] += effect
    far = np.abs(values)
    far[:, 1] **= 3
    if undefined:
        far[random.permutation(N)[:undefined] + 1, 2] = np.nan
    return list(far.T)


def p_of(far):
    return np.array([(1 + (~(one[1:] < one[0])).sum()) / len(one) for one in far])


@pytest.mark.parametrize("options", [{}, {"m": 20, "correlation": 0.0}, {"correlation": 0.98}, {"undefined": 2}])
def test_a_null_is_rejected_in_five_percent_of_families(options):
    random, n = np.random.default_rng(1), 400
    families = [distances(random, **options) for _ in range(n)]
    rejected = sum((findings.correct_jointly(p_of(far), far) <= 0.05).any() for far in families)
    assert is_at_most(rejected, n, 0.05)
    assert rejected > 5  # .013 of families; by Holm's method fewer if metrics correlate


def test_an_effect_is_found_and_the_nulls_beside_it_stay():
    random, n = np.random.default_rng(2), 200
    corrected = []
    for _ in range(n):
        far = distances(random, effect=4.5)
        corrected.append(findings.correct_jointly(p_of(far), far))
    found = np.array(corrected) <= 0.05
    assert found[:, 0].mean() > 0.85
    assert is_at_most(found[:, 1:].any(axis=1).sum(), n, 0.05)


def test_corrected_p_by_hand():
    base = norm.ppf(np.arange(1, 40) / 40)  # 39 samples
    far = [np.append(3.0, base), np.append(0.0, base[::-1]), np.append(3.0, base[:19])]
    p = p_of(far)
    corrected = findings.correct_jointly(p, far)
    assert p.tolist() == [1 / 40, 21 / 40, 1 / 20]
    assert corrected[0] == pytest.approx(1 / 40)  # no sample of any metric is as far as 3 in these units
    assert corrected[2] == pytest.approx(1 / 20)  # of 19 samples, which repeated ones cannot undercut
    assert corrected[1] == pytest.approx(21 / 40)  # step-down: alone after both others
    assert findings.find_reachable(far).all()
    alone = findings.correct_jointly(p[:1], far[:1])
    assert alone == pytest.approx(p[:1])


def test_undefined_samples_of_a_metric_leave_p_of_the_others():
    random = np.random.default_rng(7)
    far = list(np.abs(random.standard_normal((3, N + 1))))
    far[0][0] = 8.0
    for others in far[1:]:
        others[random.permutation(N)[:8] + 1] = np.nan
    corrected = findings.correct_jointly(p_of(far), far)
    assert corrected[0] == pytest.approx(1 / (N + 1))
    assert (corrected[1:] >= p_of(far)[1:]).all()


@pytest.mark.parametrize(("cells", "expected"), [
    ((0.05, 0.05, 0.0), "found"), ((0.051, 0.01, 0.0), "none"), ((0.05, 0.051, 0.0), "unspecific"),
    ((np.nan, 0.01, 0.0), "not tested"), ((0.01, np.nan, 0.0), "not tested"), ((0.9, np.nan, 0.0), "not tested"),
    ((0.051, 0.01, 0.0, False), "too few"), ((0.9, np.nan, 0.0, False), "too few"),
    ((0.05, 0.01, 0.0, False), "found"), ((0.01, 0.01, np.nan), "undefined"),
])  # fmt: skip
def test_findings_at_the_level(cells, expected):
    assert findings.classify(*cells) == expected


def rows(families):
    """A table of metrics as scored, from (test, sides, distances) of each."""
    return pd.DataFrame([
        {"test": test, "sides": sides, "metric": str(number), "value": 1.0, "p": p_of([far])[0], "permuted": far,
         "p_random": p_of([far])[0], "random": far, "min_p_value": 1 / len(far), "reason": "",
         "b_min": np.nan, "b_max": np.nan, "b_0": 0.0}
        for number, (test, sides, far) in enumerate(families)
    ])  # fmt: skip


def test_p_is_corrected_over_the_tests_and_metrics_of_a_source_that_compare_the_same_sides():
    random = np.random.default_rng(3)
    far = [np.append(2.2, np.abs(random.standard_normal(N))) for _ in range(6)]
    places = [("a", "x"), ("a", "x"), ("b", "x"), ("b", "x"), ("a", "y"), ("c", "y")]
    table = findings.add_findings(rows([(*place, one) for place, one in zip(places, far, strict=True)]))
    for sides, part in (("x", far[:4]), ("y", far[4:])):
        expected = findings.correct_jointly(p_of(part), part)
        of_sides = table[table["sides"] == sides]
        assert of_sides["p_corrected"].tolist() == of_sides["p_random_corrected"].tolist() == pytest.approx(expected)
    assert (table["p_corrected"][:4] > table["p"][:4] * 1.5).all()
    assert table["cluster"].tolist() == [1, 2, 1, 2, 1, 1]


def test_a_metric_near_the_end_of_its_range_is_corrected_as_one_without_a_range():
    random = np.random.default_rng(6)
    unbounded = [np.append(3.5, np.abs(random.standard_normal(N))) for _ in range(2)]
    table = rows([("a", "x", unbounded[0]), ("a", "x", 2 * np.tanh(unbounded[1]))])
    table.loc[1, ["b_min", "b_max"]] = -2.0, 2.0
    expected = findings.correct_jointly(p_of(unbounded), unbounded)
    assert findings.add_findings(table)["p_corrected"].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("ends", [(np.nan, 0.01), (-0.01, np.nan)])
def test_distances_of_a_metric_with_one_bound_stay_as_they_are(ends):
    far = [np.append(3.5, np.abs(np.random.default_rng(6).standard_normal(N)))]
    table = rows([("a", "x", far[0])])
    table[["b_min", "b_max"]] = [ends]
    assert findings.add_findings(table)["p_corrected"].tolist() == pytest.approx(p_of(far))


def test_too_few_samples_are_as_far_as_the_farthest():
    few = np.append(1.0, np.repeat([0.0, 1.0, 2.0], [90, 89, 20]))
    # Scaled, 2 becomes 1, and 0, 1 and 3 stay as they are: 99 samples are as far as 1, and 6 as far as 3.
    long = np.append(0.0, np.repeat([0.0, 1.0, 3.0, np.nan], [100, 89, 6, 4]))
    assert findings.correct_jointly(p_of([few]), [few]) == pytest.approx([110 / 200])
    assert not findings.find_reachable([few])  # 20 are as far as 2
    assert findings.correct_jointly(np.zeros(2), [few, long]).tolist() == [1.0, 1.0]
    assert findings.find_reachable([few, long]).tolist() == [False, True]  # 20 and 6 at least
    table = rows([("a", "x", np.append(1.0, np.repeat([0.0, 1.0, 2.0], [100, 95, 4])))]).assign(
        min_p_value=0.01, random=[few]
    )
    assert findings.add_findings(table)["finding"].tolist() == ["none"]  # 4 of 200 are enough


def with_every_sample_as_the_data(far):
    """The smallest corrected p of each metric if every sample in turn is the data."""
    corrected = []
    for sample in range(len(far[0])):
        exchanged = [one.copy() for one in far]
        for one in exchanged:
            one[[0, sample]] = one[[sample, 0]]
        corrected.append(findings.correct_jointly(p_of(exchanged), exchanged))
    return np.min(corrected, axis=0)


def test_a_metric_whose_p_can_be_significant_only_after_farther_ones():
    far = np.tile(np.arange(40.0), (3, 1))  # the last sample is the farthest of all metrics
    far[:2, -1], far[0, -2], far[1, -3] = 100, 80, 80  # three samples are as far as 39, one of the last metric
    assert with_every_sample_as_the_data(far) == pytest.approx(np.full(3, 1 / 40))
    assert findings.find_reachable(far).all()


@pytest.mark.parametrize("seed", range(4))
def test_whether_p_can_be_significant_with_every_sample_as_the_data(seed):
    random = np.random.default_rng(seed)
    ways = random.integers(20, size=60)  # few, so that samples are alike
    far = [one[ways] for one in distances(random, m=5)]
    is_reachable = findings.find_reachable(far)
    assert is_reachable.tolist() == (with_every_sample_as_the_data(far) <= 0.05).tolist()
    assert 0 < is_reachable.sum() < 5


def test_what_was_not_tested_says_why():
    far = np.append(9.0, np.abs(np.random.default_rng(4).standard_normal(N)))
    few = np.append(2.0, np.repeat([0.0, 1.0, 2.0], [90, 89, 20]))  # no reassignment has a p below .1
    table = rows([("a", "x", far)] * 3 + [("a", "y", few)])
    table.loc[0, "p"], table.loc[1, "p_random"], table.loc[3, "min_p_value"] = np.nan, np.nan, 0.1
    table = findings.add_findings(table)
    assert table["finding"].tolist() == ["not tested", "not tested", "found", "too few"]
    assert table["cluster"].tolist() == [1, 1, 1, 1]  # equal distances; the last one is of other sides
    assert table["reason"].tolist() == [findings.REASONS[key] for key in ("p", "p_random")] + [
        "",
        findings.FINDINGS["too few"],
    ]


def test_clusters_are_of_metrics_whose_values_correlate():
    random = np.random.default_rng(5)
    a, b = random.standard_normal((2, N + 1))
    near, undefined = a + 0.1 * random.standard_normal(N + 1), a.copy()
    undefined[5:10] = np.nan
    far = [a, b, 3 * near + 1, np.nan, undefined, a[:60], -a, np.ones(N + 1)]
    assert findings.cluster_metrics(far).tolist() == [1, 2, 1, 3, 1, 1, 4, 5]
    assert findings.cluster_metrics([a]).tolist() == [1]
