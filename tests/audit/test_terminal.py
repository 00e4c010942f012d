"""The output of an audit: each number in its column, for the right source, test and metric."""

import re
from dataclasses import replace

import pandas as pd
import pytest

from biassay.auditing import numbers, sections, terminal

PLANTED, FAIR = "planted/vectors.txt", "fair/vectors.txt"


def block(text, title):
    """The lines of a metrics table, by the metric's name, and the words below it."""
    lines = text.split(f"\n{title}\n", 1)[1].splitlines()
    table = {line.split("  ")[0].strip(): line for line in lines[3 : lines[1:].index("") + 1]}
    return table, [line for line in lines if line.startswith("most ")][:2]


@pytest.mark.parametrize(("width", "source"), [(100, PLANTED), (130, FAIR)])
def test_each_metric_has_its_numbers(of_two_tests, width, source):
    rows, _ = block(terminal.render(of_two_tests, width), f"ours, {source}")
    table = of_two_tests.table[(of_two_tests.table["source"] == source) & (of_two_tests.table["test"] == "ours")]
    verdicts = of_two_tests.trust.set_index("metric")["verdict"]
    assert len(rows) == len(table)
    for row in table.itertuples():
        cells = [row.finding if row.sides == "groups and targets" else f"({row.finding})"]
        cells += [numbers.number(row.value), numbers.interval(row.ci_low, row.ci_high)]
        if width >= terminal.WIDE:
            cells += [numbers.bounds(row.b_min, row.b_max), numbers.number(row.b_0)]
        cells += [numbers.probability(row.p_corrected), numbers.probability(row.p_random_corrected)]
        expected = " ".join([numbers.name(row.metric, row.level), *cells, verdicts[row.metric]])
        assert " ".join(rows[numbers.name(row.metric, row.level)].split()) == expected


@pytest.mark.parametrize("full", [False, True])
def test_the_other_tests_are_printed_in_full(of_two_tests, capsys, full):
    terminal.show(of_two_tests, full=full)
    output = capsys.readouterr().out
    assert (f"\nsecond, {PLANTED}\n" in output) == full
    assert ("(second)" in output) != full
    for line in sections.overview(of_two_tests, PLANTED).values():
        assert " ".join(line.split()) in " ".join(output.split())


def test_metrics_that_the_user_named_and_that_do_not_apply_are_printed(joint_audit):
    reason = joint_audit.skipped.set_index("metric").loc["weat_p_value", "reason"].iloc[0]
    line = f"skipped: weat_p_value, ours ({reason})"
    assert line not in terminal.render(joint_audit, 140)
    named = joint_audit.trust[joint_audit.trust["metric"].isin(["weat", "weat_p_value"])]
    assert line in terminal.render(replace(joint_audit, trust=named), 140)


@pytest.mark.parametrize("width", [80, 120])
def test_long_names_wrap_and_tests_that_were_not_run_have_a_verdict(joint_audit, width):
    long = "a_test_with_a_name_that_is_far_longer_than_a_column_can_be_at_eighty_letters"
    summary = joint_audit.summary.assign(test=long)
    reason = "too few words to tell (3 of 66): a list has fewer than two words with a vector"
    skipped = pd.DataFrame([(PLANTED, "other", "", reason)], columns=["source", "test", "metric", "reason"])
    tables = {name: getattr(joint_audit, name).assign(test=long) for name in ("table", "words", "lists")}
    text = terminal.render(replace(joint_audit, summary=summary, skipped=skipped, **tables), width)
    assert max(map(len, text.splitlines())) <= width
    table = text[text.index("\n test" if width == 120 else "\ntest") :]
    assert table.split()[:2] == ["test", "finding"]
    assert table.split("\n")[1].split()[-1] == "direction"  # no column is cut off
    assert long in "".join(re.findall(r"\n ?(\w+)", table))
    assert re.search(r"\n ?other +too few", table)


def test_warnings_name_their_sources_and_test_the_most_important_first(joint_audit):
    warnings = pd.DataFrame(
        [("a", "", "ranks", "one"), ("b", "", "ranks", "one"), ("a", "t", "few words", "two"),
         ("b", "ours", "power", "three"), ("b", "ours", "missing", "four")],
        columns=["source", "test", "kind", "text"],
    )  # fmt: skip
    found = joint_audit.summary.assign(n_counted_found=1)
    audit = replace(joint_audit, warning_table=warnings, summary=found)
    assert audit.warnings == ["a, t: two", "b, ours: four", "b, ours: three", "a; b: one"]
    others = replace(audit, summary=pd.concat([found, found.assign(test="t", n_counted_found=0)]))
    assert others.warnings == ["b, ours: four", "b, ours: three", "a; b: one", "a, t: two"]
    of_one = replace(audit, warning_table=warnings[warnings["source"] == "a"], sources=joint_audit.sources[:1])
    assert of_one.warnings == ["t: two", "one"]
