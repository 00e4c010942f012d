"""The parts of an audit as the terminal and the page show them: one per test and source."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from biassay.auditing import conclusions, numbers
from biassay.auditing.findings import (
    ASSOCIATION,
    GROUPS_REASSIGNED,
    INCONCLUSIVE,
    LEVEL,
    NEUTRAL_SENTENCES,
    RANDOM_WORDS,
    TOO_FEW,
    UNSPECIFIC,
    UNTESTED,
    name_nulls,
)
from biassay.auditing.result import Audit
from biassay.auditing.trust import UNJUDGED, VERDICTS
from biassay.report.formatting import join_names

OVERVIEW = {"Found": "what_was_found", "How sure": "how_sure", "Next": "what_next"}  # macros of conclusions.txt


class Section(NamedTuple):
    """One test of one source: rows of the audit's tables, those of metrics with the board's verdict."""

    test: str
    source: str
    title: str
    finding: str
    conclusion: str
    metrics: pd.DataFrame
    words: pd.DataFrame
    lists: pd.DataFrame
    silhouettes: pd.DataFrame
    nulls: pd.DataFrame
    variants: pd.DataFrame
    calibration: pd.DataFrame

    @property
    def effects(self) -> dict[str, float]:
        """The source's own effects by form of dose."""
        return self.calibration.dropna(subset="effect").drop_duplicates("form").set_index("form")["effect"].to_dict()

    @property
    def random(self) -> str:
        """What the random values are of; a test of pairs of sentences has no lists."""
        return RANDOM_WORDS if len(self.lists) else NEUTRAL_SENTENCES

    @property
    def ranking(self) -> str:
        """Metric that ranks the words."""
        return self.words["metric"].iloc[0] if len(self.words) else ""

    @property
    def n_hidden(self) -> int:
        """Number of names and slurs among the ranked words, which are shown only on request."""
        return int(self.words["sensitive"].sum())

    def shown_words(self, show_words: bool) -> pd.DataFrame:
        """Return the ranked words, without names and slurs unless they are requested."""
        return self.words if show_words else self.words[~self.words["sensitive"].astype(bool)]

    def farthest_words(self, n: int, show_words: bool) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield each group with the n words that lean most to it."""
        shown = self.shown_words(show_words)
        shown = shown.assign(distance=(shown["value"] - shown["b_0"]).abs())
        for group, words in shown[shown["nearer_group"] != ""].groupby("nearer_group", sort=False):
            yield group, words.nlargest(n, "distance")

    @property
    def clusters(self) -> str:
        """Clusters of two metrics or more; "" if there are none."""
        rows = self.metrics[self.metrics["sides"] == ASSOCIATION]
        return "; ".join(" = ".join(metrics) for metrics in conclusions.list_clusters(rows) if len(metrics) > 1)

    @property
    def roles(self) -> list[str]:
        """Lists that WEAT and gWEAT take as X and Y, and as A and B, and RNSB as negative, in words."""
        names = self.lists.groupby("side", sort=False)["list"].agg(join_names)
        is_two = self.lists["side"].value_counts().max() == 2
        scored, references = ("X and Y", "A and B") if is_two else ("the scored lists", "the references")
        by_side = self.metrics[self.metrics["scored"].isin(names.index)].groupby("scored")["metric"].agg(join_names)
        targets = self.lists.loc[self.lists["side"] == "targets", "list"].tolist()
        has_negative = "rnsb" in set(self.metrics["metric"]) and len(targets) > 1
        negative = [f"rnsb: {targets[1]} is the negative list"] if has_negative else []
        return [
            f"{metrics}: {scored} are {names[side]}, {references} are {names.drop(side).item()}"
            for side, metrics in by_side.items()
        ] + negative


def overview(audit: Audit, source: str) -> dict[str, str]:
    """Return three sentences about all tests of a source: what was found, how sure that is, and what to do next."""
    summary, table = (rows[rows["source"] == source] for rows in (audit.summary, audit.table))
    found = summary[summary["n_counted_found"] > 0]
    none = summary[(summary["n_counted_found"] == 0) & (summary["n_counted"] > 0)]
    finders = {(row.test, metric) for row in found.itertuples() for metric in row.found_by.split()}
    compared = table[table["sides"] == ASSOCIATION]  # a metric of language models has another row, of the groups alone
    is_finder = [pair in finders for pair in zip(compared["test"], compared["metric"], strict=True)]
    is_tested = ~compared["finding"].isin(INCONCLUSIVE)
    finder_rows, nulls = compared.loc[is_finder], compared["permutation_test"].map(name_nulls)
    is_by_groups = finder_rows["permutation_test"] == GROUPS_REASSIGNED  # as the board's tests
    is_rated = audit.trust["metric"].isin(finder_rows.loc[is_by_groups, "metric"])
    unspecific = compared.loc[compared["finding"] == UNSPECIFIC, "test"]
    skipped = audit.skipped[(audit.skipped["source"] == source) & (audit.skipped["metric"] == "")]
    lacking = skipped.loc[skipped["reason"].str.startswith("too few words"), "test"]
    by_direction = found.groupby([found["test"].isin(audit.pair_tests), "direction"], sort=False)
    about = {
        "pair_tests": audit.pair_tests,
        "found": [(is_pairs, way, list(rows.itertuples())) for (is_pairs, way), rows in by_direction],
        "none": none["test"].tolist() if len(found) == 0 else none.loc[none["n_found"] == 0, "test"].tolist(),
        "less_trusted": none.loc[none["n_found"] > 0, "test"].tolist(),
        "unspecific": none.loc[none["test"].isin(unspecific), "test"].tolist(),
        "too_few": list(summary[summary["finding"] == TOO_FEW].itertuples()),
        "untested": [*summary.loc[summary["finding"] == UNTESTED, "test"], *lacking],
        "verdicts": _list_verdicts(audit.trust, compared[is_tested], found if len(found) else none),
        "p": finder_rows[["p_corrected", "p_random_corrected"]].max().tolist(),
        "permuted": nulls.loc[is_finder].str[0].unique().tolist(),
        "random": nulls.loc[is_finder].str[1].unique().tolist(),
        "random_of_all": nulls.loc[is_tested].str[1].unique().tolist(),
        "false_positive_rate": audit.trust.loc[is_rated, "false_positive_rate"].max(),
        "level": LEVEL,
    }
    return {label: conclusions.word(macro, about=about, numbers=numbers) for label, macro in OVERVIEW.items()}


def _list_verdicts(trust: pd.DataFrame, compared: pd.DataFrame, summary: pd.DataFrame) -> list[str]:
    """List the board's verdicts, best first, on the metrics that found an association in tests, or on all counted.

    Where the board trusts no metric of a test, all its metrics are counted.
    """
    verdict_of, verdicts = trust.set_index("metric")["verdict"], set()
    for row in summary.itertuples():
        metrics = row.found_by.split() or compared.loc[compared["test"] == row.test, "metric"].unique()
        verdicts |= {row.verdict} if row.verdict else set(verdict_of.reindex(metrics).fillna(UNJUDGED))
    return [verdict for verdict in VERDICTS if verdict in verdicts]


def list_sections(audit: Audit) -> dict[str, list[Section]]:
    """Return the sections of each test, in order."""
    sections: dict[str, list[Section]] = {}
    for summary in audit.summary.itertuples():
        parts = ("table", "words", "lists", "silhouettes", "nulls", "variants", "calibration")
        tables = [getattr(audit, part) for part in parts]
        metrics, *others = (
            table[(table["test"] == summary.test) & (table["source"] == summary.source)] for table in tables
        )
        metrics = metrics.merge(audit.trust[["metric", "verdict"]], on="metric", how="left").fillna({"verdict": ""})
        texts = summary.test, summary.source, summary.title, summary.finding, summary.conclusion
        section = Section(*texts, metrics, *others)
        sections.setdefault(summary.test, []).append(section)
    return sections


def list_skipped(skipped: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield skipped tests of a source, and metrics with the tests to which they do not apply, with the reasons."""
    is_metric = skipped["metric"] != ""
    tests = skipped["test"].where(is_metric, "")
    names = skipped["metric"].where(is_metric, skipped["test"] + " on " + skipped["source"])
    for (name, reason), parts in tests.groupby([names, skipped["reason"]], sort=False):
        yield name, ", ".join(parts.unique()), reason
