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
    ("rows", "leaders", "words"),
    [
        ([("weat", "same", 0.1, 0.01), ("weat", "mine", 0.1, 0.04), ("same", "mine", 0, 1)], ["weat"],
         "over SAME and mine is significant (p ≤ 0.040)"),
        ([("weat", "same", -0.1, 0.01)], ["same"], "over WEAT is significant (p = 0.010)"),
        ([("weat", "same", -0.1, 0.01), ("weat", "mine", 0.1, 0.2)], ["weat"], "is significant (smallest p = 0.200)"),
        ([("weat", "same", 0.1, np.nan)], ["weat"], ""),
        ([("weat", "same", 0.001, 0.01), ("weat", "mine", 0.1, 0.01), ("mine", "same", -0.1, 0.03)], ["weat", "same"],
         "over mine is significant (p ≤ 0.030)"),
        ([("weat", "same", 0.001, 0.01), ("weat", "mine", 0.1, 0.01), ("mine", "same", -0.1, 0.3)], ["weat", "same"],
         "no lead is significant (smallest p = 0.300)"),
        ([("weat", "same", 0.001, 0.01)], ["weat", "same"], ""),
    ],
)  # fmt: skip
def test_lead(rows, leaders, words):
    said = findings.describe_lead(pairs(*rows), leaders, NAMES)
    assert words in said if words else said == ""


def test_a_leader_that_is_behind_all_has_no_p():
    """The smaller mean can lead, if it is the one that is distinguishable from 0."""
    assert findings.describe_lead(pairs(("weat", "same", -0.1, 0.01)), ["weat"], NAMES) == "no lead is significant"


def test_too_few_distributions_cannot_show_a_lead():
    """The smallest p of three pairs is 3 · 2 / 2^6 = .094 of 6 distributions and .047 of 7, and .031 of one pair."""
    rows = [("weat", "same", 0.1, 0.25), ("weat", "mine", 0.1, 0.25), ("same", "mine", 0.1, 0.25)]
    few, enough = pairs(*rows, clusters=6).assign(attribute="a"), pairs(*rows, clusters=7)
    assert "too few" in findings.describe_lead(few, ["weat"], NAMES)
    assert "too few" not in findings.describe_lead(enough, ["weat"], NAMES)
    both = pd.concat([few, few[:1].assign(attribute="b")])
    assert "too few" in findings.describe_significant(few, ["attribute"], "score")
    assert "none of 4" in findings.describe_significant(both, ["attribute"], "score")


def test_best_values_as_they_are_printed():
    values = pd.Series({"a": 0.801, "b": np.nan, "c": 0.795, "d": 0.79})
    assert findings.find_best(values) == (["a", "c"], "0.80")
    assert findings.find_best(pd.Series({"a": np.nan}))[0] == []
    assert format_range(values, 3) == "0.790 (d) to 0.801 (a)"
    assert format_range(values[["a", "b"]], 2) == "0.80 (a)"
    assert [format_count(n, "model") for n in (0, 1, 2.0)] == ["0 models", "1 model", "2 models"]


def test_a_table_of_findings(tmp_path):
    verdict = findings.Finding("One  “is”,\nmore.", "a test", "2 models")
    findings.write_findings([verdict, findings.Finding("two")], tmp_path / "findings.csv")
    found = findings.read_findings(tmp_path / "findings.csv")
    assert found == [verdict._replace(sentence="One “is”, more."), findings.Finding("two")]
