"""Fixtures of the study's tests: its tables, written once."""

import pytest

from tests.same import study


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Paths of a small grid and of all its tables, by name."""
    return study.write(tmp_path_factory.mktemp("same"))


@pytest.fixture(scope="session")
def found(written):
    """These tables by name; scores and subsets by metric."""
    return study.read(written)
