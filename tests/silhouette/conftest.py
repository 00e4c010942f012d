"""Fixtures of the study's tests: its tables, written once."""

import pytest

from tests.silhouette import believable


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The folder of believable tables."""
    return believable.few(tmp_path_factory.mktemp("silhouette"))
