"""Calibrations of several models and tests: joined tables, and a page with a board of metrics and models."""

from collections.abc import Sequence

import pandas as pd

from biassay.calibration.doses import FORMS
from biassay.calibration.power import LIBERAL
from biassay.calibration.result import Calibration, format_dose
from biassay.calibration.tables import AUDIT, RANDOM_WORDS
from biassay.report.formatting import format_decimal
from biassay.report.rendering import render_page

APART = [name for name, form in FORMS.items() if not form.is_skew]  # forms in which the lists of targets move apart


def join(calibrations: Sequence[Calibration]) -> pd.DataFrame:
    """Join what an audit's test finds: one row per model, test, metric and form of dose.

    A metric without such a test, but with values, has its recovery alone.
    """
    parts = []
    for one in calibrations:
        nulls = one.nulls[one.nulls["test"] == AUDIT]
        liberal = nulls.loc[nulls["calibration"] == LIBERAL, "metric"]
        part = one.by_form()
        untested = one.summary[(one.summary["test"] == RANDOM_WORDS) & ~one.summary["metric"].isin(part["metric"])]
        part = pd.concat([part, untested[["metric", "form", "recovery", "recovery_low", "recovery_high"]]])
        part = part.assign(is_liberal=part["metric"].isin(liberal), samples=one.settings["samples"])
        part.insert(0, "model", one.about["source"])
        part.insert(1, "test", one.about["test"])
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def join_skipped(calibrations: Sequence[Calibration]) -> pd.DataFrame:
    """Join the metrics that have no test as in an audit, with the reason: one row per model, test and metric."""
    parts = []
    for one in calibrations:
        part = one.skipped[one.skipped["test"] == "groups"]
        parts.append(part.assign(model=one.about["source"], test=one.about["test"]))
    return pd.concat(parts, ignore_index=True)[["model", "test", "metric", "reason"]]


def render(calibrations: Sequence[Calibration]) -> str:
    """Return the HTML of the page: for each test, metrics by models."""
    tested, tests = join(calibrations).dropna(subset="min_false_positive_rate"), []
    for test in tested["test"].unique():
        models = [one for one in calibrations if one.about["test"] == test]
        rows = [(metric, [describe(rows[rows["model"] == one.about["source"]]) for one in models])
                for metric, rows in tested[tested["test"] == test].groupby("metric", sort=False)]  # fmt: skip
        tests.append({"name": test, "title": models[0].about["title"], "models": models, "rows": rows})
    reasons = join_skipped(calibrations)[["metric", "reason"]].drop_duplicates()
    context = {"title": "Calibration", "tests": tests, "forms": APART, "skipped": reasons.values.tolist(),
               "files": ["calibration.csv", "skipped.csv"]}  # fmt: skip
    return render_page("models.html", context, package="biassay.calibration")


def describe(rows: pd.DataFrame) -> dict[str, object] | None:
    """Describe one metric on one model: ranges over samples without association, and over forms of dose."""
    if rows.empty:
        return None
    row, apart = rows.iloc[0], rows[rows["form"].isin(APART)]
    rates = [f"{100 * row[name]:.0f}" for name in ("min_false_positive_rate", "max_false_positive_rate")]
    doses = apart["min_detectable_dose"]
    return {
        "rates": _range(rates) + " %",
        "is_liberal": row["is_liberal"],
        "doses": _range([format_dose(dose, row["max_dose"]) for dose in (doses.min(), doses.max())]),
        "recovery": _range([format_decimal(r) for r in apart["recovery"].agg(["min", "max"])]),
    }


def _range(ends: Sequence[str]) -> str:
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)
