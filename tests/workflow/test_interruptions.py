"""A run cleans up after a killed run."""

import os
import socket
import subprocess
import sys
import time

import psutil
import pytest

from biassay.workflow import interruptions

SLEEPER = "import time; time.sleep(60)"


def register(folder, process, host=None, started=None):
    """Register a process as the workflow does."""
    runs = folder / interruptions.RUNS
    runs.mkdir(parents=True, exist_ok=True)
    started = interruptions._start(process.pid) if started is None else started
    path = runs / f"{host or socket.gethostname()} {process.pid} {started}"
    path.touch()
    return path


@pytest.fixture
def locked(tmp_path):
    """A folder with Snakemake's lock, and the lock."""
    lock = tmp_path / interruptions.LOCKS / "0.output.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    return tmp_path, lock


@pytest.fixture
def process():
    """Another process."""
    sleeper = subprocess.Popen([sys.executable, "-c", SLEEPER])
    yield sleeper
    sleeper.kill()
    sleeper.wait()


@pytest.mark.fault("a lock left by a killed run", "the next run removes it and prints a warning")
def test_the_lock_of_a_dead_run_goes(locked, process):
    folder, lock = locked
    of_dead = register(folder, process)
    process.kill()
    process.wait()
    assert interruptions.recover(folder).startswith("The last run here was killed")
    assert not lock.exists()
    assert not of_dead.exists()
    assert [path.name.split()[1] for path in (folder / interruptions.RUNS).iterdir()] == [str(os.getpid())]
    assert interruptions.recover(folder) == ""


@pytest.mark.fault("a second run in a folder, on this or another host", "the lock stays, and the second run ends")
def test_the_lock_of_a_run_that_lives_stays(locked, process):
    folder, lock = locked
    register(folder, process)
    assert interruptions.recover(folder) == ""
    assert lock.exists()


@pytest.mark.fault("a change of the clock during a run", "the run continues, and its lock stays")
def test_a_change_of_the_clock_ends_no_run(locked, process, monkeypatch):
    folder, lock = locked
    register(folder, process)
    create_time = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda self: create_time(self) + 3600)
    assert interruptions.recover(folder) == ""
    assert lock.exists()


def test_a_process_whose_end_nobody_has_asked_for_is_dead(locked, process):
    folder, lock = locked
    register(folder, process)
    process.kill()
    while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert interruptions.recover(folder)
    assert not lock.exists()


@pytest.mark.fault("damaged files of registered runs", "the next run removes them")
@pytest.mark.parametrize("name", [" 1 2", "{} x 2", "{}  ", "{} -1 2", "{} 1 ", "{} 1 x", "{} " + "9" * 30 + " 2"])
def test_damaged_notes_go(locked, name):
    folder, lock = locked
    damaged = folder / interruptions.RUNS / name.format(socket.gethostname())
    damaged.parent.mkdir(parents=True)
    damaged.touch()
    assert interruptions.recover(folder)
    assert not lock.exists()
    assert not damaged.exists()


def test_a_process_that_has_the_number_of_a_dead_one_is_another(locked, process):
    folder, lock = locked
    register(folder, process, started=1.5)
    assert interruptions.recover(folder)
    assert not lock.exists()


@pytest.mark.fault("a second run in a folder, on this or another host", "the lock stays, and the second run ends")
def test_runs_of_another_host_are_left_alone(locked, process):
    folder, lock = locked
    of_other = register(folder, process, host="elsewhere")
    assert interruptions.recover(folder) == ""
    assert lock.exists()
    assert of_other.exists()


def test_without_a_lock_nothing_is_done(tmp_path):
    assert interruptions.recover(tmp_path) == ""


@pytest.mark.fault(
    "jobs that outlive a killed Snakemake", "the next run ends them before it starts, and no other processes"
)
def test_jobs_that_outlived_their_run_are_ended_and_others_are_not(locked, process):
    folder, _ = locked
    script = folder / interruptions.SCRIPTS / "tmpabc.score.py"
    script.parent.mkdir(parents=True)
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', '{SLEEPER}'])")
    job = subprocess.Popen([sys.executable, str(script)], cwd=folder)
    beside = subprocess.Popen([sys.executable, "-c", SLEEPER], cwd=folder)
    try:
        while not psutil.Process(job.pid).children():
            time.sleep(0.01)
        (child,) = psutil.Process(job.pid).children()
        assert interruptions.recover(folder).count("Ended 2 processes") == 1
        assert not psutil.pid_exists(job.pid)
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
        assert beside.poll() is None
    finally:
        for started in (job, beside):
            started.kill()
            started.wait()
