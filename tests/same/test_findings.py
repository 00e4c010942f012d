"""What the study says that it found, from tables made up: the sentences change with them."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.same import titles, verdicts
from tests.same.answers import steps
from tests.same.test_verdicts import pairs, summary_of

NAN = np.nan


def of_ground_truth(tests=None, ground_truth="signed", models=18, **means):
    """The sentence and the test of one ground truth."""
    summary = summary_of(ground_truth, **means).assign(models=models)
    found = verdicts.of_ground_truth(summary, pairs() if tests is None else tests, ground_truth)
    return found and (found.sentence, found.test, found.n)


def test_the_winner_its_ceiling_and_how_sure_it_is():
    tests = pairs(("weat", "mine", 0.4, 0.012))
    assert of_ground_truth(tests, weat=0.8, mine=0.4, unmasking=0.95) == (
        "Asked which way and how far occupations are biased, WEAT comes closest to what 18 language models were "
        "trained on (mean R² .80 of 1; the models' own answers .95): the lead over mine is significant (p = .012).",
        "paired permutation test over 11 distributions, Holm's correction for 1 pair",
        "18 models",
    )  # fmt: skip
    swapped = of_ground_truth(tests.assign(difference=-0.4), weat=0.4, mine=0.8, unmasking=0.95)[0]
    assert "mine comes closest" in swapped
    assert "the lead over WEAT is significant" in swapped
    unsure = of_ground_truth(tests.assign(p_holm=0.3), "signed", weat=0.8, mine=0.4)[0]
    assert unsure.endswith("(mean R² .80 of 1): no lead is significant (least p = .300).")
    tied = of_ground_truth(ground_truth="unsigned", models=1, weat=0.401, mac=0.398, mine=0.1)
    assert tied == ("Asked only how far they are biased, |WEAT| and MAC come closest to what 1 language model was "
                    "trained on (mean R² .40 of 1).", "", "1 model")  # fmt: skip
    assert of_ground_truth(weat=NAN, unmasking=0.9) is None
    assert of_ground_truth(unmasking=0.9) is None


def sets(*rows):
    """Rows metric, signed, against, r2, p_holm."""
    table = pd.DataFrame(rows, columns=["metric", "signed", "against", "r2", "p_holm"]).assign(n=18)
    return table.assign(ground_truth=np.where(table["against"] == "mean", "signed", "unsigned"))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("weat", True, "std", 0.5, 0.01), ("mac", False, "mean", 0.2, 0.2)],
         "1 of 2 correlations with a model's bias is significant; the closest is |WEAT| with the standard deviation of "
         "p (R² .50, p = .010)."),
        ([("weat", True, "mean", 0.5, 0.01), ("mine", False, "absolute", 0.6, 0.02)],
         "2 of 2 correlations with a model's bias are significant; the closest is mine with Σ|0.5 − p| "
         "(R² .60, p = .020)."),
        ([("weat", True, "mean", 0.1, 0.3), ("mac", False, "std", NAN, NAN)],
         "none of 1 correlation with a model's bias is significant; the closest is WEAT with the mean of p "
         "(R² .10, p = .300)."),
    ],
)  # fmt: skip
def test_scores_of_sets(rows, said):
    found = verdicts.of_sets(sets(*rows))
    assert found.sentence == f"With one score for all occupations, {said}"
    assert found.n == "18 models"
    assert found.test.startswith(f"Pearson's test, Holm's correction for {sum(row[3] == row[3] for row in rows)} corr")


def test_no_scores_of_sets():
    assert verdicts.of_sets(sets()).sentence == "No metric has scores of sets."
    found = verdicts.of_sets(sets(("mac", False, "mean", NAN, NAN)), "figures/sets")
    assert found[:2] == ("figures/sets", "Scores of all occupations together have no correlation that could be tested.")


def repeats(**values):
    return pd.DataFrame({"metric": list(values), "difference": list(values.values()), "distributions": 9})


def test_repeats_and_halves():
    said = verdicts.repeats(repeats(weat=0.3, mac=NAN, mine=0.12, unmasking=0.01)).sentence
    start = "Between models trained on the same bias the spread of scores differs by "
    assert said == f"{start}.120 (mine) to .300 (WEAT) of its mean."
    assert "not known" in verdicts.repeats(repeats(mac=NAN, unmasking=0.1)).sentence
    halves = pd.DataFrame({"metric": ["weat", "mac"], "deviation": [0.0637, 0.0077], "models": 18})
    assert titles.halves(halves)[1:] == (
        "Half of the occupations change scores by .0077 (MAC) to .0637 (WEAT) of their range", "", "18 models"
    )  # fmt: skip
    assert "not known" in titles.halves(halves.assign(deviation=NAN)).sentence


def test_title_of_words():
    both = [summary_of(weat=0.8, mine=0.7, unmasking=0.95), summary_of("unsigned", weat=0.3, mac=0.4, unmasking=0.5)]
    summary = pd.concat(both).assign(models=18)
    assert titles.words(summary).sentence == (
        "Closest to the bias trained on come WEAT to p (mean R² .80) and MAC to |0.5 − p| (mean R² .40); all metrics "
        "stay below what unmasking shows"
    )
    above = titles.words(summary_of("unsigned", mine=0.6, unmasking=0.5).assign(models=18)).sentence
    assert above == (
        "Closest to the bias trained on come |mine| to |0.5 − p| (mean R² .60); not all metrics stay below what "
        "unmasking shows"
    )
    assert titles.words(summary_of(mac=NAN).assign(models=0)).sentence == verdicts.NOTHING


def groups(similar=4.2, worse=5.1, models=(7, 8)):
    return pd.DataFrame({"category": ["similar", "between", "worse"], "angle_mean": [similar, 1, worse], "note": "none",
                         "models": [models[0], 1, models[1]], "example_model": [3 if models[0] else NAN, 1, 5]})  # fmt: skip


def test_title_of_angles():
    assert titles.angles(groups())[1:] == (
        "Where Direct Bias falls behind SAME, the angle between their directions is on average larger than where it "
        "keeps up: 5.1°, against 4.2°", "", "15 models"
    )  # fmt: skip
    assert "on average no larger than where it keeps up: 4.2°, against 5.1°" in titles.angles(groups(5.1, 4.2)).sentence
    assert "no larger" in titles.angles(groups(4.19, 4.21)).sentence
    assert titles.angles(groups(models=(0, 8))).sentence == (
        "Where Direct Bias keeps up with SAME cannot be compared: none"
    )


def correlations(values):
    """R² of models by truth and metric."""
    rows = [
        (ground_truth, metric, model, r2) for (ground_truth, metric), of in values.items() for model, r2 in of.items()
    ]
    table = pd.DataFrame(rows, columns=["ground_truth", "metric", "model", "r2"])
    return table.assign(against="training", learned=True, n=60, signed=table["metric"] != "direct_bias")


def test_titles_of_examples():
    table = correlations({("signed", "same"): {3: 0.8, 5: 0.9, 1: 0.99}, ("signed", "unmasking"): {3: 1, 5: 1, 1: 1},
                          ("unsigned", "direct_bias"): {3: 0.7, 5: 0.1, 1: 0.98}})  # fmt: skip
    assert titles.examples(table, groups())[1:] == (
        "Direct Bias keeps up with SAME in model 3 (R² .70 and .80) and falls behind SAME in model 5 (R² .10 and .90)",
        "", "2 models"
    )  # fmt: skip
    assert titles.examples(table, groups(models=(0, 8))).sentence == (
        "Direct Bias falls behind SAME in model 5 (R² .10 and .90)"
    )
    assert titles.examples(table, groups().assign(example_model=NAN)).sentence.startswith("There is no model")
    assert titles.example(table)[1:] == (
        "In the median model, R² with p is .80 (SAME) and R² with |0.5 − p| is .70 (Direct Bias)", "", "60 occupations"
    )  # fmt: skip
    assert titles.example(table.assign(learned=False)).sentence == "No model has scores that could be shown"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "More stereotyped words lower the effect size (from 2.00 to 1.20 and 1.30) and raise SAME (from .01 to "
             ".06 and .04)"),
        ({"effect_size": (1.2, 1.5, 1.3, 1, 1)}, "More stereotyped words raise the effect size"),
        ({"same": (0.05, 0.06, 0.04, 1, 1)}, "and do not move one way SAME (from .05"),
    ],
)  # fmt: skip
def test_title_of_the_effect_size(changed, said):
    assert said in titles.effect(steps(**changed)).sentence


def test_no_effect_size():
    assert titles.effect(steps()[:0]).sentence.startswith("Too few occupations")
