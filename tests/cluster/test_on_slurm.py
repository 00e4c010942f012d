"""The workflow on a real SLURM of one node, Snakemake killed on the way, and what SLURM could never start."""

import re
import subprocess
import sys

import pytest

from tests import one_node
from tests.running import begin, project_of, wait_for_jobs
from tests.tables import different

QUICK = [
    "--slurm-init-seconds-before-status-checks",
    "2",
    "--seconds-between-status-checks",
    "2",
    "--latency-wait",
    "10",
]
COMMAND = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", *QUICK]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(one_node.lacking()), reason=one_node.lacking())]


@pytest.fixture(scope="module", autouse=True)
def node():
    """SLURM is up."""
    with one_node.running():
        yield


def queue():
    return subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True).stdout


def submit(folder, *arguments, kill_after=None):
    """Run a project on the node, or kill Snakemake after so many jobs: its exit status, and what it said."""
    process = begin(folder, [*COMMAND, *arguments])
    try:
        if kill_after:
            wait_for_jobs(process, folder, kill_after)
            assert process.poll() is None, (folder / "run.log").read_text()
        else:
            process.wait(timeout=1500)
    finally:
        process.kill()
    return process.wait(), (folder / "run.log").read_text()


def test_tables_are_those_of_this_machine_though_snakemake_was_killed(finished, tmp_path):
    folder = project_of(tmp_path / "project", {})
    submit(folder, kill_after=12)
    assert queue()
    status, said = submit(folder)
    assert status == 0, said
    assert re.search(r"\d+ jobs, about \d+ min of one core, plus waiting", said)
    assert "The last run here was killed" in said
    assert "SLURM jobs of the killed run" in said
    assert different(finished / "results", folder / "results") == []
    assert queue() == ""
    assert said.count("has been submitted") < 15


@pytest.mark.parametrize(("config", "partition", "message"), [
    ({"gpus": 1}, "main", "1 GPUs, but a node has at most 0"),
    ({}, "short", "but a node has at most 5"),
    ({}, "big", "unknown partition 'big'; expected one of: main, short"),
])  # fmt: skip
def test_what_never_starts_is_said_at_once(tmp_path, config, partition, message):
    folder = project_of(tmp_path / "project", config)
    arguments = ["--default-resources", f"slurm_partition={partition}", "mem_mb=1000", "runtime=10"]
    status, said = submit(folder, *arguments)
    assert status != 0
    assert message in said
    assert "Traceback" not in said
    assert queue() == ""
    assert not (folder / "results").exists()
