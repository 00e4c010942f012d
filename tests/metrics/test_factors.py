"""First- and second-order factors on small cases worked by hand."""

import numpy as np
import pytest

from biassay.metrics import first_order, second_order_cosine, second_order_nnd


def test_second_order_cosine():
    # v_f = (1, 0), v_m = (0, 2); the target (3, 4) has cosines 3/5 and 4/5
    groups = [np.array([[2.0, 0], [0, 0]]), np.array([[0.0, 2]])]
    assert second_order_cosine.word_bias(np.array([[3.0, 4]]), groups) == pytest.approx(3 / 5 - 4 / 5)


def test_second_order_nnd():
    # ‖(1, 0) − (0, 1)‖ = √2, and −‖a − b‖ = −√(2 − 2 cos)
    values = second_order_nnd.word_bias(np.array([[5.0, 0]]), [np.array([[1.0, 0]]), np.array([[0.0, 3]])])
    assert values == pytest.approx(np.sqrt(2))
    random = np.random.default_rng(1)
    targets, group = random.standard_normal((9, 4)), random.standard_normal((3, 4))
    cosine = second_order_cosine.factor(targets, group)
    np.testing.assert_allclose(second_order_nnd.factor(targets, group), -np.sqrt(2 - 2 * cosine))


def test_first_order():
    # e_w over contexts (she, her, he, x) = (3, 1, 2, 1): length √15, Λ_f = 4/√15, Λ_m = 2/√15
    values = first_order.word_bias(np.array([np.sqrt(15)]), [np.array([[3.0, 1]]), np.array([[2.0]])])
    assert values == pytest.approx(2 / np.sqrt(15))


def test_first_order_of_short_words_and_of_a_word_without_any_co_occurrence():
    # Λ1 = .3/.5 and −.2/.5; the last has the length 0
    associations = np.array([[0.3, 0], [-0.1, -0.1], [0, 0]])
    values = first_order.factor(np.array([0.5, 0.5, 0]), associations)
    np.testing.assert_allclose(values, [0.6, -0.4, np.nan])
    values = first_order.word_bias(np.array([0.5, 0.5, 0]), [associations, associations[:, :1]])
    np.testing.assert_allclose(values, [0, -0.2, np.nan])


def test_nurse_and_physician_of_the_first_order_paper():
    """§1.1: physician and she share the context nurse; the second-order factor sees it, the other does not."""
    #              she  he  nurse physician hospital (contexts)
    she, he = np.array([[0.0, 0, 4, 0, 0]]), np.array([[0.0, 0, 0, 0, 4]])
    physician = np.array([[0.0, 0, 3, 0, 1]])
    length = np.linalg.norm(physician, axis=1)
    assert second_order_cosine.word_bias(physician, [she, he]) == pytest.approx(2 / np.sqrt(10))
    assert first_order.word_bias(length, [physician[:, [0]], physician[:, [1]]]) == 0
