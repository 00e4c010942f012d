"""Sentences about tests of pairs: names and numbers follow the tests."""

import re

import pandas as pd
import pytest

from biassay.report.findings import describe_differences
from biassay.studies.same import verdicts

NAMES = {"weat": "WEAT", "same": "SAME", "mac": "MAC", "ripa": "RIPA"}


def pairs(*rows, clusters=11, ground_truth="signed"):
    """Rows first, second, difference, p_holm."""
    table = pd.DataFrame(rows, columns=["first", "second", "difference", "p_holm"])
    return table.assign(clusters=clusters, ground_truth=ground_truth, against="training")


def summary_of(ground_truth="signed", against="training", **means):
    rows = {"metric": list(means), "r2_mean": list(means.values()), "signed": [name != "mac" for name in means]}
    table = pd.DataFrame(rows).assign(ground_truth=ground_truth, against=against)
    return table.assign(low=table["r2_mean"] - 0.1, high=table["r2_mean"] + 0.1)


def test_metrics_from_most_to_least_and_the_upper_bound_of_their_truth():
    parts = [summary_of(mac=0.4, weat=0.8, same=0.8, empty=float("nan"), unmasking=0.95),
             summary_of("unsigned", mac=0.99, weat=0.3, unmasking=0.5)]  # fmt: skip
    summary = pd.concat([*parts, summary_of(against="unmasking", weat=0.1)])
    tests = pd.concat([pairs(("mac", "weat", -0.4, 0.004), ("mac", "same", -0.4, 0.012), ("weat", "same", 0, 1)),
                       pairs(("mac", "weat", 9, 0.02), ground_truth="unsigned")])  # fmt: skip
    signed = verdicts.describe_words(summary, tests, "signed")
    assert signed.startswith(
        "Mean R²: WEAT 0.80, SAME 0.80 and MAC 0.40; upper bound by unmasking: 0.95. WEAT and SAME"
    )
    assert "than MAC (p ≤ 0.012), after Holm" in signed
    unsigned = verdicts.describe_words(summary, tests, "unsigned")
    assert unsigned.startswith("Mean R²: MAC 0.99 and |WEAT| 0.30; upper bound by unmasking: 0.50. MAC ")
    assert "than |WEAT| (p = 0.020), after Holm" in unsigned
    for few in (summary_of(unmasking=0.9), summary_of(mac=0.9), summary_of("unsigned", mac=1, unmasking=1)):
        assert verdicts.describe_words(few, tests, "signed") == verdicts.NO_SCORES


@pytest.mark.parametrize(
    ("rows", "pattern"),
    [
        ([("weat", "mac", 0.1, 0.2), ("weat", "same", 0.1, 0.051)], r"No difference .* p = 0\.051 "),
        ([("weat", "mac", 0.1, 0.0004)], r"WEAT has .* than MAC \(p < 0\.001\), after Holm's correction\.$"),
        ([("weat", "mac", -0.1, 0.049), ("same", "mac", 0.2, 0.05)],
         r"MAC has .* than WEAT \(p = 0\.049\), after .* No other difference is significant\.$"),
        ([("weat", "mac", 0.1, 0.01), ("weat", "same", 0.1, 0.02), ("same", "mac", 0.1, 0.03)],
         r"WEAT has .* than SAME and MAC \(p ≤ 0\.020\); SAME has .* than MAC \(p = 0\.030\), after Holm"),
        ([("weat", "mac", 0.1, 0.9996)], r"No difference .* p = 1 "),
        ([("weat", "mac", 0.1, float("nan"))], r"No two metrics could be compared\.$"),
    ],
)  # fmt: skip
def test_who_has_more_than_whom(rows, pattern):
    assert re.match(pattern, describe_differences(pairs(*rows), NAMES))


@pytest.mark.parametrize(("clusters", "few"), [(7, True), (8, False)])
def test_too_few_distributions_are_told(clusters, few):
    """The smallest p of three pairs after correction is 3 · 2 / 2^clusters: 0.047 for 7, 0.023 for 8."""
    rows = [("weat", "same", 0.1, 1), ("weat", "mac", 0.1, 1), ("same", "mac", 0.1, 1), ("same", "ripa", 0.1, 1)]
    sentence = describe_differences(pairs(*rows, clusters=clusters), NAMES)
    assert sentence.startswith("7 distributions are too few to show a difference between 4 metrics") == few
    assert sentence.endswith(" 0.06.") == few


def test_an_absolute_value_is_named_in_bars():
    keys = (
        ("signed", "weat", True),
        ("unsigned", "weat", True),
        ("unsigned", "mac", False),
        ("unsigned", "unmasking", True),
    )
    assert [verdicts.score_label(*key) for key in keys] == ["WEAT", "|WEAT|", "MAC", "|0.5 − unmasking|"]


def test_pairs_may_have_several_numbers_of_distributions():
    """The largest number of distributions decides whether a difference can be shown."""
    tests = pairs(("weat", "mac", 0.1, 0.5), ("same", "mac", 0.1, 0.5), clusters=[4, 9])
    assert re.match(r"No difference .* p = 0\.500", describe_differences(tests, NAMES))
