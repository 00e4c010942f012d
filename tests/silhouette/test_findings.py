"""Findings on silhouettes: names and numbers change with the tables that they are read from."""

import re

import pandas as pd
import pytest

from biassay.studies.silhouette import findings
from biassay.studies.silhouette.false_positives import BAND, PUBLISHED, REASSIGNED
from biassay.studies.silhouette.findings import Pair
from scripts.silhouette import answer

NAN = float("nan")


def score(metric, bias="gender", which="groups", **changes):
    """A row of scores.csv."""
    row = {"bias": bias, "list": which, "metric": metric, "relative": False, "n_words": 20, "n_shuffles": 10,
           "value_biased": 0.5, "accuracy": 0.5, "auc": 0.7, "robustness_biased": 0.5,
           "words_needed_biased": 10}  # fmt: skip
    return row | changes


def rates(metric, rate, low, test=REASSIGNED, **changes):
    """A row of false_positives.csv: the share of 200 samples on both models, and the end of its interval."""
    row = {"metric": metric, "test": test, "bias": "all", "share": 0.5, "n_unbiased": 200, "false_positive_rate": rate,
           "false_positive_rate_low": low, "n_biased": 200, "power": 0.5, "power_low": 0.4,
           "power_high": 0.6}  # fmt: skip
    return row | changes


def compared(first, second, difference, p, score="accuracy", bias="gender", which="groups"):
    """A row of comparisons.csv."""
    return {"bias": bias, "list": which, "score": score, "first": first, "second": second, "difference": difference,
            "p_holm": p}  # fmt: skip


def pair(scores=(), false_positives=(), tests=()):
    course = {"bias": ["gender"] * 10, "list": ["groups"] * 10, "metric": ["weat"] * 10,
                             "n_shuffles": range(1, 11), "accuracy": [0.5] * 7 + [0.53, 0.5, 0.5]}  # fmt: skip
    return Pair(
        pd.DataFrame(scores), pd.DataFrame(list(false_positives), columns=list(rates("a", 0, 0))),
        pd.DataFrame(list(tests), columns=list(compared("a", "b", 0, 1))), pd.DataFrame(course),
    )  # fmt: skip


def words(finding):
    return " ".join(finding.sentence.split())


def test_false_positives_of_published_tests():
    rows = [rates("weat", 0.57, 0.51, PUBLISHED), rates("weat", 1, 1, PUBLISHED, share=1.0), rates("weat", 1, 1, BAND)]
    finding = findings.describe_published_tests(pair(false_positives=rows))
    assert "57 %, more" in words(finding)
    assert finding.n == "200 samples of half of the words"
    few = findings.describe_published_tests(pair(false_positives=[rates("weat", 0.06, 0.04, PUBLISHED)]))
    assert "6 %, not significantly more" in words(few)
    assert findings.describe_published_tests(pair(false_positives=[rates("mac", 1, 0.9)])).sentence == ""


def test_false_positives_of_other_metrics():
    rows = [rates("weat", 0.9, 0.8, PUBLISHED), rates("mac", 0.2, 0.1), rates("rnsb", 0.5, 0.4, share=0.25),
            rates("same", 0.07, 0.049), rates("mine", 0.0, 0.0), rates("rnd", 1, 0.9, bias="gender")]  # fmt: skip
    sentence = words(findings.describe_other_tests(pair(false_positives=rows)))
    assert "RNSB (50 %) and MAC (20 %), not for SAME and mine" in sentence
    assert findings.describe_other_tests(pair(false_positives=rows[:1])).sentence == ""


def test_power_of_tests_without_excess_false_positives():
    rows = [rates("ect", 1, 0.9, power=1, power_low=0.98, power_high=1),
            rates("same", 0, 0, power=0.9, power_low=0.85, power_high=0.94),
            rates("mac", 0, 0, power=0.8, power_low=0.75, power_high=0.86),
            rates("rnd", 0, 0, power=0.1, power_low=0.05, power_high=0.15)]  # fmt: skip
    sentence = words(findings.describe_power(pair(false_positives=rows)))
    assert re.search(r"SAME and MAC .*80 to 90 % .*RND .*10 %", sentence)
    assert findings.describe_power(pair(false_positives=rows[:1])).sentence == ""


def test_auc_of_metrics():
    scores = [score("weat", auc=0.95), score("weat", which="targets", auc=1.0),
              score("mac", auc=0.2), score("mac", which="targets", auc=0.99),
              score("rnd", auc=NAN)]  # fmt: skip
    finding = findings.describe_auc(pair(scores))
    assert re.search("^WEAT distinguishes .*no better than chance .*: MAC.$", words(finding))
    assert finding.n == "3 metrics, 2 lists of words, 10 shuffles"
    assert words(findings.describe_auc(pair([score("mac", auc=0.8)]))).startswith("No metric")


LISTS = [("gender", "groups"), ("gender", "targets"), ("mine", "groups")]
AHEAD = ", significantly ahead of all others"


def leaders(first, p):
    """WEAT is the most accurate except on lists of `first`, where MAC is; tests of all three lists have the same p."""
    scores, tests = [], []
    for place in LISTS:
        high = 0.4 if place in first else 0.9
        scores += [score("weat", *place, accuracy=high), score("mac", *place, accuracy=0.6),
                   score("rnd", *place, accuracy=0.99, relative=True)]  # fmt: skip
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
              score("rnd", words_needed_biased=6), score("rnsb", value_biased=NAN)]  # fmt: skip
    sentence = words(findings.describe_words_needed(pair(scores)))
    assert "WEAT (up to 20 % of a list); most: MAC (all words)." in sentence
    never = words(findings.describe_words_needed(pair([*scores, score("same", words_needed_biased=NAN)])))
    assert "most: SAME (" in never


def test_convergence_by_hand():
    assert re.findall(r"\d[.\d]*\d|\d", words(findings.describe_convergence(pair()))) == ["8", "10", "0.030", "0.030"]


def test_every_result_has_a_title_and_several_pairs_are_named(tmp_path):
    rows = pd.DataFrame([rates("weat", 0.5, 0.4, test=PUBLISHED), rates("mac", 0, 0)])
    tables, files = leaders([], 0.01)._replace(false_positives=rows), []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for table, rows in tables._asdict().items():
            files.append(str(tmp_path / name / f"{table}.csv"))
            rows.to_csv(files[-1], index=False)
    answer.main(["one", "two"], files, str(tmp_path / "findings.csv"))
    table = pd.read_csv(tmp_path / "findings.csv", keep_default_na=False)
    verdicts = table[table["result"] == ""]["sentence"]
    assert verdicts.str.split(":").str[0].tolist() == ["one", "two"] * 7
    figures = ["gender", "zoomed/gender", "mine", "zoomed/mine", "scores/robustness", "scores/accuracy"]
    of_one = [*(f"figures/{name}" for name in (*figures, "scores/convergence")), "silhouettes", "summary"]
    assert table["result"].tolist()[14:] == [f"{name}/{result}" for name in ("one", "two") for result in of_one]
