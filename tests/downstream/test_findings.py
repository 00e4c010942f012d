"""What the study says that it found, from tables made up: the sentences change with them."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import titles, verdicts
from tests.downstream.test_answer import TABLES, ranking

NAN = np.nan
WHICH = "which of two language models has more bias downstream"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("same", 0.6, 0.3), ("weat", 0.4, 0.2)],
         f"No score predicts {WHICH}: none of 2 rankings differs from chance (least p = .200)."),
        ([("same", 0.6, 0.05)],
         f"No score predicts {WHICH}: none of 1 ranking differs from chance (least p = .050)."),
        ([("same", 0.9, 0.01), ("weat", 0.4, 0.2)],
         f"SAME (bios, gender, p = .010) predicts {WHICH}; no other of 2 rankings can be told from chance."),
        ([("same", 0.1, 0.01), ("weat", 0.4, 0.2)],
         f"SAME (bios, gender, p = .010) is misleading on {WHICH}; no other of 2 rankings can be told from chance."),
        ([("same", 0.9, 0.0001), ("mine", 0.8, 0.04)],
         f"SAME (bios, gender, p < .001) and mine (bios, gender, p = .040) predict {WHICH}."),
        ([("same", 0.9, 0.01), ("weat", 0.1, 0.02)],
         f"SAME (bios, gender, p = .010) predicts {WHICH}; WEAT (bios, gender, p = .020) is misleading on {WHICH}."),
        ([("same", 0.9, 0.5), ("same", 0.9, 0.001, "debiased")],
         f"No score predicts {WHICH}: none of 1 ranking differs from chance (least p = .500)."),
        ([("same", NAN, NAN), ("weat", 0.9, 0.02)], f"WEAT (bios, gender, p = .020) predicts {WHICH}."),
        ([("same", NAN, NAN)], "Nothing could be tested: no two models to be ranked."),
        ([], "There are no scores of sets that models could be ranked by."),
    ],
)  # fmt: skip
def test_ranking(rows, said):
    found = verdicts.ranked(ranking(*rows), "downstream")
    assert found.sentence == said
    assert bool(found.test) == bool(found.n) == ("bios" in said or "rankings" in said or "1 ranking" in said)


def test_ranking_by_what_was_planted():
    table = ranking(("downstream", 1.0, 0.02)).assign(ground_truth="planted")
    assert verdicts.ranked(table, "planted")[1:] == (
        "Bias downstream (bios, gender, p = .020) predicts which of two language models had more bias planted.",
        "scores of whole models exchanged at random, Holm's correction for 1 ranking", "6 models"
    )  # fmt: skip
    assert verdicts.ranked(table, "downstream").sentence == verdicts.NONE["downstream"]
    raw = verdicts.ranked(table.assign(version="raw"), "planted")
    assert raw.sentence == "No models were planted with bias that they could be ranked by."


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
    assert titles.ranking(ranking(*rows)).sentence == said


def test_chance_is_that_of_the_models_and_what_is_debiased_or_of_raw_texts_is_no_finding():
    """Chance need not be about ½: an accuracy of .6 is worse than a chance of .7, and one of .4 better than .3."""
    table = ranking(("same", 0.6, 0.01), ("weat", 0.4, 0.02), ("mac", 0.8, 0.01)).assign(chance=[0.7, 0.3, 0.9])
    table = table.assign(models=[5, 8, 6])
    found, title = verdicts.ranked(table, "downstream"), titles.ranking(table)
    assert found.sentence == (
        f"WEAT (bios, gender, p = .020) predicts {WHICH}; SAME (bios, gender, p = .010) and MAC (bios, gender, p = "
        f".010) are misleading on {WHICH}."
    )
    assert title.sentence.startswith("1 of 3 rankings")
    assert title.sentence.endswith("better than chance, 2 worse")
    assert found.n == title.n == "8 models"
    others = [table.assign(accuracy=0.95, models=50, **{name: of}) for name, of in
              (("terms", "debiased"), ("version", "raw"))]  # fmt: skip
    more = pd.concat([table, *others])
    assert (verdicts.ranked(more, "downstream"), titles.ranking(more)) == (found, title)


def within(*rows):
    """Rows over, version, metric, median r."""
    table = pd.DataFrame(rows, columns=["over", "version", "metric", "median"])
    return table.assign(set="bios", attribute="gender", k=0, classes="all", signed=False, models=7, significant=2)


def test_within_a_model():
    table = within(("classes", "raw", "same", 0.3), ("classes", "scrubbed", "mine", 0.4), ("pairs", "", "weat", 0.1),
                   ("classes", "raw", "mine", -0.2))  # fmt: skip
    assert verdicts.within(table)[1:] == (
        "Within a model, scores follow the bias downstream with a median r of −.20 (mine) to .30 (SAME) over classes "
        "of raw texts, .40 (mine) over classes of scrubbed texts and .10 (WEAT) over pairs.", "", "7 models"
    )  # fmt: skip
    swapped = verdicts.within(table.assign(median=[0.3, 0.2, -0.1, 0.5])).sentence
    assert "a median r of .30 (SAME) to .50 (mine) over classes of raw texts, .20 (mine) over classes" in swapped
    assert verdicts.within(table.assign(models=[7, 9, 8, 7])).n == "9 models"
    both = pd.concat(
        [table[2:3], table[2:3].assign(attribute="race", median=NAN), table[2:3].assign(set="talk", median=0)]
    )
    assert (
        "a median r of .00 (WEAT, talk, gender) to .10 (WEAT, bios, gender) over pairs"
        in verdicts.within(both).sentence
    )
    others = within(("classes", "raw", "mac", 0.9), ("pairs", "", "mac", 0.9)).assign(k=[1, 0], signed=[False, True])
    assert verdicts.within(pd.concat([table, others])) == verdicts.within(table)
    assert "could be compared" in verdicts.within(table.assign(median=NAN)).sentence


def fewer(*rows):
    """Rows set, metric, texts, mean."""
    table = pd.DataFrame(rows, columns=["set", "metric", "texts", "mean"])
    return table.assign(attribute="gender", regrouped=False, models=7)


def test_fewer_texts():
    table = fewer(("bios", "same", 10, 0.1), ("bios", "mine", 10, 0.02), ("bios", "same", 100, 0.001))
    found = verdicts.fewer(pd.concat([table, table.assign(regrouped=True, mean=0.9)]))
    assert found[1:] == (
        "Fewer texts change scores, on average: 10 texts of bios (gender) by .020 (mine) to .100 (SAME) of the range.",
        "", "7 models"
    )  # fmt: skip
    assert "10 texts of bios (gender) by .100 (SAME) of the range and 5 texts of talk (gender) by" in verdicts.fewer(
        pd.concat([table[:1], fewer(("talk", "weat", 5, 0.3))])).sentence  # fmt: skip
    assert verdicts.fewer(table.assign(models=[7, 7, 9])).n == "9 models"
    assert verdicts.fewer(table.assign(mean=NAN)).sentence == "No texts were given to draw fewer from."


def test_title_of_sets():
    table = pd.DataFrame({"set": "bios", "attribute": "gender", "terms": "raw", "version": ["scrubbed", "", "raw"],
                          "metric": ["same", "mine", "weat"], "r": [0.1, 0.64, 0.9], "low": [0, NAN, 0],
                          "high": [1, NAN, 1], "models": 7})  # fmt: skip
    start = "Over models, of 2 correlations of scores with the bias downstream the largest is "
    assert titles.sets(table)[1:] == (f"{start}mine's on bios (gender): r .64", "", "7 models")
    assert titles.sets(table.assign(r=[0.7, 0.1, 1])).sentence == f"{start}SAME's on bios (gender): r .70 [.00, 1.00]"
    assert titles.sets(table.assign(r=[-0.95, 0.2, 1], models=[6, 5, 7]))[1:] == (
        f"{start}mine's on bios (gender): r .20", "", "5 models"
    )  # fmt: skip
    debiased = table.assign(r=0.99, terms="debiased")
    assert titles.sets(pd.concat([debiased, table])) == titles.sets(table)
    assert titles.sets(table[2:]).sentence.startswith("No score of all texts or pairs")


def test_a_title_for_each_figure(made):
    tables = {name: made[1][name] for name in TABLES}
    found = list(titles.titles(tables))
    assert [one.result for one in found] == [f"figures/{name}" for name in ("classes", "sets", "ranking", "robustness")]
    assert not any(one.sentence.endswith(".") or "nan" in one.sentence for one in found)
    said = list(verdicts.verdicts(tables))
    assert len(said) == 4
    assert said[:2] == [verdicts.ranked(tables["ranking"], ground_truth) for ground_truth in ("downstream", "planted")]
    assert said[0] != said[1]
    assert all(one.sentence.endswith(".") and not one.result for one in said)
