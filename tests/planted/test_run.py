"""Models with planted bias and their bias, in the tiny run."""

import numpy as np
import pandas as pd
import pytest


def table(finished, path, **options):
    return pd.read_csv(finished / f"results/{path}.csv", **options)


def test_models_of_same_learn_the_skew_that_is_planted(finished):
    models, bias = table(finished, "same/models"), table(finished, "same/bias")
    assert models["mean"].tolist() == [0.3, 0.3, 0.7, 0.7]
    for model, part in bias.groupby("model"):
        assert part["training"].corr(part["unmasking"]) ** 2 == pytest.approx(models["r2"][model], abs=1e-4)
    planted = table(finished, "same/models/training")
    assert (planted["planted"] - planted["training"]).abs().max() < 0.4
    chosen = table(finished, "same/models/occupations", keep_default_na=False)
    assert chosen["stereotype"].value_counts().to_dict() == {"female": 3, "male": 3, "": 2}
    angles = table(finished, "same/directions")
    np.testing.assert_allclose(np.cos(np.radians(angles["angle"])), angles["cosine"], atol=1e-4)


def test_models_of_intrinsic_and_their_bias(finished):
    models, bias = table(finished, "intrinsic/models"), table(finished, "intrinsic/bias")
    assert models["purpose"].tolist() == ["grid"] * 4 + ["detection"] * 4
    for column in ("planted", "data", "unmasking"):
        np.testing.assert_allclose(bias.groupby(["model", "attribute", "occupation"])[column].sum(), 1, atol=1e-5)
    pair = ["data", "unmasking"]
    for model, part in bias.groupby("model"):
        assert part[pair].corr().iloc[0, 1] == pytest.approx(models["r"][model], abs=1e-4)
    assert bias[bias["model"].isin([4, 5])].groupby("attribute")["planted"].nunique().eq(1).all()
    repeats = [bias[bias["model"] == model].reset_index() for model in (0, 1)]
    assert (repeats[0]["planted"] == repeats[1]["planted"]).all()
    assert (repeats[0]["data"] != repeats[1]["data"]).any()
    for name, attributes in (("weat", {"gender"}), ("same", {"gender", "ethnicity", "religion"})):
        assert set(table(finished, f"intrinsic/scores/{name}")["attribute"]) == attributes
    assert all(len(pd.read_csv(path)) for path in (finished / "results/intrinsic/tables").glob("*.csv"))
