"""The tiny run, to be changed."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def project(finished, tmp_path):
    """The finished run, to be changed."""
    return Path(shutil.copytree(finished, tmp_path / "project"))
