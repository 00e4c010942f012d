"""The conclusion of a test: whose findings count, and their direction."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pandas as pd
import pytest

from biassay.auditing import conclusions, findings, numbers, sections, sentence_pairs
from tests.audit.example_vectors import question, used, vectors

ASKED = question(groups=3, targets=2)
USED = used(ASKED, vectors(ASKED, 0))
HER, HIS = "her nearer care", "his nearer care"


def summarized(findings, verdicts, direction=None, sides=None, clusters=None):
    """The summary of findings by metric; each metric is its own cluster unless `clusters` says otherwise."""
    numbers = {name: number for number, name in enumerate(findings)} | (clusters or {})
    rows = [
        {"source": "s", "test": test, "metric": name, "finding": finding, "cluster": numbers[name],
         "direction": (direction or {}).get(name, ""),
         "sides": (sides or {}).get(name, "groups and targets")}
        for test, shift in (("ours", findings), ("other", dict.fromkeys(findings, "found")))
        for name, finding in shift.items()
    ]  # fmt: skip
    trust = pd.DataFrame({"metric": list(verdicts), "verdict": list(verdicts.values())})
    return conclusions.summarize(USED.question, USED.n_words, 12, pd.DataFrame(rows), trust)


def test_trusted_metrics_decide_where_there_are_some():
    summary_row = summarized({"a": "found", "b": "none", "c": "found", "d": "undefined", "e": "found"},
                      {"a": "trusted", "b": "trusted", "c": "with care", "d": "trusted", "e": "not trusted"},
                      {"a": HER, "c": HIS})  # fmt: skip
    assert summary_row == {
        "source": "s", "test": "ours", "title": "Ours", "finding": "found", "n_words": 10, "n_asked": 12,
        "n_metrics": 4, "n_found": 3, "n_counted": 2,
        "n_counted_found": 1, "verdict": "trusted", "found_by": "a", "direction": HER,
        "conclusion": f"association found by 1 of 2 clusters of trusted metrics (a); {HER}",
    }  # fmt: skip


@pytest.mark.parametrize(("verdicts", "n_counted", "kind"), [
    ({"a": "with care", "b": "not trusted", "c": "with care"}, 2, "metrics rated “with care”"),
    ({"a": "not trusted", "b": "not judged", "c": "not trusted"}, 3, "metrics"),
    ({"a": "not trusted", "b": "trusted", "c": "with care"}, 1, "trusted metrics"),
])  # fmt: skip
def test_else_those_to_be_taken_with_care_and_else_all(verdicts, n_counted, kind):
    summary_row = summarized({"a": "found", "b": "found", "c": "found"}, verdicts)
    assert (summary_row["n_counted"], summary_row["n_counted_found"]) == (n_counted, n_counted)
    assert (
        f"found by {n_counted} of {n_counted} cluster{'s' if n_counted > 1 else ''} of {kind} ("
        in summary_row["conclusion"]
    )


def test_what_does_not_compare_the_groups_is_not_counted():
    summary_row = summarized({"a": "found", "b": "none"}, dict.fromkeys("ab", "trusted"), sides={"a": "targets only"})
    assert (summary_row["n_metrics"], summary_row["n_found"], summary_row["n_counted"]) == (1, 0, 1)
    alone = summarized({"a": "found"}, {"a": "trusted"}, sides={"a": "targets only"})
    assert (alone["finding"], "see the reason" in alone["conclusion"]) == ("not tested", False)  # it has none


def test_metrics_of_a_cluster_count_once():
    findings = {"a": "found", "b": "found", "c": "none", "d": "none", "e": "unspecific", "f": "too few"}
    row = summarized(findings, {}, clusters=dict.fromkeys("abc", 7) | {"f": 9})
    assert (row["n_metrics"], row["n_found"], row["n_counted"], row["n_counted_found"]) == (5, 2, 3, 1)
    assert "1 of 3 clusters of metrics (a = b)" in row["conclusion"]


@pytest.mark.parametrize(("metrics", "finding", "conclusion"), [
    (["not tested", "too few"], "too few", "too few words to tell (10 of 12)"),
    (["not tested", "undefined"], "not tested", "not tested: see the reason of each metric"),
    (["too few", "none"], "none", "no association found by any of 1 cluster of metrics"),
])  # fmt: skip
def test_a_test_without_a_tested_metric_has_a_verdict(metrics, finding, conclusion):
    row = summarized(dict(zip("ab", metrics, strict=True)), {})
    assert (row["finding"], row["conclusion"]) == (finding, conclusion)


def test_a_direction_is_told_where_all_agree():
    both = dict.fromkeys("ab", "found")
    assert summarized(both, {}, {"a": HER, "b": HER})["conclusion"].endswith(f"; {HER}")
    assert summarized(both, {}, {"a": HER, "b": "towards her"})["conclusion"].endswith(f"; {HER}")
    assert summarized(both, {}, {"a": HER, "b": HIS})["conclusion"].endswith("(a, b)")


def test_pairs_have_the_direction_of_the_sentences_that_are_more_likely():
    pairs = sentence_pairs.SentencePairs("p.csv", "pairs", [("a b", "a c")] * 9, [None] * 9, [("b", "c")] * 9)
    cells = {"source": "s", "test": "pairs", "cluster": 1, "sides": "groups and targets",
             "permutation_test": findings.STEREOTYPES_EXCHANGED, "p_corrected": 0.01,
             "p_random_corrected": 0.01}  # fmt: skip
    anti, trust = sentence_pairs.DIRECTIONS[1], pd.DataFrame({"metric": ["a"], "verdict": "", "false_positive_rate": 0})
    skipped = pd.DataFrame({"source": [], "test": [], "metric": [], "reason": pd.Series([], dtype=str)})
    for finding, direction, said in (("found", anti, "Antistereotypical sentences are more likely in pairs"),
                                     ("too few", "", "Too few to tell: pairs (9 pairs)")):  # fmt: skip
        table = pd.DataFrame([cells | {"metric": "a", "finding": finding, "direction": anti}])
        row = conclusions.summarize(pairs, 9, 9, table, trust)
        assert row["direction"] == direction
        parts = {"summary": pd.DataFrame([row]), "table": table, "trust": trust, "skipped": skipped}
        lines = sections.overview(SimpleNamespace(**parts, pair_tests={row["test"]}), "s")
        assert lines["Found"].startswith(said)
        assert "words" not in lines["Next"]


def test_none_found_names_unspecific_metrics_and_what_is_trusted_less():
    row = summarized({"a": "none", "b": "unspecific", "c": "found", "d": "unspecific"}, dict.fromkeys("abd", "trusted"))
    assert (row["n_counted"], row["n_counted_found"]) == (3, 0)
    assert "any of 3 clusters of trusted metrics (b, d: " in row["conclusion"]
    assert row["conclusion"].endswith(": c")
    assert summarized({"a": "undefined"}, {})["n_metrics"] == 0


def overview(*tests, verdict="with care", of_a="with care", permuted="groups reassigned"):
    """The first lines of an audit of tests: counted clusters, finding of metric a, and whether other metrics found."""
    summary = [
        {"source": "s", "test": f"t{number}", "title": "T", "n_counted": n, "n_counted_found": int(finding == "found"),
         "n_found": int(finding == "found" or others), "finding": finding, "n_words": 8, "n_asked": 20,
         "verdict": verdict, "direction": "",
         "found_by": "a" if finding == "found" else ""} for number, (n, finding, others) in enumerate(tests)
    ]  # fmt: skip
    table = pd.DataFrame(summary)[["source", "test", "finding"]]
    table = table.assign(p_corrected=0.01 * (1 + table.index), p_random_corrected=0.02, sides="groups and targets")
    table["permutation_test"] = permuted
    table = pd.concat([table.assign(metric="a"), table.assign(metric="b", finding="not tested")])
    trust = pd.DataFrame({"metric": ["a", "b"], "false_positive_rate": [0.7, 1.0], "verdict": [of_a, "trusted"]})
    reasons = ["too few words to tell (3 of 9): one has fewer", "not tested: too few to run it by default"]
    skipped = pd.DataFrame({"source": "s", "test": ["scarce", "unasked"], "metric": "", "reason": reasons})
    parts = {"summary": pd.DataFrame(summary), "table": table, "trust": trust, "skipped": skipped}
    return sections.overview(SimpleNamespace(**parts, pair_tests=set()), "s")


@pytest.mark.parametrize(("tests", "found", "sure", "then"), [
    ([(3, "found", 0), (4, "none", 0)], ["in t0 (T).", "None in t1"], ["at most 0.010", "None in t1"], ["FILE.yaml"]),
    ([(3, "found", 0), (2, "found", 0)], ["t0 and t1."], ["at most 0.020 (permuted", "“with care”", "70 %"], ["harm"]),
    ([(3, "none", 0), (4, "unspecific", 1)], ["in t0 and t1.", "find one in t1."], ["No metric"], ["In t1, "]),
    ([(3, "none", 0), (0, "too few", 0)], ["in t0.", "t1 (8 of 20)"], ["No metric"], ["t1: give more"]),
    ([(0, "too few", 0)], ["t0 (8 of 20)"], ["reason"], ["t0: give more"]),
    ([(0, "not tested", 0)], ["Not tested: t0 and scarce."], ["reason"], ["Read why"]),
])  # fmt: skip
def test_the_first_lines(tests, found, sure, then):
    lines = list(overview(*tests).values())
    for line, parts in zip(lines, (found, sure, then), strict=True):
        assert [part for part in parts if part not in line] == []


@pytest.mark.parametrize(("permuted", "parts"), [
    ("targets reassigned", ["(permuted targets)", "(random words)", "random words as targets"]),
    (findings.STEREOTYPES_EXCHANGED, ["(exchanged stereotypes)", "(neutral sentences)", "neutral sentences as pairs"]),
])  # fmt: skip
def test_the_false_positive_rate_is_that_of_permuted_groups_only(permuted, parts):
    told = overview((3, "found", 0), permuted=permuted)["How sure"]
    assert "70 %" not in told
    assert [part for part in parts if part not in told] == []


@pytest.mark.parametrize("finding", ["found", "none"])
@pytest.mark.parametrize(("of_a", "text"), [("not trusted", "studies do not trust"), ("not judged", "do not rate")])
def test_metrics_that_are_not_trusted_are_not_called_unrated(finding, of_a, text):
    """Where the board trusts no metric of a test, all its metrics are counted."""
    told = overview((1, finding, 0), verdict="", of_a=of_a)["How sure"]
    assert text in told
    assert "trust or" not in told  # metric b, which is trusted, could not be tested


@pytest.mark.parametrize("others", list(product(["found", "none", "not tested"], repeat=3)))
def test_no_verdict_of_a_finder_is_said_to_find_nothing(others):
    """In t0 the trusted metric finds nothing; in t1 it could not be tested, and the others find nothing."""
    verdicts = {"a": "trusted", "b": "with care", "c": "not judged"}
    table = pd.DataFrame([
        {"source": "s", "test": test, "metric": metric, "finding": finding, "cluster": metric, "direction": "",
         "sides": "groups and targets", "permutation_test": "groups reassigned", "p_corrected": 0.01,
         "p_random_corrected": 0.01}
        for test, of_test in (("t0", ["none", *others[:2]]), ("t1", ["not tested", "none", others[2]]))
        for metric, finding in zip(verdicts, of_test, strict=True)
    ])  # fmt: skip
    trust = pd.DataFrame({"metric": list(verdicts), "verdict": list(verdicts.values()), "false_positive_rate": 0.1})
    tests = [replace(USED.question, name=name) for name in ("t0", "t1")]
    summary = pd.DataFrame([conclusions.summarize(test, 8, 8, table, trust) for test in tests])
    skipped = pd.DataFrame({"source": [], "test": [], "metric": [], "reason": pd.Series([], dtype=str)})
    parts = {"summary": summary, "table": table, "trust": trust, "skipped": skipped}
    lines = sections.overview(SimpleNamespace(**parts, pair_tests=set()), "s")
    finders = table.loc[table["finding"] == "found", "metric"].map(verdicts).unique()
    words = {"trusted": "studies trust", "with care": "“with care”", "not judged": "do not rate"}
    if lines["How sure"].startswith("No metric"):
        assert [verdict for verdict in finders if words[verdict] in lines["How sure"]] == []


@pytest.mark.parametrize(("p", "text"), [(0.0004, "below 0.001"), (0.001, "at most 0.001")])
def test_small_p_is_below_a_limit(p, text):
    assert conclusions.word("limit", p=p, numbers=numbers) == text
