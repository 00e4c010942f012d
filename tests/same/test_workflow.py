"""The SAME study run small: killed while it trains, run again, and its tables."""

import numpy as np
import pandas as pd
import pytest
import yaml

from tests.running import copy_project, kill_at, planned, snakemake, threads_of

pytest.importorskip("torch")
pytest.importorskip("transformers")
from safetensors.numpy import load_file

from scripts.planted import train
from tests.same import inputs

MODELS = "results/same/models/"
TRAINING = {"epochs": 8, "checkpoint_every": 10}
CONFIG = {"same": {"training": TRAINING, "metrics": ["weat", "same", "mac", "neighbours", "twice"]}}
CONFIG |= {"own_metrics": {"twice": "twice.py"}}
TWICE = """
from biassay import Level, Metric, same
METRIC = Metric(summary="twice SAME", source="mine", word=Level(-2.0, 2.0, signed=True))
def word_bias(targets, groups):
    return 2 * same.word_bias(targets, groups)
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy of the project with the study done: its training was killed after a checkpoint, and run again."""
    folder = tmp_path_factory.mktemp("same") / "project"
    copy_project(folder)
    (folder / "twice.py").write_text(TWICE)
    kill_at(folder, "same", "results/checkpoints/same/0/0/checkpoint.safetensors", config=CONFIG)
    unlocked = snakemake(folder, "--unlock", "same", config=CONFIG)
    assert unlocked.returncode == 0, unlocked.stderr
    result = snakemake(folder, "same", "--rerun-incomplete", "--notemp", config=CONFIG)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.mark.fault(
    "SIGKILL of a training of models",
    "resumes from its last checkpoint; results equal those of an uninterrupted training",
)
def test_a_killed_training_goes_on_and_ends_the_same(finished, tmp_path, monkeypatch):
    log = (finished / "results/logs/same/train/0.log").read_text()
    assert "resuming from results/checkpoints/same/0/0/checkpoint.safetensors: 0 models finished" in log
    assert not (finished / "results/checkpoints/same/0").exists()
    assert threads_of(finished, "train_same") == 2  # of two cores: no other training had to run
    monkeypatch.chdir(finished)
    training = yaml.safe_load((finished / "config.yaml").read_text())["same"]["training"] | TRAINING
    train.main(
        base="resources/models/bert-tiny-enwiki", templates="resources/templates/same.yaml",
        occupations=[MODELS + "occupations.csv"], settings={"groups": inputs.GROUPS}, plan=MODELS + "plan.csv",
        groups=MODELS + "groups.npy", bias=[], chunk=0, options=training, min_r=None, attempts=1, seed=1,
        working=str(tmp_path / "working"), out=str(tmp_path / "whole"),
    )  # fmt: skip
    folders = tmp_path / "whole/0", finished / "results/same/trained/0/0"
    whole, resumed = (load_file(folder / "weights.safetensors") for folder in folders)
    for name in whole:
        np.testing.assert_allclose(resumed[name], whole[name], atol=1e-6, err_msg=name)
    losses = [pd.read_csv(folder / "losses.csv") for folder in folders]
    pd.testing.assert_frame_equal(*losses)


def test_models_and_their_bias(finished):
    models, bias = (pd.read_csv(finished / f"results/same/{name}.csv") for name in ("models", "bias"))
    assert list(models) == ["model", "distribution", "mean", "spread", "repeat", "seed", "r2", "learned"]
    assert models["mean"].tolist() == [0.3, 0.3, 0.7, 0.7]
    assert models["learned"].all()
    assert list(bias) == ["model", "occupation", "training", "unmasking"]
    assert bias.groupby("model").size().tolist() == [8] * 4
    for model, part in bias.groupby("model"):
        assert part["training"].corr(part["unmasking"]) ** 2 == pytest.approx(models["r2"][model], abs=1e-4)
    assert bias["unmasking"].between(0, 1).all()
    trained = bias.groupby("model")["unmasking"].mean()
    assert trained[[0, 1]].max() < trained[[2, 3]].min()  # the skew that was planted
    planted = pd.read_csv(finished / MODELS / "training.csv")
    assert (planted["planted"] - planted["training"]).abs().max() < 0.4
    chosen = pd.read_csv(finished / MODELS / "occupations.csv", keep_default_na=False)
    assert chosen["stereotype"].value_counts().to_dict() == {"female": 3, "male": 3, "": 2}


def test_scores_of_occupations_and_sets(finished):
    scores, subsets = {}, {}
    for name in CONFIG["same"]["metrics"]:
        scores[name] = pd.read_csv(finished / f"results/same/scores/{name}.csv", keep_default_na=False, na_values=[""])
        subsets[name] = pd.read_csv(finished / f"results/same/subsets/{name}.csv")
    for name, table in scores.items():
        assert list(table) == ["model", "level", "occupation", "value"]
        of_sets = table[table["level"] == "set"]
        assert of_sets["occupation"].isna().all()
        if name == "twice":
            assert of_sets.empty
            assert subsets[name].empty
        else:
            assert of_sets["model"].tolist() == [0, 1, 2, 3]
            assert subsets[name].groupby("model").size().tolist() == [10] * 4
            np.testing.assert_allclose(np.unique(subsets[name]["full_value"]), np.unique(of_sets["value"]))
    of_words = {name: table.query("level == 'word'").reset_index() for name, table in scores.items()}
    assert {len(table) for table in of_words.values()} == {32}
    np.testing.assert_allclose(of_words["twice"]["value"], 2 * of_words["same"]["value"], rtol=1e-6)
    assert of_words["neighbours"]["value"].isna().sum() == 8  # occupations without a stereotype


def test_directions(finished):
    table = pd.read_csv(finished / "results/same/directions.csv")
    assert table.groupby("model").size().tolist() == [6] * 4
    assert table["angle"].between(0, 180).all()
    np.testing.assert_allclose(np.cos(np.radians(table["angle"])), table["cosine"], atol=1e-4)
    row = table.query("model == 0 and first == 'mean' and second == 'principal'")
    assert 0 < row["angle"].item() < 60


def test_what_a_change_reruns(finished):
    def jobs(**study):
        return planned(finished, "same", config=CONFIG | {"same": CONFIG["same"] | study})

    changed = jobs(min_r2=0.5)
    assert changed["select_same_models"] == changed["answer_same"] == 1
    assert not {"plan_same", "train_same", "encode_same", "score_same"} & changed.keys()
    changed = jobs(pooling="cls")
    assert changed["score_same"] == 5
    assert not {"plan_same", "train_same", "encode_same", "select_same_models"} & changed.keys()


def test_a_min_r2_that_no_model_reaches(finished):
    # Last of all, for it leaves the finished run without its table.
    result = snakemake(finished, "results/same/models.csv", config=CONFIG | {"same": CONFIG["same"] | {"min_r2": 1.0}})
    assert result.returncode != 0
    assert "same.min_r2: none of 4 models reaches R² ≥ 1.0, the maximum is 0." in result.stderr + result.stdout
