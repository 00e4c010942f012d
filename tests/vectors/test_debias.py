"""Hard debiasing: what it takes away, what it leaves, by hand."""

import numpy as np
import pytest

from biassay.metrics import direct_bias
from biassay.vectors import debias

X = np.array([[1.0, 0, 0]])
RANDOM = np.random.default_rng(4)
WORDS = RANDOM.standard_normal((10, 6))
GROUPS = [RANDOM.standard_normal((4, 6)) for _ in range(3)]


@pytest.mark.parametrize(("lengths", "expected"), [("unit", [[0, 1, 0]]), ("original", [[0, 5, 0]])])
def test_neutralise_by_hand(lengths, expected):
    np.testing.assert_allclose(debias.neutralise(np.array([[3.0, 4, 0]]), X, lengths=lengths), expected)


@pytest.mark.parametrize("k", [1, 2])
def test_hard_debiasing_leaves_no_direct_bias(k):
    debiased = debias.hard_debias(WORDS, GROUPS, n_directions=k)
    np.testing.assert_allclose(direct_bias.word_bias(debiased, GROUPS, n_directions=k), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(debiased, axis=1), 1)


def test_kept_rows_and_lengths():
    debiased = debias.hard_debias(WORDS, GROUPS[:2], lengths="original", keep_rows=[0])
    np.testing.assert_array_equal(debiased[0], WORDS[0])
    np.testing.assert_allclose(direct_bias.word_bias(debiased[1:], GROUPS[:2]), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(debiased, axis=1), np.linalg.norm(WORDS, axis=1))


def test_what_has_no_rest_is_undefined():
    assert np.isnan(debias.neutralise(np.array([[2.0, 0, 0], [0, 0, 0]]), X)).all()


def test_groups_without_a_direction_are_an_error():
    with pytest.raises(ValueError, match=r"n_directions: .*, got 2"):
        debias.hard_debias(WORDS, [GROUPS[0][:1], GROUPS[1][:1]], n_directions=2)
    with pytest.raises(ValueError, match="spans no direction"):
        debias.hard_debias(WORDS, [GROUPS[0], GROUPS[0]])
    with pytest.raises(ValueError, match="expected one of: unit, original"):
        debias.neutralise(WORDS, X, lengths="same")
    for vectors, groups, message in [
        (WORDS[0], GROUPS, r"vectors: .* got shape \(6,\)"),
        (WORDS, [GROUPS[0], GROUPS[1][:, :2]], "groups: .* got shape"),
        (WORDS * np.nan, GROUPS, "vectors: has values that are not finite"),
        (WORDS, [], "groups: expected two or more"),
        (WORDS, [GROUPS[0], GROUPS[1][:3]], "groups: expected pairs, got 4, 3 words"),
        (WORDS, [GROUPS[0], GROUPS[1] * [[1], [1], [0], [1]]], "groups: has a zero vector"),
    ]:
        with pytest.raises(ValueError, match=message):
            debias.hard_debias(vectors, groups)
