"""The small study's tables, made once for the tests that read them."""

import pandas as pd
import pytest

from tests.downstream import study


@pytest.fixture(scope="package")
def made(tmp_path_factory):
    """Paths by name, and the tables of those that are one."""
    paths = study.write(tmp_path_factory.mktemp("study"))
    found = {
        name: study.read(path) for name, path in paths.items() if str(path).endswith(".csv") and name != "published"
    }
    for part in ("scores", "pair_scores", "subsets"):
        of = zip(study.METRICS, paths[part], strict=True)
        found[part] = pd.concat([study.read(path).assign(metric=name) for name, path in of])
    return paths, found


@pytest.fixture(scope="package")
def folder(made):
    """Where the study's models, texts and pairs are."""
    return made[0]["words"].parent
