"""Sentences on silhouettes: each changes with the table that it is read from."""

import re

import pandas as pd
import pytest

from biassay.studies.silhouette import findings
from biassay.studies.silhouette.false_positives import PUBLISHED
from biassay.studies.silhouette.findings import Pair
from tests.scripted import run
from tests.silhouette.test_error_rates import rates

NAN = float("nan")


def score(metric, bias="gender", which="groups", **changes):
    """A row of scores.csv."""
    row = {"bias": bias, "list": which, "metric": metric, "relative": False, "n_words": 20, "n_shuffles": 10,
           "value_biased": 0.5, "accuracy": 0.5, "auc": 0.7, "robustness_biased": 0.5,
           "words_needed_biased": 10}  # fmt: skip
    return row | changes


def compared(first, second, difference, p, score="accuracy", bias="gender", which="groups"):
    return {"bias": bias, "list": which, "score": score, "first": first, "second": second, "difference": difference,
            "p_holm": p}  # fmt: skip


COLUMNS = list(compared("a", "b", 0, 1))


def pair(scores, false_positives=(), tests=(), convergence=None):
    course = convergence or {"bias": ["gender"] * 10, "list": ["groups"] * 10, "metric": ["weat"] * 10,
                             "n_shuffles": range(1, 11), "accuracy": [0.5] * 7 + [0.53, 0.5, 0.5]}  # fmt: skip
    return Pair(
        pd.DataFrame(scores), pd.DataFrame(list(false_positives), columns=list(rates("a", 0, 0))),
        pd.DataFrame(list(tests), columns=COLUMNS), pd.DataFrame(course),
    )  # fmt: skip


def test_auc_of_metrics():
    scores = [score("weat", auc=0.95), score("weat", which="targets", auc=1.0),
              score("mac", auc=0.2), score("mac", which="targets", auc=0.99),
              score("rnd", auc=NAN)]  # fmt: skip
    said = findings.describe_auc(pair(scores))
    assert said.sentence.startswith("WEAT distinguishes ")
    assert said.sentence.endswith(
        "AUC of at least 0.95 on every list; no better than chance on at least one list: MAC."
    )
    assert said.n == "3 metrics, 2 lists of words, 10 shuffles"
    swapped = [row | {"auc": 0.95 if row["metric"] == "mac" else 0.6} for row in scores]
    assert findings.describe_auc(pair(swapped)).sentence.startswith("MAC distinguishes")
    assert "chance" not in findings.describe_auc(pair(swapped)).sentence
    assert findings.describe_auc(pair([score("mac", auc=0.8)])).sentence.startswith("No metric distinguishes")
    assert findings.describe_auc(pair(scores[-1:])).sentence.startswith("No metric has a value without bias")


SCORED = ["robustness", "accuracy", "convergence"]
AHEAD = ", significantly ahead of all others"
LISTS = [("gender", "groups"), ("gender", "targets"), ("mine", "groups")]


def leaders(first, p):
    """WEAT is the most accurate but for lists of `first`, where MAC is; tests of all three lists have the same p."""
    scores, tests = [], []
    for place in LISTS:
        high = 0.4 if place in first else 0.9
        scores += [score("weat", *place, accuracy=high), score("mac", *place, accuracy=0.6),
                   score("rnd", *place, accuracy=0.99, relative=True)]  # fmt: skip
        tests.append(compared("weat", "mac", high - 0.6, p, "accuracy", *place))
    return pair(scores, tests=tests)


@pytest.mark.parametrize(
    ("first", "p", "said"),
    [
        ([], 0.01, f"WEAT on all 3 lists{AHEAD}."),
        (LISTS, 0.01, f"MAC on all 3 lists{AHEAD}."),
        (LISTS[:1], 0.01, f"WEAT on 2 of 3 lists{AHEAD}; MAC on 1 of 3 lists{AHEAD}."),
        ([], 0.2, "WEAT on all 3 lists; none is significantly ahead of all others."),
        ([], NAN, "WEAT on all 3 lists; none is significantly ahead of all others."),
    ],
)  # fmt: skip
def test_who_is_the_most_accurate(first, p, said):
    assert findings.describe_accuracy(leaders(first, p)).sentence.split(": ", 1)[1] == said


def test_one_metric_leads_nothing_and_none_has_no_score():
    assert findings.describe_accuracy(pair([score("weat")])).sentence.endswith(": WEAT on the only list.")
    assert findings.describe_accuracy(pair([score("weat", accuracy=NAN)])).sentence.endswith(
        ": no metric has this score."
    )
    assert (
        findings.describe_bias(pair([score("weat", accuracy=NAN)]), "gender").sentence
        == "Gender: no metric has an accuracy"
    )
    assert (
        findings.describe_bias(pair([score("weat")]), "gender").sentence
        == "Gender: most accurate is WEAT with social groups (0.50)"
    )


def test_the_most_accurate_of_a_bias():
    of_both = leaders(LISTS[:1], 0.01)
    scores = of_both.scores[of_both.scores["bias"] == "gender"]
    assert findings.describe_bias(of_both._replace(scores=scores), "gender").sentence == (
        "Gender: most accurate is MAC with social groups (0.60, ahead of all others) and WEAT with targets (0.90, "
        "ahead of all others)"
    )
    said = findings.describe_bias(leaders([], 0.3)._replace(scores=scores), "gender").sentence
    assert "MAC with social groups (0.60, not significantly ahead of WEAT)" in said


def test_who_is_the_most_robust():
    scores = [score("weat", robustness_biased=0.9), score("mac", robustness_biased=0.95)]
    tests = [compared("weat", "mac", -0.05, 0.001, "steadiness")]
    assert findings.describe_robustness(pair(scores, tests=tests)).sentence.endswith(f"MAC on the only list{AHEAD}.")


def test_how_many_words_are_needed():
    scores = [score("weat", words_needed_biased=2), score("weat", which="targets", words_needed_biased=4),
              score("mac", words_needed_biased=20), score("mac", which="targets", words_needed_biased=2),
              score("rnd", words_needed_biased=6), score("rnsb", value_biased=NAN)]  # fmt: skip
    said = findings.describe_words_needed(pair(scores)).sentence
    assert said.startswith("Fewest words needed: WEAT (up to 20 % of a list); most: MAC (all words). ")
    never = findings.describe_words_needed(pair([*scores, score("same", words_needed_biased=NAN)])).sentence
    assert "; most: SAME (never enough). " in never
    assert findings.describe_words_needed(pair(scores[:2])).sentence.startswith(
        "Fewest words needed: WEAT (up to 20 % of a list). "
    )
    assert findings.describe_words_needed(pair(scores[-1:])).sentence == "No metric has a value."


def test_convergence_by_hand():
    said = findings.describe_convergence(pair([score("weat")])).sentence
    assert re.findall(r"\d[.\d]*\d|\d", said) == ["8", "10", "0.030", "0.030"]
    one = {"bias": ["gender"], "list": ["groups"], "metric": ["weat"], "n_shuffles": [1], "accuracy": [0.5]}
    assert findings.describe_convergence(pair([score("weat")], convergence=one)).sentence.startswith(
        "There are too few shuffles"
    )


def test_every_result_has_a_title_and_pairs_are_named_where_there_are_several(tmp_path):
    found = leaders([], 0.01)._replace(
        false_positives=pd.DataFrame([rates("weat", 0.5, 0.4, test=PUBLISHED), rates("mac", 0, 0)])
    )
    files = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for table, rows in found._asdict().items():
            files.append(tmp_path / name / f"{table}.csv")
            rows.to_csv(files[-1], index=False)
    run("silhouette/answer.py", input={"tables": files}, params={"pairs": ["one", "two"]},
        output={"found": tmp_path / "findings.csv"})  # fmt: skip
    table = pd.read_csv(tmp_path / "findings.csv", keep_default_na=False)
    assert list(table) == ["result", "sentence", "test", "n"]
    verdicts = table[table["result"] == ""]["sentence"]
    assert verdicts.str.startswith("one: ").sum() == verdicts.str.startswith("two: ").sum() == len(verdicts) / 2 == 7
    assert verdicts.iloc[0].startswith("one: False positives on 200 samples")
    figures = ["gender", "zoomed/gender", "mine", "zoomed/mine", *(f"scores/{name}" for name in SCORED)]
    of_one = [*(f"figures/{name}" for name in figures), "silhouettes", "summary"]
    assert table["result"].tolist()[14:] == [f"{name}/{result}" for name in ("one", "two") for result in of_one]
    (single,) = [
        said.sentence for said in findings.collect_findings({"one": found}) if said.result == "one/figures/zoomed/mine"
    ]
    assert single.startswith("Mine: fewest words needed: ")
    assert not any(said.sentence.startswith("one:") for said in findings.collect_findings({"one": found}))
