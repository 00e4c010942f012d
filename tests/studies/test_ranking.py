"""Rankings of metrics: families of tests and leaders, worked by hand."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies import ranking

PAIRS = pd.DataFrame(
    [["a", "b", 0.2, 0.01], ["a", "c", 0.004, 0.01], ["b", "c", -0.2, 0.01], ["c", "d", 0.3, 0.2]],
    columns=["first", "second", "difference", "p_holm"],
)


def test_families_are_corrected_apart():
    families = {("x", 1): pd.DataFrame({"p": [0.01, 0.04, np.nan]}), ("y", 2): pd.DataFrame({"p": [0.04]})}
    table = ranking.join_families(families, ["name", "number"])
    assert table.columns.tolist() == ["name", "number", "p", "p_holm"]
    assert table["name"].tolist() == ["x", "x", "x", "y"]
    np.testing.assert_allclose(table["p_holm"], [0.02, 0.04, np.nan, 0.04])
    assert ranking.join_families({}, ["name"]).columns.tolist()[:3] == ["name", "first", "second"]


def test_models_of_one_distribution_are_one_cluster():
    """In all of three distributions, the two models have a larger value with metric a: p = 2/2³."""
    rows = [(model, model // 2, metric, value + model) for model in range(6) for metric, value in (("b", 0), ("a", 1))]
    table = pd.DataFrame(rows, columns=["model", "distribution", "metric", "r"])
    (row,) = ranking.compare_models(table, "metric", "r", 6, seed=1).to_dict("records")
    assert (row["first"], row["second"], row["n"], row["clusters"], row["difference"]) == ("b", "a", 6, 3, -1)
    assert row["p"] == pytest.approx(2 / 2**3)
    close = table.assign(r=np.where(table["metric"] == "b", 0, 1e-8))
    assert ranking.compare_models(close, "metric", "r", 6, seed=1)["difference"].item() == 0


@pytest.mark.parametrize(
    ("values", "leader"),
    [
        ({"a": 3, "b": 1, "c": 2}, ("a", False, 2)),  # the difference to c does not show in two decimals
        ({"b": 1, "c": 2}, ("c", True, 1)),  # c is second in its test
        ({"c": 2, "d": 1, "e": np.nan}, ("c", False, 1)),  # not significant
        ({"d": 1}, ("d", False, 0)),
        ({"d": np.nan}, None),
    ],
)
def test_leader(values, leader):
    assert ranking.find_leader(pd.Series(values, dtype=float), PAIRS) == leader
