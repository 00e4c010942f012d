"""The workflow on a real SLURM of one node, Snakemake killed on the way, and what SLURM could never start."""

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


@pytest.fixture(scope="module")
def node():
    """The environment of a node that is up."""
    with one_node.running() as environment:
        yield environment


def jobs_of(node):
    return subprocess.run(["squeue", "--noheader"], env=node, capture_output=True, text=True, check=True).stdout


@pytest.mark.fault(
    "SIGKILL of Snakemake in the tiny run of all studies on a real SLURM of one node",
    "the same command cancels what is queued and goes on; all tables are equal to those of a run without SLURM",
)
def test_tables_are_those_of_this_machine_though_snakemake_was_killed(finished, node, tmp_path):
    folder = project_of(tmp_path / "project", {})
    process = begin(folder, COMMAND, node)
    wait_for_jobs(process, folder, 12)
    assert process.poll() is None, (folder / "run.log").read_text()
    process.kill()
    process.wait()
    assert jobs_of(node)
    assert begin(folder, COMMAND, node).wait(timeout=1500) == 0, (folder / "run.log").read_text()
    said = (folder / "run.log").read_text()
    assert "The last run here was killed; its lock is gone" in said
    assert "SLURM jobs of it were cancelled" in said
    assert different(finished / "results", folder / "results") == []
    assert jobs_of(node) == ""


@pytest.mark.fault(
    "jobs that no node of a cluster can ever start; an unknown partition",
    "the run ends at its start and names rules, what they ask for and what there is; nothing is submitted",
)
@pytest.mark.parametrize(("config", "partition", "message"), [
    ({"gpus": 1}, "main", "asks for 1 GPUs, and there are at most 0"),
    ({}, "short", "minutes, and there are at most 5"),
    ({}, "big", "slurm_partition: 'big' is no partition; there are: main, short"),
])  # fmt: skip
def test_what_never_starts_is_said_at_once(node, tmp_path, config, partition, message):
    folder = project_of(tmp_path / "project", config)
    command = [*COMMAND, "--default-resources", f"slurm_partition={partition}", "mem_mb=1000", "runtime=10"]
    assert begin(folder, command, node).wait(timeout=60) != 0
    said = (folder / "run.log").read_text()
    assert message in said
    assert "Traceback" not in said
    assert jobs_of(node) == ""
    assert not (folder / "results").exists()
