"""Comparison of the tables of two runs."""

import pandas as pd

TIMES = {"board/milliseconds.csv"}  # timings


def different(one, other, digits=None):
    """List the differing tables of two folders of results, compared exactly or to a number of significant digits."""
    names = {path.relative_to(folder).as_posix() for folder in (one, other) for path in folder.rglob("*.csv")} - TIMES
    return [f"{name}: {said}" for name in sorted(names) if (said := _difference(one / name, other / name, digits))]


def _difference(one, other, digits):
    if not (one.is_file() and other.is_file()):
        return f"only in {one if one.is_file() else other}"
    a, b = pd.read_csv(one), pd.read_csv(other)
    if "criterion" in a and "milliseconds" in set(a["criterion"]):
        a, b = a[a["criterion"] != "milliseconds"], b[b["criterion"] != "milliseconds"]
    try:
        exact = digits is None
        pd.testing.assert_frame_equal(a, b, check_exact=exact, **({} if exact else {"rtol": 10**-digits, "atol": 1e-9}))
    except AssertionError as error:
        return str(error).replace("\n", " ")[:200]
    return ""
