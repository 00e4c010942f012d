"""The cells that each study's tables give, worked out by hand."""

import math

import pandas as pd

from biassay.studies.board import cells
from biassay.studies.seeds import summary
from biassay.studies.seeds.tables import find_table
from tests.board.boards import NAN, close, found


def correlation(method, spearman, statistics="labor", corpus="big", word_list="long", n=40):
    return {"corpus": corpus, "embedding": "e", "method": method, "word_list": word_list, "statistics": statistics,
            "n": n, "spearman": spearman}  # fmt: skip


def test_first_order():
    rows = [
        correlation("mine", 0.2),
        correlation("mine", 0.5, n=38),
        correlation("mine", NAN, n=NAN),
        correlation("mine", 0.9, corpus="small"),
        correlation("mine", -0.4, statistics="census", n=12),
        correlation("mine", 0.9, statistics="of my own"),
    ]
    assert found("first_order", correlations=rows) == {
        ("mine", "labor"): close(
            0.35, 0.2, 0.5, 40, "occupations", "2 embeddings (1 without a value) of the corpus big"
        ),
        ("mine", "census"): close(-0.4, -0.4, -0.4, 12, "occupations", "1 embedding of the corpus big"),
    }


def test_figures_of_a_corpus_with_planted_bias_are_planted():
    rows = [correlation("mine", 0.5), correlation("mine", 0.75, statistics="planted")]
    assert found("first_order", correlations=rows) == {
        ("mine", "labor"): close(
            0.5, 0.5, 0.5, 40, "occupations", "1 embedding of the corpus big; planted in generated text"
        ),
        ("mine", "planted_words"): close(0.75, 0.75, 0.75, 40, "occupations", "1 embedding of the corpus big"),
    }
    elsewhere = [correlation("mine", 0.5), correlation("mine", 0.75, statistics="planted", corpus="small")]
    assert found("first_order", correlations=elsewhere)["mine", "labor"][-1] == "1 embedding of the corpus big"


def score(metric, accuracy, relative=False, **changes):
    row = {"bias": "gender", "list": "groups", "metric": metric, "relative": relative, "n_shuffles": 100,
           "accuracy": accuracy, "auc": 0.9, "robustness_biased": 0.8, "robustness_unbiased": 0.1,
           "words_needed_biased": 30, "words_needed_unbiased": 2}  # fmt: skip
    return row | changes


def alarm(metric, false_positives=0.1, power=0.7, **changes):
    row = {"metric": metric, "test": "groups reassigned", "bias": "all", "share": 0.5, "n_unbiased": 300,
           "false_positive_rate": false_positives, "false_positive_rate_low": 0.05, "false_positive_rate_high": 0.2,
           "n_biased": 290, "power": power,
           "power_low": 0.6, "power_high": 0.8}  # fmt: skip
    return row | changes


def test_silhouette():
    scores = [
        score("mine", 0.5),
        score("mine", 0.75, auc=0.6, words_needed_biased=10, n_shuffles=60),
        score("mine", NAN, words_needed_biased=80),
        score("theirs", 0.25, relative=True),
    ]
    false_positives = [
        alarm("theirs", share=1),
        alarm("theirs", bias="gender"),
        alarm("theirs", 0.3, test="95 % of the shuffles"),
        alarm("mine", 0.3, test="95 % of the shuffles"),
        alarm("mine", 0.25, 0.5, test="its own permutation test"),
    ]
    note, without = "3 cases: biases and lists", "the metric is unbounded"
    assert found("silhouette", scores=scores, false_positives=false_positives) == {
        ("mine", "accuracy"): close(0.625, 0.5, 0.75, 100, "shuffles", "2 cases (1 without a value): biases and lists"),
        ("mine", "auc"): close(0.8, 0.6, 0.9, 100, "shuffles", note),
        ("mine", "robustness"): close(0.8, 0.8, 0.8, 100, "shuffles", note),
        ("mine", "words_needed"): close(40.0, 10.0, 80.0, 100, "shuffles", note),
        ("theirs", "accuracy"): close(0.25, 0.25, 0.25, 100, "shuffles", "1 case: biases and lists"),
        ("theirs", "auc"): close(0.9, 0.9, 0.9, 100, "shuffles", "1 case: biases and lists"),
        ("theirs", "robustness"): close(NAN, NAN, NAN, 0, "", without),
        ("theirs", "words_needed"): close(30.0, 30.0, 30.0, 100, "shuffles", "1 case: biases and lists"),
        ("mine", "false_positive_rate"): close(0.25, 0.05, 0.2, 300, "tests", "its own permutation test"),
        ("mine", "power"): close(0.5, 0.6, 0.8, 290, "tests", "its own permutation test"),
    }


def test_a_metric_that_is_relative_in_some_cases_only_has_robustness():
    scores = [score("mine", 0.5), score("mine", 0.5, relative=True, robustness_biased=0.6)]
    assert found("silhouette", scores=scores, false_positives=[alarm("mine")])["mine", "robustness"][:3] == close(
        0.7, 0.6, 0.8
    )


def test_seeds():
    """Of the table that the study of seeds makes."""
    one = pd.DataFrame([score("mine", 0.5), score("mine", 0.75, list="targets")]).assign(words=9)
    two = one.assign(accuracy=[0.7, 0.85])
    lone = one.assign(metric="theirs", accuracy=NAN)
    kind = find_table("silhouette/planted/scores")
    table = summary.summarise(summary.gather_values({1: pd.concat([one, lone]), 2: two}, kind), kind)
    rows = cells.make_cells("seeds", {"scores": table})
    (row,) = rows.itertuples(index=False)
    spreads = 0.2 / math.sqrt(2), 0.1 / math.sqrt(2)  # of .5 and .7, and of .75 and .85
    assert list(row) == ["mine", "seeds", *close(sum(spreads) / 2, spreads[1], spreads[0], 2, "seeds", "2 cases")]


def test_milliseconds():
    row = {"metric": "mine", "level": "set", "median": 1.5, "low": 1.0, "high": 2.0, "repeats": 9}
    assert found("board", milliseconds=[row]) == {("mine", "milliseconds"): close(1.5, 1.0, 2.0, 9, "repeats", "set")}
