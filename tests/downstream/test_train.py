"""Training of the planted models: what is trained on what, what of it is asked, and what stays."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import planted
from tests.downstream.test_planted import SETTINGS
from tests.scripted import run

pytest.importorskip("transformers")
from biassay.language_models import loading
from biassay.language_models.planted import sentences

TINY = "resources/models/bert-tiny-enwiki"
CHOSEN = SETTINGS | {"strengths": [0, 1], "repeats": 1, "training": {"epochs": 2, "batch": 8}}


def test_models_are_trained_and_asked(tmp_path, caplog):
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
    with caplog.at_level("INFO"):
        run("downstream/train.py", input={"plan": tmp_path / "plan.csv"}, output={"out": tmp_path / "out"},
            params={"base": TINY, "settings": CHOSEN, "seed": 3, "working": str(working)}, replace=replace)  # fmt: skip
    plan, chosen = planted.plan_models(CHOSEN, seed=3), planted.select_templates(CHOSEN, seed=3)
    ((base, data, seeds, folder, options),) = called
    assert (base, seeds, folder, options) == (TINY, plan["seed"].tolist(), str(working), CHOSEN["training"])
    model = loading.load(TINY, device="cpu")
    given = [(planted.probabilities(chosen, CHOSEN, row.strength, seed=3), row.seed) for row in plan.itertuples()]
    expected = planted.training_sentences(model.tokenizer, chosen, given)
    for found, of in zip(data, expected, strict=True):
        np.testing.assert_array_equal(found.ids, of.ids)
        np.testing.assert_array_equal(found.labels, of.labels)
    assert f"2 models, {len(expected[0])} sentences each" in caplog.messages
    assert loaded == [(str(working), 0), (str(working), 1)]
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir() if path.name != "models.csv"} == {
        "weights.safetensors": "weights.safetensors", "losses.csv": "losses.csv",
    }  # fmt: skip
    assert not working.exists()
    models, full = pd.read_csv(tmp_path / "out/models.csv"), planted.probabilities(chosen, CHOSEN, 1.0, seed=3)
    pd.testing.assert_frame_equal(models[plan.columns], plan, check_dtype=False)
    for name, of in chosen.attributes.items():
        questions = sentences.queries(model.tokenizer, chosen.test, name, of, chosen.occupations)
        p = np.exp(questions.run(model.model).reshape(3, -1, len(of.groups)))
        means = (p / p.sum(axis=2, keepdims=True)).mean(axis=1)
        x, y = (full[name] - 1 / len(of.groups)).ravel(), (means - 1 / len(of.groups)).ravel()
        assert models[f"learned_{name}"].tolist() == pytest.approx([x @ y / (x @ x)] * 2, rel=1e-3)
