"""Planted bias drawn again by hand, from the seeds that a grid gives."""

import numpy as np
import pytest

from biassay.language_models import distributions as planted


def seed_of(*parts):
    return int(np.random.SeedSequence(parts).generate_state(1)[0])


def test_a_grid_row_by_row():
    found = planted.grid([0.4, 0.55], [0.1, 0.2, 0.3], 2, seed=9)
    assert list(found) == ["model", "distribution", "mean", "spread", "repeat", "seed"]
    rows = found.to_dict("records")
    assert [row["model"] for row in rows] == list(range(12))
    for number, row in enumerate(rows):
        mean, spread, repeat = number // 6, number // 2 % 3, number % 2
        assert row["distribution"] == 3 * mean + spread == number // 2
        assert (row["mean"], row["spread"], row["repeat"]) == ([0.4, 0.55][mean], [0.1, 0.2, 0.3][spread], repeat)
        steps = [4000, 5500][mean], [1000, 2000, 3000][spread]
        assert row["seed"] == seed_of(9, 2, *steps, repeat)
    whole = planted.grid(seed=1)
    assert sorted(set(whole["mean"])) == [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]
    assert sorted(set(whole["spread"])) == [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
    assert set(whole["repeat"]) == set(range(5))


def test_the_ends_of_what_a_grid_takes():
    assert len(planted.grid([0, 1], [0, 9.0], 1, seed=0)) == 4
    assert len(planted.grid([0.5, 0.5001], [0.1], 1, seed=0)) == 2
    for means in ([0.5, 0.50001], [1.0001], [-0.0001]):  # the first two are one, to the seeds
        with pytest.raises(ValueError, match="mean"):
            planted.grid(means, [0.1], 1, seed=0)


def test_probabilities_are_a_clipped_normal_of_the_distribution():
    found = planted.probabilities(50, 0.3, 0.35, seed=4)
    drawn = 0.3 + 0.35 * np.random.default_rng(seed_of(4, 1, 3000, 3500, 0)).standard_normal(50)
    np.testing.assert_allclose(found, [min(max(p, 0), 1) for p in drawn])
    assert {0.0, 1.0} <= set(found)


@pytest.mark.parametrize(("share", "kept_out"), [({}, 4), ({"held_out": 0.5}, 8), ({"held_out": 0.0}, 0)])
def test_sentences_are_drawn_one_by_one(share, kept_out):
    p, random = [0.2, 0.9, 0.5], np.random.default_rng(11)
    found = planted.draw_sentences(np.array(p), 5, seed=11, model=6, **share)
    assert list(found) == ["model", "occupation", "template", "male", "held_out"]
    assert found["occupation"].tolist() == [occupation for occupation in range(3) for _ in range(5)]
    assert found["template"].tolist() == [0, 1, 2, 3, 4] * 3
    assert found["male"].tolist() == [random.random() < p[row // 5] for row in range(15)]
    assert found.index[found["held_out"]].tolist() == sorted(random.permutation(15)[:kept_out])  # .3 of 15, rounded
    assert set(found["model"]) == {6}
    assert set(planted.draw_sentences(np.array(p), 5, seed=11)["model"]) == {0}


@pytest.mark.parametrize("held_out", [-0.1, 1.0])
def test_a_share_held_out_must_leave_some(held_out):
    with pytest.raises(ValueError, match=rf"held_out: .* got {held_out}"):
        planted.draw_sentences(np.array([0.5]), 5, seed=1, held_out=held_out)


def test_occupations_are_taken_by_turns_of_their_stereotypes():
    words = [f"w{i}" for i in range(9)]
    stereotypes = {"w1": "male", "w2": "female", "w4": "male", "w5": "male", "w8": "female"}
    kinds = {"female": ["w2", "w8"], "male": ["w1", "w4", "w5"], None: ["w0", "w3", "w6", "w7"]}
    random = np.random.default_rng(seed_of(5, 3, 0, 0, 0))
    shuffled = [[kind[i] for i in random.permutation(len(kind))] for kind in kinds.values()]
    turns = [kind[turn] for turn in range(4) for kind in shuffled if turn < len(kind)]
    for n in range(1, 10):
        assert planted.choose_occupations(words, stereotypes, n, seed=5) == sorted(turns[:n])


def test_bias_that_is_trained_on_and_learned_at_its_edges():
    sentences = planted.draw_sentences(np.array([0.5, 0.5]), 3, seed=1, held_out=0.0)
    sentences["male"] = [True, False, False, True, True, True]
    assert planted.training_bias(sentences, 3).tolist()[:2] == [1 / 3, 1]
    assert np.isnan(planted.training_bias(sentences, 3)[2])
    values = np.array([1.0, 3.0, 2.0])
    assert planted.learning_r2(np.array([2.0, 6.0, 4.0]), values) == pytest.approx(1)
    assert np.isnan(planted.learning_r2(values[:2], np.array([0.2, np.nan])))
    assert np.isnan(planted.learning_r2(np.array([5.0, 1.0]), np.array([0.2, 0.4])))
