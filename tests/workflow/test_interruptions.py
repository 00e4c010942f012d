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


@pytest.fixture(autouse=True)
def recover(tmp_path):
    """Clean up as another process would: what this one holds is released."""

    def release():
        while interruptions._held:
            interruptions._held.pop().close()

    def recover(folder=tmp_path):
        release()
        return interruptions.recover(folder)

    yield recover
    release()


def test_the_lock_stays_while_a_run_is_alive_and_goes_when_it_is_dead(recover, lock, tmp_path):
    code = f"from biassay.workflow import interruptions; print(interruptions.recover({str(tmp_path)!r})); {SLEEP}"
    other = subprocess.Popen([sys.executable, "-uc", code], stdout=subprocess.PIPE, text=True)
    try:
        other.stdout.readline()
        lock.touch()
        assert recover() == ""
        assert lock.exists()
    finally:
        other.kill()
        other.wait()
    assert recover().startswith("The last run here was killed")
    assert not lock.exists()
    assert interruptions.recover(tmp_path) == ""  # a second time in the same process, as a module


def test_a_run_of_another_host_is_left_alone(recover, lock, tmp_path):
    held = tmp_path / interruptions.HELD
    held.parent.mkdir(parents=True)
    held.write_text("elsewhere")
    assert recover() == ""
    assert lock.exists()
    assert held.read_text() == "elsewhere"


def test_without_a_lock_or_a_folder_to_write_in_nothing_is_done(recover, tmp_path):
    (tmp_path / "file").touch()
    assert recover() == recover(tmp_path / "file") == ""


def test_jobs_that_outlived_their_run_are_ended(recover, lock, tmp_path):
    script = tmp_path / interruptions.SCRIPTS / "tmpabc.score.py"
    script.parent.mkdir(parents=True)
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', '{SLEEP}'])")
    job = subprocess.Popen([sys.executable, str(script)], cwd=tmp_path)
    other = subprocess.Popen([sys.executable, "-c", SLEEP], cwd=tmp_path)
    try:
        while not psutil.Process(job.pid).children():
            time.sleep(0.01)
        (child,) = psutil.Process(job.pid).children()
        assert "Ended 2 processes" in recover()
        assert not psutil.pid_exists(job.pid)
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
        assert other.poll() is None
    finally:
        for process in (job, other):
            process.kill()
            process.wait()
