"""The conclusion of a test: whose findings count, and which way they point."""

import pandas as pd
import pytest

from biassay.auditing import summary
from biassay.auditing.lists import Used
from tests.audit.material_of_ours import question

ASKED = question(groups=3, targets=2)
USED = Used(ASKED, dict(ASKED.groups), dict(ASKED.targets), {})
HER, HIS = "her nearer care", "his nearer care"


def concluded(findings, verdicts, of_groups=None, asks=None):
    rows = [
        {"source": "s", "test": test, "metric": name, "finding": finding, "of_groups": (of_groups or {}).get(name, ""),
         "asks": (asks or {}).get(name, "groups and targets")}
        for test, shift in (("ours", findings), ("other", dict.fromkeys(findings, "found")))
        for name, finding in shift.items()
    ]  # fmt: skip
    judged = pd.DataFrame({"metric": list(verdicts), "verdict": list(verdicts.values())})
    return summary.concluded(USED, pd.DataFrame(rows), judged)


def test_trusted_metrics_decide_where_there_are_some():
    found = concluded({"a": "found", "b": "none", "c": "found", "d": "undefined", "e": "found"},
                      {"a": "trusted", "b": "trusted", "c": "with care", "d": "trusted", "e": "not trusted"},
                      {"a": HER, "c": HIS})  # fmt: skip
    assert found == {
        "source": "s", "test": "ours", "title": "Ours", "words": 10, "metrics": 4, "found": 3, "judges": 2,
        "found_by_judges": 1, "conclusion": f"association found by 1 of 2 trusted metrics; {HER}",
    }  # fmt: skip


@pytest.mark.parametrize(("verdicts", "judges", "which"), [
    ({"a": "with care", "b": "not trusted", "c": "with care"}, 2, "metrics to be taken with care"),
    ({"a": "not trusted", "b": "not judged", "c": "not trusted"}, 3, "metrics"),
    ({"a": "not trusted", "b": "trusted", "c": "with care"}, 1, "trusted metrics"),
])  # fmt: skip
def test_else_those_to_be_taken_with_care_and_else_all(verdicts, judges, which):
    found = concluded({"a": "found", "b": "found", "c": "found"}, verdicts)
    assert (found["judges"], found["found_by_judges"]) == (judges, judges)
    assert found["conclusion"] == f"association found by {judges} of {judges} {which}"


def test_what_does_not_compare_the_groups_is_not_counted():
    found = concluded({"a": "found", "b": "none"}, dict.fromkeys("ab", "trusted"), asks={"a": "targets only"})
    assert (found["metrics"], found["found"], found["judges"]) == (1, 0, 1)


@pytest.mark.parametrize(("n_found", "only"), [(1, True), (2, False)])
def test_a_quarter_of_the_metrics_is_only_some(n_found, only):
    findings = {name: "found" if number < n_found else "none" for number, name in enumerate("abcd")}
    said = concluded(findings, {})["conclusion"]
    assert said.startswith("only a of 4 metrics") == only
    assert said.startswith("association found by 2 of 4 metrics") != only


def test_a_direction_is_told_where_all_agree():
    both = dict.fromkeys("ab", "found")
    assert concluded(both, {}, {"a": HER, "b": HER})["conclusion"].endswith(f"; {HER}")
    assert concluded(both, {}, {"a": HER, "b": "towards her"})["conclusion"].endswith(f"; {HER}")
    assert concluded(both, {}, {"a": HER, "b": HIS})["conclusion"].endswith("metrics")


def test_none_found_names_noise_and_what_is_trusted_less():
    said = concluded({"a": "none", "b": "noise", "c": "found", "d": "noise"}, dict.fromkeys("abd", "trusted"))
    assert said["conclusion"].startswith("no association found by any of 3 trusted metrics")
    assert "(2 found one no larger" in said["conclusion"]
    assert "; c found one" in said["conclusion"]
    plain = concluded({"a": "none", "b": "none"}, {})["conclusion"]
    assert plain == "no association found by any of 2 metrics"
    assert concluded({"a": "undefined"}, {})["conclusion"] == "no metric has a value"
