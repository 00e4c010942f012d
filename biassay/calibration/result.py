"""The result of a calibration: its tables, printed, as a page, and written to files."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from biassay.auditing.result import drafting
from biassay.calibration.power import LIBERAL
from biassay.calibration.tables import AUDIT, RANDOM_WORDS
from biassay.core import terminals
from biassay.report.rendering import render_page

TABLES = ("nulls", "values", "power", "summary", "skipped")
FILES = {name: f"{name}.csv" for name in TABLES}
MACHINE, PAGE = "calibration.json", "index.html"
SHOWN = (AUDIT, "targets")  # tests that are printed
LEGEND = (
    "audit: reassigned words and random words both give p ≤ 0.05, not corrected. targets: words reassigned to the "
    "lists of targets. false positives: share of samples without association in which the test finds one, lowest to "
    "highest of the kinds of samples; red: the interval of one lies above 5 %. Other columns: smallest dose found in "
    "80 % of the samples, in standard deviations of random words; > means more than the largest dose; no number "
    "for a test that is liberal with the association replaced. A dose along the difference of the groups favours "
    "metrics that use this difference, so compare the columns."
)


@dataclass(frozen=True)
class Calibration:
    """How metrics and their tests behave on a source's own words, without association and with known doses.

    Attributes
    ----------
    nulls : false-positive rates by metric, test and kind of samples without association, with intervals.
    values : values of metrics by form and dose: mean, and the middle 95 % of the samples.
    power : rates of significant tests by form and dose, with intervals.
    summary : minimum detectable doses, and recovery (`power.correlate_with_dose`), with intervals.
    skipped : metrics without a test, with the reason.
    about : the source, its words, and its own effects in the unit of doses.
    settings : doses, numbers of samples and permutations, and the seed.
    """

    nulls: pd.DataFrame
    values: pd.DataFrame
    power: pd.DataFrame
    summary: pd.DataFrame
    skipped: pd.DataFrame
    about: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)

    def __str__(self) -> str:
        file = io.StringIO()
        console = terminals.plain_console(file=file, width=min(140, max(60, Console().width)), color_system=None)
        for part in self.parts():
            console.print(part)
        return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"

    def _repr_html_(self) -> str:
        return self.summary.to_html(index=False, float_format="{:.3g}".format)

    def show(self) -> None:
        """Print the calibration, in colours at a terminal."""
        console = terminals.plain_console(width=min(140, max(60, Console().width)))
        for part in self.parts():
            console.print(part)

    def parts(self) -> Iterator[RenderableType]:
        """Yield what is printed: the source's own effects, and one row per metric and test."""
        about, effects = self.about, self.about["effects"]
        words = ", ".join(f"{name} {n}" for name, n in about["words"].items())
        yield Text(f"{about['source']}, {about['test']}: {about['dimensions']} dimensions; words: {words}", "bold")
        yield Text(
            f"Along the difference of the groups, the lists of targets are {effects['difference']:.2f} standard "
            f"deviations apart, and all targets {effects['skew']:.2f} from the middle between the groups.\n"
        )
        table = Table(box=SIMPLE_HEAD, show_edge=False, padding=0)  # fits into 80 columns
        forms = list(dict.fromkeys(self.summary["form"]))
        for column in ("metric", "test", "false positives", *forms):
            is_name = column in ("metric", "test")
            table.add_column(column, justify="left" if is_name else "right", no_wrap=is_name)
        shown = self.summary[self.summary["test"].isin(SHOWN)]
        for (metric, test), rows in shown.groupby(["metric", "test"], sort=False):
            nulls = self.nulls[(self.nulls["metric"] == metric) & (self.nulls["test"] == test)]
            low, high = (f"{100 * rate:.0f}" for rate in (nulls["rate"].min(), nulls["rate"].max()))
            style = "red" if (nulls["calibration"] == LIBERAL).any() else ""
            cells = [self.format_dose(dose) for dose in rows.set_index("form")["min_detectable_dose"][forms]]
            table.add_row(metric, test, Text(f"{low} %" if low == high else f"{low}–{high} %", style), *cells)
        yield table
        yield Text(f"\n{LEGEND}", "dim")

    def by_form(self) -> pd.DataFrame:
        """Return what an audit shows of its own test (AUDIT), one row per metric and form.

        `effect` is the source's own, in the unit of doses, for the forms along the difference of the groups.
        """
        rates = self.nulls[self.nulls["test"] == AUDIT].groupby("metric")["rate"].agg(["min", "max"])
        table = self.summary[self.summary["test"] == AUDIT].merge(rates, left_on="metric", right_index=True)
        effects = self.about["effects"]
        own = {"difference": effects["difference"], "skew": effects["skew"]}
        names = {"min": "min_false_positive_rate", "max": "max_false_positive_rate", "low": "dose_low",
                 "high": "dose_high"}  # fmt: skip
        doses = {"effect": table["form"].map(own), "max_dose": max(self.settings["doses"])}
        return table.rename(columns=names).drop(columns="test").assign(**doses)

    def format_dose(self, dose: float) -> str:
        """Format a minimum detectable dose."""
        return format_dose(dose, max(self.settings["doses"]))

    def render(self) -> str:
        """Return the HTML of the page."""
        about, largest = self.about, max(self.settings["doses"])
        forms, nulls = (list(dict.fromkeys(names)) for names in (self.summary["form"], self.nulls["null"]))
        shown, power = (table[table["test"].isin(SHOWN)] for table in (self.summary, self.power))
        of_tests = self.nulls[self.nulls["test"] != RANDOM_WORDS]
        own = about["effects"]["difference"] / largest
        context = {
            "title": f"Calibration on {about['source']}, {about['test']}",
            "about": about, "settings": self.settings, "largest": largest,
            "mark": own if 0 <= own <= 1 else None, "null_names": nulls, "form_names": forms,
            "nulls": list(arrange_rows(of_tests, ["metric", "test"], "null", nulls)),
            "doses": list(arrange_rows(shown, ["metric", "test"], "form", forms)),
            "recovery": list(arrange_rows(self.summary.drop_duplicates(["metric", "form"]), ["metric"], "form", forms)),
            "power": list(_list_curves(power, largest)), "format_dose": self.format_dose,
            "skipped": self.skipped.values.tolist(), "files": list(FILES.values()),
        }  # fmt: skip
        return render_page("calibration.html", context, package="biassay.calibration")

    def write(self, folder: str | Path) -> Path:
        """Write the page, the tables as CSV, and settings as JSON to a new or empty folder; return the page's path."""
        folder = Path(folder)
        check_folder(folder)
        with drafting(folder) as draft:
            for name, file in FILES.items():
                getattr(self, name).to_csv(draft / file, index=False, float_format="%.6g")
            content = {"is": "biassay calibration", "about": self.about, "settings": self.settings}
            (draft / MACHINE).write_text(json.dumps(content, allow_nan=False) + "\n", "utf-8")
            (draft / PAGE).write_text(self.render(), "utf-8")
        return folder / PAGE


def read(folder: str | Path) -> Calibration:
    """Read a calibration that `Calibration.write` wrote."""
    tables = {name: pd.read_csv(Path(folder) / file) for name, file in FILES.items()}
    content = json.loads((Path(folder) / MACHINE).read_text("utf-8"))
    return Calibration(**tables, about=content["about"], settings=content["settings"])


def format_dose(dose: float, max_dose: float) -> str:
    """Format a minimum detectable dose; infinite ones are above the largest dose."""
    return "–" if np.isnan(dose) else f"> {max_dose:g}" if np.isinf(dose) else f"{dose:.2f}"


def arrange_rows(table: pd.DataFrame, keys: list[str], column: str, names: list[str]) -> Iterator[tuple]:
    """Yield the keys with one row per name in a column, or None."""
    for key, rows in table.groupby(keys, sort=False):
        row_of = {getattr(row, column): row for row in rows.itertuples()}
        yield *key, [row_of.get(name) for name in names]


def _list_curves(power: pd.DataFrame, largest: float) -> Iterator[tuple]:
    """Yield metric, test, and the power of each form by dose, as shares of the axes."""
    for (metric, test), rows in power.groupby(["metric", "test"], sort=False):
        curves = [
            {"form": form, "points": list(zip(part["dose"] / largest, part["rate"], strict=True))}
            for form, part in rows.groupby("form", sort=False)
        ]
        yield metric, test, curves


def check_folder(folder: Path) -> None:
    """Raise ValueError unless a folder does not exist, is empty, or holds a calibration and nothing else."""
    names = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
    is_other = names - {MACHINE, PAGE, *FILES.values()} or (names and MACHINE not in names)
    if is_other or (folder.exists() and not folder.is_dir()):
        raise ValueError(f"{folder}: expected a new or empty folder, or one with a calibration and nothing else")
