"""Sentences of the first-order study: each changes with the tables that it is read from."""

import pandas as pd
import pytest

from biassay.studies.first_order import comparison_findings, findings
from tests.first_order.test_diagnosis_findings import BANDS

NAN = float("nan")


def compared(embedding, first, second, p, statistics="planted", **changes):
    """A row of comparisons.csv; the verdict is of both correlations and p."""
    ahead = "undefined" if p != p else "no difference" if p >= 0.05 else "first" if first > second else "second"
    row = {"corpus": "wiki", "embedding": embedding, "space": "explicit", "method": "first_order",
           "word_list": "medium", "second_embedding": embedding, "second_space": "vectors",
           "second_method": "second_order_cosine", "statistics": statistics, "correlation": "spearman", "n": 50,
           "first_order": first, "second_order": second,
           "p_holm": p, "verdict": ahead}  # fmt: skip
    return row | changes


def said(*rows, generated=None):
    """Verdicts of rows of comparisons.csv."""
    own = comparison_findings.select_own_comparisons(pd.DataFrame(rows), "medium")
    return [finding.sentence for finding in comparison_findings.describe_comparisons(own, generated or {})]


GLOVE, SKIPGRAM, PMI = (
    compared("glove", 0.8, 0.5, 0.0001),
    compared("sg", 0.5, 0.9, 0.02),
    compared("pmi", 0.7, 0.6, 0.2),
)


def test_who_follows_what_was_planted_more_closely():
    assert said(GLOVE, SKIPGRAM, PMI) == [
        "On wiki text, Λ1 follows the planted bias more closely than the cosine for glove (ρ = 0.80 and 0.50, "
        "p < 0.001), less closely for sg (ρ = 0.50 and 0.90, p = 0.020); no significant difference for pmi "
        "(50 occupations)."
    ]  # fmt: skip
    swapped = [row | {"verdict": {"first": "second", "second": "first"}.get(row["verdict"], row["verdict"])}
               for row in (GLOVE, SKIPGRAM, PMI)]  # fmt: skip
    assert "more closely than the cosine for sg (ρ = 0.50" in said(*swapped)[0]
    assert "less closely for glove (ρ = 0.80" in said(*swapped)[0]


@pytest.mark.parametrize(
    ("rows", "end"),
    [
        (
            [SKIPGRAM],
            "Λ1 follows the planted bias less closely than the cosine for sg (ρ = 0.50 and 0.90, p = 0.020)",
        ),
        ([PMI], "Λ1 and the cosine do not differ significantly in how closely they follow the planted bias"),
        ([compared("pmi", NAN, 0.5, NAN)], "Λ1 and the cosine could not be compared"),
        ([GLOVE | {"second_method": "mine"}], "more closely than mine for glove (ρ = 0.80 and 0.50, p < 0.001)"),
    ],
)
def test_one_side_only_none_and_a_metric_of_ones_own(rows, end):
    (sentence,) = said(*rows)
    assert sentence.endswith(f"{end} (50 occupations).")


def test_only_own_scores_on_the_main_list_are_compared():
    """Of vectors where there are some, else explicit ones; never of a related embedding, of nnd, or Pearson's."""
    others = [{"word_list": "tiny"}, {"second_embedding": "pmi"}, {"second_method": "second_order_nnd"},
              {"correlation": "pearson"}, {"second_space": "explicit"}]  # fmt: skip
    assert said(
        GLOVE, *(SKIPGRAM | {"embedding": "glove", "second_embedding": "glove"} | other for other in others)
    ) == said(GLOVE)
    assert said(GLOVE, PMI | {"second_space": "explicit"})[0].endswith(
        "no significant difference for pmi (50 occupations)."
    )


def test_generated_text_is_told_from_real_text_and_planted_statistics_come_first():
    rows = [GLOVE | {"statistics": name, "corpus": corpus} for corpus in ("made", "control", "wiki")
            for name in ("labor", "planted_clear", "planted")]  # fmt: skip
    found = said(*rows, generated={"made": True, "control": False})
    assert [sentence.split(" more closely")[0] for sentence in found] == [
        "On generated text (made), Λ1 follows the planted bias",
        "On wiki text, Λ1 follows the planted bias",
        "On generated text (made), Λ1 follows the planted bias of occupations without a partner",
        "On wiki text, Λ1 follows the planted bias of occupations without a partner",
        "On generated text (made), Λ1 follows the statistics Labor (planted)",
        "On wiki text, Λ1 follows the statistics Labor",
    ]
    assert comparison_findings.statistics_label("labor", "control", {"control": False}) == "Labor (not planted)"
    assert comparison_findings.statistics_label("planted", "made", {"made": True}) == "Planted ground truth"


def correlation(embedding, value, p, word_list="medium", statistics="labor", method="second_order_cosine"):
    return {"corpus": "control", "embedding": embedding, "space": "vectors", "method": method, "word_list": word_list,
            "statistics": statistics, "n": 40, "spearman": value, "spearman_p": p}  # fmt: skip


def test_what_is_found_where_nothing_is():
    table = pd.DataFrame([correlation("sg", 0.1, 0.5), correlation("glove", -0.4, 0.01), correlation("pmi", NAN, NAN),
                          correlation("sg", 0.9, 0.001, word_list="tiny")])  # fmt: skip
    found = findings.describe_control(table, "control", "medium", {"control": False})
    assert found.sentence == (
        "On generated text without bias (control), 1 of 2 correlations have p < 0.05 (uncorrected); the largest is "
        "ρ = −0.40 (glove cosine, Labor (not planted), n = 40)."
    )  # fmt: skip
    assert "no score" in findings.describe_control(table[2:3], "control", "medium", {}).sentence


def test_partners_that_scores_follow():
    def slope(method, embedding, value, low):
        return {"corpus": "made", "embedding": embedding, "method": method, "word_list": "medium", "n": 30,
                "partner_slope": value, "partner_slope_low": low}  # fmt: skip

    rows = [slope("first_order", "sg", 0.2, 0.1), slope("first_order", "glove", 0.05, -0.1),
            slope("second_order_cosine", "sg", 0.3, 0.2), slope("mine", "sg", 0.9, 0.8),
            slope("first_order", "pmi", 0.9, 0.8) | {"word_list": "tiny"}]  # fmt: skip
    (found,) = findings.describe_partners(pd.DataFrame(rows), "medium")
    assert found.sentence.endswith(
        "Λ1 in 1 of 2 representations (largest slope: 0.20, sg) and the cosine in 1 of 1 representations "
        "(largest slope: 0.30, sg) (made)."
    )
    assert found.n == "30 confounded occupations"
    assert list(findings.describe_partners(pd.DataFrame(rows)[:0], "medium")) == []


def test_false_positives_by_method():
    rows = [{"corpus": "control", "method": method, "n_tests": 10, "false_positive_rate": share,
    "false_positive_rate_holm": corrected}
            for method, share, corrected in (("first_order", 0.1, 0), ("first_order", 0.3, 0.05),
                                             ("second_order_cosine", 0.2, 0), ("mine", 1, 1))]  # fmt: skip
    (found,) = findings.describe_false_positives(pd.DataFrame(rows))
    assert "Λ1 in 10 to 30 % of tests per representation (corrected: at most 5 %)" in found.sentence
    assert "the cosine in 20 % of tests" in found.sentence
    assert list(findings.describe_false_positives(pd.DataFrame(rows)[3:])) == []


def test_how_far_the_list_matters():
    table = pd.DataFrame(
        [correlation("sg", value, 0, word_list=name) for name, value in (("tiny", 0.2), ("medium", 0.7))]
    )
    tests = pd.DataFrame([GLOVE | {"statistics": "labor"}, GLOVE | {"statistics": "labor", "word_list": "tiny"}])
    found = findings.describe_word_lists(table, tests)
    assert found.sentence.endswith("by up to 0.50 for the cosine (sg).")
    assert found.n == "2 lists"
    tests.loc[1, "verdict"] = "second"
    assert findings.describe_word_lists(table, tests).sentence.endswith("depends on the list for glove.")
    assert findings.describe_word_lists(table[:1], tests).sentence.startswith("With one list")


def test_titles_of_a_corpus_and_the_order_of_verdicts():
    of_wiki = [pd.concat([pd.Series("wiki", table.index, name="corpus"), table], axis=1) for table in (
        pd.DataFrame({"occupation": ["nurse"], "definitional": [True]}),
        pd.DataFrame([("explicit", "original", 12, 0.6, 0.9)], columns=["space", "state", "n", "majority", "accuracy"]),
        BANDS,
    )]  # fmt: skip
    correlations = pd.DataFrame([correlation("sg", 0.1, 0.5)]).assign(corpus="wiki")
    false_positives = pd.DataFrame(
        [
            {
                "corpus": "control",
                "method": "first_order",
                "n_tests": 1,
                "false_positive_rate": 0,
                "false_positive_rate_holm": 0,
            }
        ]
    )
    none = pd.DataFrame(columns=["corpus", "method", "word_list"])
    tables = findings.Tables(
        pd.DataFrame([PMI | {"statistics": "labor"}, GLOVE]), correlations, false_positives, none, *of_wiki
    )
    found = findings.collect_findings(tables, "medium", {})
    assert [finding.sentence[:30] for finding in found[:3]] == [
        "On wiki text, direct co-occurr", "Without planted bias (control)", "On wiki text, Λ1 and the cosin",
    ]  # fmt: skip
    names = ["representations", "word_lists", "occupations", "histograms", "debiased", "effects", "weights"]
    assert [finding.result for finding in found[3:]] == [f"figures/wiki/{name}" for name in names]
    assert found[3].sentence.startswith("On wiki text, Λ1 follows the planted bias more closely")
    assert all(finding.sentence.endswith(" (wiki)") for finding in found[4:])
    nothing = tables._replace(
        comparisons=tables.comparisons[:0], false_positives=false_positives[:0], correlations=correlations[:0]
    )
    assert [finding.sentence for finding in findings.collect_findings(nothing, "medium", {})] == [
        "No two scores could be compared."
    ]
