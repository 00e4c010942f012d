"""The result of a calibration of pairs of sentences: printed, and as a page."""

from collections.abc import Iterator

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from biassay.calibration.power import LIBERAL
from biassay.calibration.result import FILES, Calibration, arrange_rows
from biassay.report.rendering import render_page

LEGEND = (
    "false positives: share of samples without a stereotype with p ≤ 0.05, in either direction; red: its interval lies "
    "above 5 %. follows the dose: correlation of the value with the dose over all copies, with its 95 % interval. "
    "found: copies of each dose with p ≤ 0.05 and stereotypical sentences more likely; the model's own stereotype is "
    "in copies of dose 0, too."
)


class PairCalibration(Calibration):
    """How scores of pairs of sentences behave without a stereotype, and in copies of a model with planted ones.

    Attributes
    ----------
    nulls : false-positive rates by metric, test and kind of samples without a stereotype, with intervals.
    values : values, directions and p by metric, test and sentences of each copy (dose, repeat), and of the model
        itself (no dose).
    power : rates of tests that find a stereotype among the copies of a dose, with intervals.
    summary : correlation of values with doses (recovery), with interval, and repeats in which the value rises.
    skipped : metrics that do not score pairs with this model, with the reason.
    about : the model and the pairs.
    settings : doses, and numbers of samples, permutations, repeats and epochs, and the seed.
    """

    def parts(self) -> Iterator[RenderableType]:
        """Yield what is printed: false positives, and how values follow doses on each set of sentences."""
        about = self.about
        yield Text(f"{about['source']} ({about['kind']}), {about['n_pairs']} pairs of {about['pairs']}", "bold")
        nulls = list(dict.fromkeys(self.nulls["null"]))
        yield _make_table("false positives", nulls, self._rates(nulls))
        sentences = list(dict.fromkeys(self.summary["sentences"]))
        if sentences:
            yield _make_table("follows the dose", sentences, self._recoveries(sentences))
            doses = ", ".join(f"{dose:g}" for dose in [0, *self.settings["doses"]])
            yield _make_table(f"found at {doses}", sentences, self._counts(sentences))
        yield Text(LEGEND, "dim")

    def _rates(self, nulls: list[str]) -> Iterator[list[Text | str]]:
        for metric, test, rows in arrange_rows(self.nulls, ["metric", "test"], "null", nulls):
            styles = ["red" if row and row.calibration == LIBERAL else "" for row in rows]
            rates = [f"{100 * row.rate:.0f} %" if row else "–" for row in rows]
            yield [metric, test, *map(Text, rates, styles)]

    def _recoveries(self, sentences: list[str]) -> Iterator[list[str]]:
        for metric, test, rows in arrange_rows(self.summary, ["metric", "test"], "sentences", sentences):
            yield [metric, test, *(format_recovery(row) if row else "–" for row in rows)]

    def _counts(self, sentences: list[str]) -> Iterator[list[str]]:
        for key, rows in self.power.groupby(["metric", "test"], sort=False):
            cells = {name: format_counts(part) for name, part in rows.groupby("sentences")}
            yield [*key, *(cells.get(name, "–") for name in sentences)]

    def render(self) -> str:
        """Return the HTML of the page."""
        nulls = list(dict.fromkeys(self.nulls["null"]))
        sentences = list(dict.fromkeys(self.summary["sentences"]))
        own = self.values[self.values["dose"].isna()]
        context = {
            "title": f"Calibration of pairs on {self.about['source']}", "about": self.about, "settings": self.settings,
            "null_names": nulls, "sentence_names": sentences, "own": own.to_dict("records"),
            "nulls": list(arrange_rows(self.nulls, ["metric", "test"], "null", nulls)),
            "recovery": list(arrange_rows(self.summary, ["metric", "test"], "sentences", sentences)),
            "counts": list(self._counts(sentences)), "format_recovery": format_recovery,
            "skipped": self.skipped[["metric", "reason"]].values.tolist(), "files": list(FILES.values()),
        }  # fmt: skip
        return render_page("pairs.html", context, package="biassay.calibration")


def format_recovery(row: object) -> str:
    """Format a correlation with its interval, from a row of the summary."""
    if pd.isna(row.recovery):
        return "–"
    return f"{row.recovery:.2f} ({row.recovery_low:.2f} to {row.recovery_high:.2f})"


def format_counts(rows: pd.DataFrame) -> str:
    """Format the number of significant copies of each dose."""
    return ", ".join(f"{round(row.rate * row.n)}/{row.n}" for row in rows.sort_values("dose").itertuples())


def _make_table(title: str, columns: list[str], rows: Iterator[list[Text | str]]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("metric", "test", *columns):
        table.add_column(column, justify="left" if column in ("metric", "test") else "right")
    for cells in rows:
        table.add_row(*cells)
    return table
