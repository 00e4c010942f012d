"""Tables of a calibration of one metric: rates without association, values and power by dose, detectable doses."""

from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing.scoring import ROUNDING
from biassay.calibration import power
from biassay.calibration.doses import FORMS, NULLS, Material
from biassay.calibration.samples import BASE, REFERENCE, VALUE, Plan, reassigned_side
from biassay.statistics.intervals import judge_rate

RANDOM_WORDS, AUDIT = "random words", "audit"  # tests besides those of reassigned words


def tabulate(
    name: str, module: ModuleType, material: Material, measured: dict[str, dict], plan: Plan
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """Return the tables of a metric by name, from its values and p-values by kind of samples."""
    side = reassigned_side(module, material)
    _, _, b_0, signed = module.METRIC.range("set", 2)
    randoms = np.abs(measured[REFERENCE][VALUE] - b_0)
    measured = {kind: add_tests(found, side, randoms, b_0) for kind, found in measured.items() if kind != REFERENCE}
    rows: dict[str, list] = {"nulls": [], "values": [], "power": [], "summary": []}
    for null in (kind for kind in NULLS if kind in measured):
        for test, p in list_tests(measured[null]):
            rate = power.rate(p[: plan.null_samples, 0])
            judged = {"calibration": judge_rate(rate["low"], rate["high"])}
            rows["nulls"].append({"metric": name, "test": test, "null": null} | rate | judged)
    liberal = {row["test"] for row in rows["nulls"] if (row["null"], row["calibration"]) == (BASE, power.LIBERAL)}
    for form in FORMS:
        found = measured[form]
        if not FORMS[form].is_skew:  # samples without a dose are those of the base
            zero = measured[BASE]
            found = {key: np.hstack([zero[key][: plan.samples], found[key]]) for key in found}
        place = {"metric": name, "form": form}
        described = power.describe_values(found[VALUE]).assign(**place, dose=plan.doses)
        rows["values"] += described.to_dict("records")
        oriented = module.METRIC.towards_first(found[VALUE]) if signed else np.abs(found[VALUE] - b_0)
        recovered = power.correlate_with_dose(plan.doses, oriented, plan.seed)
        for test, p in list_tests(found):
            rows["power"] += [{"metric": name, "test": test, "form": form, "dose": dose} | power.rate(column)
                              for dose, column in zip(plan.doses, p.T, strict=True)]  # fmt: skip
            detected = power.summarise_power(plan.doses, p, plan.seed)
            if test in liberal:  # it would find what is not there
                detected = dict.fromkeys(detected, np.nan)
            rows["summary"].append({"metric": name, "test": test, "form": form} | detected | recovered)
    return {key: pd.DataFrame(table) for key, table in rows.items()}


def list_tests(found: dict[str, np.ndarray]) -> list[tuple[str, np.ndarray]]:
    """List the tests and their p-values (samples, doses)."""
    return [(test, p) for test, p in found.items() if test != VALUE]


def add_tests(found: dict[str, np.ndarray], side: str, randoms: np.ndarray, b_0: float) -> dict[str, np.ndarray]:
    """Add the p-values of the comparison with random words, and of an audit, if there are values.

    An audit finds an association if both the reassigned words of a side and random words give a small p, so its p is
    the larger one. randoms: distances of the values of random words from b_0.
    """
    if VALUE not in found:
        return found
    far = np.abs(found[VALUE] - b_0)
    n_farther = len(randoms) - np.searchsorted(np.sort(randoms, axis=None), far - ROUNDING)
    p = np.where(np.isnan(far), np.nan, (1 + n_farther) / (1 + len(randoms)))
    return found | {RANDOM_WORDS: p} | ({AUDIT: np.maximum(found[side], p)} if side in found else {})
