"""Templates with several attributes, from the plan to embeddings of a trained model."""

import numpy as np
import pandas as pd
import pytest

from tests.planted.files import SELECTED, write
from tests.running import ROOT
from tests.scripted import run

BERT = str(ROOT / "resources/models/bert-tiny-enwiki")
SELECTION = {"n_occupations": 3, "n_training": None, "n_test": None}
TRAINING = {"epochs": 2, "batch": 8, "learning_rate": 0.001, "dropout": 0.0, "vocabulary": "texts"}


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    """The folder of the planned and encoded models: 3 of the grid, 4 and 5 for detection."""
    folder = tmp_path_factory.mktemp("stages")
    forms, data = {"templates": write(folder, SELECTED)}, {"settings": SELECTION, "seed": 2}
    planned = {"plan": folder / "plan.csv", "bias": folder / "bias.csv"}
    detection = {"min_p": 0.1, "max_p": 0.8, "strengths": [0, 1], "repeats": 1}
    study = {"min_p": [0.1, 0.2], "max_p": [0.8], "repeats": 2, "detection": detection, "chunk": 2}
    run("intrinsic/plan.py", input=forms, output=planned, params=data | {"study": study})
    models = pd.read_csv(planned["plan"])[3:].to_dict("records")
    job = {"input": forms | {"occupations": []}, "output": {"out": folder / "encoded"}}
    job["params"] = data | {"base": BERT, "models": models, "training": TRAINING, "min_r": 1.0, "attempts": 2,
                            "working": folder / "working"}  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        run("planted/train.py", **job, replace={"biassay.language_models.encoding.save": interrupt})
    run("planted/train.py", **job, replace={"biassay.language_models.stacked.run.Run._train": interrupt})
    return folder


def test_attempts(stages):
    table = pd.read_csv(stages / "encoded/attempts.csv")
    assert list(table) == ["place", "attempt", "row", "r", "r_gender", "r_religion", "best"]
    assert table[["place", "attempt", "row"]].to_numpy().tolist() == [[0, 0, 0], [1, 0, 1], [2, 0, 2], [0, 1, 0]]
    for _, of in table.groupby("place"):
        assert of["r"][of["best"]].tolist() == [of["r"].max()]
    assert (table["r"] < 1).all()
    assert not (stages / "working").exists()


def test_what_was_learned_is_what_the_best_attempt_answers(stages):
    """r of the attempt, once more from the stored answers and the plan."""
    best = pd.read_csv(stages / "encoded/attempts.csv").query("best")
    bias = pd.read_csv(stages / "bias.csv")
    for row in best.itertuples():
        folder, known, found = stages / f"encoded/{row.place}", [], []
        for name, shape in {"gender": (3, 2, 2), "religion": (3, 1, 2)}.items():
            answers = np.load(folder / name / "unmasking.npy")
            assert answers.shape == shape
            p = np.exp(answers.astype(float))
            found.append((p / p.sum(axis=2, keepdims=True)).mean(axis=1).ravel())
            known.append(bias.query("model == 3 + @row.place and attribute == @name")["data"].to_numpy())
            assert getattr(row, f"r_{name}") == pytest.approx(np.corrcoef(known[-1], found[-1])[0, 1], abs=1e-4)
        assert row.r == pytest.approx(np.corrcoef(np.concatenate(known), np.concatenate(found))[0, 1], abs=1e-4)
