"""Bias planted in several attributes: probabilities by Algorithm 1, and what is drawn of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.language_models.planted import distributions as groups
from biassay.statistics.seeds import seed_of

SIZES = {"gender": 2, "ethnicity": 5, "religion": 4}


@given(st.integers(2, 7), st.floats(0, 0.99), st.floats(0.001, 1), st.integers(0, 10_000))
def test_algorithm_1_keeps_its_bounds(n, low, width, seed):
    high = low + width * (1 - low)
    random = np.random.default_rng(seed)
    p = groups.demographic_distribution(n, low, high, random)
    assert p.shape == (n,)
    assert p.sum() == pytest.approx(1)
    of_draws = (p >= low / n - 1e-12) & (p <= high / n + 1e-12)
    assert of_draws.sum() >= n - 1


def test_every_group_may_be_last_and_the_others_are_uniform():
    random = np.random.default_rng(2)
    p = np.stack([groups.demographic_distribution(3, 0.3, 0.9, random) for _ in range(3000)])
    np.testing.assert_allclose(np.bincount(p.argmax(axis=1)) / 3000, 1 / 3, atol=5 * np.sqrt(2 / 9 / 3000))
    others = np.sort(p, axis=1)[:, :2]
    np.testing.assert_allclose([others.min(), others.mean(), others.max()], [0.1, 0.2, 0.3], atol=0.003)


def test_strength_mixes_with_equal_groups():
    whole = groups.probabilities(30, SIZES, 0.1, 0.9, seed=5)
    quarter = groups.probabilities(30, SIZES, 0.1, 0.9, 0.25, seed=5)
    for name, n in SIZES.items():
        assert whole[name].shape == (30, n)
        assert len(np.unique(whole[name].round(9), axis=0)) == 30
        np.testing.assert_allclose(quarter[name], 0.25 * whole[name] + 0.75 / n)
    random = np.random.default_rng(seed_of(5, 11, 1000, 9000))
    np.testing.assert_allclose(
        whole["gender"], [groups.demographic_distribution(2, 0.1, 0.9, random) for _ in range(30)]
    )


def test_draws_follow_the_probabilities():
    p = {"gender": np.array([[0.2, 0.8], [1, 0]]), "religion": np.array([[0.1, 0, 0.6, 0.3], [0, 0.5, 0, 0.5]])}
    columns = ["religion", "gender"] * 2000
    drawn = groups.draw_groups(p, columns, seed=1)
    assert (drawn.shape, drawn.dtype) == ((2, 4000), np.int8)
    shares = groups.group_frequencies(drawn, columns, {"gender": 2, "religion": 4})
    for name in p:
        np.testing.assert_allclose(shares[name], p[name], atol=0.05)
        assert (shares[name][p[name] == 0] == 0).all()
    assert (drawn != groups.draw_groups(p, columns, seed=2)).mean() > 0.2


def test_frequencies_by_hand():
    drawn = np.array([[0, 3, 1, 3, 1], [1, 0, 0, 2, 0]], np.int8)
    columns = ["gender", "religion", "gender", "religion", "gender"]
    found = groups.group_frequencies(drawn, columns, {"gender": 2, "religion": 4})
    np.testing.assert_allclose(found["gender"], [[1 / 3, 2 / 3], [2 / 3, 1 / 3]])
    np.testing.assert_allclose(found["religion"], [[0, 0, 0, 1], [0.5, 0, 0.5, 0]])


def test_stereotypes_are_the_likeliest_groups_and_noise_changes_them():
    p = np.array([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1], [0.2, 0.2, 0.6]])
    assert groups.stereotypes(p).tolist() == groups.stereotypes(p, seed=4).tolist() == [1, 0, 2]
    many = np.tile(p, (20, 1))
    found = groups.stereotypes(many, 0.3, seed=4)
    noise = np.random.default_rng(seed_of(4, 13)).normal(0, 0.3, many.shape)
    assert (found == (many + noise).argmax(axis=1)).all()


def test_r_over_all_attributes_and_of_each():
    known = {"gender": np.array([[0.2, 0.8], [0.6, 0.4]]), "age": np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])}
    found = {"gender": 1 - known["gender"], "age": known["age"] / 2 + 1 / 6}
    r = groups.correlate(known, found)
    assert list(r) == ["r", "r_gender", "r_age"]
    assert (r["r_gender"], r["r_age"]) == pytest.approx((-1, 1))
    both = [np.concatenate([side["gender"].ravel(), side["age"].ravel()]) for side in (known, found)]
    assert r["r"] == pytest.approx(np.corrcoef(*both)[0, 1])
    r = groups.correlate(known, {"gender": np.full((2, 2), 0.5), "age": np.full((2, 3), 1 / 3)})
    assert r["r"] > 0  # base rates alone
    assert np.isnan([r["r_gender"], r["r_age"]]).all()


def test_normal_probabilities_are_clipped():
    found = groups.normal_probabilities(50, 0.3, 0.35, seed=4)
    drawn = 0.3 + 0.35 * np.random.default_rng(seed_of(4, 1, 3000, 3500, 0)).standard_normal(50)
    np.testing.assert_allclose(found, np.clip(drawn, 0, 1))
    assert {0.0, 1.0} <= set(found)


@pytest.mark.parametrize(("held_out", "n"), [(0.3, 4), (0.5, 8), (0.0, 0)])
def test_pronouns_are_drawn_one_by_one(held_out, n):
    p, random = [0.2, 0.9, 0.5], np.random.default_rng(11)
    found = groups.draw_pronouns(np.array(p), 5, held_out, seed=11)
    assert (found.shape, found.dtype) == ((3, 5), np.int8)
    drawn = [int(random.random() < p[row // 5]) for row in range(15)]
    for row in random.permutation(15)[:n]:
        drawn[row] = -1
    assert found.ravel().tolist() == drawn


def test_training_bias_counts_the_sentences_trained_on():
    drawn = np.array([[1, 1, 0, -1], [-1, -1, 0, 0], [-1, -1, -1, -1]], np.int8)
    np.testing.assert_allclose(groups.male_shares(drawn), [2 / 3, 0, np.nan])


def test_occupations_are_taken_by_turns_of_their_stereotypes():
    words = [f"w{i}" for i in range(9)]
    stereotypes = {"w1": "male", "w2": "female", "w4": "male", "w5": "male", "w8": "female"}
    kinds = {"female": ["w2", "w8"], "male": ["w1", "w4", "w5"], None: ["w0", "w3", "w6", "w7"]}
    random = np.random.default_rng(seed_of(5, 3, 0, 0, 0))
    shuffled = [[kind[i] for i in random.permutation(len(kind))] for kind in kinds.values()]
    turns = [kind[turn] for turn in range(4) for kind in shuffled if turn < len(kind)]
    for n in range(1, 10):
        assert groups.choose_occupations(words, stereotypes, n, seed=5) == sorted(turns[:n])
    assert groups.choose_occupations(words, stereotypes, None, seed=5) == words
