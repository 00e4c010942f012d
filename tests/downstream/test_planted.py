"""Models with planted bias: which there are, what each is trained on, and what it has learned."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.planted import distributions
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


def test_models():
    plan = planted.plan_models(SETTINGS, seed=3)
    assert plan[["model", "strength", "repeat"]].to_numpy().tolist() == [
        [number, number // 2 / 2, number % 2] for number in range(6)
    ]
    none = planted.plan_models(SETTINGS | {"strengths": []}, seed=3)
    assert not len(none)
    assert [dtype.kind for dtype in none.dtypes[["repeat", "seed"]]] == ["i", "i"]


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
    full = distributions.probabilities(3, material.sizes, 0.05, 0.8, seed=3)
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
        for name in ("weights.safetensors", "checkpoint.pt"):
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
    drawn = []
    for row in plan.itertuples():
        p = distributions.probabilities(3, chosen.sizes, 0.05, 0.8, row.strength, seed=3)
        drawn.append(distributions.draw_groups(p, chosen.columns, seed=row.seed))
    expected = chosen.training_sentences(model.tokenizer, drawn, with_occupations=True)
    for found, of in zip(data, expected, strict=True):
        np.testing.assert_array_equal(found.ids, of.ids)
        np.testing.assert_array_equal(found.labels, of.labels)
    assert loaded == [(str(working), 0), (str(working), 1)]
    assert {path.name for path in out["out"].iterdir()} == {"models.csv", "weights.safetensors"}
    assert not working.exists()
    models, full = pd.read_csv(tmp_path / "out/models.csv"), planted.probabilities(chosen, CHOSEN, seed=3)
    pd.testing.assert_frame_equal(models[plan.columns], plan, check_dtype=False)
    predicted = chosen.unmasked_probabilities(chosen.queries(model.tokenizer), model.model)
    for name, slope in planted.learned_strengths(predicted, full).items():
        assert models[f"learned_{name}"].tolist() == pytest.approx([slope] * 2, rel=1e-3)
