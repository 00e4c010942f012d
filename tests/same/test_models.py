"""The plan of the study's models, and those that learned their bias."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.language_models.planted import grids, material
from biassay.statistics.geometry import unit
from tests.same import inputs
from tests.scripted import run

STUDY = {"means": [0.0, 0.4, 1.0], "spreads": [0.0, 0.2], "repeats": 2, "chunk": 5}
MATERIAL = {"n_occupations": 5, "held_out": 0.3, "groups": inputs.GROUPS}
TABLES = {"plan": "plan.csv", "occupations": "occupations.csv", "training": "training.csv"}


def test_plan(tmp_path):
    out = {name: tmp_path / file for name, file in TABLES.items()}
    given = {"templates": inputs.templates(tmp_path), "occupations": inputs.occupations(tmp_path)}
    run("same/plan.py", input=given, output=out, params={"study": STUDY, "seed": 3, "settings": MATERIAL})
    plan, training = pd.read_csv(out["plan"]), pd.read_csv(out["training"])
    occupations = pd.read_csv(out["occupations"], keep_default_na=False)
    drawn = material.read(given["templates"], [given["occupations"]], MATERIAL, seed=3)
    pd.testing.assert_frame_equal(plan, grids.plan_normal(**STUDY, seed=3))
    assert occupations["word"].tolist() == [word for word in inputs.OCCUPATIONS if word in set(occupations["word"])]
    assert occupations["stereotype"].tolist() == [inputs.OCCUPATIONS[word] for word in occupations["word"]]
    assert training["occupation"].tolist() == occupations["word"].tolist() * 12
    for model in plan.to_dict("records"):
        planted, groups = drawn.draw_groups(model, seed=3)
        rows = training[training["model"] == model["model"]]
        np.testing.assert_allclose(rows["planted"], planted, rtol=1e-5)
        shares = pd.DataFrame(np.where(groups < 0, np.nan, groups)).mean(axis=1)  # without held-out sentences
        np.testing.assert_allclose(rows["training"], shares, rtol=1e-5)


WORDS = list(inputs.OCCUPATIONS)
CHUNKS = {1: 1, 0: 0, 2: 1}  # of the models
P = {model: np.random.default_rng(model).uniform(0.1, 0.9, (6, len(inputs.TEST))) for model in range(3)}
TRAINING = {0: P[0].mean(axis=1), 1: [0.1, 0.9, 0.5, np.nan, 0.5, 0.6], 2: P[2].mean(axis=1) ** 2}


def select(folder, min_r2):
    """Select among three models of two jobs; return models.csv, bias.csv, directions.csv and effect_size.csv."""
    encoded = inputs.encoded(folder, CHUNKS, len(WORDS), len(inputs.TEST))
    for model, chunk in CHUNKS.items():
        both = np.stack([1 - P[model], P[model]], axis=2)  # female, male
        values = both * np.array([0.1, 0.3, 0.5, 0.2, 0.1, 0.4])[:, None, None]  # a share of all words
        np.save(folder / f"job {chunk}/{9 - model}/pronouns.npy", np.log(values).reshape(-1, 2))
    rows = [(m, word, 0.5, TRAINING[m][w]) for m in range(3) for w, word in enumerate(WORDS)]
    pd.DataFrame(rows, columns=["model", "occupation", "planted", "training"]).to_csv(folder / "t.csv", index=False)
    plan = inputs.plan(folder, dict(sorted(CHUNKS.items())))
    given = {"plan": plan, "training": folder / "t.csv", "occupations": inputs.occupations(folder),
             "templates": inputs.templates(folder), "encoded": encoded}  # fmt: skip
    out = {name: folder / f"{name}.csv" for name in ("models", "bias", "angles", "effect_size")}
    params = {"min_r2": min_r2, "pooling": "cls", "groups": inputs.GROUPS}
    run("same/select_models.py", input=given, output=out, params=params)
    return [pd.read_csv(path) for path in out.values()]


def test_models_whose_unmasking_follows_their_training_are_selected(tmp_path):
    models, bias, _, steps = select(tmp_path, 0.9)
    assert list(models) == ["model", "distribution", "mean", "spread", "repeat", "seed", "r2", "learned"]
    assert list(bias) == ["model", "occupation", "training", "unmasking"]
    expected = np.array([P[model].mean(axis=1) for model in range(3)])
    np.testing.assert_allclose(bias["unmasking"], expected.ravel(), rtol=1e-5)
    np.testing.assert_allclose(bias["training"], np.concatenate(list(TRAINING.values())), rtol=1e-5)
    defined = [0, 1, 2, 4, 5]
    r2 = [1, -(scipy.stats.pearsonr(expected[1][defined], np.array(TRAINING[1])[defined])[0] ** 2),
          scipy.stats.pearsonr(expected[2], TRAINING[2])[0] ** 2]  # fmt: skip
    np.testing.assert_allclose(models["r2"], r2, rtol=1e-5)
    assert models["learned"].tolist() == [True, False, True]
    assert list(steps)[:2] == ["step", "x_1"]
    with pytest.raises(ValueError, match=r"same.min_r2: .* 1.01, .* 1.000"):
        select(tmp_path, 1.01)


def test_directions_are_compared_in_pairs(tmp_path):
    table = select(tmp_path, 0)[2]
    assert list(table) == ["model", "first", "second", "cosine", "angle"]
    names = ["mean", "pronoun", "possessive", "principal"]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    assert table["model"].tolist() == [model for model in range(3) for _ in pairs]
    for model, rows in table.groupby("model"):
        stored = np.load(tmp_path / f"job {CHUNKS[model]}/{9 - model}/groups/cls.npy").astype(float)
        female, male = unit(stored[:3]), unit(stored[3:])
        gap = male - female
        _, vectors = np.linalg.eigh(gap.T @ gap)
        principal = vectors[:, -1] * np.sign(vectors[:, -1] @ gap.mean(axis=0))
        expected = {"mean": unit(gap.mean(axis=0)), "pronoun": unit(gap[[0, 2]].mean(axis=0)),
                    "possessive": unit(gap[1]), "principal": principal}  # fmt: skip
        assert list(rows[["first", "second"]].itertuples(index=False, name=None)) == pairs
        for row in rows.itertuples():
            cosine = expected[row.first] @ expected[row.second]
            assert (row.cosine, row.angle) == pytest.approx((cosine, np.degrees(np.arccos(cosine))), abs=1e-3)
