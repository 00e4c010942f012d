"""Fixtures of the study's tests: its tables, written once."""

import pytest

from tests.intrinsic import study


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Paths, and tables, by name; scores and subsets by metric."""
    paths = study.write(tmp_path_factory.mktemp("intrinsic"))
    return paths, study.read(paths)
