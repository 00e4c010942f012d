"""The workflow from text to counts."""

import re

import pytest
from running import copy_project, snakemake

TEXT = "the nurse helps the doctor. the doctor thanks the nurse! a carpenter sings\n" * 300


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with a small text."""
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder)
    (folder / "mine.txt").write_text(TEXT)
    return folder


def counted(project, name, shards):
    """Counts of the text in so many shards, as the bytes of their files, and what Snakemake said."""
    config = {
        "corpora": {name: {"source": "text", "path": "mine.txt", "min_count": 2, "limits": "sentence"}},
        "counts": {"skipgram": {"shards": shards}},
    }
    result = snakemake(project, f"results/counts/{name}/skipgram", config=config)
    assert result.returncode == 0, result.stderr
    folder = project / f"results/counts/{name}/skipgram"
    return {path.name: path.read_bytes() for path in folder.iterdir()}, result.stderr


def test_counting_in_shards_changes_nothing(project):
    whole, _ = counted(project, "whole", 1)
    merged, said = counted(project, "parts", 3)
    assert len(re.findall("^(?:local)?rule count_shard:", said, re.MULTILINE)) == 3
    assert merged == whole
    assert not list(project.glob("results/shards/*/*/*"))
