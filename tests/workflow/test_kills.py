"""A run that is interrupted repeatedly has the tables of an uninterrupted run."""

import random
import resource
import signal
import sys
import time

import pandas as pd
import psutil
import pytest

from tests.running import begin, ended_jobs, project_of, snakemake, wait

COMMAND = [sys.executable, "-m", "snakemake", "--cores", "2", "same"]
RANDOM = random.Random(16)
LIMITS = {"a full disk": (resource.RLIMIT_FSIZE, 3_000_000), "a limit of memory": (resource.RLIMIT_AS, 2_000_000_000)}


def is_script(process):
    try:
        return any("/.snakemake/scripts/" in part for part in process.cmdline()[1:2])
    except psutil.Error:  # it has just ended
        return False


def kill(process, what):
    """Send SIGKILL to Snakemake, whose jobs continue, or to one of its scripts, so that it stops."""
    parent = psutil.Process(process.pid)
    victims = [parent] if what == "Snakemake" else []
    while not victims and process.poll() is None:
        time.sleep(0.05)
        victims = [child for child in parent.children(recursive=True) if is_script(child)]
    RANDOM.choice(victims).send_signal(signal.SIGKILL)


def broken(folder, what):
    """Interrupt a run after its first job; return its output."""
    process = begin(folder, COMMAND, limit=LIMITS.get(what))
    if what not in LIMITS:
        wait(process, folder, lambda: ended_jobs(folder))
        time.sleep(RANDOM.uniform(0, 1))
        kill(process, what)
    assert process.wait() != 0, (folder / "run.log").read_text()
    return (folder / "run.log").read_text()


def read_tables(folder):
    return {path.relative_to(folder): pd.read_csv(path) for path in (folder / "results/same").rglob("*.csv")}


@pytest.mark.slow
def test_interruptions_change_no_table(finished, tmp_path):
    folder = project_of(tmp_path / "project", {"studies": ["same"]})
    for what in [*LIMITS, "a job", "Snakemake"]:
        output = broken(folder, what)
        assert what == "a limit of memory" or "Traceback" not in output  # which Snakemake's own threads may lack
    result = snakemake(folder, "same", config={"studies": ["same"]})
    assert result.returncode == 0, result.stderr
    assert "The last run here was killed" in result.stderr
    expected, tables = read_tables(finished), read_tables(folder)
    assert set(tables) == set(expected)
    for path, table in expected.items():
        pd.testing.assert_frame_equal(tables[path], table, check_exact=True, obj=str(path))
