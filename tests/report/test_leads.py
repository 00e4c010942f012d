"""Who leads, by how much, and how surely: the pieces that sentences of findings are made of."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import findings
from biassay.report.formatting import format_count, format_range

NAMES = {"weat": "WEAT", "same": "SAME", "mine": "mine"}


def pairs(*rows, clusters=11):
    """Rows first, second, difference, p_holm."""
    return pd.DataFrame(rows, columns=["first", "second", "difference", "p_holm"]).assign(clusters=clusters)


@pytest.mark.parametrize(
    ("rows", "leader", "said"),
    [
        ([("weat", "same", 0.1, 0.01), ("weat", "mine", 0.1, 0.04), ("same", "mine", 0, 1)], "weat",
         "the lead over SAME and mine is significant (p ≤ 0.040)"),
        ([("weat", "same", 0.1, 0.01), ("weat", "mine", 0.1, 0.05), ("same", "mine", 0, 1)], "weat",
         "the lead over SAME is significant (p = 0.010)"),
        ([("weat", "same", -0.1, 0.01)], "same", "the lead over WEAT is significant (p = 0.010)"),
        ([("weat", "same", -0.1, 0.01)], "weat", "no lead is significant (smallest p = 0.010)"),
        ([("weat", "same", 0.1, 0.2), ("same", "mine", 0.1, 0.001)], "weat",
         "no lead is significant (smallest p = 0.200)"),
        ([("weat", "same", 0.1, np.nan)], "weat", ""),
        ([("weat", "same", 0.1, 0.01)], "mine", ""),
        ([], "weat", ""),
    ],
)  # fmt: skip
def test_lead(rows, leader, said):
    assert findings.describe_lead(pairs(*rows), leader, NAMES) == said


def test_too_few_distributions():
    rows = [("weat", "same", 0.1, 0.25), ("weat", "mine", 0.1, 0.25), ("same", "mine", 0.1, 0.25)]
    few, enough = pairs(*rows, clusters=6), pairs(*rows, clusters=7)  # 3 · 2 / 2^6 = .094, 3 · 2 / 2^7 = .047
    assert (
        findings.describe_lead(few, "weat", NAMES) == "6 distributions are too few to show that any is ahead of another"
    )
    assert findings.describe_lead(enough, "weat", NAMES).startswith("no lead is significant")
    both = pd.concat([few.assign(attribute="a"), few[:1].assign(attribute="b")])
    assert findings.describe_significant(few.assign(attribute="a"), ["attribute"], "score").startswith(
        "6 distributions are too"
    )
    assert findings.describe_significant(both, ["attribute"], "score") == (
        "none of 4 differences between two scores is significant (smallest p = 0.250)"
    )  # one pair of 6 clusters may have p = 0.031


@pytest.mark.parametrize(
    ("p", "said"),
    [
        ([0.01, 0.2], "1 of 2 differences between two scores is significant"),
        ([0.01, 0.02], "2 of 2 differences between two scores are significant"),
        ([0.06], "none of 1 difference between two scores is significant (smallest p = 0.060)"),
        ([np.nan], ""),
    ],
)
def test_significant(p, said):
    rows = [("weat", "same", 0.1, one) for one in p]
    assert findings.describe_significant(pairs(*rows).assign(attribute="a"), ["attribute"], "score") == said


def test_top_and_range():
    values = pd.Series({"a": 0.801, "b": np.nan, "c": 0.795, "d": 0.79})
    assert findings.find_best(values) == (["a", "c"], "0.80")
    assert findings.find_best(values.drop("a")) == (["c"], "0.80")
    assert findings.find_best(pd.Series({"a": np.nan}))[0] == []
    assert findings.find_best(pd.Series(dtype=float))[0] == []
    assert format_range(values, 3) == "0.790 (d) to 0.801 (a)"
    assert format_range(values[["a", "b"]], 2) == "0.80 (a)"


def test_numbers_of_things():
    assert [format_count(n, "model") for n in (0, 1, 2.0)] == ["0 models", "1 model", "2 models"]
    assert findings.describe_pairwise_test(pairs(("weat", "same", 0, 1), ("weat", "mine", 0, np.nan), clusters=1)) == (
        "paired permutation test over 1 distribution, Holm's correction for 1 pair"
    )


def test_a_table_of_findings(tmp_path):
    found = [findings.Finding("", "One “is”, more.", "a test", "2 models"), findings.Finding("figures/a", "two")]
    findings.write_findings(found, tmp_path / "findings.csv")
    table = pd.read_csv(tmp_path / "findings.csv", keep_default_na=False)
    assert table.values.tolist() == [["", "One “is”, more.", "a test", "2 models"], ["figures/a", "two", "", ""]]
    assert list(table) == ["result", "sentence", "test", "n"]
