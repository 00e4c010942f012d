"""The minimum detectable effect by hand."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from biassay.measurement import metric
from biassay.measurement.metric import Range
from biassay.studies.agreement import bias_magnitude, orient_scores
from biassay.studies.intrinsic import detection, tables

NAN = np.nan
equal = partial(pytest.approx, nan_ok=True)


def test_a_tie_is_half_and_a_gap_is_left_out():
    biased, unbiased = np.array([[3.0, 2.0], [1.0, 5.0]]), np.array([[1.0, 2.0]])
    assert detection.detection_rate(biased, unbiased) == ((1 + 0.5 + 0.5 + 1) / 4, 0)
    assert detection.detection_rate(np.array([[3.0, NAN, 4.0]]), np.array([[1.0, 2.0, NAN]])) == (1, equal(2 / 3))
    models = np.array([[1.0], [2.0]]), np.array([[0.0], [1.5], [3.0]])
    assert detection.detection_rate(*models) == (3 / 6, 0)  # all pairs
    assert detection.detection_rate(np.array([[NAN]]), np.array([[1.0]])) == (equal(NAN), 1)


@pytest.mark.parametrize(
    ("bounds", "two_sided", "expected"),
    [
        (Range(-2.0, 2.0, 0.0, True), True, [0.5, 1.5]),
        (Range(0.0, 2.0, 1.0, False), True, [1.5, 0.5]),
        (Range(0.0, 1.0, 0.5, False), False, [-0.5, 1.5]),  # of a test of labels, where less than chance is no bias
        (Range(-1.0, 0.0, 0.0, False), True, [0.5, 1.5]),
        (Range(0.0, 1.0, None, False), True, [-0.5, 1.5]),
        (Range(None, None, None, True), True, [0.5, 1.5]),
        (Range(0.0, None, 1.0, False), True, [1.5, 0.5]),  # such as a ratio
        (Range(None, 0.0, 0.0, False), True, [0.5, 1.5]),
        (Range(None, None, 0.0, False), True, [0.5, 1.5]),
    ],
)
def test_values_on_both_sides_of_b_0_are_bias(bounds, two_sided, expected):
    module = metric.load("mac" if two_sided else "neighbours")
    assert bias_magnitude(np.array([-0.5, 1.5]), module, bounds).tolist() == expected


def test_scores_with_a_sign_are_measured_from_b_0():
    values = np.array([0.2, 0.5, 0.9])
    assert orient_scores(values, metric.load("rnd"), Range(0.0, 1.0, 0.5, True)) == pytest.approx([0.3, 0.0, -0.4])


def curve(detection_rate, strengths=(0.25, 0.5, 1.0)):
    rows = {"strength": strengths, "divergence": [s / 10 for s in strengths], "detection_rate": detection_rate}
    return pd.DataFrame(rows).assign(attribute="gender", metric="weat", undefined=0.0)


@pytest.mark.parametrize(
    ("detection_rate", "strength"),
    [
        ([0.5, 0.95, 0.99], 0.5),
        ([1.0, 0.95, 0.95], 0.25),
        ([0.97, 0.9, 0.96], 1.0),  # not from 0.25 on
        ([0.97, 0.96, 0.949], NAN),
        ([0.99, NAN, 0.99], 1.0),
        ([0.99, 0.99, NAN], NAN),
    ],
)
def test_the_smallest_bias_from_which_on_it_tells(detection_rate, strength):
    for rows in (curve(detection_rate), curve(detection_rate)[::-1]):
        row = detection.min_detectable_effects(rows).iloc[0]
        assert (row["strength"], row["divergence"]) == equal((strength, strength / 10))
        assert row["max_detection_rate"] == equal(detection_rate[-1])
    assert (row["attribute"], row["metric"]) == ("gender", "weat")


def test_a_power_is_of_the_strongest_against_those_without_bias():
    scores = pd.DataFrame([[1.0, 1], [0, 0], [2, 0], [3, 4], [1, 2]], index=[5, 3, 4, 9, 7])
    strengths = pd.Series([0.0, 0.5, 1.0, 1.0, 0.0], index=[3, 4, 9, 7, 5])
    found = detection.power_curve(scores, pd.Series({3: 0, 4: 0.1, 9: 0.2, 7: 0.4, 5: 0.0}), strengths)
    assert found["strength"].tolist() == [0.5, 1.0]
    assert found["divergence"].tolist() == equal([0.1, 0.3])
    assert found["models"].tolist() == [1, 2]
    assert found["n_subsets"].tolist() == [2, 2]
    assert found["detection_rate"].tolist() == [(1 + 0 + 1 + 0.5) / 4, (1 + 1 + 1 + 1 + 0.5 + 1 + 1 + 1) / 8]


def test_a_test_of_labels_has_one_side(written):
    """A classification accuracy below chance is no bias, although 1/2 lies inside the range."""
    study = tables.load_study(written["models"], written["bias"])
    values = np.where(study.detection["strength"] > 0.4, 0.2, 0.5)
    subsets = pd.DataFrame({"model": study.detection.index, "attribute": "gender", "subset": 0, "value": values})
    rows = detection.power_by_strength(
        study, {"svm": subsets}, {"svm": metric.load("classification")}, {"svm": {}}, 1, 1
    )
    rows = rows.query("metric == 'svm'")
    assert rows[["strength", "detection_rate"]].to_numpy().tolist() == [[0.4, 0.5], [1.0, 0.0]]
