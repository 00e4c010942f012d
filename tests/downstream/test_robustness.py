"""How far scores of fewer texts, and of titles, are from those of more: by hand."""

import numpy as np
import pandas as pd
import pytest

from biassay.measurement.metric import Range
from biassay.studies.downstream import robustness

KEYS = {"metric": "mine", "set": "bios", "attribute": "gender"}
WHOLE = {"m": 1.0, "n": -0.5}
TITLES = {"m": 0.8, "n": 0.1}


def scores():
    rows = [KEYS | {"model": m, "version": "scrubbed", "n_directions": 0, "level": level, "value": value}
            for level, of in (("set", WHOLE), ("titles", TITLES)) for m, value in of.items()]  # fmt: skip
    others = [{"version": "raw"}, {"n_directions": 1}, {"level": "class"}]
    return pd.DataFrame(rows + [rows[0] | other | {"value": 99.0} for other in others])


def subsets(*rows):
    columns = ["model", "share", "permutation", "regrouped", "value"]
    return pd.DataFrame([KEYS | dict(zip(columns, row, strict=True)) for row in rows])


@pytest.mark.parametrize(("limits", "width"), [((-2.0, 2.0), 4), ((0.5, None), np.nan), ((None, 0.5), np.nan)])
def test_widths(limits, width):
    assert Range(*limits, b_0=0.0, signed=False).width == pytest.approx(width, nan_ok=True)


def widths(width):
    return pd.Series({("other", "gender"): 9.0, ("mine", "age"): 9.0, ("mine", "gender"): width})


@pytest.mark.parametrize("width", [4, 1])
def test_deviations_by_hand(width):
    drawn = subsets(
        ("m", 0.1, 0, False, 0.6), ("m", 0.1, 1, False, 1.2), ("n", 0.1, 0, False, 0.5), ("n", 0.1, 1, False, np.nan),
        ("m", 0.1, 0, True, 0.0), ("m", 0.5, 0, False, 0.2), ("m", 0.001, 0, False, np.nan),
    )  # fmt: skip
    table = robustness.measure_subsets(scores(), drawn, widths(width), {"bios": 44})
    assert table.columns.tolist() == robustness.SUBSETS
    table = table.set_index(["regrouped", "share"])
    assert len(table) == 3
    far = np.array([0.4, 0.2, 1.0]) / width
    row = table.loc[(False, 0.1)]
    assert row.tolist() == ["bios", "gender", "mine", 4, 2, pytest.approx(far.mean()), pytest.approx(far.std()), 0.25]
    assert table.loc[(True, 0.1)].tolist() == ["bios", "gender", "mine", 4, 1, pytest.approx(1 / width), 0, 0]
    nothing = table.loc[(False, 0.001)]
    assert nothing["n_texts"] == 1
    assert np.isnan([nothing["mean"], nothing["std"]]).all()
    assert nothing["share_undefined"] == 1


def test_a_score_without_a_range_has_no_deviation_but_is_defined():
    table = robustness.measure_subsets(scores(), subsets(("m", 0.1, 0, False, 0.6)), widths(np.nan), {"bios": 44})
    assert table[["mean", "share_undefined"]].to_numpy().tolist() == [[pytest.approx(np.nan, nan_ok=True), 0]]


def test_titles_by_hand():
    drawn = subsets(
        ("m", 0.5, 0, False, 0.2), ("n", 0.5, 0, False, 0.3), ("n", 0.5, 1, False, np.nan), ("n", 0.5, 2, False, -0.2),
        ("m", 0.5, 0, True, 7), ("m", 0.1, 0, False, 7),
    )  # fmt: skip
    table, far = robustness.measure_titles(scores(), drawn, widths(4)), np.array([0.6, 0.2, 0.3]) / 4
    assert table.columns.tolist() == robustness.OF_TITLES
    expected = ["bios", "gender", "mine", 2, pytest.approx(far.mean()), pytest.approx(far.std()), 0.25]
    assert table.to_numpy().tolist() == [expected]
