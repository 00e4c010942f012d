"""Calibrations of several models: tables joined, and the workflow."""

import numpy as np
import pandas as pd
import pytest

from biassay import calibrate
from biassay.calibration import models, result
from tests.audit.conftest import OWN
from tests.calibration.test_calibrate import make_material, write_vectors
from tests.running import copy_project, planned, snakemake

SETTINGS = {"samples": 20, "null_samples": 20, "permutations": 19}


@pytest.fixture(scope="module")
def calibrations(tmp_path_factory):
    """One calibration of each of two models; the second is read from its files."""
    folder = tmp_path_factory.mktemp("models")
    vectors, test = write_vectors(folder, make_material(n=8, m=4))
    first, second = (
        calibrate(vectors, test, name=name, metrics=["weat", "same", "mac", "pll"], seed=seed, **SETTINGS)
        for seed, name in enumerate(("one", "two"), 1)
    )
    second.write(folder / "second")
    return first, second, result.read(folder / "second")


def test_a_calibration_is_read_as_it_was_written(calibrations):
    _, written, read = calibrations
    for name in result.TABLES:
        pd.testing.assert_frame_equal(getattr(written, name), getattr(read, name), rtol=1e-5, check_dtype=False)
    assert (read.about, read.settings) == (written.about, written.settings)


def test_joined_tables_have_the_numbers_of_each_model(calibrations):
    first, _, second = calibrations
    table = models.join([first, second]).set_index(["model", "test", "metric", "form"])
    assert len(table) == 2 * 3 * 5
    for one in (first, second):
        rows = table.loc[one.about["source"], "jobs"]
        recovery = one.summary.drop_duplicates(["metric", "form"]).set_index(["metric", "form"])["recovery"]
        np.testing.assert_allclose(rows["recovery"], recovery.reindex(rows.index))
        nulls = one.nulls[one.nulls["test"] == "audit"]
        liberal = nulls.loc[nulls["low"] > 0.05, "metric"].unique().tolist()
        assert rows.index[rows["is_liberal"]].unique("metric").tolist() == liberal
        assert rows.index[rows["max_dose"].isna()].unique("metric").tolist() == ["mac"]
        tests = one.summary.groupby("metric")["test"].agg(set).to_dict()
        both = {"groups", "targets", "random words", "audit"}
        assert tests == {"weat": both, "same": both, "mac": {"random words"}}
        assert (rows["samples"] == 20).all()
    skipped = models.join_skipped([first, second])
    language_models = skipped[skipped["metric"] == "pll"].to_numpy().tolist()
    assert language_models == [[name, "jobs", "pll", "it takes language model"] for name in ("one", "two")]
    assert set(skipped["metric"]) == {"pll", "mac"}  # MAC does not depend on the group that a word is in


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibration_run")
    copy_project(folder)
    (folder / "mine.py").write_text(OWN)
    write_vectors(folder, make_material(n=8, m=4))
    return folder


def config(**changes):
    audited = {"models": {"one": {"file": "vectors.txt"}, "two": {"file": "vectors.txt"}},
               "tests": ["jobs.yaml"], "metrics": ["weat", "mine"]}  # fmt: skip
    return {"own_metrics": {"mine": "mine.py"}, "audit": audited | changes, "calibration": SETTINGS}


def test_a_dry_run_has_a_job_for_each_model_and_test(project):
    assert planned(project, "calibrate", config=config()) == {"measure_calibration": 2, "calibrate": 1}
    of_default = planned(project, "calibrate", config=config(models={}, tests=[]))
    assert of_default["measure_calibration"] == of_default["train_embedding"] == 1


@pytest.mark.slow
def test_a_run_with_an_own_metric_and_its_cells_on_the_board(project):
    run = snakemake(project, "board", config=config() | {"studies": ["calibration"]})
    assert run.returncode == 0, run.stderr
    table = pd.read_csv(project / "results/calibration/calibration.csv")
    assert set(zip(table["model"], table["metric"], strict=True)) == {(m, k) for m in ("one", "two")
                                                                      for k in ("weat", "mine")}  # fmt: skip
    board = pd.read_csv(project / "results/board/board.csv", index_col=["metric", "criterion"])
    along = table[(table["model"] == "one") & table["form"].isin(["difference", "half of the words"])]
    worst = along.groupby("metric")["recovery"].min()
    for metric in ("weat", "mine"):
        assert board.loc[(metric, "recovery"), "value"] == pytest.approx(worst[metric], rel=1e-4)
    assert (project / "results/board/calibration.html").is_file()
    assert planned(project, "calibrate", config=config()) == {}


@pytest.mark.slow
def test_a_test_that_cannot_be_calibrated_is_named_before_any_job(project):
    run = snakemake(project, "-n", "calibrate", config=config(tests=["ethnicities"]))
    assert run.returncode != 0
    assert "audit.tests: expected a test of two groups and two lists" in run.stdout + run.stderr
