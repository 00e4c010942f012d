"""A training that is killed resumes from its checkpoint."""

import pandas as pd
import pytest

from tests.running import copy_project, kill_at, snakemake

TRAINING = {"epochs": 4, "checkpoint_minutes": 1e-6, "vocabulary": "all"}
CONFIG = {"intrinsic": {"training": TRAINING, "metrics": ["mac"], "min_r": 0.9999, "attempts": 2}}
ENCODED = "results/intrinsic/encoded/grid_0_0"


@pytest.mark.slow
def test_a_killed_training_resumes(tmp_path):
    folder, checkpoint = tmp_path / "project", "results/checkpoints/intrinsic/grid_0_0/0/checkpoint.pt"
    copy_project(folder)
    kill_at(folder, ENCODED, checkpoint, config=CONFIG)
    unlocked = snakemake(folder, "--unlock", ENCODED, config=CONFIG)
    assert unlocked.returncode == 0, unlocked.stderr
    result = snakemake(folder, ENCODED, "--rerun-incomplete", config=CONFIG)
    assert result.returncode == 0, result.stderr
    log = (folder / "results/logs/intrinsic/train/grid_0_0.log").read_text()
    assert f"resuming from {checkpoint}" in log
    assert not (folder / "results/checkpoints/intrinsic/grid_0_0").exists()
    attempts = pd.read_csv(folder / ENCODED / "attempts.csv")
    assert attempts["attempt"].tolist() == [0] * 4 + [1] * 4  # min_r is too high
    tries = attempts.pivot(index="place", columns="attempt", values="r")
    assert (tries[0] != tries[1]).all()  # another order of the sentences
