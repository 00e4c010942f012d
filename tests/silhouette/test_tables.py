"""Tables of the paper."""

import pandas as pd
import pytest


def test_paper_table_has_published_values_beside_ours(folder, results):
    table = pd.read_csv(folder / "robustness.csv", index_col="metric")
    assert list(table.index) == ["weat", "same", "clustering", "twice"]  # those with a range
    assert list(table.columns[:4]) == [
        "gender groups, biased", "gender groups, unbiased", "gender groups, published GloVe",
        "gender groups, published Numberbatch",
    ]  # fmt: skip
    assert table.loc["weat", "gender groups, published GloVe"] == 0.95
    own = results["scores"].set_index(["metric", "list"])["robustness_unbiased"]["weat", "targets"]
    assert table.loc["weat", "gender targets, unbiased"] == pytest.approx(own, abs=1e-4)
