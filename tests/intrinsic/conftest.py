"""Fixtures of the study's tests: its tables, written once."""

import pandas as pd
import pytest

from tests.intrinsic import study


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Paths of a small grid and of all its tables, by name."""
    return study.write(tmp_path_factory.mktemp("intrinsic"))


@pytest.fixture(scope="session")
def found(written):
    """These tables by name."""
    return {name: pd.read_csv(path) for name, path in written.items() if str(path).endswith(".csv")}
