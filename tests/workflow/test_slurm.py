"""Threads of a partition and cancelled jobs, by programs in place of SLURM's."""

import pytest

from biassay.workflow import slurm


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Write a program in place of one of SLURM's."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(slurm, "SECONDS", 1)

    def write(name, text):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)

    return write


def test_threads_are_those_of_the_largest_node(program):
    program("sinfo", "echo 2; echo 64+; echo 16")
    assert slurm.count_threads(None) == slurm.count_threads("big") == 64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("echo 'Unable to contact slurm controller' >&2; exit 1", "Unable to contact"),
        ("exec sleep 5", "within 1 s"),
        ("case $* in *big*) ;; *) echo main; echo short ;; esac", "unknown partition 'big'.* main, short"),
    ],
)
def test_a_cluster_that_cannot_be_asked_is_one_error(program, text, message):
    program("sinfo", text)
    with pytest.raises(ValueError, match=message):
        slurm.count_threads("big")


def test_jobs_of_a_folder_are_cancelled_and_waited_for(program, tmp_path):
    jobs = tmp_path / "jobs"
    jobs.write_text("7|/here\n8|/elsewhere\n9_1|/here\n")
    program("squeue", f"cat {jobs}")
    ends = f"(sleep 0.5; echo '8|/elsewhere' > {jobs}) >/dev/null 2>&1 &"
    program("scancel", f"echo $@ >> {tmp_path}/cancelled; {ends}")
    assert slurm.cancel_jobs("/here") == 2
    assert jobs.read_text() == "8|/elsewhere\n"
    assert (tmp_path / "cancelled").read_text() == "7 9_1\n"
    assert slurm.cancel_jobs("/here") == 0
