"""Findings: sentences about the results, computed from tables and tests alone."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.core import csv_tables
from biassay.report.formatting import format_count, format_decimal, format_p_value, join_names

LEVEL = 0.05


class Finding(NamedTuple):
    """A sentence computed from tables: a verdict of a study, or the title of a result.

    `result` is a path below results/<study>/ without extension, "" for a verdict; `test` the test behind the sentence,
    "" if it only describes; `n` what was counted, with the count.
    """

    result: str
    sentence: str
    test: str = ""
    n: str = ""

    @property
    def facts(self) -> str:
        """Test and n, for small print."""
        return " · ".join(part for part in (self.test, f"n = {self.n}" if self.n else "") if part)


def write_findings(findings: Iterable[Finding], path: str) -> None:
    """Write findings as a table: first the verdicts in order of importance, then the titles of results.

    Line breaks and double spaces of the templates become single spaces.
    """
    table = pd.DataFrame(list(findings), columns=Finding._fields)
    table["sentence"] = table["sentence"].str.split().str.join(" ")
    table.to_csv(path, index=False)


def read_findings(path: str | Path | None) -> dict[str, list[Finding]]:
    """Read the findings of a study by result, "" for its verdicts; an empty mapping without a file."""
    if path is None:
        return {}
    types = {"sentence": "text"}
    table = csv_tables.read(path, Finding._fields, types, allow_empty=True, dtype=str, keep_default_na=False)
    findings: dict[str, list[Finding]] = {}
    for row in table[list(Finding._fields)].itertuples(index=False):
        findings.setdefault(row.result, []).append(Finding(*row))
    return findings


def describe_differences(tests: pd.DataFrame, names: Mapping[str, str], quantity: str) -> str:
    """Describe which metrics have a significantly larger quantity than which; `names` are their labels, in order.

    `tests` of pairs of metrics have first, second, difference, clusters and p_holm.
    """
    tests = tests[tests["p_holm"].notna()]
    if not len(tests):
        return "No two metrics could be compared."
    smallest = min_possible_p(tests)
    if smallest >= LEVEL:
        n_metrics = len({*tests["first"], *tests["second"]})
        return (
            f"{tests['clusters'].max()} distributions are too few to show a difference between {n_metrics} metrics: "
            f"after Holm's correction the smallest possible p is {format_decimal(min(smallest, 1))}."
        )
    significant = tests[tests["p_holm"] < LEVEL]
    if not len(significant):
        count, smallest = format_count(len(tests), "pair"), format_p_value(tests["p_holm"].min())
        return (
            f"No difference between two metrics is significant (smallest {smallest} of {count}, after Holm's "
            "correction)."
        )
    ahead = np.where(significant["difference"] > 0, significant["first"], significant["second"])
    behind = np.where(significant["difference"] > 0, significant["second"], significant["first"])
    beaten = {name: tuple(other for other in names if other in behind[ahead == name]) for name in names}
    sentences = []
    for group in dict.fromkeys(others for others in beaten.values() if others):
        winners = [name for name in names if beaten[name] == group]
        max_p = significant["p_holm"][np.isin(ahead, winners)].max()
        verb = "has" if len(winners) == 1 else "have"
        sentences.append(
            f"{join_names(names[name] for name in winners)} {verb} a larger {quantity} than "
            f"{join_names(names[name] for name in group)} "
            f"({format_p_value(max_p, is_max=len(winners) * len(group) > 1)})"
        )
    rest = " No other difference is significant." if len(significant) < len(tests) else ""
    return f"{'; '.join(sentences)}, after Holm's correction.{rest}"


def min_possible_p(tests: pd.DataFrame) -> float:
    """Return the smallest p that a permutation test of so few clusters can have after Holm's correction."""
    return len(tests) * 2.0 ** (1 - tests["clusters"].max())


def describe_lead(tests: pd.DataFrame, leaders: Collection[str], names: Mapping[str, str]) -> str:
    """Describe over which metrics all leaders have a significant lead, as the end of a sentence; "" without a test."""
    is_leader = tests[["first", "second"]].isin(leaders)
    own = tests[(is_leader.sum(axis=1) == 1) & tests["p_holm"].notna()]
    if not len(own):
        return ""
    if min_possible_p(tests.dropna(subset="p_holm")) >= LEVEL:
        return f"{own['clusters'].max()} distributions are too few to show that any is ahead of another"
    is_first = is_leader["first"][own.index]
    is_ahead = own["difference"].where(is_first, -own["difference"]) > 0
    by_other = own["p_holm"].where(is_ahead, np.inf).groupby(own["second"].where(is_first, own["first"]))
    lead_p = by_other.max()[by_other.size() == len(leaders)]
    behind = lead_p[lead_p < LEVEL]
    if not len(behind):
        return "no lead is significant" + (f" (smallest {format_p_value(lead_p.min())})" if lead_p.min() <= 1 else "")
    p = format_p_value(behind.max(), is_max=len(behind) * len(leaders) > 1)
    return f"the lead over {join_names(names[name] for name in names if name in behind.index)} is significant ({p})"


def find_best(values: pd.Series) -> tuple[list[str], str]:
    """Return the names whose printed value equals the largest one, and that value; no names if all values are NaN."""
    printed = values.dropna().map(format_decimal)
    if not len(printed):
        return [], format_decimal(np.nan)
    largest = printed[values.idxmax()]
    return printed.index[printed == largest].tolist(), largest


def describe_pairwise_test(tests: pd.DataFrame) -> str:
    """Describe how pairs of metrics were tested on whole distributions."""
    tests = tests[tests["p_holm"].notna()]
    distributions = format_count(tests["clusters"].max(), "distribution")
    return f"paired permutation test over {distributions}, Holm's correction for {format_count(len(tests), 'pair')}"


def describe_significant(tests: pd.DataFrame, families: list[str], noun: str) -> str:
    """Describe how many tests of pairs of a `noun` are significant, as the end of a sentence; "" without tests.

    `families` are the columns within which p_holm is corrected.
    """
    tests = tests[tests["p_holm"].notna()]
    if not len(tests):
        return ""
    if all(min_possible_p(family) >= LEVEL for _, family in tests.groupby(families)):
        return f"{tests['clusters'].max()} distributions are too few to show that one {noun} is ahead of another"
    n_significant = (tests["p_holm"] < LEVEL).sum()
    smallest = "" if n_significant else f" (smallest {format_p_value(tests['p_holm'].min())})"
    count = f"{n_significant or 'none'} of {format_count(len(tests), 'difference')} between two {noun}s"
    return f"{count} {'are' if n_significant > 1 else 'is'} significant{smallest}"
