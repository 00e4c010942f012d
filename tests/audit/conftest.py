"""A small audit of two files of vectors, one with a planted association."""

from dataclasses import replace

import pandas as pd
import pytest

from biassay.auditing.entry import audit
from tests.audit.example_vectors import question, vectors, write, yaml_of

QUICK = {"permutations": 499, "resamples": 20, "random_words": 39}
HEAD = "def set_bias(targets, groups):"
OWN = f"""
import numpy as np
from biassay import Level, Metric, weat
METRIC = Metric(summary="root mean square of s", source="mine", set=Level(0.0, 2.0))
{HEAD}
    return float(np.sqrt(np.mean(weat.word_bias(targets, groups) ** 2)))
"""


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Paths of two files of vectors and of a test."""
    folder = tmp_path_factory.mktemp("audited")
    example = question(paired=True)
    (folder / "ours.yaml").write_text(yaml_of(example))
    (folder / "planted").mkdir()
    (folder / "fair").mkdir()
    planted = write(folder / "planted/vectors.txt", vectors(example, 2.5))
    return planted, write(folder / "fair/vectors.txt", vectors(example, 0.0, seed=5)), folder / "ours.yaml"


@pytest.fixture(scope="session")
def joint_audit(files):
    """The audit of both, without a board."""
    planted, fair, test = files
    return audit([planted, fair], tests=[str(test)], board=False, **QUICK)


@pytest.fixture(scope="session")
def of_two_tests(joint_audit):
    """The audit with a second test, whose values are 7.77."""
    seconds = {"table": joint_audit.table.assign(value=7.77)}
    seconds |= {name: getattr(joint_audit, name) for name in ("summary", "words", "lists", "silhouettes")}
    tables = {name: pd.concat([getattr(joint_audit, name), table.assign(test="second")], ignore_index=True)
              for name, table in seconds.items()}  # fmt: skip
    verdicts = [("with care", "not trusted")[number % 2] for number in range(len(joint_audit.trust))]
    return replace(joint_audit, **tables, trust=joint_audit.trust.assign(verdict=verdicts))
