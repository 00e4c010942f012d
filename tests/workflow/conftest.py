"""The tiny run, done once for all tests and workers."""

import fcntl
import shutil
from pathlib import Path

import pytest

from tests.running import copy_project, snakemake


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A copy of the project with the tiny run done; not to be changed."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / "finished" / "project"
    with open(shared / "finished.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another worker may be running it
        if not (folder / "results/index.html").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            copy_project(folder)
            result = snakemake(folder)
            assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def project(finished, tmp_path):
    """The finished run, to be changed."""
    return Path(shutil.copytree(finished, tmp_path / "project"))
