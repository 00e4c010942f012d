"""The effect size falls where bias rises: the search for words, against all pairs tried one by one."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.metrics import weat
from biassay.studies.same import effect_size
from tests.same.test_analysis import grid

ATTRIBUTES = [np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])]


def vectors(associations):
    """Unit vectors (n, 2) whose s(w, A, B) are the associations, with ATTRIBUTES."""
    along = np.asarray(associations, float) / 2
    return np.column_stack([along, np.sqrt(1 - along**2)])


def d_of(x, y):
    return (np.mean(x) - np.mean(y)) / np.std([*x, *y])


def fall(s, x, y, strongest):
    """The smaller fall of d when the second word of x, or of y, is the strongest of its side."""
    start = d_of([s[i] for i in x], [s[i] for i in y])
    ends = [d_of([s[x[0]], strongest[0]], [s[i] for i in y]), d_of([s[i] for i in x], [s[y[0]], strongest[1]])]
    return start - max(ends)


def test_effect_size_falls_where_bias_rises():
    """The pairs are the best of all, tried one after another; then d falls, and SAME rises."""
    random = np.random.default_rng(8)
    s = np.append(random.normal(0, 0.3, 13), 0)  # a word in the middle is on no side
    words = [f"w{i}" for i in range(14)]
    steps = effect_size.demonstrate(words, 3 * vectors(s), ATTRIBUTES).set_index("step")
    order = sorted(range(14), key=lambda i: abs(s[i]))
    sides = [i for i in order if s[i] > 0], [i for i in order if s[i] < 0]
    strongest = [s[side[-1]] for side in sides]
    pairs = [list(combinations(side[:-2], 2)) for side in sides]
    best = max(product(*pairs), key=lambda pair: fall(s, *pair, strongest))
    mild = [words[i] for pair in best for i in pair]
    top = [words[side[i]] for side in sides for i in (-2, -1)]
    expected = [mild, [*mild[:3], top[3]], [mild[0], top[1], *mild[2:]], [mild[0], top[1], mild[2], top[3]], top]
    assert steps[["x_1", "x_2", "y_1", "y_2"]].to_numpy().tolist() == expected
    assert steps.index.tolist() == list(effect_size.STEPS)
    for row, names in zip(steps.to_dict("records"), expected, strict=True):
        values = [s[words.index(name)] for name in names]
        assert [row[f"s_{name}"] for name in ("x_1", "x_2", "y_1", "y_2")] == pytest.approx(values)
        assert row["effect_size"] == pytest.approx(d_of(values[:2], values[2:]))
        assert row["mean_absolute"] == pytest.approx(np.mean(np.abs(values)))
        assert row["same"] == pytest.approx(row["mean_absolute"] / 2)
        assert (row["same_skew"], row["same_stereotype"]) == pytest.approx((np.mean(values) / 2, np.std(values) / 2))
    d, same = steps["effect_size"], steps["same"]
    assert d[["one of Y replaced", "one of X replaced"]].max() < d["mild words"] <= 2
    assert same["mild words"] < same[["one of Y replaced", "one of X replaced"]].min()
    assert same["one of each replaced"] < same["all replaced"]


def test_too_few_words_of_a_side_show_nothing():
    s = [0.4, 0.1, 0.2, 0.3, -0.1, -0.2, -0.3, -0.4]
    assert len(effect_size.demonstrate([*"abcdefgh"], vectors(s), ATTRIBUTES)) == 5
    assert effect_size.demonstrate([*"bcdefgh"], vectors(s[1:]), ATTRIBUTES).empty


def test_only_the_mildest_are_searched(monkeypatch):
    s = np.array([0.1, 0.11, 0.4, 0.5, 0.9, -0.1, -0.11, -0.4, -0.5, -0.9])
    monkeypatch.setattr(effect_size, "N_MILD", 2)
    row = effect_size.demonstrate(list("abcdefghij"), vectors(s), ATTRIBUTES).iloc[0]
    assert row[["x_1", "x_2", "y_1", "y_2"]].tolist() == ["a", "b", "f", "g"]


def test_the_selected_model_splits_most_evenly():
    of = grid([[0.1, 0.2, 0.6, 0.9], [0.1, 0.2, 0.3, 0.9], [0.4, 0.3, 0.7, 0.9], [0.5, 0.5, 0.5, 0.9]],
              learned=[False, True, True, True])  # fmt: skip
    assert effect_size.select_model(of) == 2


@given(st.lists(st.floats(-0.9, 0.9), min_size=4, max_size=4))
def test_two_against_two_in_correct_order_have_an_effect_size_of_at_least_1155(values):
    associations = sorted(values, reverse=True)
    targets = vectors(associations)
    assert weat.word_bias(targets, ATTRIBUTES) == pytest.approx(associations, abs=1e-12)
    d = weat.set_bias(targets, ATTRIBUTES, np.array([0, 0, 1, 1]))
    if np.ptp(associations) > 1e-6:
        assert effect_size.MIN_EFFECT_SIZE - 1e-6 <= d <= 2 + 1e-6
