"""Calls of SLURM's commands: the threads of the largest node, and jobs that a killed run left in the queue."""

import subprocess
import time

SECONDS = 20  # to wait for an answer


def count_threads(partition: str | None) -> int:
    """Return the CPUs of the largest node of a partition, by default of any.

    Raises
    ------
    ValueError
        If SLURM does not answer, or has no such partition.
    """
    chosen = ["--partition", partition] if partition else []
    try:
        cpus = _call("sinfo", "--noheader", "--exact", "--format=%c", *chosen).split()
    except subprocess.TimeoutExpired:
        raise ValueError(f"SLURM: sinfo did not answer within {SECONDS} s; is the controller running?") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(f"SLURM: sinfo failed: {error.stderr.strip()}; is the controller running?") from None
    if not cpus:
        names = ", ".join(dict.fromkeys(_call("sinfo", "--noheader", "--format=%R").split())) or "none"
        raise ValueError(f"SLURM: slurm_partition: unknown partition {partition!r}; expected one of: {names}")
    return max(int(number.rstrip("+")) for number in cpus)


def cancel_jobs(folder: str) -> int:
    """Cancel this user's jobs submitted from a folder and wait until they are gone; return their number."""
    cancelled = jobs = _list_jobs(folder)
    if jobs:
        _call("scancel", *jobs)
    deadline = time.monotonic() + SECONDS
    while jobs and time.monotonic() < deadline:
        time.sleep(1)
        jobs = _list_jobs(folder)
    return len(cancelled)


def _list_jobs(folder: str) -> list[str]:
    lines = _call("squeue", "--me", "--noheader", "--format=%i|%Z").splitlines()
    return [number for number, _, place in (line.partition("|") for line in lines) if place == folder]


def _call(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS).stdout
