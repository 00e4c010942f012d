"""The study's tables of correlations, through the script, against scipy's on its other tables."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

close = pytest.approx


def test_correlations(made):
    by_class, by_pair, classes = (made[1][name] for name in ("by_class", "by_pair", "classes"))
    assert not len(by_class[(by_class["model"] == "tiny") & (by_class["set"] == "biographies")])  # it does not count
    assert set(by_class.loc[by_class["model"] == "planted_5", "n_directions"]) == {1}
    scores = made[1]["scores"]
    scores = scores[(scores["level"] == "class") & (scores["set"] == "biographies") & (scores["model"] == "planted_3")]
    classes = classes[(classes["set"] == "biographies") & (classes["model"] == "planted_3")]
    for row in by_class[(by_class["model"] == "planted_3") & (by_class["set"] == "biographies")].itertuples():
        same_kind = [
            (table["version"] == row.version) & (table["n_directions"] == row.n_directions)
            for table in (scores, classes)
        ]
        x = scores[same_kind[0] & (scores["metric"] == row.metric) & (scores["group_words"] == row.group_words)]
        y = classes[same_kind[1]].set_index("class").loc[x["class"]]
        if row.classes == "large":
            x, y = x[~y["too_small"].to_numpy()], y[~y["too_small"]]
        assert row.signed == (row.metric in ("same", "weat"))
        if x["value"].notna().all():
            assert row.r == close(pearsonr(x["value"], y["gap"] if row.signed else y["gap"].abs())[0], rel=1e-4)
        else:
            assert np.isnan(row.r)
    assert by_pair.groupby("metric")["signed"].value_counts().to_dict() == {
        ("same", False): 14, ("same", True): 14, ("weat", False): 14, ("weat", True): 14,
        ("direct_bias", False): 14, ("direct_bias_1", False): 14,
    }  # fmt: skip


def test_the_spread_of_correlations(made):
    table = made[1]["correlations"]
    raw = {"classes": made[1]["by_class"], "pairs": made[1]["by_pair"]}
    assert set(table["units"]) == set(raw)
    for row in table.itertuples():
        of = raw[row.units]
        keys = ["set", "attribute", "metric"] + (
            ["version", "n_directions", "group_words", "classes"] if row.units == "classes" else ["signed"]
        )
        for key in keys:
            of = of[
                of[key].astype(str)
                == str(of[key].dtype.type(getattr(row, key)) if key == "n_directions" else getattr(row, key))
            ]
        r = of.dropna(subset="r")["r"]
        assert [row.n_models, row.median, row.lower_quartile] == close([len(r), r.median(), r.quantile(0.25)], rel=1e-4)
        assert row.n_significant == (of["p"] < 0.05).sum()


def test_sets_and_cases(made):
    sets, cases = made[1]["sets"], made[1]["cases"]
    for row in sets.itertuples():
        of = cases[(cases["set"] == row.set) & (cases["attribute"] == row.attribute) & (cases["version"] == row.version)
                   & (cases["group_words"] == row.group_words) & (cases["metric"] == row.metric)]  # fmt: skip
        known = of[pd.to_numeric(of["bias"]).notna() & of["value"].notna()]
        assert (row.n_cases, row.n_models) == (len(known), known["model"].nunique())
        if np.isfinite(row.r):
            assert row.r == close(pearsonr(known["value"], known["bias"])[0], abs=1e-4)
    assert (cases["value"].dropna() >= 0).all()
