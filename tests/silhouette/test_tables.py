"""Tables, sentences and curves of the silhouette study, from synthetic scores."""

import numpy as np
import pandas as pd
import pytest

from biassay.core.csv_tables import select_rows
from scripts.silhouette import score
from tests.silhouette import believable

ROW = {
    "metric": "weat",
    "bias": "gender",
    "list": "targets",
    "relative": False,
    "b_min": -2.0,
    "b_max": 2.0,
    "b_0": 0.0,
    "n_words": 290,
    "n_shuffles": 100,
    "value_biased": 1.234,
    "value_unbiased": -0.1,
    "robustness_biased": 0.95,
    "robustness_unbiased": 0.878,
    "accuracy": 0.6,
    "accuracy_published_code": 0.55,
    "auc": 0.98,
    "words_needed_biased": 84.0,
    "words_needed_unbiased": 290.0,
}
RATES = pd.DataFrame([{"form": "targets", "power": 0.98, "false_positive_rate": 0.57}])  # fmt: skip


@pytest.fixture(scope="module")
def scores(results):
    return pd.read_csv(results / "scores.csv")


def test_paper_table_has_published_values_beside_ours(scores):
    table = score.make_paper_table(scores, pd.read_csv(believable.PUBLISHED_SCORES, comment="#"), "robustness")
    assert list(table.index) == ["ect_raw", "weat"]  # those with a range
    assert list(table.columns[:4]) == [
        "gender groups, biased", "gender groups, unbiased", "gender groups, published GloVe",
        "gender groups, published Numberbatch",
    ]  # fmt: skip
    assert table.loc["weat", "gender groups, published GloVe"] == 0.95
    own = select_rows(scores, metric="weat", bias="ethnicity", list="targets")["robustness_unbiased"].item()
    assert table.loc["weat", "ethnicity targets, unbiased"] == own


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


def test_summary_and_its_page(results, scores):
    rates, comparisons = (pd.read_csv(results / f"{name}.csv") for name in ("false_positives", "comparisons"))
    lines = score.summarise(scores, rates)
    assert len(lines) == 16
    expected = "bias found, groups reassigned: 98 % / 57 %; bias found, targets reassigned: 98 % / 57 %"
    assert (lines["summary"].str.endswith(expected) == (lines["metric"] == "weat")).all()
    sections = score.make_sections(lines, comparisons)
    assert [(section["bias"], section["list"]) for section in sections][:2] == [
        ("gender", "social groups"), ("gender", "targets"),
    ]  # fmt: skip
    # WEAT's accuracy equals that of ECT, which the test puts behind; bounded metrics alone can lead
    leader = sections[0]["leaders"]["robustness (biased model)"]
    assert (leader.metric, leader.ties) == ("ect_raw", ["weat"])
