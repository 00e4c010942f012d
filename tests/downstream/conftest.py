"""The small study's tables, made once for the tests that read them."""

import pandas as pd
import pytest

from tests.downstream import study


@pytest.fixture(scope="package")
def made(tmp_path_factory):
    """Paths by name, and tables by name."""
    paths = study.write(tmp_path_factory.mktemp("study"))
    found = {name: study.read(paths[name]) for name in (*study.TABLES, *study.ANALYSED)}
    for part in study.PARTS:
        of_metrics = zip(study.METRICS, paths[part], strict=True)
        found[part] = pd.concat([study.read(path).assign(metric=name) for name, path in of_metrics])
    return paths, found


@pytest.fixture(scope="package")
def folder(made):
    """Where the study's models, texts and pairs are."""
    return made[0]["words"].parent
