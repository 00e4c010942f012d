"""The workflow on a real SLURM of two nodes: a killed run, a killed node, and jobs that SLURM cannot start."""

import subprocess
import sys
import time

import pytest

from tests import two_nodes
from tests.running import begin, project_of, wait_for_jobs
from tests.tables import different

COMMAND = [
    *(sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", "--latency-wait", "10"),
    *("--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "2"),
]
STUDIES = ["properties", "same"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(two_nodes.lacking()), reason=two_nodes.lacking())]


@pytest.fixture(scope="module", autouse=True)
def nodes():
    """SLURM is up."""
    with two_nodes.running():
        yield


def queue():
    return subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True).stdout


def submit(folder, *arguments, kill_after=None):
    """Run a project on the nodes, or kill Snakemake after a number of jobs; return its exit status and output."""
    process = begin(folder, [*COMMAND, *arguments])
    try:
        if kill_after:
            wait_for_jobs(process, folder, kill_after)
            while process.poll() is None and not queue():
                time.sleep(0.1)
            assert process.poll() is None, (folder / "run.log").read_text()
        else:
            process.wait(timeout=600)
    finally:
        process.kill()
    return process.wait(), (folder / "run.log").read_text()


def test_a_killed_run_resumes_to_the_tables_of_one_machine(finished, tmp_path):
    folder = project_of(tmp_path / "project", {"studies": STUDIES})
    submit(folder, kill_after=3)
    assert queue()
    status, output = submit(folder)
    assert status == 0, output
    assert "The last run here was killed" in output
    assert "SLURM jobs of the killed run" in output
    for study in STUDIES:
        assert different(finished / f"results/{study}", folder / f"results/{study}") == []
    assert queue() == ""
    assert output.count("has been submitted") < 10  # small jobs are grouped


@pytest.mark.parametrize(
    ("config", "partition", "message"),
    [({"gpus": 1}, "main", "sbatch: error"), ({}, "big", "unknown partition 'big'; expected one of: main, short")],
)
def test_jobs_that_cannot_start_end_the_run(tmp_path, config, partition, message):
    folder = project_of(tmp_path / "project", config)
    arguments = ["--default-resources", f"slurm_partition={partition}", "mem_mb=1000", "runtime=10"]
    status, output = submit(folder, "--retries", "0", "results/same/bias.csv", *arguments)
    assert status != 0
    assert message in output
    assert queue() == ""


def test_a_run_outlives_one_of_its_nodes(finished, tmp_path):
    folder = project_of(tmp_path / "project", {"studies": STUDIES})
    process = begin(folder, COMMAND)
    try:
        while two_nodes.busy_nodes() != set(two_nodes.NODES):
            assert process.poll() is None, (folder / "run.log").read_text()
            time.sleep(0.1)
        two_nodes.kill("second")
        process.wait(timeout=1200)
    finally:
        process.kill()
    assert process.wait() == 0, (folder / "run.log").read_text()
    for study in STUDIES:
        assert different(finished / f"results/{study}", folder / f"results/{study}") == []
