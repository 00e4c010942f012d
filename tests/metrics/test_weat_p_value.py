"""The permutation test: against partitions listed one by one, sampled, strict, two-sided, at size."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest

from biassay.metrics import weat, weat_p_value
from biassay.statistics import permutation_tests

RANDOM = np.random.default_rng(3)
GROUPS = [RANDOM.standard_normal((3, 5)) for _ in range(2)]


def listed(values, size, alternative, strict):
    """p by listing every partition."""
    n, count, total = len(values), 0, 0
    observed = values[:size].mean() - values[size:].mean()
    for part in combinations(range(n), size):
        rest = np.setdiff1d(range(n), part)
        difference = values[list(part)].mean() - values[rest].mean()
        if alternative == "two_sided":
            difference, goal = abs(difference), abs(observed)
        else:
            goal = observed
        count += difference > goal + 1e-12 if strict else difference >= goal - 1e-12
        total += 1
    return count / total


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("alternative", ["greater", "two_sided"])
@pytest.mark.parametrize("sizes", [(4, 4), (2, 6), (5, 2), (1, 4)])
def test_exact_values_are_those_of_all_partitions(sizes, alternative, strict):
    targets = RANDOM.standard_normal((sum(sizes), 5))
    targets[1] = targets[-1]  # a tie
    labels = np.repeat([0, 1], sizes)
    expected = listed(weat.word_bias(targets, GROUPS), sizes[0], alternative, strict)
    options = {"alternative": alternative, "strict": strict}
    assert weat_p_value.set_bias(targets, GROUPS, labels, **options) == pytest.approx(expected)
    # more draws than partitions: all of them, each once
    assert weat_p_value.set_bias(targets, GROUPS, labels, max_exact_words=0, **options) == pytest.approx(expected)


def test_by_hand():
    # s = 1, .2, −.2, −1 with X the first two: of the 6 pairs only the observed one reaches 1.2, and its opposite −1.2
    targets, groups = np.array([[1.0, 0], [8, 6], [0.6, 0.8], [0, 5]]), [np.array([[1.0, 0]]), np.array([[0, 1.0]])]
    labels = np.array([0, 0, 1, 1])
    assert weat_p_value.set_bias(targets, groups, labels) == pytest.approx(1 / 6)
    assert weat_p_value.set_bias(targets, groups, labels, strict=True) == 0
    assert weat_p_value.set_bias(targets, groups, labels, alternative="two_sided") == pytest.approx(2 / 6)
    assert weat_p_value.set_bias(targets, groups, 1 - labels) == 1


def test_sampled_p_is_near_the_exact_one_and_repeats():
    targets, labels = RANDOM.standard_normal((16, 5)), np.arange(16) % 2
    exact = weat_p_value.set_bias(targets, GROUPS, labels)
    drawn = [
        weat_p_value.set_bias(targets, GROUPS, labels, max_exact_words=0, permutations=5000, seed=s) for s in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == pytest.approx(exact, abs=0.02)


def test_no_partition_is_drawn_twice():
    values = 2.0 ** np.arange(16)  # a sum tells its part
    sums = np.concatenate(list(permutation_tests.sample_sums(values, 8, 12_869, seed=1)))
    assert len(np.unique(sums)) == 12_869
    assert values[:8].sum() not in sums


def test_thousand_words_a_set_in_bounded_memory():
    targets, labels = RANDOM.standard_normal((2000, 5)), np.repeat([0, 1], 1000)
    targets[:1000] += 0.05 * (GROUPS[0].mean(axis=0) - GROUPS[1].mean(axis=0))
    tracemalloc.start()
    p = weat_p_value.set_bias(targets, GROUPS, labels, permutations=2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6
    assert 1 / 2001 <= p < 0.2


def test_equal_associations_and_bad_options():
    labels = np.arange(8) % 2
    targets = RANDOM.standard_normal((8, 5))
    same = [GROUPS[0], GROUPS[0]]
    assert weat_p_value.set_bias(targets, same, labels) == 1
    assert weat_p_value.set_bias(targets, same, labels, strict=True) == 0
    with pytest.raises(ValueError, match="expected one of: greater, two_sided"):
        weat_p_value.set_bias(targets, GROUPS, labels, alternative="less")
    with pytest.raises(ValueError, match=r"permutations: .*got 0"):
        weat_p_value.set_bias(targets, GROUPS, labels, permutations=0)
