"""Models with planted bias: which there are, what each is trained on, and what it has learned."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import planted
from tests.scripted import run

pytest.importorskip("transformers")
from biassay.language_models import loading

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
    with pytest.raises(ValueError, match=r"occupations: unknown name 'nurs' \(did you mean 'nurse'"):
        planted.select_templates(SETTINGS | {"occupations": ["nurs"]}, seed=3)


def test_models():
    plan = planted.plan_models(SETTINGS, seed=3)
    assert plan[["model", "strength", "repeat"]].to_numpy().tolist() == [
        [number, number // 2 / 2, number % 2] for number in range(6)
    ]
    assert plan["seed"].nunique() == 6
    assert not plan["seed"].isin(planted.plan_models(SETTINGS, seed=4)["seed"]).any()
    none = planted.plan_models(SETTINGS | {"strengths": []}, seed=3)
    assert not len(none)
    assert [dtype.kind for dtype in none.dtypes[["repeat", "seed"]]] == ["i", "i"]


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
    none = {name: np.full_like(p, 1 / p.shape[1]) for name, p in full.items()}
    assert planted.learned_strengths(none, full) == {"gender": 0, "age": pytest.approx(0, abs=1e-12)}


def test_the_plan(tmp_path, material):
    out = {"plan": tmp_path / "plan.csv", "ground_truth": tmp_path / "planted.csv"}
    run("downstream/plan.py", output=out, params={"settings": SETTINGS, "seed": 3})
    pd.testing.assert_frame_equal(pd.read_csv(out["plan"]), planted.plan_models(SETTINGS, seed=3))
    full = planted.probabilities(material, SETTINGS, 1.0, seed=3)
    for name, of in pd.read_csv(out["ground_truth"]).groupby("attribute", sort=False):
        wide = of.pivot(index="occupation", columns="group", values="probability")
        wide = wide.loc[material.occupations, material.attributes[name].groups]
        np.testing.assert_allclose(wide, full[name], rtol=1e-6)


TINY = "resources/models/bert-tiny-enwiki"
CHOSEN = SETTINGS | {"strengths": [0, 1], "repeats": 1, "training": {"epochs": 2, "batch": 8, "vocabulary": "all"}}


def test_models_are_trained_and_asked(tmp_path):
    planted.plan_models(CHOSEN, seed=3).to_csv(tmp_path / "plan.csv", index=False)
    called, loaded, working = [], [], tmp_path / "deep/working"

    def train(base, data, *, seeds, folder, **options):
        called.append((base, data, seeds, folder, options))
        Path(folder).mkdir(parents=True)
        for name in ("weights.safetensors", "losses.csv", "checkpoint.pt"):
            (Path(folder) / name).write_text(name)

    def load_into(model, *given):
        loaded.append(given)

    stacked = "biassay.language_models.stacked"
    replace = {f"{stacked}.training.train": train, f"{stacked}.files.load_into": load_into}
    params = {"base": TINY, "settings": CHOSEN, "seed": 3, "working": str(working)}
    given, out = {"plan": tmp_path / "plan.csv"}, {"out": tmp_path / "out"}
    run("downstream/train.py", input=given, output=out, params=params, replace=replace)
    plan, chosen = planted.plan_models(CHOSEN, seed=3), planted.select_templates(CHOSEN, seed=3)
    ((base, data, seeds, folder, options),) = called
    assert (base, seeds, folder) == (TINY, plan["seed"].tolist(), str(working))
    assert options == CHOSEN["training"] | {"vocabulary": None}
    model = loading.load(TINY, device="cpu")
    given = [(planted.probabilities(chosen, CHOSEN, row.strength, seed=3), row.seed) for row in plan.itertuples()]
    expected = planted.training_sentences(model.tokenizer, chosen, given)
    for found, of in zip(data, expected, strict=True):
        np.testing.assert_array_equal(found.ids, of.ids)
        np.testing.assert_array_equal(found.labels, of.labels)
    assert loaded == [(str(working), 0), (str(working), 1)]
    assert {path.name for path in out["out"].iterdir()} == {"models.csv", "weights.safetensors", "losses.csv"}
    assert not working.exists()
    models, full = pd.read_csv(tmp_path / "out/models.csv"), planted.probabilities(chosen, CHOSEN, 1.0, seed=3)
    pd.testing.assert_frame_equal(models[plan.columns], plan, check_dtype=False)
    for name, of in chosen.attributes.items():
        p = np.exp(chosen.queries(model.tokenizer)[f"{name}/unmasking"](model.model))
        means = (p / p.sum(axis=2, keepdims=True)).mean(axis=1)
        x, y = (full[name] - 1 / len(of.groups)).ravel(), (means - 1 / len(of.groups)).ravel()
        assert models[f"learned_{name}"].tolist() == pytest.approx([x @ y / (x @ x)] * 2, rel=1e-3)
