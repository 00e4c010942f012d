"""Nodes that sinfo lists, and jobs that can never start on them."""

import subprocess

import pytest
from snakemake.resources import Resources

from biassay.workflow import slurm
from biassay.workflow.slurm import Nodes

SINFO = """main*|2|21694|infinite|(null)
main*|64+|256000+|1-00:00:00|(null)
gpu|16|128000|30:00|gpu:h100:4(S:0-1),tmp:1
old|8|64000|12:30:00|gpu:2
"""


def test_nodes_are_read_from_sinfo():
    assert slurm.parse_nodes(SINFO) == [
        Nodes("main", True, 2, 21694, None, 0),
        Nodes("main", True, 64, 256000, 1440, 0),
        Nodes("gpu", False, 16, 128000, 30, 4),
        Nodes("old", False, 8, 64000, 750, 2),
    ]
    assert slurm.parse_nodes("") == []


@pytest.mark.parametrize(("text", "minutes"), [
    ("30:00", 30), ("1:30:00", 90), ("2-01:00:00", 2940), ("infinite", None), ("UNLIMITED", None), ("n/a", None),
])  # fmt: skip
def test_limits_of_time(text, minutes):
    assert slurm.parse_minutes(text) == minutes


def test_partitions():
    nodes = slurm.parse_nodes(SINFO)
    assert {node.partition for node in slurm.select_nodes(nodes, None)} == {"main"}
    assert {node.partition for node in slurm.select_nodes(nodes, "gpu,old")} == {"gpu", "old"}
    assert slurm.select_nodes(nodes[2:], None) == nodes[2:]  # none is the default
    with pytest.raises(ValueError, match=r"slurm_partition: .*'big'.* main, gpu, old"):
        slurm.select_nodes(nodes, "big")


@pytest.mark.parametrize(("requested", "reason"), [
    ({"_cores": 64, "mem_mb": 256000, "runtime": 1440}, ""),
    ({"_cores": 65}, "65 threads, but a node has at most 64"),
    ({"_cores": 2, "mem_mb": 256001}, "256001 MB, but a node has at most 256000"),
    ({"_cores": 2, "mem_mb": 20000, "runtime": 10**6}, ""),  # the small node has no limit
    ({"gpu": 1}, "1 GPUs, but a node has at most 0"),
    ({"gpu": 0, "mem_mb": "<TBD>"}, ""),
    ({"_cores": 4, "runtime": 2000}, "a combination that no node has: 4 threads, 2000 minutes"),
])  # fmt: skip
def test_jobs_that_can_never_start(requested, reason):
    assert slurm.explain_never(requested, slurm.select_nodes(slurm.parse_nodes(SINFO), None)) == reason


def test_the_partition_of_default_resources():
    assert slurm.read_partition(None) is None
    assert slurm.read_partition(Resources.from_mapping({})) is None
    assert slurm.read_partition(Resources.from_mapping({"slurm_partition": "gpu"})) == "gpu"


def test_allocated_threads(monkeypatch):
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "7")
    assert slurm.allocated_threads() == 7
    monkeypatch.delenv("SLURM_CPUS_PER_TASK")
    assert slurm.allocated_threads() == 0


def test_threads_are_those_of_the_largest_node_at_most():
    nodes = slurm.select_nodes(slurm.parse_nodes(SINFO), None)
    assert slurm.limit_threads(None, nodes) == slurm.limit_threads(100, nodes) == 64
    assert slurm.limit_threads(16, nodes) == 16


@pytest.mark.fault("SLURM is configured but down, or does not answer", "the run ends at its start with an error")
@pytest.mark.parametrize(("program", "message"), [
    ("#!/bin/sh\necho 'slurm_load_partitions: Unable to contact slurm controller' >&2; exit 1\n", "Unable to contact"),
    ("#!/bin/sh\nexit 0\n", "no partition"),
    ("#!/bin/sh\nsleep 5\n", "within 1 s"),
    (None, "no sinfo"),
])  # fmt: skip
def test_a_cluster_that_is_down_stops_the_run_at_its_start(tmp_path, monkeypatch, program, message):
    if program:
        (tmp_path / "sinfo").write_text(program)
        (tmp_path / "sinfo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin" if program else str(tmp_path))
    monkeypatch.setattr(slurm, "SECONDS", 1)
    with pytest.raises(ValueError, match=message):
        slurm.read_nodes()


def test_jobs_of_a_folder_are_cancelled_and_waited_for(tmp_path, monkeypatch):
    jobs = tmp_path / "jobs"
    jobs.write_text("7|/here\n8|/elsewhere\n9_1|/here\n")
    (tmp_path / "squeue").write_text(f"#!/bin/sh\ncat {jobs}\n")
    (tmp_path / "scancel").write_text(f"#!/bin/sh\necho $@ >> {tmp_path}/gone\necho '8|/elsewhere' > {jobs}\n")
    for name in ("squeue", "scancel"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert slurm.cancel_jobs("/here") == 2
    assert (tmp_path / "gone").read_text() == "7 9_1\n"
    assert slurm.cancel_jobs("/here") == 0
    assert subprocess.run(["squeue"], capture_output=True, text=True).stdout == "8|/elsewhere\n"
