"""Metrics of bias directions against their definition written plainly."""

from itertools import combinations

import numpy as np
import pytest

from biassay.metrics import direct_bias, ripa, same, same_skew, same_stereotype
from tests.metrics.plain_formulas import case, components, cos, mean_of_units, same_direction

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n", "k"), [(2, None), (2, 1), (2, 2), (3, None), (3, 1), (4, None), (4, 2)])
def test_direct_bias(seed, n, k):
    targets, groups, _ = case(seed, n)
    basis = components(groups, n - 1 if k is None else k)
    lengths = np.array([np.sqrt(sum(cos(w, b) ** 2 for b in basis)) for w in targets])
    np.testing.assert_allclose(direct_bias.word_bias(targets, groups, n_directions=k), lengths)
    np.testing.assert_allclose(direct_bias.word_bias(targets, groups, n_directions=k, c=0.5), np.sqrt(lengths))
    assert direct_bias.set_bias(targets, groups, n_directions=k, c=2) == pytest.approx((lengths**2).mean())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [2, 3])
def test_ripa(seed, n):
    targets, groups, _ = case(seed, n)
    (g,) = components(groups, 1)
    if n == 2:  # towards the first group
        g = g * np.sign(g @ (mean_of_units(groups[0]) - mean_of_units(groups[1])))
    values = [w @ g if n == 2 else abs(w @ g) for w in targets]
    np.testing.assert_allclose(ripa.word_bias(targets, groups), values)
    assert ripa.set_bias(targets, groups) == pytest.approx(np.mean(np.abs(values)))


@pytest.mark.parametrize("seed", SEEDS)
def test_same_skew_and_stereotype_of_two_groups(seed):
    targets, groups, _ = case(seed)
    values = [cos(w, same_direction(*groups)) for w in targets]
    mean = sum(values) / 9
    np.testing.assert_allclose(same.word_bias(targets, groups), values)
    assert same.set_bias(targets, groups) == pytest.approx(sum(map(abs, values)) / 9)
    assert same_skew.set_bias(targets, groups) == pytest.approx(mean)
    spread = np.sqrt(sum((value - mean) ** 2 for value in values) / 9)
    assert same_stereotype.set_bias(targets, groups) == pytest.approx(spread)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [3, 4])
def test_same_of_more_groups(seed, n):
    """‖w_B‖ is the length of the part in the span of the differences, whatever its basis: here by least squares."""
    targets, groups, _ = case(seed, n)
    means = [mean_of_units(group) for group in groups]
    span = np.array([mean - means[0] for mean in means[1:]]).T
    units = [w / np.linalg.norm(w) for w in targets]
    lengths = [np.linalg.norm(span @ np.linalg.lstsq(span, w, rcond=None)[0]) for w in units]
    np.testing.assert_allclose(same.word_bias(targets, groups), lengths)
    assert same.set_bias(targets, groups) == pytest.approx(sum(lengths) / 9)
    assert same.bias_vectors(targets, groups).shape == (9, n - 1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [3, 4])
def test_skew_and_stereotype_of_more_groups(seed, n):
    targets, groups, _ = case(seed, n)
    pairs = {(i, j): same_direction(groups[i], groups[j]) for i, j in combinations(range(n), 2)}
    rest = {i: np.concatenate([group for j, group in enumerate(groups) if j != i]) for i in range(n)}
    against = {(i, None): same_direction(groups[i], rest[i]) for i in range(n)}
    for contrast, directions in (("pairwise", pairs), ("one_against_rest", against)):
        cosines = {key: np.array([cos(w, direction) for w in targets]) for key, direction in directions.items()}
        skews = {key: values.mean() for key, values in cosines.items()}
        spreads = {key: np.sqrt(((values - values.mean()) ** 2).mean()) for key, values in cosines.items()}
        assert same_skew.by_contrast(targets, groups, contrast=contrast) == pytest.approx(skews)
        assert same_stereotype.by_contrast(targets, groups, contrast=contrast) == pytest.approx(spreads)
        expected = np.mean([abs(skew) for skew in skews.values()]), np.mean(list(spreads.values()))
        assert same_skew.set_bias(targets, groups, contrast=contrast) == pytest.approx(expected[0])
        assert same_stereotype.set_bias(targets, groups, contrast=contrast) == pytest.approx(expected[1])
