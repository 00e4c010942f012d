"""The workflow on a real SLURM of two nodes: a killed run, a killed node, and jobs that SLURM cannot start."""

import contextlib
import subprocess
import sys

import pytest

from tests import two_nodes
from tests.running import begin, ended_jobs, project_of, wait

COMMAND = [
    *(sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", "--latency-wait", "10"),
    *("--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "2"),
]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(two_nodes.lacking()), reason=two_nodes.lacking())]


@pytest.fixture(scope="module", autouse=True)
def nodes():
    """SLURM is up."""
    with two_nodes.running():
        yield


def queue():
    return subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def submitted(folder, *arguments):
    """Run a project on the nodes during the block, and kill Snakemake at its end if it still runs."""
    process = begin(folder, [*COMMAND, *arguments])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("config", "partition", "message"),
    [({"gpus": 1}, "main", "sbatch: error"), ({}, "big", "unknown partition 'big'; expected one of: main, short")],
)
def test_jobs_that_cannot_start_end_the_run(tmp_path, config, partition, message):
    folder = project_of(tmp_path / "project", config)
    arguments = ["--default-resources", f"slurm_partition={partition}", "mem_mb=1000", "runtime=10"]
    with submitted(folder, "--retries", "0", "results/same/bias.csv", *arguments) as process:
        assert process.wait(timeout=600) != 0
    assert message in (folder / "run.log").read_text()
    assert queue() == ""


def test_a_run_outlives_snakemake_and_one_of_its_nodes(finished, tmp_path):
    folder = project_of(tmp_path / "project", {"studies": ["same"]})
    scores = "results/same/scores/weat.csv"
    with submitted(folder, scores) as process:
        wait(process, folder, lambda: ended_jobs(folder) and queue())
    with submitted(folder, scores) as process:
        wait(process, folder, two_nodes.busy_nodes)
        two_nodes.kill(two_nodes.busy_nodes().pop())
        status = process.wait(timeout=1200)
    output = (folder / "run.log").read_text()
    assert status == 0, output
    assert "The last run here was killed" in output
    assert "SLURM jobs of the killed run" in output
    assert (folder / scores).read_bytes() == (finished / scores).read_bytes()
    assert queue() == ""
    assert output.count("has been submitted") < 10  # small jobs are grouped
