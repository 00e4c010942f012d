"""`snakemake published`: with vectors it makes the table and figure, without it says what it needs."""

import pandas as pd

from biassay.report import results
from tests.published.small import number, write
from tests.running import copy_project, snakemake


def test_a_run_on_vectors_of_ones_own(tmp_path):
    copy_project(tmp_path)
    refused = snakemake(tmp_path, "-n", "published")
    assert refused.returncode != 0
    assert "published.vectors: " in (refused.stdout + refused.stderr)
    paths = write(tmp_path, number(published="0.96"), number(quantity="p"))
    of_own = {"numbers": "numbers.csv", "word_lists": "lists.yaml", "vectors": {"plane": {"file": str(paths["plane"])}}}
    result = snakemake(tmp_path, "published", config={"published": of_own})
    assert result.returncode == 0, result.stderr
    table = pd.read_csv(tmp_path / "results/published/numbers.csv")
    assert table["agrees"].tolist()[0]
    assert results.find_undescribed(tmp_path / "results") == []
    assert (tmp_path / "results/published/figures/numbers.svg").stat().st_size > 1000
