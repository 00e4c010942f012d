"""Recovery after a killed run: end its remaining jobs and remove its lock, so that the same command resumes."""

import contextlib
import fcntl
import os
import socket
from pathlib import Path
from typing import TextIO

import psutil

HELD = Path(".snakemake/biassay/running")  # locked by each Snakemake process here, until it ends; names their host
LOCKS = Path(".snakemake/locks")
SCRIPTS = ".snakemake/scripts/"  # where Snakemake puts the scripts of jobs
SECONDS = 10  # for a job to end by itself

_held: list[TextIO] = []  # open for as long as this process lives


def recover(folder: str | Path = ".") -> str:
    """Clean up after a killed run in a folder, unless another process runs here or the run was on another host.

    Returns
    -------
    str
        What was done, or "" if there was nothing to do.
    """
    folder = Path(folder)
    try:
        (folder / HELD).parent.mkdir(parents=True, exist_ok=True)
        file = open(folder / HELD, "a+", encoding="utf-8")  # noqa: SIM115
    except OSError:  # a folder that is read-only
        return ""
    _held.append(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        message = _clean_up(folder, file)
    except OSError:  # another process runs here, or the file system has no locks
        message = ""
    with contextlib.suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_SH)
    return message


def _clean_up(folder: Path, file: TextIO) -> str:
    file.seek(0)
    host, here = file.read(), socket.gethostname()
    locks = list((folder / LOCKS).glob("*"))
    if locks and host not in ("", here):
        return ""
    file.truncate(0)
    file.write(here)
    file.flush()
    if not locks:
        return ""
    n_ended = _end_jobs(folder)
    for lock in locks:
        lock.unlink(missing_ok=True)
    message = "The last run here was killed. Its lock is removed, and this run resumes it."
    return f"{message} Ended {n_ended} processes of its jobs that were still running." if n_ended else message


def _end_jobs(folder: Path) -> int:
    """End the jobs whose scripts run in a folder; return their number."""
    here, jobs = os.path.realpath(folder), []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            command = process.cmdline()
            if process.cwd() == here and any(os.path.join(here, SCRIPTS) in part for part in command[1:3]):
                jobs += [process, *process.children(recursive=True)]
    for job in jobs:
        with contextlib.suppress(psutil.Error):
            job.terminate()
    for job in psutil.wait_procs(jobs, timeout=SECONDS)[1]:
        with contextlib.suppress(psutil.Error):
            job.kill()
    return len(jobs)
