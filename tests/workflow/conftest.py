"""The working directory of tests, and a copy of the tiny run for tests that change it."""

import shutil
from pathlib import Path

import pytest

from tests.running import ROOT


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def project(finished, tmp_path_factory):
    """A copy of the finished run."""
    return Path(shutil.copytree(finished, tmp_path_factory.mktemp("copy") / "project"))
