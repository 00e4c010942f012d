"""Every metric: its declaration, shapes, invariances; and values worked by hand."""

import numpy as np
import pytest

from biassay import registry
from biassay.metric import TAKES, Metric
from biassay.metrics import first_order, second_order_cosine, second_order_nnd

NAMES = registry.names("metrics")
RANDOM = np.random.default_rng(2)
TARGETS, FEMALE, MALE = (RANDOM.standard_normal((n, 6)) for n in (9, 4, 3))


def sample(name, targets=TARGETS, groups=(FEMALE, MALE)):
    """A metric's values on vectors; metrics of associations see e = v·u."""
    module = registry.load("metrics", name)
    if module.METRIC.takes == "associations":
        return module.sample([targets @ group.T for group in groups], np.linalg.norm(targets, axis=1))
    return module.sample(targets, list(groups))


@pytest.mark.parametrize("name", NAMES)
def test_declaration(name):
    metric = registry.load("metrics", name).METRIC
    assert isinstance(metric, Metric)
    assert metric.takes in TAKES
    assert metric.summary
    assert metric.source


@pytest.mark.parametrize("name", NAMES)
def test_shape_and_range(name):
    metric, values = registry.load("metrics", name).METRIC, sample(name)
    assert values.shape == (9,)
    assert metric.b_min is None or (values >= metric.b_min).all()
    assert metric.b_max is None or (values <= metric.b_max).all()


@pytest.mark.parametrize("name", NAMES)
def test_rotation_changes_nothing(name):
    rotation = np.linalg.qr(RANDOM.standard_normal((6, 6)))[0]
    rotated = sample(name, TARGETS @ rotation, (FEMALE @ rotation, MALE @ rotation))
    np.testing.assert_allclose(rotated, sample(name), atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_swapped_groups_swap_the_sign(name):
    if registry.load("metrics", name).METRIC.signed:
        np.testing.assert_allclose(sample(name, groups=(MALE, FEMALE)), -sample(name), atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_equal_groups_give_b_0(name):
    np.testing.assert_allclose(sample(name, groups=(FEMALE, FEMALE)), registry.load("metrics", name).METRIC.b_0)


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_is_near(name):
    single = sample(name, TARGETS.astype(np.float32), (FEMALE.astype(np.float32), MALE.astype(np.float32)))
    np.testing.assert_allclose(single, sample(name), atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_a_zero_vector_is_undefined(name):
    assert np.isnan(sample(name, np.zeros((1, 6)))).all()


def test_cosine_by_hand():
    # v_f = (1, 0), v_m = (0, 2); the target (3, 4) has cosines 3/5 and 4/5
    assert second_order_cosine.sample(np.array([[3.0, 4]]), [np.array([[2.0, 0], [0, 0]]), np.array([[0.0, 2]])]) == (
        pytest.approx(3 / 5 - 4 / 5)
    )


def test_nnd_by_hand():
    # ‖(1, 0) − (0, 1)‖ = √2, and −‖a − b‖ = −√(2 − 2 cos)
    values = second_order_nnd.sample(np.array([[5.0, 0]]), [np.array([[1.0, 0]]), np.array([[0.0, 3]])])
    assert values == pytest.approx(np.sqrt(2))
    cosine = second_order_cosine.factor(TARGETS, FEMALE)
    np.testing.assert_allclose(second_order_nnd.factor(TARGETS, FEMALE), -np.sqrt(2 - 2 * cosine))


def test_first_order_by_hand():
    # e_w over contexts (she, her, he, x) = (3, 1, 2, 1): length √15, Λ_f = 4/√15, Λ_m = 2/√15
    values = first_order.sample([np.array([[3.0, 1]]), np.array([[2.0]])], np.array([np.sqrt(15)]))
    assert values == pytest.approx(2 / np.sqrt(15))


def test_nurse_and_physician_of_the_first_order_paper():
    """§1.1: physician and she share the context nurse; the second-order factor sees it, the other does not."""
    #                  she  he  nurse physician hospital (contexts)
    explicit = {
        "she": np.array([[0.0, 0, 4, 0, 0]]),
        "he": np.array([[0.0, 0, 0, 0, 4]]),
        "physician": np.array([[0.0, 0, 3, 0, 1]]),
    }
    second = second_order_cosine.sample(explicit["physician"], [explicit["she"], explicit["he"]])
    norm = np.linalg.norm(explicit["physician"], axis=1)
    first = first_order.sample([explicit["physician"][:, [0]], explicit["physician"][:, [1]]], norm)
    assert second == pytest.approx(2 / np.sqrt(10))
    assert first == 0
