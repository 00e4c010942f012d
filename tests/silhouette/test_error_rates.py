"""Sentences on false positives and power: each changes with the table that it is read from."""

import pandas as pd
import pytest

from biassay.studies.silhouette import error_rates
from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED

NAN = float("nan")


def rates(metric, rate, low, test=REASSIGNED, **changes):
    """A row of false_positives.csv: the share of 200 draws on both models, and the least that it may be."""
    row = {"metric": metric, "test": test, "bias": "all", "share": 0.5, "n_unbiased": 200, "false_positive_rate": rate,
           "false_positive_rate_low": low, "n_biased": 200, "power": 0.5, "power_low": 0.4,
           "power_high": 0.6}  # fmt: skip
    return row | changes


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("weat", 0.57, 0.51), "200 samples of half of the words without bias: WEAT's own test: 57 %, more"),
        (("weat", 0.06, 0.04), "own test: 6 %, not significantly more"),
        (("mine", 0.57, 0.51), "mine's own test: 57 %, more than the expected 5 %"),
    ],
)  # fmt: skip
def test_false_positives_of_published_tests(row, said):
    rows = [
        rates(*row, test=PUBLISHED),
        rates(*row, test=PUBLISHED, share=1.0),
        rates(*row, test="95 % of the shuffles"),
    ]
    assert said in error_rates.describe_published_tests(pd.DataFrame(rows)).sentence
    assert error_rates.describe_published_tests(pd.DataFrame([rates("mac", 1, 0.9)])).sentence == ""


def test_false_positives_of_other_metrics():
    rows = [rates("weat", 0.9, 0.8, test=PUBLISHED), rates("mac", 0.2, 0.1), rates("rnsb", 0.5, 0.4, share=0.25),
            rates("same", 0.07, 0.049), rates("mine", 0.0, 0.0), rates("rnd", 1, 0.9, bias="gender")]  # fmt: skip
    said = error_rates.describe_other_tests(pd.DataFrame(rows))
    assert said.sentence.endswith(
        "more than the expected 5 % of 200 samples of half of the words for RNSB (50 %) and MAC (20 %), not for "
        "SAME and mine."
    )
    assert said.test.startswith("permutation tests at 5 %")
    none = error_rates.describe_other_tests(pd.DataFrame(rows[3:5])).sentence
    assert ": not significantly more than" in none
    assert none.endswith(" for SAME and mine.")
    assert error_rates.describe_other_tests(pd.DataFrame([rates("mac", 0.2, 0.1)])).sentence.endswith("for MAC (20 %).")
    assert error_rates.describe_other_tests(pd.DataFrame(rows[:1])).sentence == ""
    assert error_rates.describe_other_tests(pd.DataFrame([rates("mac", NAN, NAN, n_unbiased=0)])).sentence == ""


def test_power_of_tests_without_too_many_false_positives():
    rows = [rates("ect", 1, 0.9, power=1, power_low=0.98, power_high=1),
            rates("same", 0, 0, power=0.9, power_low=0.85, power_high=0.94),
            rates("mac", 0, 0, power=0.8, power_low=0.75, power_high=0.86),
            rates("rnd", 0, 0, power=0.1, power_low=0.05, power_high=0.15)]  # fmt: skip
    said = error_rates.describe_power(pd.DataFrame(rows)).sentence
    assert "those of SAME and MAC have the most power (80 to 90 % of 200 samples of half of the words)" in said
    assert said.endswith("; that of RND has the least (10 %).")
    assert error_rates.describe_power(pd.DataFrame(rows[:1])).sentence == ""
    assert error_rates.describe_power(pd.DataFrame(rows[1:2])).sentence.endswith(
        "(90 % of 200 samples of half of the words)."
    )
