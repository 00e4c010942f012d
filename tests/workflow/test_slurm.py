"""What a SLURM cluster is told to have, and what can never start there."""

import subprocess

import pytest
from snakemake.resources import Resources

from biassay.workflow import slurm
from biassay.workflow.slurm import Nodes

TOLD = """main*|2|21694|infinite|(null)
main*|64+|256000+|1-00:00:00|(null)
gpu|16|128000|30:00|gpu:h100:4(S:0-1),tmp:1
old|8|64000|12:30:00|gpu:2
"""


def test_nodes_are_read_from_what_sinfo_says():
    assert slurm.parsed(TOLD) == [
        Nodes("main", True, 2, 21694, None, 0),
        Nodes("main", True, 64, 256000, 1440, 0),
        Nodes("gpu", False, 16, 128000, 30, 4),
        Nodes("old", False, 8, 64000, 750, 2),
    ]
    assert slurm.parsed("") == []


@pytest.mark.parametrize(("text", "minutes"), [
    ("30:00", 30), ("1:30:00", 90), ("2-01:00:00", 2940), ("infinite", None), ("UNLIMITED", None), ("n/a", None),
])  # fmt: skip
def test_limits_of_time(text, minutes):
    assert slurm.minutes(text) == minutes


def test_partitions():
    found = slurm.parsed(TOLD)
    assert {node.partition for node in slurm.usable(found, None)} == {"main"}
    assert {node.partition for node in slurm.usable(found, "gpu,old")} == {"gpu", "old"}
    assert slurm.usable(found[2:], None) == found[2:]  # none of which is the default
    with pytest.raises(ValueError, match="slurm_partition: 'big' is no partition; there are: main, gpu, old"):
        slurm.usable(found, "big")


@pytest.mark.parametrize(("asked", "reason"), [
    ({"_cores": 64, "mem_mb": 256000, "runtime": 1440}, ""),
    ({"_cores": 65}, "65 threads, and there are at most 64"),
    ({"_cores": 2, "mem_mb": 256001}, "256001 MB, and there are at most 256000"),
    ({"_cores": 2, "mem_mb": 20000, "runtime": 10**6}, ""),  # the small node has no limit
    ({"gpu": 1}, "1 GPUs, and there are at most 0"),
    ({"gpu": 0, "mem_mb": "<TBD>"}, ""),
    ({"_cores": 4, "runtime": 2000}, "no node has all that it asks for: 4 threads, 2000 minutes"),
])  # fmt: skip
def test_what_can_never_start(asked, reason):
    assert slurm.never(asked, slurm.usable(slurm.parsed(TOLD), None)) == reason


def test_the_partition_of_default_resources():
    assert slurm.partition(None) is None
    assert slurm.partition(Resources.from_mapping({})) is None
    assert slurm.partition(Resources.from_mapping({"slurm_partition": "gpu"})) == "gpu"


def test_threads_that_a_job_has_been_given(monkeypatch):
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "7")
    assert slurm.given() == 7
    monkeypatch.delenv("SLURM_CPUS_PER_TASK")
    assert slurm.given() == 0


def test_threads_are_those_of_the_largest_node_at_most():
    found = slurm.usable(slurm.parsed(TOLD), None)
    assert slurm.fit(None, found) == slurm.fit(100, found) == 64
    assert slurm.fit(16, found) == 16


@pytest.mark.fault("SLURM is configured but down, or does not answer", "the run ends at its start and says so")
@pytest.mark.parametrize(("program", "message"), [
    ("#!/bin/sh\necho 'slurm_load_partitions: Unable to contact slurm controller' >&2; exit 1\n", "Unable to contact"),
    ("#!/bin/sh\nexit 0\n", "names no partition"),
    ("#!/bin/sh\nsleep 5\n", "does not answer within 1 s"),
    (None, "there is no sinfo on this machine"),
])  # fmt: skip
def test_a_cluster_that_is_down_is_said_at_once(tmp_path, monkeypatch, program, message):
    if program:
        (tmp_path / "sinfo").write_text(program)
        (tmp_path / "sinfo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin" if program else str(tmp_path))
    monkeypatch.setattr(slurm, "SECONDS", 1)
    with pytest.raises(ValueError, match=message):
        slurm.nodes()


def test_jobs_of_a_folder_are_cancelled_and_waited_for(tmp_path, monkeypatch):
    jobs = tmp_path / "jobs"
    jobs.write_text("7|/here\n8|/elsewhere\n9_1|/here\n")
    (tmp_path / "squeue").write_text(f"#!/bin/sh\ncat {jobs}\n")
    (tmp_path / "scancel").write_text(f"#!/bin/sh\necho $@ >> {tmp_path}/gone\necho '8|/elsewhere' > {jobs}\n")
    for name in ("squeue", "scancel"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert slurm.cancel("/here") == 2
    assert (tmp_path / "gone").read_text() == "7 9_1\n"
    assert slurm.cancel("/here") == 0
    assert subprocess.run(["squeue"], capture_output=True, text=True).stdout == "8|/elsewhere\n"
