"""Verdicts and titles of the study: names and numbers follow the tables."""

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
    finding = verdicts.describe_ground_truth(summary, pairs() if tests is None else tests, ground_truth)
    return finding and (finding.sentence, finding.test, finding.n)


def test_the_leader_its_upper_bound_and_tests():
    tests = pairs(("weat", "mine", 0.4, 0.012))
    sentence, test, n = of_ground_truth(tests, weat=0.8, mine=0.4, unmasking=0.95)
    assert sentence.startswith("WEAT follows the direction and magnitude")
    assert (
        "18 language models (mean R² 0.80 [0.70, 0.90]; upper bound by unmasking 0.95): the lead over mine" in sentence
    )
    assert sentence.endswith("(p = 0.012).")
    assert test == "paired permutation test over 11 distributions, Holm's correction for 1 pair"
    assert n == "18 models"
    swapped = of_ground_truth(tests.assign(difference=-0.4), weat=0.4, mine=0.8, unmasking=0.95)[0]
    assert swapped.startswith("mine follows")
    assert "the lead over WEAT is significant" in swapped
    unsure = of_ground_truth(tests.assign(p_holm=0.3), "signed", weat=0.8, mine=0.4)[0]
    assert "(mean R² 0.80 [0.70, 0.90]): no lead is significant" in unsure
    assert "p = 0.300" in unsure
    tied, test, n = of_ground_truth(ground_truth="unsigned", models=1, weat=0.401, mac=0.398, mine=0.1)
    assert tied.startswith("|WEAT| and MAC follow the magnitude")
    assert tied.endswith("1 language model (mean R² 0.40).")
    assert (test, n) == ("", "1 model")
    assert of_ground_truth(weat=NAN, unmasking=0.9) is None
    assert of_ground_truth(unmasking=0.9) is None


def sets(*rows):
    """Rows metric, signed, against, r2, p_holm."""
    table = pd.DataFrame(rows, columns=["metric", "signed", "against", "r2", "p_holm"]).assign(n=18, low=NAN, high=NAN)
    return table.assign(ground_truth=np.where(table["against"] == "mean", "signed", "unsigned"))


@pytest.mark.parametrize(
    ("rows", "fragments"),
    [
        ([("weat", True, "std", 0.5, 0.01), ("mac", False, "mean", 0.2, 0.2)],
         ("1 of 2 correlations", " is significant", "|WEAT| with the standard deviation of p (R² 0.50, p = 0.010).")),
        ([("weat", True, "mean", 0.5, 0.01), ("mine", False, "absolute", 0.6, 0.02)],
         ("2 of 2 correlations", " are significant", "mine with Σ|0.5 − p| (R² 0.60, p = 0.020).")),
        ([("weat", True, "mean", 0.1, 0.3), ("mac", False, "std", NAN, NAN)],
         ("none of 1 correlation ", " is significant", "WEAT with the mean of p (R² 0.10, p = 0.300).")),
    ],
)  # fmt: skip
def test_scores_of_sets(rows, fragments):
    found = verdicts.describe_sets(sets(*rows))
    assert all(fragment in found.sentence for fragment in fragments)
    assert found.n == "18 models"
    assert found.test.startswith(f"Pearson's test, Holm's correction for {sum(row[3] == row[3] for row in rows)} corr")


def test_no_scores_of_sets():
    assert verdicts.describe_sets(sets()).sentence == "No metric has set-level scores."
    found = verdicts.describe_sets(sets(("mac", False, "mean", NAN, NAN)), "figures/sets")
    assert found.result == "figures/sets"
    assert found.sentence.startswith("No correlation")


def repeats(**values):
    return pd.DataFrame({"metric": list(values), "difference": list(values.values()), "distributions": 9})


def test_repeats_and_halves():
    finding = verdicts.describe_retraining(repeats(weat=0.3, mac=NAN, mine=0.12, unmasking=0.01))
    assert "0.120 (mine) to 0.300 (WEAT) of its mean." in finding.sentence
    assert finding.n == "9 distributions"
    assert "unknown" in verdicts.describe_retraining(repeats(mac=NAN, unmasking=0.1)).sentence
    halves = pd.DataFrame({"metric": ["weat", "mac"], "deviation": [0.0637, 0.0077], "models": 18})
    finding = titles.describe_subsampling(halves)
    assert "0.0077 (MAC) to 0.0637 (WEAT) of the metric's range" in finding.sentence
    assert finding.n == "18 models"
    assert "unknown" in titles.describe_subsampling(halves.assign(deviation=NAN)).sentence


def test_title_of_words():
    both = [summary_of(weat=0.8, mine=0.7, unmasking=0.95), summary_of("unsigned", weat=0.3, mac=0.4, unmasking=0.5)]
    summary = pd.concat(both).assign(models=18)
    below = titles.describe_words(summary).sentence
    assert "WEAT for p (mean R² 0.80) and MAC for |0.5 − p| (mean R² 0.40); all metrics are below" in below
    above = titles.describe_words(summary_of("unsigned", mine=0.6, unmasking=0.5).assign(models=18)).sentence
    assert "|mine| for |0.5 − p| (mean R² 0.60); not all metrics are below" in above
    assert titles.describe_words(summary_of(mac=NAN).assign(models=0)).sentence == verdicts.NO_SCORES


def groups(similar=4.2, worse=5.1, models=(7, 8)):
    table = {"category": ["similar", "between", "worse"], "angle_mean": [similar, 1, worse], "note": "none"}
    table |= {"models": [models[0], 1, models[1]], "example_model": [3 if models[0] else NAN, 1, 5]}
    return pd.DataFrame(table)


def test_title_of_angles():
    finding = titles.describe_angles(groups())
    assert " is larger than" in finding.sentence
    assert finding.sentence.endswith("5.1° and 4.2°")
    assert finding.n == "15 models"
    finding = titles.describe_angles(groups(5.1, 4.2))
    assert " is no larger than" in finding.sentence
    assert finding.sentence.endswith("4.2° and 5.1°")
    assert "no larger" in titles.describe_angles(groups(4.19, 4.21)).sentence
    assert titles.describe_angles(groups(models=(0, 8))).sentence.endswith("similar to SAME: none")


def correlations(values):
    """R² of models by ground truth and metric."""
    rows = [
        (ground_truth, metric, model, r2) for (ground_truth, metric), of in values.items() for model, r2 in of.items()
    ]
    table = pd.DataFrame(rows, columns=["ground_truth", "metric", "model", "r2"])
    return table.assign(against="training", learned=True, n=60, signed=table["metric"] != "direct_bias")


def test_titles_of_examples():
    table = correlations({("signed", "same"): {3: 0.8, 5: 0.9, 1: 0.99}, ("signed", "unmasking"): {3: 1, 5: 1, 1: 1},
                          ("unsigned", "direct_bias"): {3: 0.7, 5: 0.1, 1: 0.98}})  # fmt: skip
    finding = titles.describe_examples(table, groups())
    assert "similar to SAME in model 3 (R² 0.70 and 0.80) and worse than SAME in model 5" in finding.sentence
    assert finding.n == "2 models"
    finding = titles.describe_examples(table, groups(models=(0, 8)))
    assert finding.sentence == "Direct Bias is worse than SAME in model 5 (R² 0.10 and 0.90)"
    assert titles.describe_examples(table, groups().assign(example_model=NAN)).sentence.startswith("No model")
    finding = titles.describe_example(table)
    assert finding.sentence.endswith("R² with p is 0.80 (SAME) and R² with |0.5 − p| is 0.70 (Direct Bias)")
    assert finding.n == "60 occupations"
    assert titles.describe_example(table.assign(learned=False)).sentence.startswith("No model has scores")


@pytest.mark.parametrize(
    ("changed", "fragment"),
    [
        ({}, "lower the effect size (from 2.00 to 1.20 and 1.30) and raise SAME (from 0.01 to 0.06 and 0.04)"),
        ({"effect_size": (1.2, 1.5, 1.3, 1, 1)}, "More stereotyped words raise the effect size"),
        ({"same": (0.05, 0.06, 0.04, 1, 1)}, "do not consistently change SAME (from 0.05"),
    ],
)  # fmt: skip
def test_title_of_the_effect_size(changed, fragment):
    assert fragment in titles.describe_effect_size(steps(**changed)).sentence


def test_no_effect_size():
    assert titles.describe_effect_size(steps()[:0]).sentence.startswith("Too few occupations")
