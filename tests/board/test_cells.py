"""The cells that each study's tables give, worked out by hand."""

import math

import pandas as pd
import pytest

from biassay.studies.board import cells
from biassay.studies.board.criteria import BY_KEY
from biassay.studies.seeds import summary
from biassay.studies.seeds.tables import find

NAN = float("nan")


def found(study, **tables):
    """The cells of a study by metric and criterion: value, low, high, n, of, note."""
    table = cells.of_study(study, {name.replace("__", "/"): pd.DataFrame(rows) for name, rows in tables.items()})
    assert list(table) == ["metric", "criterion", "value", "low", "high", "n", "of", "note"]
    assert not table.duplicated(["metric", "criterion"]).any()
    assert all(BY_KEY[key].study == study for key in table["criterion"])
    return {(row[0], row[1]): list(row[2:]) for row in table.itertuples(index=False)}


def close(*row):
    return [pytest.approx(value, nan_ok=True) if isinstance(value, float) else value for value in row]


def correlation(method, spearman, statistics="labor", corpus="big", word_list="long", n=40, main_list="long"):
    return {"corpus": corpus, "embedding": "e", "method": method, "word_list": word_list, "statistics": statistics,
            "n": n, "spearman": spearman, "main_list": main_list}  # fmt: skip


def test_first_order():
    rows = [
        correlation("mine", 0.2),
        correlation("mine", 0.5, n=38),
        correlation("mine", NAN, n=NAN),
        correlation("mine", 0.9, word_list="short"),
        correlation("mine", 0.9, corpus="small"),
        correlation("mine", -0.4, statistics="census", n=12),
        correlation("mine", 0.9, statistics="of my own"),
        correlation("theirs", NAN, n=NAN),
    ]
    assert found("first_order", correlations=rows) == {
        ("mine", "labor"): close(
            0.35, 0.2, 0.5, 40, "occupations", "2 embeddings (1 without a value) of the corpus big"
        ),
        ("mine", "census"): close(-0.4, -0.4, -0.4, 12, "occupations", "1 embedding of the corpus big"),
        ("theirs", "labor"): close(
            NAN, NAN, NAN, 0, "occupations", "0 embeddings (1 without a value) of the corpus big"
        ),
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
    row = {"bias": "gender", "list": "groups", "metric": metric, "relative": relative, "shuffles": 100,
           "accuracy": accuracy, "separation": 0.9, "robustness_biased": 0.8, "robustness_unbiased": 0.1,
           "needed_biased": 30, "needed_unbiased": 2}  # fmt: skip
    return row | changes


def alarm(metric, alarms=0.1, power=0.7, **changes):
    row = {"metric": metric, "test": "groups reassigned", "bias": "all", "share": 0.5, "n_unbiased": 300,
           "false_alarms": alarms, "false_alarms_low": 0.05, "false_alarms_high": 0.2, "n_biased": 290, "power": power,
           "power_low": 0.6, "power_high": 0.8}  # fmt: skip
    return row | changes


def test_silhouette():
    scores = [
        score("mine", 0.5),
        score("mine", 0.75, separation=0.6, needed_biased=10, shuffles=60),
        score("mine", NAN, needed_biased=80),
        score("theirs", 0.25, relative=True),
    ]
    alarms = [
        alarm("theirs", share=1),
        alarm("theirs", bias="gender"),
        alarm("theirs", 0.3, test="95 % of the orders"),
        alarm("mine", 0.3, test="95 % of the orders"),
        alarm("mine", 0.25, 0.5, test="its own permutation test"),
    ]
    note, without = "3 cases: biases and lists", "the metric has no range to be compared on"
    assert found("silhouette", scores=scores, false_alarms=alarms) == {
        ("mine", "accuracy"): close(0.625, 0.5, 0.75, 100, "orders", "2 cases (1 without a value): biases and lists"),
        ("mine", "separation"): close(0.8, 0.6, 0.9, 100, "orders", note),
        ("mine", "robustness"): close(0.8, 0.8, 0.8, 100, "orders", note),
        ("mine", "words_needed"): close(40.0, 10.0, 80.0, 100, "orders", note),
        ("theirs", "accuracy"): close(0.25, 0.25, 0.25, 100, "orders", "1 case: biases and lists"),
        ("theirs", "separation"): close(0.9, 0.9, 0.9, 100, "orders", "1 case: biases and lists"),
        ("theirs", "robustness"): close(NAN, NAN, NAN, 0, "", without),
        ("theirs", "words_needed"): close(30.0, 30.0, 30.0, 100, "orders", "1 case: biases and lists"),
        ("mine", "false_alarms"): close(0.25, 0.05, 0.2, 300, "tests", "its own permutation test"),
        ("mine", "power"): close(0.5, 0.6, 0.8, 290, "tests", "its own permutation test"),
    }


def test_a_metric_that_is_relative_in_some_cases_only_has_robustness():
    scores = [score("mine", 0.5), score("mine", 0.5, relative=True, robustness_biased=0.6)]
    assert found("silhouette", scores=scores, false_alarms=[alarm("mine")])["mine", "robustness"][:3] == close(
        0.7, 0.6, 0.8
    )


def summary_row(metric, truth="signed", against="training", **changes):
    row = {"truth": truth, "metric": metric, "against": against, "models": 18, "r2_mean": 0.6, "low": 0.5,
           "high": 0.7, "ceiling": 0.958}  # fmt: skip
    return row | changes


def sets_row(metric, against="absolute", r2=0.3):
    return {"metric": metric, "against": against, "n": 17, "r": -0.5, "r2": r2, "low": 0.1, "high": 0.4}


def test_same():
    summaries = [
        summary_row("mine"),
        summary_row("mine", truth="unsigned", r2_mean=0.2, ceiling=NAN),
        summary_row("mine", against="unmasking", r2_mean=0.9),
        summary_row("unmasking", r2_mean=0.95),
    ]
    sets = [sets_row("mine"), sets_row("mine", "mean", 0.9), sets_row("mine", "std", 0.8)]
    repeats = [
        {"metric": "mine", "distributions": 9, "models": 18, "difference": 0.25, "low": 0.2, "high": 0.3, "note": NAN},
        {"metric": "theirs", "distributions": 0, "models": 0, "difference": NAN, "low": NAN, "high": NAN,
         "note": "one model a distribution"},
    ]  # fmt: skip
    halves = [
        {"metric": "mine", "models": 16, "deviation": 0.01, "low": 0.005, "high": 0.02, "relative": False},
        {"metric": "theirs", "models": 16, "deviation": 0.02, "low": 0.01, "high": 0.03, "relative": True},
    ]
    of = "language models"
    tables = {"tables__summary": summaries, "tables__sets": sets, "tables__consistency": repeats,
              "tables__robustness": halves}  # fmt: skip
    assert found("same", **tables) == {
        ("mine", "signed"): close(0.6, 0.5, 0.7, 18, of, "what unmasking reaches: 0.96"),
        ("mine", "unsigned"): close(0.2, 0.5, 0.7, 18, of, ""),
        ("mine", "sets"): close(0.3, 0.1, 0.4, 17, of, "Σ|0.5 − p| by unmasking"),
        ("mine", "consistency"): close(0.25, 0.2, 0.3, 18, of, ""),
        ("theirs", "consistency"): close(NAN, NAN, NAN, 0, of, "one model a distribution"),
        ("mine", "halves"): close(0.01, 0.005, 0.02, 16, of, ""),
        ("theirs", "halves"): close(NAN, NAN, NAN, 16, of, "the metric has no range to be compared on"),
    }


def words_row(attribute, second, r=0.5, first="data", **changes):
    row = {"attribute": attribute, "first": first, "second": second, "models": 8, "n": 25, "r_mean": r, "low": 0.4,
           "high": 0.6}  # fmt: skip
    return row | changes


def test_intrinsic():
    words = [
        words_row("gender", "mine"),
        words_row("ethnicity", "mine", -0.25),
        words_row("religion", "mine", NAN, low=NAN, high=NAN),
        words_row("age", "mine"),
        words_row("gender", "mine", 0.9, first="unmasking"),
        words_row("gender", "unmasking", 0.9),
        words_row("unmasking", "data", 0.9),
    ]
    signs = [
        {"attribute": attribute, "metric": metric, "distributions": 4, "flips": 0.125}
        for attribute, metric in (
            ("gender", "mine"),
            ("ethnicity", "mine"),
            ("gender", "data"),
            ("gender", "unmasking"),
        )
    ]
    seen = [
        {"attribute": "gender", "metric": "mine", "strength": 0.5, "told_at_most": 1},
        {"attribute": "gender", "metric": "theirs", "strength": NAN, "told_at_most": 0.875},
        {"attribute": "ethnicity", "metric": "theirs", "strength": 0.25, "told_at_most": 1},
        {"attribute": "gender", "metric": "unmasking", "strength": 0.25, "told_at_most": 1},
    ]
    of, note = "language models", "25 occupations a model"
    tables = {"tables__words": words, "tables__consistency": signs, "tables__detected": seen}
    assert found("intrinsic", **tables) == {
        ("mine", "groups_gender"): close(0.5, 0.4, 0.6, 8, of, note),
        ("mine", "groups_ethnicity"): close(-0.25, 0.4, 0.6, 8, of, note),
        ("mine", "groups_religion"): close(NAN, NAN, NAN, 8, of, note),
        ("mine", "flips"): close(0.125, NAN, NAN, 4, "distributions", "gender"),
        ("mine", "detected"): close(0.5, NAN, NAN, 1, "attribute", "gender; told at most 1.00"),
        ("theirs", "detected"): close(
            NAN, NAN, NAN, 1, "attribute", "it does not see gender bias of any strength; told at most 0.88"
        ),
    }


def test_intrinsic_without_models_of_several_strengths():
    tables = {"tables__words": [words_row("gender", "mine")]}
    frames = {name.replace("__", "/"): pd.DataFrame(rows) for name, rows in tables.items()}
    frames["tables/consistency"] = pd.DataFrame(columns=["attribute", "metric", "distributions", "flips"])
    frames["tables/detected"] = pd.DataFrame(columns=["attribute", "metric", "strength", "told_at_most"])
    assert list(cells.of_study("intrinsic", frames)["criterion"]) == ["groups_gender"]


def test_downstream():
    def ranked(score, accuracy, truth="downstream", attribute="gender", models=7, chance=(0.25, 1.0)):
        return {"attribute": attribute, "truth": truth, "score": score, "accuracy": accuracy, "models": models,
                "chance_low": chance[0], "chance_high": chance[1]}  # fmt: skip

    rows = [
        ranked("mine", 0.5),
        ranked("mine", 1.0, models=6, chance=(0.75, 0.9)),
        ranked("mine", NAN, chance=(NAN, NAN)),
        ranked("mine", 0.0, attribute="religion", chance=(0.0, 0.0)),
        ranked("mine", 0.75, "planted"),
        ranked("downstream", 0.9, "planted"),
        ranked("theirs", NAN, chance=(NAN, NAN)),
    ]
    of, chance = "language models", "middle 95 % of chance, mean:"
    assert found("downstream", tables__ranking=rows) == {
        ("mine", "ranking"): close(
            0.75, 0.5, 1.0, 7, of,
            f"2 cases (1 without a value) of sets and debiasing; gender; {chance} 0.50 to 0.95",
        ),
        ("mine", "ranking_planted"): close(
            0.75, 0.75, 0.75, 7, of, f"1 case of sets and debiasing; gender; {chance} 0.25 to 1.00"
        ),
        ("theirs", "ranking"): close(NAN, NAN, NAN, 7, of, "0 cases (1 without a value) of sets and debiasing; gender"),
    }  # fmt: skip


def test_properties():
    def judged(metric, name, verdict, level="sample", groups="2", reason="why", evaluations=10):
        return {"metric": metric, "level": level, "groups": groups, "property": name, "verdict": verdict,
                "reason": reason, "evaluations": evaluations}  # fmt: skip

    rows = [
        judged("mine", "comparable", "yes", evaluations=100),
        judged("mine", "comparable", "conditional", "set", "3", "half", evaluations=38_001),
        judged("mine", "trustworthy", "yes"),
        judged("mine", "trustworthy", "no", "set", reason="found"),
        judged("mine", "trustworthy", "conditional", "set", "3"),
        judged("mine", "skew", "yes", reason="none found"),
        judged("mine", "skew", "not applicable", reason="no"),
        judged("mine", "stereotype", "not applicable", reason="not for it", evaluations=0),
    ]
    of = "evaluations"
    assert found("properties", properties=rows) == {
        ("mine", "comparable"): close(0.5, NAN, NAN, 38_101, of, "set level, 3 groups: half"),
        ("mine", "trustworthy"): close(0.0, NAN, NAN, 30, of, "set level, 2 groups: found"),
        ("mine", "skew_sensitive"): close(1.0, NAN, NAN, 20, of, "sample level, 2 groups: none found"),
        ("mine", "stereotype_sensitive"): close(NAN, NAN, NAN, 0, "", "not for it"),
    }


def test_seeds():
    """Of the table that the study of seeds makes."""
    one = pd.DataFrame([score("mine", 0.5), score("mine", 0.75, list="concepts")]).assign(words=9)
    two = one.assign(accuracy=[0.7, 0.85])
    lone = one.assign(metric="theirs", accuracy=NAN)
    kind = find("silhouette/planted/scores")
    table = summary.summarise(summary.gather({1: pd.concat([one, lone]), 2: two}, kind), kind)
    rows = cells.of_study("seeds", {"scores": table})
    (row,) = rows.itertuples(index=False)
    spreads = 0.2 / math.sqrt(2), 0.1 / math.sqrt(2)  # of .5 and .7, and of .75 and .85
    assert list(row) == ["mine", "seeds", *close(sum(spreads) / 2, spreads[1], spreads[0], 2, "seeds", "2 cases")]


def test_milliseconds():
    row = {"metric": "mine", "level": "set", "median": 1.5, "low": 1.0, "high": 2.0, "repeats": 9}
    assert found("board", milliseconds=[row]) == {("mine", "milliseconds"): close(1.5, 1.0, 2.0, 9, "repeats", "set")}


def test_every_study_of_a_criterion_has_a_source():
    assert {criterion.study for criterion in BY_KEY.values()} == set(cells.SOURCES)
