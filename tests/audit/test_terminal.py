"""The output of an audit: each number in its column, for the right source, test and metric."""

from dataclasses import replace

import pandas as pd
import pytest

from biassay.auditing import numbers, result, terminal

PLANTED, FAIR = "planted/vectors.txt", "fair/vectors.txt"


@pytest.fixture(scope="module")
def of_two_tests(joint_audit):
    """The audit with a second test."""
    tables = {name: getattr(joint_audit, name) for name in result.TABLES}
    for name in ("table", "summary", "words", "lists"):
        other = tables[name].assign(test="second")
        tables[name] = pd.concat([tables[name], other], ignore_index=True)
    verdicts = [("with care", "not trusted")[number % 2] for number in range(len(joint_audit.trust))]
    return replace(joint_audit, **tables | {"trust": joint_audit.trust.assign(verdict=verdicts)})


def block(text, title):
    """The lines of a metrics table, by the metric's name, and the words below it."""
    lines = text.split(f"\n{title}\n", 1)[1].splitlines()
    table = {line.split("  ")[0].strip(): line for line in lines[3 : lines[1:].index("") + 1]}
    return table, [line for line in lines if line.startswith("most ")][:2]


@pytest.mark.parametrize("width", [100, 130])
@pytest.mark.parametrize("source", [PLANTED, FAIR])
def test_each_metric_has_its_numbers(of_two_tests, width, source):
    rows, _ = block(terminal.text(of_two_tests, width), f"ours, {source}")
    table = of_two_tests.table[(of_two_tests.table["source"] == source) & (of_two_tests.table["test"] == "ours")]
    verdicts = of_two_tests.trust.set_index("metric")["verdict"]
    assert len(rows) == len(table)
    for row in table.itertuples():
        cells = [numbers.number(row.value), numbers.interval(row.ci_low, row.ci_high)]
        if width >= terminal.WIDE:
            cells += [numbers.bounds(row.b_min, row.b_max), numbers.number(row.b_0)]
        cells += [numbers.probability(row.p_holm), numbers.probability(row.p_random)]
        cells.append(row.finding if row.sides == "groups and targets" else f"({row.finding})")
        expected = " ".join([numbers.name(row.metric, row.level), *cells, verdicts[row.metric]])
        assert " ".join(rows[numbers.name(row.metric, row.level)].split()) == expected


def test_the_words_that_lean_most_are_five_of_each_group(of_two_tests):
    _, top_lines = block(terminal.text(of_two_tests, 140), f"ours, {PLANTED}")
    words = of_two_tests.words.query("source == @PLANTED and test == 'ours'")
    for line, group, rows in zip(top_lines, ("her", "his"), (words.head(5), words.tail(5)[::-1]), strict=True):
        words_text = ", ".join(f"{row.word} {numbers.number(row.value)}" for row in rows.itertuples())
        assert line == f"most {group} by same: {words_text}"


def test_the_other_tests_are_printed_if_asked_for(of_two_tests, capsys):
    terminal.show(of_two_tests)
    short = capsys.readouterr().out
    assert "\nsecond, " not in short
    assert "(second)" in short
    terminal.show(of_two_tests, full=True)
    full = capsys.readouterr().out
    assert f"\nsecond, {PLANTED}\n" in full
    assert "(second)" not in full


def test_conclusions_name_the_sources_where_there_are_several(joint_audit):
    output = " ".join(terminal.text(joint_audit, 140).split())
    for row in joint_audit.summary.itertuples():
        assert f"{row.test} {row.source} {row.n_words} {row.conclusion[:20]}" in output


def test_a_single_source_is_not_named_at_every_turn(joint_audit):
    one = {name: table[table["source"] == PLANTED] if "source" in (table := getattr(joint_audit, name)) else table
           for name in result.TABLES}  # fmt: skip
    text = terminal.text(replace(joint_audit, **one, sources=joint_audit.sources[:1]), 100)
    assert "\nours\n" in text
    assert text.count(PLANTED) == 1
    assert " source " not in text.split("\n\n")[1]
    summary = one["summary"].iloc[0]
    assert f"ours {summary['n_words']} {summary['conclusion'][:20]}" in " ".join(text.split())


def test_sources_are_told_first_and_warnings_last(joint_audit):
    text = terminal.text(joint_audit, 140)
    for line, source in zip(text.splitlines(), joint_audit.sources, strict=False):
        seconds = f"{source['seconds']:.0f}"
        assert line == f"{source['name']}: 332 words, 12 dimensions ({seconds} s)"
    unknown = replace(joint_audit, sources=[source | {"words": None} for source in joint_audit.sources])
    assert terminal.text(unknown, 140).startswith(f"{PLANTED}: 12 dimensions")
    warned = " ".join(text.split("\nWarnings\n")[1].split())
    assert all(" ".join(warning.split()) in warned for warning in joint_audit.warnings)
    assert "Warnings" not in terminal.text(replace(joint_audit, warning_table=joint_audit.warning_table[:0]), 140)


@pytest.mark.parametrize(("columns", "expected"), [(20, 60), (60, 60), (75, 75), (140, 140), (300, 140)])
def test_the_width_is_the_terminal_s_within_limits(monkeypatch, columns, expected):
    assert terminal._width(columns) == expected
    monkeypatch.setenv("COLUMNS", str(columns))
    assert terminal._width(None) == expected


def test_warnings_name_their_sources_and_test(joint_audit):
    cautions = pd.DataFrame(
        [("a", "", "k", "one"), ("b", "", "k", "one"), ("a", "t", "k", "two"), ("b", "u", "k", "two")],
        columns=["source", "test", "kind", "text"],
    )  # fmt: skip
    assert replace(joint_audit, warning_table=cautions).warnings == ["a; b: one", "a, t: two", "b, u: two"]
    of_one = replace(joint_audit, warning_table=cautions[cautions["source"] == "a"], sources=joint_audit.sources[:1])
    assert of_one.warnings == ["one", "t: two"]


def test_findings_and_verdicts_have_their_colours_and_numbers_end_below_each_other(of_two_tests):
    table = terminal.metric_table(of_two_tests.table, of_two_tests.trust, wide=True)
    columns = {column.header: column for column in table.columns}
    for name in ("finding", "board"):
        for cell in columns[name].cells:
            assert cell.style == terminal.STYLES.get(cell.plain.strip("()"), "")
    numeric = {"value", "95 % interval", "no bias", "p", "random", "words"}
    for name, column in [*columns.items(), *((c.header, c) for c in terminal.conclusion_table(of_two_tests).columns)]:
        assert (column.justify == "right") == (name in numeric), name
