"""Recovery after a killed run: end its remaining jobs and remove its lock, so that the same command resumes."""

import atexit
import contextlib
import os
import socket
from pathlib import Path

import psutil

RUNS = Path(".snakemake/biassay/runs")  # one file per Snakemake process that reads the workflow here
LOCKS = Path(".snakemake/locks")
SCRIPTS = ".snakemake/scripts/"  # where Snakemake puts the scripts of jobs
SECONDS = 10  # for a job to end by itself
BOOT = Path("/proc/sys/kernel/random/boot_id")


def recover(folder: str | Path = ".") -> str:
    """Register this process, and clean up after a killed run in a folder.

    A run is dead if none of its registered processes on this host is alive. Runs of other hosts are left alone.

    Returns
    -------
    str
        What was done, or "" if there was nothing to do.
    """
    folder = Path(folder)
    n_alive, n_other_hosts = _count_runs(folder / RUNS)
    _register(folder / RUNS)
    if n_alive or n_other_hosts or not any((folder / LOCKS).glob("*")):
        return ""
    n_ended = _end_jobs(folder)
    for lock in (folder / LOCKS).glob("*"):
        lock.unlink(missing_ok=True)
    message = "The last run here was killed. Its lock is removed, and this run resumes it."
    return f"{message} Ended {n_ended} processes of its jobs that were still running." if n_ended else message


def _register(runs: Path) -> None:
    """Create a file named by host, number and start of this process, and remove it at exit."""
    name = runs / f"{socket.gethostname()} {os.getpid()} {_start(os.getpid())}"
    with contextlib.suppress(OSError):
        runs.mkdir(parents=True, exist_ok=True)
        name.touch()
        atexit.register(name.unlink, missing_ok=True)


def _count_runs(runs: Path) -> tuple[int, int]:
    """Count other registered processes: alive here, and on other hosts; remove the files of dead ones."""
    n_alive = n_other_hosts = 0
    for file in runs.glob("* * *"):
        host, number, start = file.name.rsplit(" ", 2)
        if host and host != socket.gethostname():
            n_other_hosts += 1
        elif number != str(os.getpid()):
            is_alive = bool(start) and _start(number) == start
            n_alive += is_alive
            if not is_alive:
                with contextlib.suppress(OSError):
                    file.unlink(missing_ok=True)
    return n_alive, n_other_hosts


def _start(number: int | str) -> str:
    """Return when a process started, in ticks since boot, which no clock change affects; "" for a dead process."""
    try:
        process = psutil.Process(int(number))
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        if not BOOT.exists():  # not Linux
            return str(process.create_time())
        after_name = Path(f"/proc/{int(number)}/stat").read_text("utf-8", "replace").rpartition(")")[2]
        return f"{BOOT.read_text().strip()}:{after_name.split()[19]}"
    except (psutil.Error, OSError, ValueError, OverflowError):
        return ""


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
