"""Findings of the first-order study: names and numbers change with the tables that they are read from."""

import re

import pandas as pd
import pytest

from biassay.studies.first_order import findings

NAN = float("nan")


def compared(embedding, first, second, p, statistics="planted", **changes):
    """A row of comparisons.csv; the verdict is of both correlations and p."""
    ahead = "undefined" if p != p else "not significant" if p >= 0.05 else "first" if first > second else "second"
    row = {"corpus": "wiki", "embedding": embedding, "space": "explicit", "method": "first_order",
           "word_list": "medium", "second_embedding": embedding, "second_space": "vectors",
           "second_method": "second_order_cosine", "statistics": statistics, "correlation": "spearman", "n": 50,
           "first_order": first, "second_order": second,
           "p_holm": p, "verdict": ahead}  # fmt: skip
    return row | changes


def words(finding):
    return " ".join(finding.sentence.split())


def sentences(*rows, generated=None):
    """Sentences on rows of comparisons.csv."""
    own = findings.select_own_comparisons(pd.DataFrame(rows), "medium")
    return [words(finding) for finding in findings.describe_comparisons(own, generated or {})]


GLOVE = compared("glove", 0.8, 0.5, 0.0001)
SKIPGRAM = compared("sg", 0.5, 0.9, 0.02)
PMI = compared("pmi", 0.7, 0.6, 0.2)


@pytest.mark.parametrize(
    ("rows", "ahead", "behind"),
    [
        ([GLOVE, SKIPGRAM], "glove", "sg"),
        ([PMI], None, None),
        ([compared("pmi", NAN, 0.5, NAN)], None, None),
    ],
)
def test_embeddings_on_each_side(rows, ahead, behind):
    (sentence,) = sentences(*rows)
    for side, embedding in (("more closely", ahead), ("less closely", behind)):
        pattern = rf"{side}( than the cosine)? for {embedding} \(ρ"
        assert bool(re.search(pattern, sentence)) if embedding else side not in sentence
    assert "50 occupations" in sentence


def test_a_score_that_does_not_rise_with_the_statistics_is_not_said_to_follow_them():
    for row, is_none in ((GLOVE, False), (compared("glove", -0.3, -0.6, 0.01), True)):
        assert ("does not follow it" in sentences(row)[0]) == is_none
    neither, one = compared("glove", -0.3, -0.6, 0.2), compared("glove", 0.3, -0.6, 0.2)
    assert "does not follow it" in sentences(SKIPGRAM | {"verdict": "none"}, neither)[0]
    assert "does not follow it" not in sentences(one)[0]


def test_occupations_are_counted_by_embedding():
    few, untested = SKIPGRAM | {"n": 12}, compared("pmi", NAN, 0.5, NAN, n=3)
    assert sentences(GLOVE, few, untested)[0].endswith("(12 to 50 occupations).")


def test_only_own_scores_on_the_main_list_are_compared():
    """Of vectors if there are any, otherwise explicit ones; never of a related embedding, of nnd, or Pearson's."""
    others = [{"word_list": "tiny"}, {"second_embedding": "pmi"}, {"second_method": "second_order_nnd"},
              {"correlation": "pearson"}, {"second_space": "explicit"}]  # fmt: skip
    changed = (SKIPGRAM | {"embedding": "glove", "second_embedding": "glove"} | other for other in others)
    assert sentences(GLOVE, *changed) == sentences(GLOVE)
    assert "pmi" in sentences(GLOVE, PMI | {"second_space": "explicit"})[0]
    assert "than mine for glove" in sentences(GLOVE | {"second_method": "mine"})[0]


def test_planted_bias_comes_first_and_the_control_has_no_comparisons():
    rows = [GLOVE | {"statistics": name, "corpus": corpus} for corpus in ("made", "control", "wiki")
            for name in ("labor", "planted_clear", "planted")]  # fmt: skip
    found = [
        re.search(r"(made|wiki).*?Λ1\)? follows the (.*) more closely", sentence).groups()
        for sentence in sentences(*rows, generated={"made": ["planted", "labor"], "control": []})
    ]
    references = ("planted bias", "planted bias of occupations without a partner")
    assert found[:4] == [(corpus, reference) for reference in references for corpus in ("made", "wiki")]
    assert found[4:] == [("made", "statistics Labor (planted)"), ("wiki", "statistics Labor")]


def test_only_statistics_of_the_generator_are_planted():
    generated = {"made": ["planted", "labor"], "control": []}
    labels = [findings.statistics_label(name, corpus, generated) for corpus in ("made", "control", "wiki")
              for name in ("labor", "own")]  # fmt: skip
    assert labels[:4] == ["Labor (planted)", "own (not planted)", "Labor (not planted)", "own (not planted)"]
    assert labels[4:] == ["Labor", "own"]


def test_partners_that_scores_follow():
    rows = [("first_order", "sg", 0.2, 0.1), ("first_order", "glove", 0.05, -0.1),
            ("second_order_cosine", "sg", 0.3, 0.2), ("mine", "sg", 0.9, 0.8)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["method", "embedding", "partner_slope", "partner_slope_low"])
    table = table.assign(corpus="made", word_list="medium", n=30)
    tiny = table[:1].assign(word_list="tiny", partner_slope=1)
    (finding,) = findings.describe_partners(pd.concat([table, tiny]), "medium")
    assert re.findall(r"(\d) of (\d) [^.]*(0\.\d\d), (\w+)", words(finding)) == [
        ("1", "2", "0.20", "sg"), ("1", "1", "0.30", "sg"),
    ]  # fmt: skip
    assert "of which 0.1 are expected by chance" in words(finding)
    assert finding.n == "30 confounded occupations"
    assert list(findings.describe_partners(table[:0], "medium")) == []
    assert list(findings.describe_partners(table.assign(partner_slope_low=NAN), "medium")) == []
    assert list(findings.describe_partners(table.assign(partner_slope=float("nan")), "medium")) == []


def test_false_positives_by_method():
    rows = [("first_order", 0.1, 0), ("first_order", 0.3, 0.05), ("second_order_cosine", 0.2, 0), ("mine", 1, 1)]
    table = pd.DataFrame(rows, columns=["method", "false_positive_rate", "false_positive_rate_holm"])
    table = table.assign(corpus="control", n_tests=10)
    (finding,) = findings.describe_false_positives(table)
    assert re.findall(r"([\d]+) %", words(finding)) == ["30", "5", "20", "0"]
    assert "10 to 30 %" in words(finding)
    assert "-0" not in words(finding)
    assert finding.n == "30 tests"
    assert list(findings.describe_false_positives(table[3:])) == []


def test_the_order_of_verdicts():
    comparisons = pd.DataFrame([PMI | {"statistics": "labor"}, GLOVE])
    false_positives = pd.DataFrame({"method": ["first_order"], "n_tests": 1, "false_positive_rate": 0,
                                    "false_positive_rate_holm": 0}).assign(corpus="control")  # fmt: skip
    tables = comparisons, pd.DataFrame(columns=["corpus", "method", "word_list"]), false_positives
    collected = findings.collect_findings(*tables, "medium", {})
    assert [finding.test.split()[0] for finding in collected] == ["Steiger's", "p", "Steiger's"]
    assert [findings.LONG_NAME in finding.sentence for finding in collected] == [True, False, False]
    generated = findings.collect_findings(*tables, "medium", {"wiki": ["planted"]})
    assert generated[0].test.startswith("bootstrap")
