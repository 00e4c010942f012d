"""Models with planted bias: which there are, what each is trained on, and what it has learned."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import planted
from tests.scripted import run

SETTINGS = {"templates": "resources/templates/intrinsic.yaml", "occupations": ["nurse", "chef", "lawyer"],
            "min_p": 0.05, "max_p": 0.8, "strengths": [0, 0.5, 1], "repeats": 2,
            "n_templates": {"training": 30, "test": 20}}  # fmt: skip


@pytest.fixture(scope="module")
def material():
    return planted.select_templates(SETTINGS, seed=3)


def test_material(material):
    assert material.occupations == ["nurse", "chef", "lawyer"]
    assert [len(material.training), len(material.test)] == [30, 20]
    again, other = (planted.select_templates(SETTINGS, seed=seed) for seed in (3, 4))
    assert [t.text for t in again.training] == [t.text for t in material.training]
    assert [t.text for t in other.training] != [t.text for t in material.training]
    with pytest.raises(
        ValueError, match=r"occupations: unknown name 'nurs' \(did you mean 'nurse'\?\); expected one of: "
    ):
        planted.select_templates(SETTINGS | {"occupations": ["nurs"]}, seed=3)


def test_models():
    found = planted.plan_models(SETTINGS, seed=3)
    assert found.columns.tolist() == ["model", "strength", "repeat", "seed"]
    assert found["model"].tolist() == list(range(6))
    assert found["strength"].tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert found["repeat"].tolist() == [0, 1] * 3
    assert found["seed"].nunique() == 6
    assert found.equals(planted.plan_models(SETTINGS, seed=3))
    assert not found["seed"].isin(planted.plan_models(SETTINGS, seed=4)["seed"]).any()
    none = planted.plan_models(SETTINGS | {"strengths": []}, seed=3)
    assert not len(none)
    assert none[["repeat", "seed"]].dtypes.tolist() == found[["repeat", "seed"]].dtypes.tolist() == [int, int]
    assert none.columns.tolist() == found.columns.tolist()


def test_strengths_mix_what_is_planted_with_equal_groups(material):
    none, half, full = (planted.probabilities(material, SETTINGS, strength, seed=3) for strength in (0, 0.5, 1))
    for name, of in material.attributes.items():
        n = len(of.groups)
        assert full[name].shape == (3, n)
        np.testing.assert_allclose(full[name].sum(axis=1), 1)
        np.testing.assert_allclose(none[name], 1 / n)
        np.testing.assert_allclose(half[name], (full[name] + 1 / n) / 2)
        assert (np.sort(full[name], axis=1)[:, :-1] <= 0.8 / n).all()
        assert (full[name] >= 0.05 / n).all()


def test_the_learned_strength_is_a_slope_by_hand():
    full = {"gender": np.array([[0.9, 0.1], [0.3, 0.7]]), "age": np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])}
    found = {"gender": np.array([[0.8, 0.2], [0.5, 0.5]]), "age": full["age"]}
    # Σ planted · found / Σ planted²: (.4 · .3 + −.2 · 0) / (.4² + .2²) of the first groups, and as much of the second
    assert planted.learned_strengths(found, full) == {
        "gender": pytest.approx(0.12 / 0.2), "age": pytest.approx(1),
    }  # fmt: skip
    assert list(planted.learned_strengths(found, {"age": full["age"]})) == ["age"]
    none = {name: np.full_like(p, 1 / p.shape[1]) for name, p in full.items()}
    assert planted.learned_strengths(none, full) == {"gender": 0, "age": pytest.approx(0, abs=1e-12)}


def test_the_plan(tmp_path):
    out = {"plan": tmp_path / "plan.csv", "ground_truth": tmp_path / "planted.csv"}
    run("downstream/plan.py", output=out, params={"settings": SETTINGS, "seed": 3})
    pd.testing.assert_frame_equal(pd.read_csv(out["plan"]), planted.plan_models(SETTINGS, seed=3))
    ground_truth, material = pd.read_csv(out["ground_truth"]), planted.select_templates(SETTINGS, seed=3)
    assert ground_truth.columns.tolist() == ["attribute", "occupation", "group", "probability"]
    full = planted.probabilities(material, SETTINGS, 1.0, seed=3)
    for name, of in ground_truth.groupby("attribute", sort=False):
        wide = of.pivot(index="occupation", columns="group", values="probability")
        expected = pd.DataFrame(full[name], material.occupations, material.attributes[name].groups)
        np.testing.assert_allclose(wide.loc[expected.index, expected.columns], expected, rtol=1e-6)
    assert list(ground_truth["attribute"].unique()) == list(material.attributes)
