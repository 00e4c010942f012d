"""The page of a calibration: one HTML file in the design that all pages of biassay share."""

from collections.abc import Iterator

import pandas as pd

from biassay.calibration.result import FILES, SHOWN, Calibration
from biassay.calibration.tables import RANDOM_WORDS
from biassay.report.rendering import render_page


def render(calibration: Calibration) -> str:
    """Return the HTML of the page."""
    about, doses = calibration.about, calibration.settings["doses"]
    forms = list(dict.fromkeys(calibration.summary["form"]))
    nulls = list(dict.fromkeys(calibration.nulls["null"]))
    shown = calibration.summary[calibration.summary["test"].isin(SHOWN)]
    power = calibration.power[calibration.power["test"].isin(SHOWN)]
    of_tests = calibration.nulls[calibration.nulls["test"] != RANDOM_WORDS]
    own = about["effects"]["difference"] / max(doses)
    context = {
        "title": f"Calibration on {about['source']}, {about['test']}",
        "about": about, "settings": calibration.settings, "largest": max(doses),
        "mark": own if 0 <= own <= 1 else None, "null_names": nulls, "form_names": forms,
        "nulls": list(_arrange(of_tests, ["metric", "test"], "null", nulls)),
        "doses": list(_arrange(shown, ["metric", "test"], "form", forms)),
        "recovery": list(_arrange(calibration.summary.drop_duplicates(["metric", "form"]), ["metric"], "form", forms)),
        "power": list(_curves(power, max(doses))), "format_dose": calibration.format_dose,
        "skipped": calibration.skipped.values.tolist(), "files": list(FILES.values()),
    }  # fmt: skip
    return render_page("calibration.html", context, package="biassay.calibration")


def _arrange(table: pd.DataFrame, keys: list[str], column: str, names: list[str]) -> Iterator[tuple]:
    """Yield the keys with one row per name in a column, or None."""
    for key, rows in table.groupby(keys, sort=False):
        row_of = {getattr(row, column): row for row in rows.itertuples()}
        yield *key, [row_of.get(name) for name in names]


def _curves(power: pd.DataFrame, largest: float) -> Iterator[tuple]:
    """Yield metric, test, and the power of each form by dose, as shares of the axes."""
    for (metric, test), rows in power.groupby(["metric", "test"], sort=False):
        yield (
            metric,
            test,
            [
                {"form": form, "points": list(zip(part["dose"] / largest, part["rate"], strict=True))}
                for form, part in rows.groupby("form", sort=False)
            ],
        )
