"""The cells of studies of language models, and of properties, worked out by hand."""

import numpy as np
import pandas as pd
import scipy.stats

from biassay.studies.board import cells
from tests.board.boards import NAN, close, found


def summary_row(metric, ground_truth="signed", against="training", **changes):
    row = {"ground_truth": ground_truth, "metric": metric, "against": against, "models": 18, "r2_mean": 0.6, "low": 0.5,
           "high": 0.7, "upper_bound": 0.958}  # fmt: skip
    return row | changes


def sets_row(metric, against="absolute", r2=0.3):
    return {"metric": metric, "against": against, "n": 17, "r2": r2, "low": 0.1, "high": 0.4, "p": 0.03}


def model_rows(values, **keys):
    """Correlations of two models per distribution, which differ by 0.2."""
    return [{**keys, "learned": True, "distribution": place, "r": r + shift}
            for place, r in enumerate(values) for shift in (-0.1, 0.1)]  # fmt: skip


def p_above_zero(values, n_metrics=1):
    """One-sided p of a t-test, by hand."""
    values = np.array(values)
    t = values.mean() / values.std(ddof=1) * np.sqrt(len(values))
    return n_metrics * scipy.stats.t.sf(t, len(values) - 1)


def test_same():
    summaries = [
        summary_row("mine"),
        summary_row("mine", ground_truth="unsigned", r2_mean=0.2, upper_bound=NAN),
        summary_row("falling", ground_truth="unsigned", r2_mean=-0.3),
        summary_row("mine", against="unmasking", r2_mean=0.9),
        summary_row("unmasking", r2_mean=0.95),
    ]
    signed = [[0.5, 0.7, 0.3], [0.2, -0.1, 0.1], [0.1]]  # distributions of mine and theirs; one is no sample
    keys = {"ground_truth": "signed", "against": "training"}
    correlations = [row for name, values in zip(["mine", "theirs", "lone"], signed, strict=True)
                    for row in model_rows(values, metric=name, **keys)]  # fmt: skip
    correlations += model_rows([0.9, 0.8], metric="mine", ground_truth="signed", against="unmasking")
    correlations += [{**correlations[0], "r": -0.99, "learned": False, "distribution": 9}]
    sets = [sets_row("mine"), sets_row("mine", "mean", 0.9), sets_row("mine", "std", 0.8)]
    repeats = [
        {"metric": "mine", "distributions": 9, "models": 18, "difference": 0.25, "low": 0.2, "high": 0.3, "note": NAN},
        {"metric": "theirs", "distributions": 0, "models": 0, "difference": NAN, "low": NAN, "high": NAN,
         "note": "one model a distribution"},
    ]  # fmt: skip
    subsampling_variability = [
        {"metric": "mine", "models": 16, "deviation": 0.01, "low": 0.005, "high": 0.02, "relative": False},
        {"metric": "theirs", "models": 16, "deviation": 0.02, "low": 0.01, "high": 0.03, "relative": True},
    ]
    of, note = "language models", "Σ|0.5 − p| by unmasking; p is of the means of distributions"
    tables = {"tables__summary": summaries, "tables__correlations": correlations, "tables__sets": sets,
              "tables__retraining_variability": repeats,
              "tables__subsampling_variability": subsampling_variability}  # fmt: skip
    assert found("same", **tables) == {
        ("mine", "signed"): close(
            0.6, 0.5, 0.7, 18, of, "upper bound by unmasking: 0.96", 0, p_above_zero(signed[0], 2)
        ),
        ("mine", "unsigned"): close(0.2, 0.5, 0.7, 18, of, "", 0),
        ("mine", "sets"): close(0.3, 0.1, 0.4, 17, of, note, 0, 0.03),
        ("falling", "unsigned"): close(-0.3, 0.5, 0.7, 18, of, "upper bound by unmasking: 0.96", 0),
        ("mine", "retraining_variability"): close(0.25, 0.2, 0.3, 18, of, ""),
        ("theirs", "retraining_variability"): close(NAN, NAN, NAN, 0, of, "one model a distribution"),
        ("mine", "subsampling_variability"): close(0.01, 0.005, 0.02, 16, of, ""),
        ("theirs", "subsampling_variability"): close(NAN, NAN, NAN, 16, of, "the metric has no range"),
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
        {"attribute": attribute, "metric": metric, "distributions": 4, "sign_flip_rate": 0.125}
        for attribute, metric in (("gender", "mine"), ("ethnicity", "mine"), ("gender", "data"))
    ]
    seen = [
        {"attribute": "gender", "metric": "mine", "strength": 0.5, "max_detection_rate": 1},
        {"attribute": "gender", "metric": "theirs", "strength": NAN, "max_detection_rate": 0.875},
        {"attribute": "ethnicity", "metric": "theirs", "strength": 0.25, "max_detection_rate": 1},
        {"attribute": "gender", "metric": "unmasking", "strength": 0.25, "max_detection_rate": 1},
    ]
    of, note = "language models", "25 occupations per model"
    gender = [0.5, 0.2, 0.4, 0.1]
    correlations = model_rows(gender, attribute="gender", first="data", second="mine")
    correlations += model_rows([0.9, 0.9], attribute="gender", first="data", second="unmasking")
    tables = {
        "tables__words": words,
        "tables__correlations": correlations,
        "tables__retraining_variability": signs,
        "tables__min_detectable_effect": seen,
    }
    assert found("intrinsic", **tables) == {
        ("mine", "groups_gender"): close(0.5, 0.4, 0.6, 8, of, note, 0.0, p_above_zero(gender)),
        ("mine", "groups_ethnicity"): close(-0.25, 0.4, 0.6, 8, of, note, 0.0),
        ("mine", "groups_religion"): close(NAN, NAN, NAN, 8, of, note, 0.0),
        ("mine", "sign_flip_rate"): close(0.125, NAN, NAN, 4, "distributions", "gender"),
        ("mine", "min_detectable_effect"): close(0.5, NAN, NAN, 1, "attribute", "gender; maximum detection rate 1.00"),
        ("theirs", "min_detectable_effect"): close(
            NAN, NAN, NAN, 1, "attribute", "it detects gender bias of no strength; maximum detection rate 0.88"
        ),
    }


def test_downstream():
    def ranked(score, accuracy, ground_truth="downstream", **changes):
        row = {"form": "declared", "set": "biographies", "version": "raw", "attribute": "gender",
               "ground_truth": ground_truth, "score": score, "n_models": 7, "ranking_accuracy": accuracy,
               "low": 0.6, "high": 0.9, "chance": 0.5, "p": 0.02, "reliability": 0.8, "upper_bound": 0.85,
               "reason": NAN}  # fmt: skip
        return row | changes

    rows = [
        ranked("mine", 0.75),
        ranked("mine", 0.1, form="published"),
        ranked("mine", 0.1, set="sentences"),
        ranked("mine", 0.1, attribute="religion"),
        ranked("mine", 0.7, "planted", reliability=NAN, upper_bound=NAN),
        ranked("downstream", 0.9, "planted"),
        ranked("theirs", 0.4, "planted", p=0.9, reliability=NAN),
        ranked("theirs", NAN, p=NAN, reason="cannot be ranked: noise"),
    ]
    of, note = "language models", "reliability of the ground truth 0.80, upper bound 0.85"
    assert found("downstream", tables__ranking=rows) == {
        ("mine", "ranking"): close(0.75, 0.6, 0.9, 7, of, f"raw texts; by chance 0.50; {note}", 0.5, 0.02),
        ("mine", "ranking_planted"): close(0.7, 0.6, 0.9, 7, of, "raw texts; by chance 0.50", 0.5, 0.04),
        ("theirs", "ranking_planted"): close(0.4, 0.6, 0.9, 7, of, "raw texts; by chance 0.50", 0.5, 0.9),
        ("theirs", "ranking"): close(NAN, NAN, NAN, 0, "", "cannot be ranked: noise"),
    }


def test_properties():
    def judged(metric, name, verdict, level="set", groups=2, reason="why", evaluations=10):
        return {"metric": metric, "level": level, "n_groups": groups, "property": name, "verdict": verdict,
                "reason": reason, "n_evaluations": evaluations}  # fmt: skip

    rows = [
        judged("mine", "comparable", "yes", evaluations=100),
        judged("mine", "comparable", "no", groups=3, evaluations=38_001),
        judged("mine", "comparable", "no", "word"),
        judged("mine", "trustworthy", "conditional", reason="found"),
        judged("mine", "trustworthy", "conditional", "word", 3),
        judged("mine", "skew", "yes", "word"),
        judged("mine", "skew", "not applicable", reason="not for sets"),
        judged("mine", "stereotype", "not applicable", reason="not for it", evaluations=0),
    ]
    of = "evaluations"
    assert found("properties", properties=rows) == {
        ("mine", "comparable"): close(1.0, NAN, NAN, 100, of, "why; set level, 3 groups: no; word level, 2 groups: no"),
        ("mine", "trustworthy"): close(0.5, NAN, NAN, 10, of, "found"),
        ("mine", "skew_sensitive"): close(NAN, NAN, NAN, 0, "", "word level, 2 groups: yes"),
        ("mine", "stereotype_sensitive"): close(NAN, NAN, NAN, 0, "", "not for it"),
    }


def test_intrinsic_without_models_of_several_strengths():
    empty = {
        name: pd.DataFrame(columns=["attribute", "metric", *columns])
        for name, columns in {
            "tables/correlations": ["first", "second", "distribution", "r"],
            "tables/retraining_variability": ["distributions", "sign_flip_rate"],
            "tables/min_detectable_effect": ["strength", "max_detection_rate"],
        }.items()
    }
    table = cells.make_cells("intrinsic", {"tables/words": pd.DataFrame([words_row("gender", "mine")]), **empty})
    assert list(table["criterion"]) == ["groups_gender"]
