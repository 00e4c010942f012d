"""After a run that was killed: its jobs that still run are ended, its lock goes, and the same command goes on."""

import atexit
import contextlib
import os
import socket
from pathlib import Path

import psutil

RUNS = Path(".snakemake/biassay/runs")  # a file for each process of Snakemake that reads the workflow here
LOCKS = Path(".snakemake/locks")
SCRIPTS = ".snakemake/scripts/"  # where Snakemake puts the scripts of jobs
SECONDS = 10  # for a job to end by itself
BOOT = Path("/proc/sys/kernel/random/boot_id")


def recover(folder: str | Path = ".") -> str:
    """Note this process, and put right what a killed run has left in a folder: what was done in words, or nothing.

    A run is dead if none of the processes that are noted on this host lives. Runs of another host are left alone.
    """
    folder = Path(folder)
    living, others = _living(folder / RUNS)
    _note(folder / RUNS)
    if living or others or not any((folder / LOCKS).glob("*")):
        return ""
    ended = _end(folder)
    for lock in (folder / LOCKS).glob("*"):
        lock.unlink(missing_ok=True)
    told = "The last run here was killed; its lock is gone, and this run goes on from there."
    return f"{told} Processes of its jobs that still ran, and were ended: {ended}." if ended else told


def _note(runs: Path) -> None:
    """A file named host, number and start of this process, which goes when the process ends."""
    name = runs / f"{socket.gethostname()} {os.getpid()} {_start(os.getpid())}"
    with contextlib.suppress(OSError):
        runs.mkdir(parents=True, exist_ok=True)
        name.touch()
        atexit.register(name.unlink, missing_ok=True)


def _living(runs: Path) -> tuple[int, int]:
    """How many other processes that are noted live on this host, and how many are of other hosts; dead notes go, and
    so do damaged ones."""
    living = others = 0
    for note in runs.glob("* * *"):
        host, number, started = note.name.rsplit(" ", 2)
        if host and host != socket.gethostname():
            others += 1
        elif number != str(os.getpid()):
            lives = bool(started) and _start(number) == started
            living += lives
            if not lives:
                with contextlib.suppress(OSError):
                    note.unlink(missing_ok=True)
    return living, others


def _start(number: int | str) -> str:
    """When a process started, in ticks since the machine did, which a change of the clock does not change; nothing if
    there is no such process, or it has ended and only its parent does not know."""
    try:
        process = psutil.Process(int(number))
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        if not BOOT.exists():  # another system than Linux
            return str(process.create_time())
        behind_name = Path(f"/proc/{int(number)}/stat").read_text("utf-8", "replace").rpartition(")")[2]
        return f"{BOOT.read_text().strip()}:{behind_name.split()[19]}"
    except (psutil.Error, OSError, ValueError, OverflowError):
        return ""


def _end(folder: Path) -> int:
    """End jobs of scripts that run in a folder: how many there were."""
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
