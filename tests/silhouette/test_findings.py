"""Findings on silhouettes: names and numbers change with the tables that they are read from."""

import re

import pandas as pd
import pytest

from biassay.studies.silhouette import findings
from biassay.studies.silhouette.findings import Pair
from biassay.studies.silhouette.reassignment import PUBLISHED, REASSIGNED
from scripts.silhouette import answer

NAN = float("nan")


def score(metric, bias="gender", which="groups", **changes):
    """A row of scores.csv."""
    row = {"bias": bias, "list": which, "metric": metric, "relative": False, "n_words": 20, "n_shuffles": 10,
           "value_biased": 0.5, "b_0": 0.0, "accuracy": 0.5, "auc": 0.7, "robustness_biased": 0.5,
           "words_needed_biased": 10}  # fmt: skip
    return row | changes


def rates(metric, rate, calibration, form="groups", bias="gender", **changes):
    """A row of false_positives.csv: rates of 200 samples on both models."""
    row = {"metric": metric, "form": form, "test": REASSIGNED[form], "bias": bias, "share": 0.5, "n_unbiased": 200,
           "false_positive_rate": rate, "calibration": calibration, "n_biased": 200, "power": 0.5}  # fmt: skip
    return row | changes


def compared(first, second, difference, p, score="accuracy", bias="gender", which="groups"):
    """A row of comparisons.csv."""
    return {"bias": bias, "list": which, "score": score, "first": first, "second": second, "difference": difference,
            "p_holm": p}  # fmt: skip


def pair(scores=(), false_positives=(), tests=()):
    return Pair(
        pd.DataFrame(scores), pd.DataFrame(list(false_positives), columns=list(rates("a", 0, ""))),
        pd.DataFrame(list(tests), columns=list(compared("a", "b", 0, 1))),
    )  # fmt: skip


def words(finding):
    return " ".join(finding.sentence.split())


def test_published_tests_name_form_and_bias():
    rows = [rates("weat", 0.57, "liberal", "groups", test=PUBLISHED),
            rates("weat", 0.02, "nominal", "targets", "religion", test=PUBLISHED),
            rates("weat", 1, "", "groups", "religion", test=PUBLISHED, share=1.0),
            rates("weat", 0.3, "", "groups", "all", test=PUBLISHED)]  # fmt: skip
    finding = findings.describe_published_tests(pair(false_positives=rows))
    assert re.search("groups as X and Y: gender 57 %; .* targets as X and Y: religion 2 %[.]", words(finding))
    assert finding.n == "200 samples of half of the words"
    assert findings.describe_published_tests(pair(false_positives=[rates("mac", 1, "liberal")])).sentence == ""


def test_metrics_by_the_biases_that_their_tests_find():
    rows = [rates("same", 0.0, "conservative", power=1), rates("same", 0, "conservative", bias="religion", power=0),
            rates("mac", 0.05, "nominal", power=0.1), rates("rnd", 0.05, "nominal", power=0.8),
            rates("rnd", 0.05, "nominal", bias="religion", power=0.8),
            rates("gweat", 0.05, "nominal", power=1),
            rates("ripa", 0, "nominal", power=0), rates("ripa", 0, "nominal", bias="religion", power=0),
            rates("rnsb", 0.5, "liberal", power=1), rates("rnsb", 0.05, "nominal", bias="religion", power=1),
            rates("weat", 0.5, "liberal", "targets", power=1)]  # fmt: skip
    sentence = words(findings.describe_tests(pair(false_positives=rows), "groups"))
    assert re.search(
        r"RND finds every .*; SAME finds gender only and gWEAT \(tested on gender only\) finds gender; "
        r"MAC \(tested on gender only\) and RIPA find none; .*: "
        r"RNSB \(gender 50 %\)[.]",
        sentence,
    )
    sentence = words(findings.describe_tests(pair(false_positives=rows), "targets"))
    assert re.search(r"none finds every .*: WEAT \(gender 50 %\)[.]", sentence)
    assert findings.describe_tests(pair(), "groups").sentence == ""


def test_auc_of_metrics():
    scores = [score("weat", auc=0.95), score("weat", which="targets", auc=1.0),
              score("mac", auc=0.2), score("mac", which="targets", auc=0.99),
              score("rnd", auc=NAN), score("mine", auc=NAN), score("mine", which="targets", auc=1.0)]  # fmt: skip
    finding = findings.describe_auc(pair(scores))
    assert re.search("^WEAT distinguishes .*no better than chance .*: MAC.$", words(finding))
    assert finding.n == "4 metrics, 2 lists of words, 10 shuffles"
    assert words(findings.describe_auc(pair([score("mac", auc=0.8)]))).startswith("No metric")


LISTS = [("gender", "groups"), ("gender", "targets"), ("mine", "groups")]
AHEAD = ", significantly ahead of all others"


def leaders(first, p):
    """WEAT is the most accurate except on lists of `first`, where MAC is; tests of all three lists have the same p."""
    scores, tests = [], []
    for place in LISTS:
        high = 0.4 if place in first else 0.9
        scores += [score("weat", *place, accuracy=high), score("mac", *place, accuracy=0.6),
                   score("rnd", *place, accuracy=NAN, auc=0.99, relative=True)]  # fmt: skip
        tests.append(compared("weat", "mac", high - 0.6, p, "accuracy", *place))
    return pair(scores, tests=tests)


@pytest.mark.parametrize(
    ("first", "p", "expected"),
    [
        ([], 0.01, f"WEAT on all 3 lists{AHEAD}."),
        (LISTS[:1], 0.01, f"WEAT on 2 of 3 lists{AHEAD}; MAC on 1 of 3 lists{AHEAD}."),
        ([], 0.2, "WEAT on all 3 lists; none is significantly ahead of all others."),
    ],
)
def test_the_most_accurate_metrics(first, p, expected):
    assert words(findings.describe_accuracy(leaders(first, p))).split(": ", 1)[1] == expected


def test_words_that_are_needed():
    scores = [score("weat", words_needed_biased=2), score("weat", which="targets", words_needed_biased=4),
              score("mac", words_needed_biased=20), score("mac", which="targets", words_needed_biased=2),
              score("rnd", words_needed_biased=1), score("rnd", which="targets", value_biased=NAN),
              score("same", which="targets"), score("rnsb", value_biased=NAN)]  # fmt: skip
    sentence = words(findings.describe_words_needed(pair(scores)))
    assert "WEAT (up to 20 % of a list); most: MAC (all words)." in sentence
    assert "b₀" not in sentence
    own = [score("own", b_0=NAN), score("own", which="targets", b_0=NAN)]
    assert "from 0 for metrics without b₀" in words(findings.describe_words_needed(pair([*scores, *own])))
    never = words(findings.describe_words_needed(pair([*scores, score("same", words_needed_biased=NAN)])))
    assert "most: SAME (" in never


def test_several_pairs_are_named(tmp_path):
    rows = pd.DataFrame([rates("weat", 0.5, "liberal", test=PUBLISHED), rates("mac", 0, "", "targets")])
    tables, files = leaders([], 0.01)._replace(false_positives=rows), []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for table, rows in tables._asdict().items():
            files.append(str(tmp_path / name / f"{table}.csv"))
            rows.to_csv(files[-1], index=False)
    answer.main(["one", "two"], files, str(tmp_path / "findings.csv"))
    table = pd.read_csv(tmp_path / "findings.csv", keep_default_na=False)
    assert table["sentence"].str.split(":").str[0].tolist() == ["one", "two"] * 7
