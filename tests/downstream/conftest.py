"""The small study's tables, made once for the tests that read them."""

import pytest

from biassay.studies.downstream import tables
from tests.downstream import study


@pytest.fixture(scope="package")
def made(tmp_path_factory):
    """Paths by name, and tables by name."""
    paths = study.write(tmp_path_factory.mktemp("study"))
    found = {name: tables.read(paths[name]) for name in study.TABLES}
    found |= {
        part: tables.read_all(dict(zip(study.METRICS, paths[part], strict=True)), "metric") for part in study.PARTS
    }
    return paths, found


@pytest.fixture(scope="package")
def folder(made):
    """Where the study's models, texts and pairs are."""
    return made[0]["words"].parent
