"""A small audit of two files of vectors, one with a planted association, that several tests look at."""

import pytest

from biassay.auditing.entry import audit
from tests.audit.example_vectors import question, vectors, write, yaml_of

QUICK = {"permutations": 499, "resamples": 20, "random_words": 39}


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Paths of two files of vectors and of a test."""
    folder = tmp_path_factory.mktemp("audited")
    asked = question(paired=True)
    (folder / "ours.yaml").write_text(yaml_of(asked))
    (folder / "planted").mkdir()
    (folder / "fair").mkdir()
    planted = write(folder / "planted/vectors.txt", vectors(asked, 2.5))
    return planted, write(folder / "fair/vectors.txt", vectors(asked, 0.0, seed=5)), folder / "ours.yaml"


@pytest.fixture(scope="session")
def found(files):
    """The audit of both, without a board, which other tests ask."""
    planted, fair, test = files
    return audit([planted, fair], tests=[str(test)], board=False, **QUICK)
