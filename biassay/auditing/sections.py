"""The parts of an audit as the terminal and the page show them: one per test and source."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.auditing.conclusions import list_clusters
from biassay.auditing.findings import ASSOCIATION
from biassay.auditing.result import Audit


class Section(NamedTuple):
    """One test of one source: rows of the audit's tables, those of metrics with the board's verdict."""

    test: str
    source: str
    title: str
    conclusion: str
    metrics: pd.DataFrame
    words: pd.DataFrame
    lists: pd.DataFrame
    silhouettes: pd.DataFrame

    @property
    def ranking(self) -> str:
        """Metric that ranks the words."""
        return self.words["metric"].iloc[0] if len(self.words) else ""

    def farthest_words(self, n: int) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield each group with the n words that lean most to it."""
        for group, words in self.words[self.words["nearer_group"] != ""].groupby("nearer_group", sort=False):
            yield group, words.sort_values("value", key=lambda values: -values.abs(), kind="stable").head(n)

    @property
    def clusters(self) -> str:
        """Clusters of two metrics or more; "" if there are none."""
        rows = self.metrics[self.metrics["sides"] == ASSOCIATION]
        return "; ".join(" = ".join(metrics) for metrics in list_clusters(rows) if len(metrics) > 1)

    @property
    def curves(self) -> list[dict]:
        """Silhouettes of two sizes or more: metric, growing side, lowest and highest value, and rows.

        In the rows, sizes (x) and values are shares of their range.
        """
        curves = []
        for (metric, growing), rows in self.silhouettes.dropna(subset="min").groupby(["metric", "growing"], sort=False):
            if len(rows) < 2:
                continue
            low, high, n_words = rows["min"].min(), rows["max"].max(), rows["n_words"]
            scaled = (rows[["min", "max", "mean"]] - low) / ((high - low) or 1)
            scaled = scaled.assign(n_words=n_words, x=(n_words - n_words.min()) / np.ptp(n_words))
            curves.append(
                {"metric": metric, "growing": growing, "low": low, "high": high, "rows": scaled.to_dict("records")}
            )
        return curves


def list_sections(audit: Audit) -> dict[str, list[Section]]:
    """Return the sections of each test, in order."""
    sections: dict[str, list[Section]] = {}
    for summary in audit.summary.itertuples():
        metrics, words, lists, silhouettes = (
            table[(table["test"] == summary.test) & (table["source"] == summary.source)]
            for table in (audit.table, audit.words, audit.lists, audit.silhouettes)
        )
        metrics = metrics.merge(audit.trust[["metric", "verdict"]], on="metric", how="left").fillna({"verdict": ""})
        section = Section(
            summary.test, summary.source, summary.title, summary.conclusion, metrics, words, lists, silhouettes
        )
        sections.setdefault(summary.test, []).append(section)
    return sections
