"""A run cleans up after a killed run."""

import subprocess
import sys
import time

import psutil
import pytest

from biassay.workflow import interruptions

SLEEP = "import time; time.sleep(60)"


@pytest.fixture
def lock(tmp_path):
    """Snakemake's lock of a folder."""
    lock = tmp_path / interruptions.LOCKS / "0.output.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    return lock


@pytest.fixture
def other_run(tmp_path):
    """Another process that runs the workflow in the folder, and cleans up first."""
    code = f"from biassay.workflow import interruptions; print(interruptions.recover({str(tmp_path)!r})); {SLEEP}"
    process = subprocess.Popen([sys.executable, "-uc", code], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()


@pytest.fixture(autouse=True)
def _ended():
    yield
    for file in interruptions._held:
        file.close()
    interruptions._held.clear()


def test_the_lock_stays_while_a_run_is_alive_and_goes_when_it_is_dead(other_run, lock, tmp_path):
    lock.touch()
    assert interruptions.recover(tmp_path) == ""
    _close()
    assert lock.exists()
    other_run.kill()
    other_run.wait()
    assert interruptions.recover(tmp_path).startswith("The last run here was killed")
    assert not lock.exists()
    assert interruptions.recover(tmp_path) == ""  # a second time in the same process, as a module


def _close():
    interruptions._held.pop().close()


def test_a_run_of_another_host_is_left_alone(lock, tmp_path):
    held = tmp_path / interruptions.HELD
    held.parent.mkdir(parents=True)
    held.write_text("elsewhere")
    assert interruptions.recover(tmp_path) == ""
    assert lock.exists()
    _close()
    assert interruptions.recover(tmp_path) == ""
    assert held.read_text() == "elsewhere"


def test_without_a_lock_or_a_folder_to_write_in_nothing_is_done(tmp_path):
    assert interruptions.recover(tmp_path) == ""
    (tmp_path / "file").touch()
    assert interruptions.recover(tmp_path / "file") == ""


def test_jobs_that_outlived_their_run_are_ended(lock, tmp_path):
    script = tmp_path / interruptions.SCRIPTS / "tmpabc.score.py"
    script.parent.mkdir(parents=True)
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', '{SLEEP}'])")
    job = subprocess.Popen([sys.executable, str(script)], cwd=tmp_path)
    other = subprocess.Popen([sys.executable, "-c", SLEEP], cwd=tmp_path)
    try:
        while not psutil.Process(job.pid).children():
            time.sleep(0.01)
        (child,) = psutil.Process(job.pid).children()
        assert "Ended 2 processes" in interruptions.recover(tmp_path)
        assert not psutil.pid_exists(job.pid)
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
        assert other.poll() is None
    finally:
        for process in (job, other):
            process.kill()
            process.wait()
