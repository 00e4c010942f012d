"""Bias planted in the data of language models."""

import numpy as np
import pytest

from biassay.language_models import distributions as planted


def test_the_papers_grid():
    models = planted.grid(seed=1)
    assert len(models) == 330
    assert models["distribution"].nunique() == 66
    assert models["seed"].nunique() == 330
    assert (models["mean"].min(), models["mean"].max()) == (0.25, 0.75)
    assert (models["spread"].min(), models["spread"].max()) == (0.1, 0.35)
    part = planted.grid([0.5], [0.2, 0.3], 2, seed=1)
    whole = models.set_index(["mean", "spread", "repeat"])["seed"]
    assert part["seed"].tolist() == [whole[0.5, s, r] for s in (0.2, 0.3) for r in (0, 1)]
    assert set(planted.grid(seed=2)["seed"]) & set(models["seed"]) == set()


@pytest.mark.parametrize(
    ("means", "spreads", "repeats", "message"),
    [
        ([1.2], [0.1], 1, "mean: .* got 1.2"),
        ([0.5], [-0.1], 1, "spread: .* got -0.1"),
        ([0.5, 0.5], [0.1], 1, "means: .* got \\[0.5, 0.5\\]"),
        ([0.5], [], 1, "spreads: "),
        ([0.5], [0.1], 0, "repeats: .* got 0"),
    ],
)
def test_bad_grids(means, spreads, repeats, message):
    with pytest.raises(ValueError, match=message):
        planted.grid(means, spreads, repeats, seed=1)


def test_probabilities_follow_the_distribution():
    p = planted.probabilities(20_000, 0.4, 0.1, seed=1)
    assert p.mean() == pytest.approx(0.4, abs=0.005)
    assert p.std() == pytest.approx(0.1, abs=0.005)
    wide = planted.probabilities(20_000, 0.25, 0.35, seed=1)
    assert (wide.min(), wide.max()) == (0, 1)
    np.testing.assert_array_equal(p, planted.probabilities(20_000, 0.4, 0.1, seed=1))


def test_sentences_of_a_model():
    p = np.array([0, 1, 0.3, 0.8])
    sentences = planted.draw_sentences(p, 500, seed=7, model=3)
    assert len(sentences) == 2000
    assert sentences["held_out"].sum() == 600
    assert (sentences["model"] == 3).all()
    share = sentences.groupby("occupation")["male"].mean()
    np.testing.assert_allclose(share, p, atol=0.07)
    assert sentences.equals(planted.draw_sentences(p, 500, seed=7, model=3))
    other = planted.draw_sentences(p, 500, seed=8)
    assert (other["male"] != sentences["male"]).any()
    assert (other["held_out"] != sentences["held_out"]).any()
    with pytest.raises(ValueError, match=r"held_out: .* got 1.5"):
        planted.draw_sentences(p, 5, seed=1, held_out=1.5)


def test_training_bias_counts_what_is_trained_on():
    sentences = planted.draw_sentences(np.array([0.5, 0.5, 0.5]), 4, seed=1)
    sentences["male"] = [True, True, False, False] * 3
    sentences["held_out"] = [False, False, False, True, True, True, False, False, True, True, True, True]
    np.testing.assert_allclose(planted.training_bias(sentences, 3), [2 / 3, 0, np.nan])
    assert planted.sentence_rows(sentences, 4).tolist() == [1, 3, 4, 6, 9, 11, 12, 14, 17, 19, 20, 22]


def test_chosen_occupations_are_balanced_and_in_order():
    words = [f"w{i}" for i in range(20)]
    stereotypes = {word: "female" for word in words[:3]} | {word: "male" for word in words[3:12]}
    chosen = planted.choose_occupations(words, stereotypes, 12, seed=1)
    assert chosen == [word for word in words if word in chosen]
    kinds = [stereotypes.get(word) for word in chosen]
    assert (kinds.count("female"), kinds.count("male"), kinds.count(None)) == (3, 5, 4)
    assert chosen == planted.choose_occupations(words, stereotypes, 12, seed=1)
    assert chosen != planted.choose_occupations(words, stereotypes, 12, seed=2)
    assert planted.choose_occupations(words, stereotypes, None, seed=1) == words
    for n in (0, 21):
        with pytest.raises(ValueError, match=rf"n_occupations: .* 20, .* got {n}"):
            planted.choose_occupations(words, stereotypes, n, seed=1)


def test_learned_bias_is_the_squared_correlation():
    assert planted.learning_r2(np.array([0.1, 0.2, 0.9, 0.3]), np.array([0.9, 0.8, np.nan, 0.7])) == pytest.approx(1)
    assert planted.learning_r2(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])) == pytest.approx(0.64)
    assert np.isnan(planted.learning_r2(np.array([0.5, 0.5]), np.array([0.1, 0.2])))
