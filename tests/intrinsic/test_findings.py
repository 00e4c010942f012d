"""What the study says that it found, from tables made up: the sentences change with them."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.intrinsic import titles, verdicts

NAN = np.nan


def words(value="r_mean", first="data", **by_attribute):
    """Correlations with a ground truth, by attribute and score."""
    rows = [(attribute, first, second, r) for attribute, of in by_attribute.items() for second, r in of.items()]
    return pd.DataFrame(rows, columns=["attribute", "first", "second", value]).assign(models=8)


def pairs(*rows, clusters=11):
    """Rows attribute, p_holm: tests of two measures with the data."""
    table = pd.DataFrame(rows, columns=["attribute", "p_holm"])
    return table.assign(clusters=clusters, against="data", labels="noisy", difference=0.1)


def test_the_headline():
    table = words(gender={"unmasking": 0.87, "weat": 0.5, "mine": 0.498, "mac": NAN},
                  religion={"unmasking": 0.68, "same": 0.43, "mac": 0.2})  # fmt: skip
    tests = pairs(("gender", 0.01), ("gender", 0.2), ("religion", 0.3))
    found = verdicts.describe_words(pd.concat([table, words(first="unmasking", gender={"mac": 0.9})]), tests)
    assert found.sentence == (
        "How unequal an occupation's groups are shows best in WEAT and mine for gender (r .50; the models' own answers "
        ".87) and SAME for religion (r .43; .68): 1 of 3 differences between two measures is significant."
    )
    assert found.test == (
        "paired permutation test over 11 distributions, Holm's correction for the 1 and 2 pairs of an attribute"
    )
    assert found.n == "8 models"
    swapped = words(gender={"unmasking": 0.87, "weat": 0.2, "mine": 0.4})
    found = verdicts.describe_words(swapped, tests[:0])
    assert found[1:] == (
        "How unequal an occupation's groups are shows best in mine for gender (r .40; the models' own answers .87).",
        "", "8 models"
    )  # fmt: skip
    few = verdicts.describe_words(swapped, tests.assign(clusters=4)).sentence
    assert few.endswith(": 4 distributions are too few to show that one measure is ahead of another.")
    assert verdicts.describe_words(words(gender={"unmasking": 0.8, "mac": NAN}), tests) == ("", verdicts.NO_SCORES, "", "")


def test_scores_of_sets():
    noisy = words("r", gender={"unmasking": 0.9, "neighbours": 0.6, "neighbours (leaking)": 0.8})
    ideal = words("r", gender={"unmasking": 0.9, "same": 0.7})
    both = pd.concat([noisy.assign(labels="noisy"), ideal.assign(labels="ideal")])
    tests = pairs(("gender", 0.01), ("gender", 0.02))
    other = tests.assign(against="unmasking", p_holm=0.9)
    found = verdicts.describe_sets(both, pd.concat([tests, tests.assign(labels="ideal", p_holm=0.9), other]))
    assert found.sentence == (
        "Which model has more bias shows best, in one score for all occupations, in neighbours for gender (r .60; the "
        "models' own answers .90): 2 of 2 differences between two measures are significant."
    )
    assert found.test.startswith("permutation test that exchanges two measures' scores over 11 distributions")
    assert verdicts.describe_sets(both[both["labels"] == "ideal"], tests).sentence.startswith("No measure has scores")
    assert titles.describe_sets(both, "ideal")[:2] == (
        "figures/sets_ideal",
        "Of scores of models, with ideal stereotypes, closest to the data come SAME for gender (r .70; unmasking .90)",
    )
    assert titles.describe_sets(both[:0], "noisy").sentence.startswith("No measure has scores of models")


def test_which_way():
    found = verdicts.describe_signs(words(gender={"unmasking": 0.98, "weat": 0.78, "ripa": 0.8}))
    assert found.sentence == (
        "Which way an occupation is biased shows best in RIPA for gender (r .80; the models' own answers .98)."
    )
    assert "no measure says" in verdicts.describe_signs(words(gender={"unmasking": 0.98, "weat": NAN})).sentence


def detected(*rows):
    return pd.DataFrame(rows, columns=["attribute", "metric", "divergence"])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("gender", "unmasking", 0.01), ("gender", "weat", 0.03), ("gender", "same", 0.03), ("religion", "same", 0.1)],
         "The smallest bias was told from none by WEAT and SAME for gender (mean JSD .030) and SAME for religion (mean "
         "JSD .100)."),
        ([("gender", "weat", 0.04), ("gender", "mine", 0.03), ("religion", "weat", NAN), ("gender", "mac", NAN)],
         "The smallest bias was told from none by mine for gender (mean JSD .030) and none for religion; MAC told none "
         "of those planted."),
        ([("gender", "unmasking", 0.01)], "No models were trained to find which bias is detected."),
        ([], "No models were trained to find which bias is detected."),
    ],
)  # fmt: skip
def test_detection(rows, said):
    assert verdicts.describe_detection(detected(*rows)).sentence == said


def test_templates():
    table = pd.DataFrame(
        {"attribute": ["gender", "religion", "age"], "n_sentences": [30, 13, 9], "min_sentences": [7, NAN, 1]}
    )
    found = verdicts.describe_templates(table.assign(models=8), "figures/templates")
    assert found == (
        "figures/templates",
        "To settle the order of an occupation's groups takes 7 test sentences for gender, more than the 13 there are "
        "for religion and 1 test sentence for age.", "", "8 models"
    )  # fmt: skip
    assert verdicts.describe_templates(table[:0]).sentence == "There are no templates to draw from."


def test_repeats():
    rows = [("gender", "data", 0.01), ("gender", "unmasking (root)", 0.02), ("gender", "weat", 0.887),
            ("gender", "mine", 0.115), ("religion", "mac", 0.3), ("religion", "same", NAN)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["attribute", "metric", "difference"]).assign(distributions=4)
    assert titles.describe_retraining(table)[1:] == (
        "Scores of models of one distribution differ by .115 (mine) to .887 (WEAT) for gender and .300 (MAC) for "
        "religion", "", "4 distributions"
    )  # fmt: skip
    assert "is not known" in titles.describe_retraining(table.assign(difference=NAN)).sentence


def test_of_which_bias_is_told_or_else_which_way(made):
    """Two to four verdicts, none of which ends without a full stop, and a title for each figure, without."""
    tables = {name: made[1][name] for name in ("words", "comparisons", "sets", "set_comparisons", "min_detectable_effect", "signs",
                                               "reliability", "retraining_variability")}  # fmt: skip
    found = list(verdicts.verdicts(tables))
    assert [one.sentence.split()[0] for one in found] == ["How", "Which", "The", "To"]
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
