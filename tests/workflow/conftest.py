"""A copy of the tiny run, for tests that change it."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def project(finished, tmp_path):
    """A copy of the finished run."""
    return Path(shutil.copytree(finished, tmp_path / "project"))
