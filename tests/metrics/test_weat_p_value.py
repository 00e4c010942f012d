"""The permutation test: against partitions listed one by one, sampled, strict, two-sided, at size."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from biassay.metrics import weat, weat_p_value

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


def p_value(values, size, **options):
    """p of targets in the plane whose s are the values, between −1 and 1, with groups along x and against it."""
    targets = np.column_stack([np.asarray(values) / 2, np.sqrt(1 - np.square(np.asarray(values) / 2))])
    labels = (np.arange(len(values)) >= size).astype(int)
    return weat_p_value.set_bias(targets, [np.array([[1.0, 0]]), np.array([[-1.0, 0]])], labels, **options)


def test_thirty_two_words_are_counted_and_thirty_three_drawn():
    values = np.random.default_rng(5).uniform(-1, 1, 33)
    values[:16] += 0.3
    values /= 2
    counted, drawn = p_value(values[:32], 16) * comb(32, 16), p_value(values, 16) * 10_001
    assert counted == pytest.approx(round(counted), abs=1e-3)
    assert drawn == pytest.approx(round(drawn), abs=1e-6)
    strictly = p_value(values, 16, strict=True) * 10_000
    assert strictly == pytest.approx(drawn - 1)
    assert p_value(values, 16, seed=2) != p_value(values, 16) == p_value(values, 16, seed=1)


def test_draws_that_are_all_there_are():
    values = [0.9, 0.5, -0.1, -0.4, 0.2, -0.6]  # X = .9 .5: no other pair of the 15 reaches 1.4
    for permutations, total in ((1, 2), (13, 14), (14, 15), (15, 15), (1000, 15)):
        assert p_value(values, 2, max_exact_words=0, permutations=permutations) == pytest.approx(1 / total)
    # X = −.6 −.4, the lowest of 15: all others are larger, the observed one is not
    lowest = [-0.6, -0.4, -0.1, 0.2, 0.5, 0.9]
    for permutations, share in ((7, 7 / 7), (15, 14 / 15), (1000, 14 / 15)):
        assert p_value(lowest, 2, max_exact_words=5, permutations=permutations, strict=True) == pytest.approx(share)
    assert p_value(lowest, 2, max_exact_words=6, permutations=7, strict=True) == pytest.approx(14 / 15)
