"""The minimum detectable effect by hand, and the tables recomputed by loops."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from biassay.measurement import metric
from biassay.measurement.metric import Range
from biassay.studies.intrinsic import detection, tables
from tests.intrinsic import believable
from tests.intrinsic.study import SEED, close, distributions, divergence, probabilities

NAN = np.nan
equal = partial(pytest.approx, nan_ok=True)


def test_a_tie_is_half_and_a_gap_is_left_out():
    biased, unbiased = np.array([[3.0, 2.0], [1.0, 5.0]]), np.array([[1.0, 2.0]])
    assert detection.detection_rate(biased, unbiased) == ((1 + 0.5 + 0.5 + 1) / 4, 0)
    assert detection.detection_rate(np.array([[3.0, NAN, 4.0]]), np.array([[1.0, 2.0, NAN]])) == (1, equal(2 / 3))
    assert detection.detection_rate(np.array([[1.0], [2.0]]), np.array([[0.0], [1.5], [3.0]])) == (
        3 / 6,
        0,
    )  # all pairs of models
    assert detection.detection_rate(np.array([[NAN]]), np.array([[1.0]])) == (equal(NAN), 1)


@pytest.mark.parametrize(
    ("bounds", "two_sided", "expected"),
    [
        (Range(-2.0, 2.0, 0.0, True), True, [0.5, 1.5]),
        (Range(None, None, 0.0, True), True, [0.5, 1.5]),
        (Range(0.0, 2.0, 1.0, False), True, [1.5, 0.5]),
        (Range(0.0, 1.0, 0.5, False), False, [-0.5, 1.5]),  # of a test of labels, where less than chance is no bias
        (Range(0.0, 1.0, 0.0, False), True, [-0.5, 1.5]),
        (Range(-1.0, 0.0, 0.0, False), True, [-0.5, 1.5]),
        (Range(0.0, 1.0, None, False), True, [-0.5, 1.5]),
        (Range(None, 1.0, 0.0, False), True, [-0.5, 1.5]),
        (Range(None, None, None, True), True, [0.5, 1.5]),
    ],
)
def test_values_on_both_sides_of_b_0_are_bias(bounds, two_sided, expected):
    assert detection.bias_magnitude(np.array([-0.5, 1.5]), bounds, two_sided).tolist() == expected


def curve(detection_rate, strengths=(0.25, 0.5, 1.0)):
    rows = {
        "attribute": "gender",
        "metric": "weat",
        "strength": strengths,
        "detection_rate": detection_rate,
        "undefined": 0.0,
    }
    return pd.DataFrame(rows | {"divergence": [s / 10 for s in strengths]})


@pytest.mark.parametrize(
    ("detection_rate", "strength"),
    [
        ([0.5, 0.8, 0.99], 1.0),
        ([0.5, 0.95, 0.99], 0.5),
        ([1.0, 0.95, 0.95], 0.25),
        ([0.97, 0.9, 0.96], 1.0),  # not from 0.25 on
        ([0.97, 0.96, 0.949], NAN),
        ([0.0, 0.0, 0.0], NAN),
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


def test_curves_are_told_apart():
    both = pd.concat([curve([0, 1, 1]), curve([0, 0, 1]).assign(metric="same"), curve([1, 1, 1]).assign(attribute="a")])
    found = detection.min_detectable_effects(both)
    assert found["metric"].tolist() == ["weat", "same", "weat"]
    assert found["strength"].tolist() == [0.5, 1.0, 0.25]
    assert detection.min_detectable_effects(curve([], ())).empty


def test_a_power_is_of_the_strongest_against_those_without_bias():
    scores = pd.DataFrame([[1.0, 1], [0, 0], [2, 0], [3, 4], [1, 2]], index=[5, 3, 4, 9, 7])
    strengths = pd.Series([0.0, 0.5, 1.0, 1.0, 0.0], index=[3, 4, 9, 7, 5])
    found = detection.power_curve(scores, pd.Series({3: 0, 4: 0.1, 9: 0.2, 7: 0.4, 5: 0.0}), strengths)
    assert found["strength"].tolist() == [0.5, 1.0]
    assert found["divergence"].tolist() == equal([0.1, 0.3])
    assert found["models"].tolist() == [1, 2]
    assert found["n_subsets"].tolist() == [2, 2]
    assert found["detection_rate"].tolist() == [(1 + 0 + 1 + 0.5) / 4, (1 + 1 + 1 + 1 + 0.5 + 1 + 1 + 1) / 8]


def test_a_test_of_labels_has_one_side(tmp_path):
    """A classification accuracy below chance is no bias, although 1/2 lies inside the range."""
    believable.write(tmp_path, metrics={}, distributions=1)
    models = pd.read_csv(tmp_path / "models.csv").query("purpose == 'detection'")
    values = {
        "attribute": "gender",
        "labels": "planted",
        "subset": 0,
        "value": np.where(models["strength"] > 0.4, 0.2, 0.5),
    }
    pd.DataFrame({"model": models["model"]} | values).to_csv(tmp_path / "subsets.csv", index=False)
    study = tables.load_study(tmp_path / "models.csv", tmp_path / "bias.csv")
    subsets = {"svm": tables.read(tmp_path / "subsets.csv", tables.SUBSETS)}
    rows = detection.power_by_strength(study, subsets, {"svm": metric.load("classification")}, 1, 1)
    rows = rows.query("metric == 'svm'")
    assert rows[["attribute", "strength", "detection_rate"]].to_numpy().tolist() == [
        ["gender", 0.4, 0.5],
        ["gender", 1.0, 0.0],
    ]


def test_tables(made):
    _, found = made
    models = list(distributions(found, "detection").values())
    random = np.random.default_rng([SEED, 8])
    halves = [random.permutation(8)[:4] for _ in range(believable.DRAWS)]
    metrics = ["unmasking", *believable.METRICS]
    keys = [(a, m, s) for a in believable.GROUPS for m in metrics if (a, m) != ("religion", "weat") for s in (0.4, 1.0)]
    assert [tuple(key) for key in found["power"][["attribute", "metric", "strength"]].to_numpy()] == keys

    def of(attribute, metric, model):
        if metric == "unmasking":
            p = probabilities(found, model, attribute, metric)
            return [np.mean([divergence(p[believable.OCCUPATIONS[i]]) for i in half]) for half in halves]
        table = found["subsets"][metric]
        values = table[(table["model"] == model) & (table["attribute"] == attribute)].sort_values("subset")["value"]
        shift, size = {"weat": (0, abs), "mac": (1, abs)}.get(metric, (0, float))
        return [size(value - shift) for value in values]

    for row in found["power"].to_dict("records"):
        attribute, metric = row["attribute"], row["metric"]
        biased = models[(0.0, 0.4, 1.0).index(row["strength"])]
        pairs = [(x, y) for one in biased for other in models[0]
                 for x, y in zip(of(attribute, metric, one), of(attribute, metric, other), strict=True)]  # fmt: skip
        known = [(x > y) + (x == y) / 2 for x, y in pairs if not np.isnan(x - y)]
        assert row["detection_rate"] == close(np.mean(known))
        assert row["undefined"] == close(1 - len(known) / len(pairs))
        ground_truth = [
            np.mean([divergence(p) for p in probabilities(found, m, attribute, "data").values()]) for m in biased
        ]
        assert row["divergence"] == close(np.mean(ground_truth))
        assert (row["models"], row["n_subsets"]) == (3, believable.DRAWS)
    smallest = found["min_detectable_effect"]
    assert [tuple(key) for key in smallest[["attribute", "metric"]].to_numpy()] == [key[:2] for key in keys[::2]]
    assert {0.4, 1.0} & set(smallest["strength"])
    assert smallest["strength"].isna().any()
