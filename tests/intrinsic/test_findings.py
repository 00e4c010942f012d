"""Verdicts and titles of the study: names and numbers follow the tables."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.intrinsic import titles, verdicts

NAN = np.nan


def words(value="r_mean", first="data", **by_attribute):
    """Correlations with a ground truth, by attribute and score."""
    rows = [(attribute, first, second, r) for attribute, of in by_attribute.items() for second, r in of.items()]
    table = pd.DataFrame(rows, columns=["attribute", "first", "second", value]).assign(models=8)
    return table.assign(low=table[value] - 0.1, high=table[value] + 0.1)


def pairs(*rows, clusters=11):
    """Rows attribute, p_holm: tests of two metrics with the data."""
    table = pd.DataFrame(rows, columns=["attribute", "p_holm"])
    return table.assign(clusters=clusters, against="data", labels="noisy", difference=0.1)


def test_the_headline():
    table = words(gender={"unmasking": 0.87, "weat": 0.5, "mine": 0.498, "mac": NAN},
                  religion={"unmasking": 0.68, "same": 0.43, "mac": 0.2})  # fmt: skip
    tests = pairs(("gender", 0.01), ("gender", 0.2), ("religion", 0.3))
    found = verdicts.describe_words(pd.concat([table, words(first="unmasking", gender={"mac": 0.9})]), tests)
    assert "WEAT and mine for gender (r 0.50; upper bound by unmasking 0.87) and SAME for religion" in found.sentence
    assert "SAME for religion (r 0.43 [0.33, 0.53]; 0.68); 1 of 3 " in found.sentence
    assert "11 distributions" in found.test
    assert "1 and 2 per attribute" in found.test
    assert found.n == "8 models"
    swapped = words(gender={"unmasking": 0.87, "weat": 0.2, "mine": 0.4})
    found = verdicts.describe_words(swapped, tests[:0])
    assert found.sentence.endswith("mine for gender (r 0.40 [0.30, 0.50]; upper bound by unmasking 0.87).")
    assert (found.test, found.n) == ("", "8 models")
    few = verdicts.describe_words(swapped, tests.assign(clusters=4)).sentence
    assert "; 4 distributions are too few" in few
    nothing = verdicts.describe_words(words(gender={"unmasking": 0.8, "mac": NAN}), tests)
    assert nothing == ("", verdicts.NO_SCORES, "", "")


def test_scores_of_sets():
    noisy = words("r", gender={"unmasking": 0.9, "neighbours": 0.6, "neighbours (leaking)": 0.8})
    ideal = words("r", gender={"unmasking": 0.9, "same": 0.7})
    both = pd.concat([noisy.assign(labels="noisy"), ideal.assign(labels="ideal")])
    tests = pairs(("gender", 0.01), ("gender", 0.02))
    other = tests.assign(against="unmasking", p_holm=0.9)
    found = verdicts.describe_sets(both, pd.concat([tests, tests.assign(labels="ideal", p_holm=0.9), other]))
    assert "neighbours for gender (r 0.60 [0.50, 0.70]; upper bound by unmasking 0.90); 2 of 2 " in found.sentence
    assert found.test.startswith("permutation test that swaps two metrics' scores over 11 distributions")
    assert verdicts.describe_sets(both[both["labels"] == "ideal"], tests).sentence.startswith("No metric has")
    title = titles.describe_sets(both, "ideal")
    assert title.result == "figures/sets_ideal"
    assert "ideal stereotypes: SAME for gender (r 0.70 [0.60, 0.80]; upper bound by unmasking 0.90)" in title.sentence
    assert titles.describe_sets(both[:0], "noisy").sentence.startswith("No metric has scores at set level")


def test_which_way():
    found = verdicts.describe_signs(words(gender={"unmasking": 0.98, "weat": 0.78, "ripa": 0.8}))
    assert "direction" in found.sentence
    assert found.sentence.endswith("RIPA for gender (r 0.80 [0.70, 0.90]; upper bound by unmasking 0.98).")
    nothing = verdicts.describe_signs(words(gender={"unmasking": 0.98, "weat": NAN})).sentence
    assert nothing.startswith("No metric has signed scores")


def detected(*rows):
    return pd.DataFrame(rows, columns=["attribute", "metric", "divergence"])


@pytest.mark.parametrize(
    ("rows", "end"),
    [
        ([("gender", "unmasking", 0.01), ("gender", "weat", 0.03), ("gender", "same", 0.03), ("religion", "same", 0.1)],
         "by WEAT and SAME for gender (mean JSD 0.030) and SAME for religion (mean JSD 0.100)."),
        ([("gender", "weat", 0.04), ("gender", "mine", 0.03), ("religion", "weat", NAN), ("gender", "mac", NAN)],
         "by mine for gender (mean JSD 0.030) and no metric for religion; MAC detects none of the planted biases."),
        ([("gender", "unmasking", 0.01)], "No models for detection were trained."),
        ([], "No models for detection were trained."),
    ],
)  # fmt: skip
def test_detection(rows, end):
    assert verdicts.describe_detection(detected(*rows)).sentence.endswith(end)


def test_templates():
    table = pd.DataFrame(
        {"attribute": ["gender", "religion", "age"], "n_sentences": [30, 13, 9], "min_sentences": [7, NAN, 1]}
    )
    found = verdicts.describe_templates(table.assign(models=8), "figures/templates")
    for fragment in ("7 test sentences for gender", "13 available for religion and 1 test sentence for age."):
        assert fragment in found.sentence
    assert (found.result, found.test, found.n) == ("figures/templates", "", "8 models")
    assert verdicts.describe_templates(table[:0]).sentence.startswith("There are no templates")


def test_repeats():
    rows = [("gender", "data", 0.01), ("gender", "unmasking (root)", 0.02), ("gender", "weat", 0.887),
            ("gender", "mine", 0.115), ("religion", "mac", 0.3), ("religion", "same", NAN)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["attribute", "metric", "difference"]).assign(distributions=4)
    found = titles.describe_retraining(table)
    assert found.sentence.endswith("0.115 (mine) to 0.887 (WEAT) for gender and 0.300 (MAC) for religion")
    assert found.n == "4 distributions"
    assert "unknown" in titles.describe_retraining(table.assign(difference=NAN)).sentence


def test_detection_or_else_direction(made):
    """Two to four verdicts, none of which ends without a full stop, and a title for each figure, without."""
    names = ("words", "comparisons", "sets", "set_comparisons", "min_detectable_effect", "signs", "reliability",
             "retraining_variability")  # fmt: skip
    tables = {name: made[1][name] for name in names}
    found = list(verdicts.verdicts(tables))
    assert [one.sentence.split()[0] for one in found] == ["Closest", "Closest", "The", "A"]
    without = list(verdicts.verdicts(tables | {"min_detectable_effect": tables["min_detectable_effect"][:0]}))
    assert without[2] == verdicts.describe_signs(tables["signs"])
    least = list(
        verdicts.verdicts(
            tables | {"min_detectable_effect": tables["min_detectable_effect"][:0], "signs": tables["signs"][:0]}
        )
    )
    assert least == [*found[:2], found[3]]
    shown = list(titles.titles(tables))
    names = ["words", "sets_noisy", "sets_ideal", "templates", "retraining_variability", "detection"]
    assert [one.result for one in shown] == [f"figures/{name}" for name in names]
    assert not any(one.sentence.endswith(".") or "nan" in one.sentence for one in shown)
