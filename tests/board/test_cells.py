"""The cells that each study's tables give, worked out by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from biassay.studies.board import cells
from biassay.studies.seeds import summary
from biassay.studies.seeds.tables import find_table
from tests.board.boards import NAN, close, found


def correlation(method, spearman, statistics="labor", corpus="big", word_list="long", n=40, p=0.02):
    return {"corpus": corpus, "embedding": "e", "method": method, "word_list": word_list, "statistics": statistics,
            "n": n, "spearman": spearman, "spearman_p": p}  # fmt: skip


def test_first_order():
    rows = [
        correlation("mine", 0.2, p=0.01),
        correlation("mine", 0.5, n=38),
        correlation("mine", NAN, n=NAN, p=NAN),
        correlation("mine", 0.9, corpus="small"),
        correlation("mine", -0.4, statistics="census", n=12),
        correlation("theirs", 0.6, p=1e-20),
        correlation("mine", 0.9, statistics="of my own"),
    ]
    one, two = (f"{spaces} of 1 embedding of the corpus big" for spaces in ("1 space", "2 spaces (1 without a value)"))
    cells_of = found("first_order", correlations=rows)
    assert cells_of == {  # p: one-sided, the largest of the embeddings, by Holm
        ("mine", "labor"): close(0.35, 0.2, 0.5, 40, "occupations", two, 0.0, 0.01),
        ("theirs", "labor"): close(0.6, 0.6, 0.6, 40, "occupations", one, 0.0, 1e-20),
        ("mine", "census"): close(-0.4, -0.4, -0.4, 12, "occupations", one, 0.0, 0.99),
    }
    assert cells_of["theirs", "labor"][-1] > 0


def test_figures_of_a_corpus_with_planted_bias_are_planted():
    rows = [correlation("mine", 0.5), correlation("mine", 0.75, statistics="planted")]
    note = "1 space of 1 embedding of the corpus big"
    assert found("first_order", correlations=rows) == {
        ("mine", "labor"): close(0.5, 0.5, 0.5, 40, "occupations", f"{note}; planted in generated text", 0.0, 0.01),
        ("mine", "planted_words"): close(0.75, 0.75, 0.75, 40, "occupations", note, 0.0, 0.01),
    }
    elsewhere = [correlation("mine", 0.5), correlation("mine", 0.75, statistics="planted", corpus="small")]
    assert found("first_order", correlations=elsewhere)["mine", "labor"][5] == note


def score(metric, accuracy, relative=False, **changes):
    row = {"bias": "gender", "list": "groups", "metric": metric, "relative": relative, "n_shuffles": 100,
           "accuracy": accuracy, "relative_accuracy": 0.7, "auc": 0.9,
           "robustness_biased": 0.8, "robustness_unbiased": 0.1, "words_needed_biased": 30,
           "words_needed_unbiased": 2}  # fmt: skip
    return row | changes


def rates(metric, false_positives=0.1, power=0.7, **changes):
    row = {"metric": metric, "form": "groups", "test": "groups reassigned", "bias": "gender", "share": 0.5,
           "n_unbiased": 100, "false_positive_rate": false_positives, "n_biased": 90, "power": power}  # fmt: skip
    ends = {"false_positive_rate": false_positives, "power": power}
    row |= {f"{name}_{end}": value + d for name, value in ends.items() for end, d in (("low", -0.02), ("high", 0.02))}
    return row | changes


def test_silhouette():
    scores = [
        score("mine", 0.5),
        score("mine", 0.75, auc=0.6, words_needed_biased=10, n_shuffles=60),
        score("mine", NAN, words_needed_biased=80),
        score("theirs", NAN, relative=True),
        score("unstable", 0.5, words_needed_biased=NAN),
        score("unstable", 0.5),
    ]
    note, one, without = "3 cases: biases and lists", "1 case: biases and lists", "the metric has no range"
    cells = found("silhouette", scores=scores, false_positives=[rates("mine", bias="all")])
    never = "no number of words is enough in 1 of 2 cases"
    assert cells["unstable", "words_needed"] == close(NAN, NAN, NAN, 0, "", never)
    assert {key: cell for key, cell in cells.items() if key[0] != "unstable"} == {
        ("mine", "accuracy"): close(0.625, 0.5, 0.75, 100, "shuffles", "2 cases (1 without a value): biases and lists"),
        ("mine", "relative_accuracy"): close(0.7, 0.7, 0.7, 100, "shuffles", note),
        ("mine", "auc"): close(0.8, 0.6, 0.9, 100, "shuffles", note, 0.5),
        ("mine", "robustness"): close(0.8, 0.8, 0.8, 100, "shuffles", note),
        ("mine", "words_needed"): close(40.0, 10.0, 80.0, 100, "shuffles", note),
        ("theirs", "accuracy"): close(NAN, NAN, NAN, 0, "", without),
        ("theirs", "relative_accuracy"): close(0.7, 0.7, 0.7, 100, "shuffles", one),
        ("theirs", "auc"): close(0.9, 0.9, 0.9, 100, "shuffles", one, 0.5),
        ("theirs", "robustness"): close(NAN, NAN, NAN, 0, "", without),
        ("theirs", "words_needed"): close(30.0, 30.0, 30.0, 100, "shuffles", one),
    }


def test_error_rates_are_those_of_the_worst_kind_of_bias_by_form():
    rows = [
        rates("mine", 0.02, 1.0), rates("mine", 0.3, 0.25, bias="ethnicity"),
        rates("mine", 0.9, share=1), rates("mine", 0.9, bias="all"),
        rates("mine", 0.02, 0.5, form="targets", test="targets reassigned"),
        rates("mine", 0.04, 0.5, form="targets", test="targets reassigned", bias="ethnicity"),
        rates("theirs", 0.04, 0.5),
    ]  # fmt: skip
    cells_found = found("silhouette", scores=[score("mine", 0.5)], false_positives=rows)
    kinds = "gender 0.02, ethnicity 0.30; groups reassigned", "gender 1.00, ethnicity 0.25; groups reassigned"
    of, missing = "samples of words", "the test has no p-value for some kinds of bias: ethnicity"
    assert {key: cell for key, cell in cells_found.items() if "positive" in key[1] or "power" in key[1]} == {
        ("mine", "false_positive_rate"): close(0.3, 0.28, 0.32, 100, of, kinds[0], 0.05),
        ("mine", "power"): close(0.25, 0.23, 0.27, 90, of, kinds[1], 0.32),  # by chance: as in unbiased text
        ("theirs", "false_positive_rate"): close(NAN, NAN, NAN, 0, "", missing),
        ("theirs", "power"): close(NAN, NAN, NAN, 0, "", missing),
        ("mine", "false_positive_rate_targets"): close(  # none is above the level: the lowest is farthest from it
            0.02, 0.0, 0.04, 100, of, "gender 0.02, ethnicity 0.04; targets reassigned", 0.05
        ),
        ("mine", "power_targets"): close(
            0.5, 0.48, 0.52, 90, of, "gender 0.50, ethnicity 0.50; targets reassigned", 0.06
        ),
    }


def test_a_metric_that_is_relative_in_some_cases_only_has_robustness():
    scores = [score("mine", 0.5), score("mine", 0.5, relative=True, robustness_biased=0.6)]
    assert found("silhouette", scores=scores, false_positives=[rates("mine")])["mine", "robustness"][:3] == [
        pytest.approx(value) for value in (0.7, 0.6, 0.8)
    ]


def test_reliability_is_over_embeddings_of_the_first_text_and_slopes_are_of_shuffled_text():
    slopes = [
        {"is_shuffled": True, "embedding": "e", "metric": "mine", "slope": slope, "n": 200} for slope in (-0.5, 0.1)
    ]
    slopes.append(slopes[0] | {"is_shuffled": False, "slope": 0.9})
    rows = [
        {"corpus": "big", "embedding": "e", "metric": "mine", "test_retest": 0.5, "internal_pairs": -0.2, "n": 60},
        {"corpus": "big", "embedding": "f", "metric": "mine", "test_retest": NAN, "internal_pairs": 0.4, "n": 60},
        {"corpus": "small", "embedding": "e", "metric": "mine", "test_retest": 0.9, "internal_pairs": 0.9, "n": 60},
    ]
    unit, one = "words or sets", "1 embedding (1 without a value) of the corpus big"
    assert found("reliability", frequency=slopes, reliability=rows) == {
        ("mine", "frequency_dependence"): close(
            0.3, 0.1, 0.5, 200, unit, "2 embeddings of shuffled text", math.sqrt(0.01 / math.pi)
        ),
        ("mine", "test_retest"): close(0.5, 0.5, 0.5, 60, unit, one, 0.0),
        ("mine", "internal_consistency"): close(0.1, -0.2, 0.4, 60, unit, "2 embeddings of the corpus big", 0.0),
    }


def dose(form, recovery, dose=1.0, high=1.5, metric="mine", model="m", test="gender"):
    return {"model": model, "test": test, "metric": metric, "form": form, "min_detectable_dose": dose, "dose_low": 0.5,
            "dose_high": high, "max_dose": 2.0, "is_liberal": metric in ("liberal", "wide"), "recovery": recovery,
            "recovery_low": recovery - 0.1,
            "recovery_high": recovery + 0.1, "samples": 40}  # fmt: skip


def test_calibration_is_of_the_worse_form_along_the_difference_on_the_first_model_and_test():
    half = "half of the words"
    rows = [
        dose("difference", 0.9), dose("own directions", 0.1, np.inf), dose(half, 0.3, 1.25), dose("skew", -0.9, np.inf),
        dose("difference", 0.8, metric="far", high=np.inf), dose(half, NAN, np.inf, metric="far"),
        dose("difference", 0.8, NAN, metric="liberal"), dose(half, 0.7, NAN, metric="liberal"),
        dose("difference", 0.8, metric="wide"), dose(half, 0.7, 1.5, high=np.inf, metric="wide"),
        dose("difference", 0.1, model="other"), dose("difference", 0.1, test="age"),
        *(dose(form, 0.6, NAN, metric="untested") | {"max_dose": NAN} for form in ("difference", half)),
    ]  # fmt: skip
    reasons = {"label": "no groups", "untested": "no test"}
    skipped = [{"model": "m", "test": test, "metric": metric, "reason": reason}
               for test in ("gender", "age") for metric, reason in reasons.items()]  # fmt: skip
    place, unit = "; vectors of the model m, test gender", "samples"
    note = f"difference 0.90, own directions 0.10, {half} 0.30, skew −0.90"
    doses = f"difference 1.00, own directions above 2, {half} 1.25, skew above 2"
    cells_of = found("calibration", calibration=rows, skipped=skipped)
    assert cells_of["mine", "recovery"] == close(0.3, 0.2, 0.4, 40, unit, note + place, 0.0)
    assert cells_of["mine", "min_detectable_dose"] == close(1.25, 0.5, 1.5, 40, unit, doses + place)
    assert cells_of["far", "recovery"][:3] == [0, 0, 0]  # the value does not vary
    far = f"difference 1.00, {half} above 2"
    assert cells_of["far", "min_detectable_dose"] == close(NAN, NAN, NAN, 40, unit, far + place)
    liberal = "the test is liberal with the association replaced"
    assert cells_of["liberal", "min_detectable_dose"] == close(NAN, NAN, NAN, 40, unit, liberal + place)
    wide = f"difference 1.00, {half} 1.50; the test is liberal on other samples without association"
    assert cells_of["wide", "min_detectable_dose"] == close(1.5, NAN, NAN, 40, unit, wide + place)
    assert cells_of["label", "recovery"] == close(NAN, NAN, NAN, 0, "", "no groups")
    assert cells_of["untested", "recovery"][0] == pytest.approx(0.6)
    assert cells_of["untested", "min_detectable_dose"] == close(NAN, NAN, NAN, 0, "", "no test")


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
