"""Models with planted bias, their bias and scores, in the tiny run."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.intrinsic import tables as intrinsic
from biassay.studies.same import tables as same


def table(finished, path):
    text = {"keep_default_na": False, "na_values": {"value": [""]}} if "/scores/" in path else {}
    return pd.read_csv(finished / f"results/{path}.csv", **text)


def test_models_of_same_learn_the_skew_that_is_planted(finished):
    models, bias = table(finished, "same/models"), table(finished, "same/bias")
    assert models["mean"].tolist() == [0.3, 0.3, 0.7, 0.7]
    for model, part in bias.groupby("model"):
        assert part["training"].corr(part["unmasking"]) ** 2 == pytest.approx(models["r2"][model], abs=1e-4)
    assert bias["unmasking"].between(0, 1).all()
    planted = table(finished, "same/models/training")
    assert (planted["planted"] - planted["training"]).abs().max() < 0.4
    chosen = pd.read_csv(finished / "results/same/models/occupations.csv", keep_default_na=False)
    assert chosen["stereotype"].value_counts().to_dict() == {"female": 3, "male": 3, "": 2}


def test_scores_of_same(finished):
    grid = same.load_grid(finished / "results/same/models.csv", finished / "results/same/bias.csv")
    for name in ("weat", "same", "mac"):
        scores = same.read_scores(grid, finished / f"results/same/scores/{name}.csv")
        subsets = table(finished, f"same/subsets/{name}")
        assert scores.word.shape == (4, 8)
        assert subsets.groupby("model").size().tolist() == [10] * 4
        np.testing.assert_allclose(subsets.groupby("model")["full_value"].first(), scores.set, rtol=1e-6)
    angles = table(finished, "same/directions")
    np.testing.assert_allclose(np.cos(np.radians(angles["angle"])), angles["cosine"], atol=1e-4)


def test_models_of_intrinsic_and_their_bias(finished):
    models, bias = table(finished, "intrinsic/models"), table(finished, "intrinsic/bias")
    assert models["purpose"].tolist() == ["grid"] * 4 + ["detection"] * 4
    assert models["strength"].tolist() == [1, 1, 1, 1, 0, 0, 1, 1]
    assert models["distribution"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert models["seed"].nunique() == 8
    for column in ("planted", "data", "unmasking"):
        np.testing.assert_allclose(bias.groupby(["model", "attribute", "occupation"])[column].sum(), 1, atol=1e-5)
    pair = ["data", "unmasking"]
    for model, part in bias.groupby("model"):
        assert part[pair].corr().iloc[0, 1] == pytest.approx(models["r"][model], abs=1e-4)
        for name, of in part.groupby("attribute"):
            assert of[pair].corr().iloc[0, 1] == pytest.approx(models[f"r_{name}"][model], abs=1e-4)
    assert bias[bias["model"].isin([4, 5])].groupby("attribute")["planted"].nunique().eq(1).all()
    repeats = [bias[bias["model"] == model].reset_index() for model in (0, 1)]
    assert (repeats[0]["planted"] == repeats[1]["planted"]).all()
    assert (repeats[0]["data"] != repeats[1]["data"]).any()


def test_scores_and_tables_of_intrinsic(finished):
    folder = finished / "results/intrinsic"
    study = intrinsic.load_study(folder / "models.csv", folder / "bias.csv")
    scores = {name: intrinsic.read_scores(study, folder / f"scores/{name}.csv") for name in ("weat", "same")}
    assert set(scores["weat"]["attribute"]) == {"gender"}
    assert set(scores["same"]["attribute"]) == {"gender", "ethnicity", "religion"}
    found = {path.stem: pd.read_csv(path) for path in (folder / "tables").glob("*.csv")}
    assert len(found) == 13
    assert all(len(part) for part in found.values())
