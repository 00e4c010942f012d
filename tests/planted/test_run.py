"""Models with planted bias and their bias, in the tiny run: r is that of a model's own rows of bias."""

import pandas as pd
import pytest


def table(finished, path):
    return pd.read_csv(finished / f"results/{path}.csv")


def test_models_of_same(finished):
    models, bias = table(finished, "same/models"), table(finished, "same/bias")
    assert models["mean"].tolist() == [0.3, 0.3, 0.7, 0.7]
    for model, part in bias.groupby("model"):
        assert part["training"].corr(part["unmasking"]) ** 2 == pytest.approx(models["r2"][model], abs=1e-4)


def test_models_of_intrinsic(finished):
    models, bias = table(finished, "intrinsic/models"), table(finished, "intrinsic/bias")
    assert models["purpose"].tolist() == ["grid"] * 4 + ["detection"] * 4
    for model, part in bias.groupby("model"):
        assert part["data"].corr(part["unmasking"]) == pytest.approx(models["r"][model], abs=1e-4)
    assert bias[bias["model"].isin([4, 5])].groupby("attribute")["planted"].nunique().eq(1).all()
    assert all(len(pd.read_csv(path)) for path in (finished / "results/intrinsic/tables").glob("*.csv"))
