"""Every metric's value on a small case worked by hand."""

import numpy as np
import pytest

from biassay.metrics import (
    direct_bias,
    ect,
    first_order,
    gweat,
    mac,
    ripa,
    rnd,
    rnsb,
    same,
    same_skew,
    same_stereotype,
    second_order_cosine,
    second_order_nnd,
    weat,
)

# the groups lie along x and y, of other lengths than 1; targets have the cosines 1 0, .8 .6, .6 .8, 0 1 with them
FIRST, SECOND = np.array([[2.0, 0]]), np.array([[0, 3.0]])
GROUPS = [FIRST, SECOND]
TARGETS = np.array([[1.0, 0], [8, 6], [0.6, 0.8], [0, 5]])
XY = np.array([0, 0, 1, 1])
AXES = [np.eye(3)[[i]] for i in range(3)]  # three one-word groups along x, y, z


def test_weat():
    # s = 1, .2, −.2, −1; means ±.6 on both sides; variance (1 + .04 + .04 + 1) / 4 = .52
    np.testing.assert_allclose(weat.word_bias(TARGETS, GROUPS), [1, 0.2, -0.2, -1], atol=1e-15)
    assert weat.set_bias(TARGETS, GROUPS, XY) == pytest.approx(1.2 / np.sqrt(0.52))
    assert weat.set_bias(TARGETS, GROUPS, XY, ddof=1) == pytest.approx(1.2 / np.sqrt(0.52 * 4 / 3))
    assert weat.set_bias(TARGETS, GROUPS, 1 - XY) == pytest.approx(-1.2 / np.sqrt(0.52))


def test_gweat():
    # X̄ = (.9, .3), Ȳ = (.3, .9): half the difference of the mean s, (.6 + .6) / 2
    assert gweat.set_bias(TARGETS, GROUPS, XY) == pytest.approx(0.6)
    # three groups that are their own targets: each gives ‖e_i − (1, 1, 1)/3‖² = 2/3
    assert gweat.set_bias(np.eye(3), AXES, np.arange(3)) == pytest.approx(2)


def test_mac():
    # 1 − (cos + cos)/2: .5, .3, .3, .5; groups of unequal size count the same
    np.testing.assert_allclose(mac.word_bias(TARGETS, GROUPS), [0.5, 0.3, 0.3, 0.5])
    assert mac.set_bias(TARGETS, [np.repeat(FIRST, 3, axis=0), SECOND]) == pytest.approx(0.4)


def test_direct_bias():
    # g = (1, −1)/√2: |cos| = 1/√2, .2/√2, …
    expected = np.array([1, 0.2, 0.2, 1]) / np.sqrt(2)
    np.testing.assert_allclose(direct_bias.word_bias(TARGETS, GROUPS), expected, atol=1e-15)
    assert direct_bias.set_bias(TARGETS, GROUPS, c=2) == pytest.approx((0.5 + 0.02) / 2)
    np.testing.assert_array_equal(direct_bias.word_bias(TARGETS, GROUPS, c=0), 1)
    # three axes: the space orthogonal to (1, 1, 1); for x its part has the length √(2/3)
    np.testing.assert_allclose(direct_bias.word_bias(np.eye(3), AXES), np.sqrt(2 / 3))


def test_ripa():
    # w·g: 1/√2, 2/√2, −.2/√2, −5/√2
    np.testing.assert_allclose(ripa.word_bias(TARGETS, GROUPS), np.array([1, 2, -0.2, -5]) / np.sqrt(2))
    assert ripa.set_bias(TARGETS, GROUPS) == pytest.approx(8.2 / 4 / np.sqrt(2))


def test_directions_of_vectors_that_are_not_normalised():
    """Pairs (0, ±1), and (10, 0) and (4, 0): as unit vectors only the first differs; raw, the second more."""
    groups, word = [np.array([[0, 1], [10, 0]]), np.array([[0, -1], [4, 0]])], np.array([[3, 4]])
    for normalize, cosine, product in ((True, 0.8, 4), (False, 0.6, 3)):
        options = {"n_directions": 1, "normalize": normalize}
        assert direct_bias.word_bias(word, groups, **options) == pytest.approx([cosine])
        assert direct_bias.set_bias(word, groups, **options) == pytest.approx(cosine)
        for module, value in ((direct_bias, cosine), (ripa, product)):
            assert module.set_bias_by_pairing(word, groups, normalize=normalize) == pytest.approx([value])
        assert ripa.word_bias(word, groups, normalize=normalize) == pytest.approx([product])
        assert ripa.set_bias(-word, groups, normalize=normalize) == pytest.approx(product)
        assert ripa.word_bias(word, groups[::-1], normalize=normalize) == pytest.approx([-product])


def test_ripa_of_raw_pairs():
    """Of one pair (2, −3)/√13: w = (1, 0), (8, 6), (.6, .8), (0, 5) give 2, −2, −1.2, −15; lengths turn two signs."""
    expected = np.array([2, -2, -1.2, -15]) / np.sqrt(13)
    np.testing.assert_allclose(ripa.word_bias(TARGETS, GROUPS, direction="pairs"), expected)
    assert ripa.set_bias(TARGETS, GROUPS, direction="pairs") == pytest.approx(20.2 / 4 / np.sqrt(13))
    # a second pair (0, 4) − (0, 1), thus (0, 1): 0, 6, .8, 5, and the mean of both
    pairs = [np.array([[2.0, 0], [0, 4]]), np.array([[0, 3.0], [0, 1]])]
    mean = (expected + np.array([0, 6, 0.8, 5])) / 2
    np.testing.assert_allclose(ripa.word_bias(TARGETS, pairs, direction="pairs"), mean)
    assert ripa.set_bias(TARGETS, pairs, direction="pairs") == pytest.approx(np.abs(mean).mean())


@pytest.mark.parametrize(("metric", "options"), [(direct_bias, {}), (ripa, {}), (ripa, {"direction": "pairs"})])
def test_the_mean_over_random_pairings_is_that_over_all_pairings(metric, options):
    """Two words on one side, one on the other: the one partner or the other, half of the times each."""
    groups = [np.array([[2.0, 0], [1, -1]]), np.array([[0, 3.0]])]
    chosen = [[groups[0][[i]], groups[1]] for i in (0, 1)]
    values = [metric.set_bias(TARGETS, parts, **options) for parts in chosen]
    found = metric.set_bias_by_pairing(TARGETS, groups, n_pairings=500, seed=3, **options)
    assert set(np.round(found, 12)) == set(np.round(values, 12))
    assert found.mean() == pytest.approx(np.mean(values), abs=0.1 * abs(values[0] - values[1]))
    assert metric.set_bias(TARGETS, groups, n_pairings=500, seed=3, **options) == pytest.approx(found.mean())
    samples = [metric.word_bias(TARGETS, parts, **options) for parts in chosen]
    share = (np.round(found, 12) == np.round(values[0], 12)).mean()
    found = metric.word_bias(TARGETS, groups, n_pairings=500, seed=3, **options)
    np.testing.assert_allclose(found, share * samples[0] + (1 - share) * samples[1], atol=1e-12)


def test_same():
    np.testing.assert_allclose(same.word_bias(TARGETS, GROUPS), np.array([1, 0.2, -0.2, -1]) / np.sqrt(2))
    assert same.set_bias(TARGETS, GROUPS) == pytest.approx(0.6 / np.sqrt(2))
    # eq 38–40: b_1 = (−1, 1, 0)/√2, b_2 = (−1, −1, 2)/√6
    vectors = same.bias_vectors(np.array([[0, 0, 1.0], [1, 1, 1]]), AXES)
    np.testing.assert_allclose(vectors, [[0, 2 / np.sqrt(6)], [0, 0]], atol=1e-15)
    np.testing.assert_allclose(same.word_bias(np.eye(3), AXES), np.sqrt(2 / 3))


def test_same_skew_and_stereotype():
    assert same_skew.set_bias(TARGETS[:2], GROUPS) == pytest.approx(0.6 / np.sqrt(2))
    assert same_stereotype.set_bias(TARGETS[:2], GROUPS) == pytest.approx(0.4 / np.sqrt(2))
    assert same_skew.set_bias(TARGETS, GROUPS) == pytest.approx(0)
    assert same_stereotype.set_bias(TARGETS, GROUPS) == pytest.approx(np.sqrt(0.52 / 2))


def test_same_skew_and_stereotype_of_three_groups():
    # x against y, z: cos with (1, −½, −½) is √(2/3) for x, half of it with the other sign for the others
    x = np.eye(3)[:1]
    assert same_skew.by_contrast(x, AXES) == pytest.approx({(0, 1): 0.5**0.5, (0, 2): 0.5**0.5, (1, 2): 0})
    against = same_skew.by_contrast(x, AXES, contrast="one_against_rest")
    assert against == pytest.approx(
        {(0, None): (2 / 3) ** 0.5, (1, None): -((1 / 6) ** 0.5), (2, None): -((1 / 6) ** 0.5)}
    )
    assert same_skew.set_bias(x, AXES) == pytest.approx(np.sqrt(2) / 3)
    # x and y: ± 1/√2 for (0, 1); 1/√2 and 0 for (0, 2) and for (1, 2): deviations 1/√2, ½/√2, ½/√2
    assert same_stereotype.set_bias(np.eye(3)[:2], AXES) == pytest.approx(np.sqrt(2) / 3)
    with pytest.raises(ValueError, match="expected one of: pairwise, one_against_rest"):
        same_skew.set_bias(x, AXES, contrast="all")


def test_ect():
    # cosines with x fall, those with y rise: ρ = −1; (1, .01) orders the targets as x does
    assert ect.set_bias(TARGETS, GROUPS) == pytest.approx(2)
    assert ect.set_bias(TARGETS, GROUPS, raw=True) == pytest.approx(-1)
    assert ect.set_bias(TARGETS, [FIRST, np.array([[1, 0.01]])]) == pytest.approx(0)
    # cosines with (.8, .6): .8, 1, .96, .6, ranks 2 4 3 1 against 4 3 2 1: ρ = 1 − 6·(4 + 1 + 1)/(4·15) = .4
    assert ect.set_bias(TARGETS, [FIRST, np.array([[4.0, 3]])], raw=True) == pytest.approx(0.4)


def test_rnsb():
    # targets at ±1: w minimises w²/2 + 2 log(1 + e^−w), w = 2/(1 + e^w), and b = 0
    w = 0.7
    for _ in range(100):
        w = (w + 2 / (1 + np.exp(w))) / 2
    targets, labels = np.array([[1.0, 0], [-1, 0]]), np.array([1, 0])
    groups = [np.array([[2.0, 0], [0, 0]]), np.array([[0.0, 1]])]  # mean vectors (1, 0) and (0, 1)
    p = np.array([1 / (1 + np.exp(-w)), 0.5])
    share = p / p.sum()
    expected = (np.log(2) + (share * np.log(share)).sum()) / np.log(2)
    assert rnsb.set_bias(targets, groups, labels) == pytest.approx(expected)
    p = np.array([1 / (1 + np.exp(-2 * w)), 0.5, 0.5])
    share = p / p.sum()
    per_word = (np.log(3) + (share * np.log(share)).sum()) / np.log(3)
    assert rnsb.set_bias(targets, groups, labels, per_word=True) == pytest.approx(per_word)
    far = [np.array([[-2000.0, 0]]), np.array([[-3000.0, 0]])]  # P(negative) is below the smallest double
    assert rnsb.set_bias(targets, far, labels) == pytest.approx(1)


def test_rnd():
    # c = (.8, .6): distances to x and y √.4 and √.8
    values = rnd.word_bias(TARGETS, GROUPS)
    np.testing.assert_allclose(values[:2], [-np.sqrt(2), np.sqrt(0.4) - np.sqrt(0.8)])
    assert rnd.set_bias(TARGETS, GROUPS) == pytest.approx(0)


def test_second_order():
    # v_f = (1, 0), v_m = (0, 2); the target (3, 4) has cosines 3/5 and 4/5
    groups = [np.array([[2.0, 0], [0, 0]]), np.array([[0.0, 2]])]
    assert second_order_cosine.word_bias(np.array([[3.0, 4]]), groups) == pytest.approx(3 / 5 - 4 / 5)
    # −‖a − b‖ = −√(2 − 2 cos)
    assert second_order_nnd.word_bias(np.array([[3.0, 4]]), groups) == pytest.approx(np.sqrt(0.4) - np.sqrt(0.8))
    assert second_order_nnd.word_bias(np.array([[5.0, 0]]), groups) == pytest.approx(np.sqrt(2))


def test_first_order():
    # e_w over contexts (she, her, he, x) = (3, 1, 2, 1): length √15, Λ_f = 4/√15, Λ_m = 2/√15
    values = first_order.word_bias(np.array([np.sqrt(15)]), [np.array([[3.0, 1]]), np.array([[2.0]])])
    assert values == pytest.approx(2 / np.sqrt(15))
    # Λ1 = .3/.5 and −.2/.5; the last word has no co-occurrence
    associations = np.array([[0.3, 0], [-0.1, -0.1], [0, 0]])
    np.testing.assert_allclose(first_order.factor(np.array([0.5, 0.5, 0]), associations), [0.6, -0.4, np.nan])
