"""Fixtures of the study's tests: its files, written once."""

import pytest

from tests.silhouette import study


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder of the files of a small study."""
    return tmp_path_factory.mktemp("silhouette")


@pytest.fixture(scope="session")
def results(folder):
    """Its tables by name."""
    return study.write(folder)
