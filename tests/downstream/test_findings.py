"""What the study says that it found, from tables made up: the sentences change with them."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import titles, verdicts
from tests.downstream.test_answer import TABLES, ranking

NAN = np.nan
WHICH = "which of two language models has more downstream bias"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("same", 0.6, 0.3), ("weat", 0.4, 0.2)],
         f"No score predicts {WHICH}: none of 2 rankings differs from chance (smallest p = 0.200)."),
        ([("same", 0.6, 0.05)],
         f"No score predicts {WHICH}: none of 1 ranking differs from chance (smallest p = 0.050)."),
        ([("same", 0.9, 0.01), ("weat", 0.4, 0.2)],
         f"SAME (bios, gender, p = 0.010) predicts {WHICH}; no other of 2 rankings differs from chance."),
        ([("same", 0.1, 0.01), ("weat", 0.4, 0.2)],
         f"SAME (bios, gender, p = 0.010) is misleading on {WHICH}; no other of 2 rankings differs from chance."),
        ([("same", 0.9, 0.0001), ("mine", 0.8, 0.04)],
         f"SAME (bios, gender, p < 0.001) and mine (bios, gender, p = 0.040) predict {WHICH}."),
        ([("same", 0.9, 0.01), ("weat", 0.1, 0.02)],
         f"SAME (bios, gender, p = 0.010) predicts {WHICH}; WEAT (bios, gender, p = 0.020) is misleading on {WHICH}."),
        ([("same", 0.9, 0.5), ("same", 0.9, 0.001, "debiased")],
         f"No score predicts {WHICH}: none of 1 ranking differs from chance (smallest p = 0.500)."),
        ([("same", NAN, NAN), ("weat", 0.9, 0.02)], f"WEAT (bios, gender, p = 0.020) predicts {WHICH}."),
        ([("same", NAN, NAN)], "No ranking could be tested: it takes two models with different bias."),
        ([], verdicts.EMPTY["downstream"]),
    ],
)  # fmt: skip
def test_ranking(rows, said):
    found = verdicts.describe_ranking(ranking(*rows), "downstream")
    assert found.sentence == said
    assert bool(found.test) == bool(found.n) == ("bios" in said or "rankings" in said or "1 ranking" in said)


def test_ranking_by_what_was_planted():
    table = ranking(("downstream", 1.0, 0.02)).assign(ground_truth="planted")
    assert verdicts.describe_ranking(table, "planted")[1:] == (
        "Downstream bias (bios, gender, p = 0.020) predicts which of two language models has more planted bias.",
        "permutation of the scores of whole models, Holm's correction for 1 ranking", "6 models"
    )  # fmt: skip
    assert verdicts.describe_ranking(table, "downstream").sentence == verdicts.EMPTY["downstream"]
    raw = verdicts.describe_ranking(table.assign(version="raw"), "planted")
    assert raw.sentence == verdicts.EMPTY["planted"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("same", 0.9, 0.5), ("weat", 0.5, NAN)],
         "None of 1 ranking of models by a score is significantly better than chance"),
        ([("same", 0.9, 0.01), ("weat", 0.1, 0.01)],
         "1 of 2 rankings of models by a score is significantly better than chance, 1 worse"),
        ([("same", 0.9, 0.01), ("weat", 0.9, 0.01), ("mac", 0.9, 0.2)],
         "2 of 3 rankings of models by a score are significantly better than chance"),
        ([("same", NAN, NAN)], "There are no two models that scores could rank"),
    ],
)  # fmt: skip
def test_title_of_rankings(rows, said):
    assert titles.describe_ranking(ranking(*rows)).sentence == said


def test_chance_is_that_of_the_models_and_what_is_debiased_or_of_raw_texts_is_no_finding():
    """Chance need not be about ½: an accuracy of .6 is worse than a chance of .7, and one of .4 better than .3."""
    table = ranking(("same", 0.6, 0.01), ("weat", 0.4, 0.02), ("mac", 0.8, 0.01)).assign(chance=[0.7, 0.3, 0.9])
    table = table.assign(n_models=[5, 8, 6])
    found, title = verdicts.describe_ranking(table, "downstream"), titles.describe_ranking(table)
    assert found.sentence == (
        f"WEAT (bios, gender, p = 0.020) predicts {WHICH}; SAME (bios, gender, p = 0.010) and MAC (bios, gender, p = "
        f"0.010) are misleading on {WHICH}."
    )
    assert title.sentence.startswith("1 of 3 rankings")
    assert title.sentence.endswith("better than chance, 2 worse")
    assert found.n == title.n == "8 models"
    others = [table.assign(ranking_accuracy=0.95, n_models=50, **{name: of}) for name, of in
              (("group_words", "debiased"), ("version", "raw"))]  # fmt: skip
    more = pd.concat([table, *others])
    assert (verdicts.describe_ranking(more, "downstream"), titles.describe_ranking(more)) == (found, title)


def within(*rows):
    """Rows over, version, metric, median r."""
    table = pd.DataFrame(rows, columns=["units", "version", "metric", "median"])
    return table.assign(
        set="bios", attribute="gender", n_directions=0, classes="all", signed=False, n_models=7, n_significant=2
    )


def test_within_a_model():
    table = within(("classes", "raw", "same", 0.3), ("classes", "scrubbed", "mine", 0.4), ("pairs", "", "weat", 0.1),
                   ("classes", "raw", "mine", -0.2))  # fmt: skip
    assert verdicts.describe_correlations(table)[1:] == (
        "Within a model, the median r of scores with downstream bias is −0.20 (mine) to 0.30 (SAME) over classes of "
        "raw texts, 0.40 (mine) over classes of scrubbed texts and 0.10 (WEAT) over pairs.", "", "7 models"
    )  # fmt: skip
    swapped = verdicts.describe_correlations(table.assign(median=[0.3, 0.2, -0.1, 0.5])).sentence
    assert "0.30 (SAME) to 0.50 (mine) over classes of raw texts, 0.20 (mine) over classes" in swapped
    assert verdicts.describe_correlations(table.assign(n_models=[7, 9, 8, 7])).n == "9 models"
    both = pd.concat(
        [table[2:3], table[2:3].assign(attribute="race", median=NAN), table[2:3].assign(set="talk", median=0)]
    )
    assert (
        "0.00 (WEAT, talk, gender) to 0.10 (WEAT, bios, gender) over pairs"
        in verdicts.describe_correlations(both).sentence
    )
    others = within(("classes", "raw", "mac", 0.9), ("pairs", "", "mac", 0.9)).assign(
        n_directions=[1, 0], signed=[False, True]
    )
    assert verdicts.describe_correlations(pd.concat([table, others])) == verdicts.describe_correlations(table)
    assert "could be compared" in verdicts.describe_correlations(table.assign(median=NAN)).sentence


def fewer(*rows):
    """Rows set, metric, texts, mean."""
    table = pd.DataFrame(rows, columns=["set", "metric", "n_texts", "mean"])
    return table.assign(attribute="gender", regrouped=False, n_models=7)


def test_fewer_texts():
    table = fewer(("bios", "same", 10, 0.1), ("bios", "mine", 10, 0.02), ("bios", "same", 100, 0.001))
    found = verdicts.describe_robustness(pd.concat([table, table.assign(regrouped=True, mean=0.9)]))
    assert found[1:] == (
        "With fewer texts, scores change on average by 0.020 (mine) to 0.100 (SAME) of the range with 10 texts of "
        "bios (gender).",
        "", "7 models"
    )  # fmt: skip
    both = verdicts.describe_robustness(pd.concat([table[:1], fewer(("talk", "weat", 5, 0.3))])).sentence
    assert "by 0.100 (SAME) of the range with 10 texts of bios (gender) and by 0.300 (WEAT)" in both
    assert verdicts.describe_robustness(table.assign(n_models=[7, 7, 9])).n == "9 models"
    assert verdicts.describe_robustness(table.assign(mean=NAN)).sentence.startswith("There are no texts")


def test_title_of_sets():
    table = pd.DataFrame({"set": "bios", "attribute": "gender", "group_words": "raw",
                          "version": ["scrubbed", "", "raw"],
                          "metric": ["same", "mine", "weat"], "r": [0.1, 0.64, 0.9], "low": [0, NAN, 0],
                          "high": [1, NAN, 1], "n_models": 7})  # fmt: skip
    start = "The largest of 2 correlations with downstream bias over models is "
    assert titles.describe_sets(table)[1:] == (f"{start}mine's on bios (gender): r = 0.64", "", "7 models")
    assert (
        titles.describe_sets(table.assign(r=[0.7, 0.1, 1])).sentence
        == f"{start}SAME's on bios (gender): r = 0.70 [0.00, 1.00]"
    )
    assert titles.describe_sets(table.assign(r=[-0.95, 0.2, 1], n_models=[6, 5, 7]))[1:] == (
        f"{start}mine's on bios (gender): r = 0.20", "", "5 models"
    )  # fmt: skip
    debiased = table.assign(r=0.99, group_words="debiased")
    assert titles.describe_sets(pd.concat([debiased, table])) == titles.describe_sets(table)
    assert titles.describe_sets(table[2:]).sentence.startswith("No set-level scores")


def test_a_title_for_each_figure(made):
    tables = {name: made[1][name] for name in TABLES}
    found = list(titles.titles(tables))
    assert [one.result for one in found] == [f"figures/{name}" for name in ("classes", "sets", "ranking", "robustness")]
    assert not any(one.sentence.endswith(".") or "nan" in one.sentence for one in found)
    said = list(verdicts.verdicts(tables))
    assert len(said) == 4
    assert said[:2] == [
        verdicts.describe_ranking(tables["ranking"], ground_truth) for ground_truth in ("downstream", "planted")
    ]
    assert said[0] != said[1]
    assert all(one.sentence.endswith(".") and not one.result for one in said)
