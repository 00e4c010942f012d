"""What the tests of a metric find: the one place that decides whether an association is found."""

import numpy as np
import pandas as pd

from biassay.statistics.paired_tests import correct_holm

LEVEL = 0.05
FOUND, NOISE, NONE, UNDEFINED = "found", "noise", "none", "undefined"
FINDINGS = {
    FOUND: "an association that neither permuted groups nor random words explain",
    NOISE: "the permutation test finds an association, but random words give one as large",
    NONE: "no association",
    UNDEFINED: "no value",
}
ASSOCIATION, TARGETS_ONLY, GROUPS_ONLY = "groups and targets", "targets only", "groups only"  # sides that are compared


def classify(p: float, p_random: float, value: float) -> str:
    """Return the finding, one of FINDINGS, by a corrected p and by the p against random words, both at 5 %."""
    if np.isnan(value):
        return UNDEFINED
    if np.isnan(p) or p > LEVEL:
        return NONE
    return NOISE if p_random > LEVEL else FOUND


def add_findings(table: pd.DataFrame) -> pd.DataFrame:
    """Add p_holm, corrected over the metrics of a test that compare the same sides, and the finding to each row."""
    p_holm = table.groupby(["test", "sides"])["p"].transform(lambda p: correct_holm(p.to_numpy(float)))
    finding = [classify(*values) for values in zip(p_holm, table["p_random"], table["value"], strict=True)]
    return table.assign(p_holm=p_holm, finding=finding)
