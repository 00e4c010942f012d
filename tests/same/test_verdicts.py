"""What the sentences say, from tests of pairs that were made up."""

import pandas as pd
import pytest

from biassay.figures.findings import describe_differences
from biassay.studies.same import verdicts

NAMES = {"weat": "WEAT", "same": "SAME", "mac": "MAC", "ripa": "RIPA"}


def pairs(*rows, clusters=11, ground_truth="signed"):
    """Rows first, second, difference, p_holm."""
    table = pd.DataFrame(rows, columns=["first", "second", "difference", "p_holm"])
    return table.assign(clusters=clusters, ground_truth=ground_truth, against="training")


def summary_of(ground_truth="signed", against="training", **means):
    rows = {"metric": list(means), "r2_mean": list(means.values()), "signed": [name != "mac" for name in means]}
    return pd.DataFrame(rows).assign(ground_truth=ground_truth, against=against)


def test_metrics_from_most_to_least_and_the_ceiling_of_their_truth():
    parts = [summary_of(mac=0.4, weat=0.8, same=0.8, empty=float("nan"), unmasking=0.95),
             summary_of("unsigned", mac=0.99, weat=0.3, unmasking=0.5)]  # fmt: skip
    summary = pd.concat([*parts, summary_of(against="unmasking", weat=0.1)])
    tests = pd.concat([pairs(("mac", "weat", -0.4, 0.004), ("mac", "same", -0.4, 0.012), ("weat", "same", 0, 1)),
                       pairs(("mac", "weat", 9, 0.02), ground_truth="unsigned")])  # fmt: skip
    assert verdicts.words(summary, tests, "signed") == (
        "Mean R²: WEAT .80, SAME .80 and MAC .40; unmasking itself reaches .95. WEAT and SAME have more than MAC "
        "(p ≤ .012), after Holm's correction. No other difference is significant."
    )
    assert verdicts.words(summary, tests, "unsigned") == (
        "Mean R²: MAC .99 and |WEAT| .30; unmasking itself reaches .50. MAC has more than |WEAT| (p = .020), after "
        "Holm's correction."
    )
    for left in (summary_of(unmasking=0.9), summary_of(mac=0.9), summary_of("unsigned", mac=1, unmasking=1)):
        assert verdicts.words(left, tests, "signed") == verdicts.NOTHING


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("weat", "mac", 0.1, 0.2), ("weat", "same", 0.1, 0.051)],
         "No difference between them is significant (least p = .051 after Holm's correction)."),
        ([("weat", "mac", 0.1, 0.0004)], "WEAT has more than MAC (p < .001), after Holm's correction."),
        ([("weat", "mac", -0.1, 0.049), ("same", "mac", 0.2, 0.05)],
         "MAC has more than WEAT (p = .049), after Holm's correction. No other difference is significant."),
        ([("weat", "mac", 0.1, 0.01), ("weat", "same", 0.1, 0.02), ("same", "mac", 0.1, 0.03)],
         "WEAT has more than SAME and MAC (p ≤ .020); SAME has more than MAC (p = .030), after Holm's correction."),
        ([("weat", "mac", 0.1, 0.9996)],
         "No difference between them is significant (least p = 1 after Holm's correction)."),
        ([("weat", "mac", 0.1, float("nan"))], "No two metrics could be compared."),
    ],
)  # fmt: skip
def test_who_has_more_than_whom(rows, said):
    assert describe_differences(pairs(*rows), NAMES) == said


@pytest.mark.parametrize(("clusters", "few"), [(7, True), (8, False)])
def test_too_few_distributions_are_told(clusters, few):
    """Of three pairs the least p after correction is 3 · 2 / 2^k: .047 for 7, .023 for 8."""
    rows = [("weat", "same", 0.1, 1), ("weat", "mac", 0.1, 1), ("same", "mac", 0.1, 1), ("same", "ripa", 0.1, 1)]
    said = describe_differences(pairs(*rows, clusters=clusters), NAMES)
    assert said.startswith("7 distributions are too few to show a difference between 4 metrics") == few
    assert ("no p could be below .06." in said) == few


def test_an_absolute_value_is_named_in_bars():
    found = [verdicts.named(*key) for key in (("signed", "weat", True), ("unsigned", "weat", True),
                                              ("unsigned", "mac", False), ("unsigned", "unmasking", True))]  # fmt: skip
    assert found == ["WEAT", "|WEAT|", "MAC", "|0.5 − unmasking|"]


def test_pairs_may_have_several_numbers_of_distributions():
    """What the pair with most of them could show counts."""
    tests = pairs(("weat", "mac", 0.1, 0.5), ("same", "mac", 0.1, 0.5), clusters=[4, 9])
    assert describe_differences(tests, NAMES).startswith("No difference between them is significant (least p = .500")
