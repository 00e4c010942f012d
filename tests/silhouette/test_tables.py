"""Tables for readers: those of the paper, and the summary with its page."""

import numpy as np
import pandas as pd
import pytest

from scripts.silhouette import score

ROW = {
    "metric": "weat",
    "bias": "gender",
    "list": "targets",
    "n_words": 290,
    "value_biased": 1.234,
    "value_unbiased": -0.1,
    "robustness_biased": 0.95,
    "robustness_unbiased": 0.878,
    "accuracy": 0.6,
    "auc": 0.98,
    "words_needed_biased": 84.0,
    "words_needed_unbiased": 290.0,
}
RATES = pd.DataFrame([{"form": "targets", "power": 0.98, "false_positive_rate": 0.57}])  # fmt: skip


def test_paper_table_has_published_values_beside_ours(folder, results):
    table = pd.read_csv(folder / "robustness.csv", index_col="metric")
    assert list(table.index) == ["weat", "same", "clustering", "twice"]  # those with a range
    assert list(table.columns[:4]) == [
        "gender groups, biased", "gender groups, unbiased", "gender groups, published GloVe",
        "gender groups, published Numberbatch",
    ]  # fmt: skip
    assert table.loc["weat", "gender groups, published GloVe"] == 0.95
    own = results["scores"].set_index(["metric", "list"])["robustness_unbiased"]["weat", "targets"]
    assert table.loc["weat", "gender targets, unbiased"] == pytest.approx(own, abs=1e-4)


SCORES = "robustness 0.95 / 0.88 (biased / unbiased), accuracy 0.60, AUC 0.98"


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({}, ["needs 84 of 290 words (value 1.23)", "all (value −0.1)", SCORES, "targets reassigned: 98 % / 57 %"]),
        ({"words_needed_biased": np.nan, "value_unbiased": np.nan}, ["more than all of 290 words"]),
        ({"value_biased": np.nan, "words_needed_unbiased": np.nan}, ["no value", "more than all (value −0.1)"]),
    ],
)
def test_summary_of_a_row(changes, parts):
    text = score.summarise_row(pd.Series(ROW | changes), RATES)
    assert text.startswith("WEAT, gender, targets: ")
    assert all(part in text for part in parts)


def test_summary_and_its_page(results):
    lines = score.summarise(results["scores"], results["false_positives"])
    has_both = lines["summary"].str.contains("bias found, groups reassigned: .*; bias found, targets reassigned: ")
    assert has_both.tolist() == (lines["metric"] != "clustering").tolist()
    sections = score.make_sections(lines, results["comparisons"])
    assert [(section["list"], len(section["rows"])) for section in sections] == [("social groups", 4), ("targets", 5)]
    bounded = lines[(lines["list"] == "groups") & ~lines["relative"]].set_index("metric")
    assert sections[0]["leaders"]["accuracy"].metric == bounded["accuracy"].idxmax()
