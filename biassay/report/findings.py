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
    """A sentence computed from tables, a verdict of a study.

    `test` is the test behind the sentence, "" if it only describes; `n` what was counted, with the count.
    """

    sentence: str
    test: str = ""
    n: str = ""

    @property
    def facts(self) -> str:
        """Test and n, for small print."""
        return " · ".join(part for part in (self.test, f"n = {self.n}" if self.n else "") if part)


def write_findings(findings: Iterable[Finding], path: str) -> None:
    """Write the findings of a study as a table, in order of importance.

    Line breaks and double spaces of the templates become single spaces.
    """
    table = pd.DataFrame(list(findings), columns=Finding._fields)
    table["sentence"] = table["sentence"].str.split().str.join(" ")
    table.to_csv(path, index=False)


def read_findings(path: str | Path) -> list[Finding]:
    """Read the findings of a study."""
    types = {"sentence": "text"}
    table = csv_tables.read(path, Finding._fields, types, allow_empty=True, dtype=str, keep_default_na=False)
    return [Finding(*row) for row in table[list(Finding._fields)].itertuples(index=False)]


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
