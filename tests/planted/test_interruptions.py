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
from tests.same import inputs

TRAINING = {"epochs": 8, "checkpoint_every": 5, "vocabulary": "all"}
STUDIES = {
    "same": {"training": TRAINING, "metrics": ["mac"]},
    "intrinsic": {"training": TRAINING, "metrics": ["mac"], "min_r": 0.9999, "attempts": 2},
}
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("study", STUDIES)
def test_a_killed_training_resumes_and_ends_the_same(tmp_path, monkeypatch, study):
    folder, checkpoint = tmp_path / "project", f"results/checkpoints/{study}/grid_0_0/0/checkpoint.safetensors"
    copy_project(folder)
    config = {study: STUDIES[study]}
    kill_at(folder, study, checkpoint, config=config)
    unlocked = snakemake(folder, "--unlock", study, config=config)
    assert unlocked.returncode == 0, unlocked.stderr
    result = snakemake(folder, f"results/{study}/encoded/grid_0_0", "--rerun-incomplete", "--notemp", config=config)
    assert result.returncode == 0, result.stderr
    log = (folder / f"results/logs/{study}/train/grid_0_0.log").read_text()
    assert f"resuming from {checkpoint}" in log
    assert not (folder / f"results/checkpoints/{study}/grid_0_0").exists()
    monkeypatch.chdir(folder)
    options = yaml.safe_load((folder / "config.yaml").read_text())
    for path in ("configs/tiny.yaml", "changes.yaml"):
        update_config(options, yaml.safe_load((folder / path).read_text()))
    material = {
        "same": {"occupations": [options["same"]["occupations"]], "min_r": None,
                 "settings": {"groups": inputs.GROUPS, "n_occupations": 8, "held_out": 0.3}},
        "intrinsic": {"occupations": [], "min_r": -1.0,
                      "settings": {"n_occupations": 8, "n_training": 12, "n_test": 12}},
    }[study]  # fmt: skip
    train.main(
        base="resources/models/bert-tiny-enwiki", templates=f"resources/templates/{study}.yaml",
        models=training_jobs(options, study)["grid_0_0"], options=options[study]["training"], attempts=1,
        seed=options["seed"], working=str(tmp_path / "working"), out=str(tmp_path / "whole"), **material,
    )  # fmt: skip
    folders = tmp_path / "whole", folder / f"results/{study}/trained/grid_0_0"
    whole, resumed = (load_file(path / "0/weights.safetensors") for path in folders)
    for name in whole:
        np.testing.assert_allclose(resumed[name], whole[name], atol=1e-6, err_msg=name)
    pd.testing.assert_frame_equal(*(pd.read_csv(path / "0/losses.csv") for path in folders))
    attempts = pd.read_csv(folders[1] / "attempts.csv")
    if study == "intrinsic":  # min_r is too high
        assert attempts["attempt"].tolist() == [0] * 4 + [1] * 4
        tries = attempts.pivot(index="place", columns="attempt", values="r")
        assert (tries[0] != tries[1]).all()  # another order of the sentences
