"""A training that is killed resumes, and ends as one without an interruption."""

import numpy as np
import pandas as pd
import pytest
import yaml
from safetensors.numpy import load_file
from snakemake.utils import update_config

from biassay.workflow.config import training_jobs
from scripts.planted import train
from tests.running import copy_project, kill_at, snakemake

TRAINING = {"epochs": 4, "checkpoint_every": 5, "vocabulary": "all"}
CONFIG = {"intrinsic": {"training": TRAINING, "metrics": ["mac"], "min_r": 0.9999, "attempts": 2}}
TRAINED = "results/intrinsic/trained/grid_0_0"


@pytest.mark.slow
def test_a_killed_training_resumes_and_ends_the_same(tmp_path, monkeypatch):
    folder, checkpoint = tmp_path / "project", "results/checkpoints/intrinsic/grid_0_0/0/checkpoint.safetensors"
    copy_project(folder)
    kill_at(folder, TRAINED, checkpoint, config=CONFIG)
    unlocked = snakemake(folder, "--unlock", TRAINED, config=CONFIG)
    assert unlocked.returncode == 0, unlocked.stderr
    result = snakemake(folder, TRAINED, "--rerun-incomplete", "--notemp", config=CONFIG)
    assert result.returncode == 0, result.stderr
    log = (folder / "results/logs/intrinsic/train/grid_0_0.log").read_text()
    assert f"resuming from {checkpoint}" in log
    assert not (folder / "results/checkpoints/intrinsic/grid_0_0").exists()
    monkeypatch.chdir(folder)
    options = yaml.safe_load((folder / "config.yaml").read_text())
    for path in ("configs/tiny.yaml", "changes.yaml"):
        update_config(options, yaml.safe_load((folder / path).read_text()))
    train.main(
        base="resources/models/bert-tiny-enwiki", templates="resources/templates/intrinsic.yaml", occupations=[],
        settings={"n_occupations": 8, "n_training": 12, "n_test": 12}, min_r=-1.0, attempts=1, seed=options["seed"],
        models=training_jobs(options, "intrinsic")["grid_0_0"], options=options["intrinsic"]["training"],
        working=str(tmp_path / "working"), out=str(tmp_path / "whole"),
    )  # fmt: skip
    folders = tmp_path / "whole", folder / TRAINED
    whole, resumed = (load_file(path / "0/weights.safetensors") for path in folders)
    for name in whole:
        np.testing.assert_allclose(resumed[name], whole[name], atol=1e-6, err_msg=name)
    pd.testing.assert_frame_equal(*(pd.read_csv(path / "0/losses.csv") for path in folders))
    attempts = pd.read_csv(folders[1] / "attempts.csv")
    assert attempts["attempt"].tolist() == [0] * 4 + [1] * 4  # min_r is too high
    tries = attempts.pivot(index="place", columns="attempt", values="r")
    assert (tries[0] != tries[1]).all()  # another order of the sentences
