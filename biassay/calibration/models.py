"""Calibrations of several models and tests: joined tables."""

from collections.abc import Sequence

import pandas as pd

from biassay.calibration.power import LIBERAL
from biassay.calibration.result import Calibration
from biassay.calibration.tables import AUDIT, RANDOM_WORDS


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
