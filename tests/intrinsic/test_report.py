"""The study's findings and figures, from its tables."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.intrinsic import findings
from tests.intrinsic import study
from tests.scripted import draw

NAN = np.nan
FIGURES = ["words", "sets_noisy", "sets_ideal", "templates", "retraining_variability", "detection"]


@pytest.fixture(scope="module")
def results(written):
    return {name: str(written[name]) for name in study.TABLES}


def report(results, folder):
    """Write the findings and draw the figures: figures and findings."""
    out = {"findings": folder / "findings.csv"}
    given = {"input": {"results": list(results.values())}, "params": {"results": list(results)}}
    figures = draw("intrinsic/report.py", FIGURES, output=out, **given)
    return figures, pd.read_csv(out["findings"], keep_default_na=False)


def test_verdicts(results, tmp_path):
    table = report(results, tmp_path)[1]
    assert len(table) == 5
    assert table["sentence"].str.endswith(".").all()
    assert not table["sentence"].str.contains("nan").any()


def test_tables_without_values(found, results, tmp_path):
    """No detection models, no repeats, no pairs of attributes and no signed scores."""
    empty = {name: found[name][:0] for name in ("min_detectable_effect", "power", "signs", "attribute_comparisons")}
    empty["retraining_variability"] = found["retraining_variability"].assign(difference_from_first=NAN, difference=NAN)
    for name, table in empty.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    figures, table = report(results | {name: str(tmp_path / f"{name}.csv") for name in empty}, tmp_path)
    assert len(table) == 4
    assert len(figures["detection"].axes[0].texts) == 1


def test_direction_replaces_detection(found):
    verdicts = findings.describe_results(found | {"min_detectable_effect": found["min_detectable_effect"][:0]})
    assert "direction" in verdicts[2].sentence


def correlations(*rows):
    table = pd.DataFrame(rows, columns=["attribute", "second", "r"])
    return table.assign(first="data", models=8, low=NAN, high=NAN)


def test_order_of_attributes():
    rows = [("mac", "gender", "age", 0.2, 0.01), ("same", "gender", "age", 0.1, 0.04),
            ("ripa", "gender", "age", 0.3, 0.05), ("ripa", "gender", "religion", -0.1, 0.02)]  # fmt: skip
    tests = pd.DataFrame(rows, columns=["metric", "first", "second", "difference", "p_holm"]).assign(statistic="r")
    text = findings.describe_order(tests.assign(clusters=12))
    assert text.endswith(": gender above age for MAC and SAME; religion above gender for RIPA")
    assert text.startswith("3 of 4 ")
    assert "too few" in findings.describe_order(tests.assign(clusters=3, p_holm=1.0))
    assert "too few" in findings.describe_order(tests.assign(clusters=7, p_holm=1.0), ["mac"])  # of 4 tests, not of 3
    assert findings.describe_attributes(tests.assign(clusters=12, n=24)).test == ""  # no shares
    both = pd.concat([tests, tests.assign(statistic="share_of_upper_bound")]).assign(clusters=12, n=24)
    assert findings.describe_attributes(both, ["mac"]).test.endswith("4 and 4 tests")
    nothing_rises = findings.describe_attributes(both, ["mac", "same", "ripa"])
    assert nothing_rises.sentence.count("no metric that rises with the bias could be compared") == 2
    assert "too few distributions" in findings.describe_attributes(tests.assign(p_holm=NAN)).sentence


def test_leaders():
    table = correlations(("gender", "unmasking", 0.9), ("gender", "weat", 0.601), ("gender", "mac", 0.598),
                         ("age", "mac", NAN), ("age", "same", -0.1), ("religion", "same", 0.3))  # fmt: skip
    best = findings.find_leaders(table)
    assert [(row["attribute"], row["follows"], row["names"], row["r"]) for row in best] == [
        ("gender", True, ["WEAT", "MAC"], "0.60"), ("age", False, ["SAME"], "−0.10"),
        ("religion", True, ["SAME"], "0.30"),
    ]  # fmt: skip
    assert best[0]["upper_bound"] == 0.9
    assert np.isnan(best[2]["upper_bound"])
    rising = correlations(("gender", "same", 0.2), ("gender", "mac", 0.1), ("age", "unmasking", 0.9),
                          ("age", "same", 0.004), ("age", "mac", -0.1))  # fmt: skip
    sentence = findings.describe_closest(rising.assign(low=[-0.1, 0.05, NAN, NAN, NAN], high=0.3), "the data").sentence
    assert " ".join(sentence.split()) == (
        "Closest to the data: no metric for gender (largest r 0.20 [−0.10, 0.30], SAME) and no metric for age "
        "(largest r 0.00, SAME; upper bound 0.90)."
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("gender", "weat", 0.01), ("gender", "mac", NAN), ("age", "mac", NAN), ("age", "weat", 0.02)],
         "by WEAT for gender (mean JSD 0.010) and WEAT for age (mean JSD 0.020); MAC detects none"),
        ([("gender", "weat", 0.01), ("gender", "mac", 0.01), ("age", "mac", NAN)],
         "by WEAT and MAC for gender (mean JSD 0.010) and no metric for age"),
        ([("gender", "weat", 0.01), ("gender", "mac", NAN), ("gender", "clustering", NAN)], "; MAC detects none of"),
        ([("religion", "gweat", 0.03)], "for religion (mean JSD 0.030, no score in 20 % of the pairs of models)"),
        ([("gender", "unmasking", 0.01)], "No models for detection"),
    ],
)  # fmt: skip
def test_findings_of_detection(rows, expected):
    table = pd.DataFrame(rows, columns=["attribute", "metric", "divergence"]).assign(
        undefined=0.0, max_detection_rate=0.1
    )
    table.loc[table["metric"] == "clustering", "max_detection_rate"] = NAN
    table.loc[table["attribute"] == "religion", "undefined"] = 0.204
    table.loc[table["attribute"] == "gender", "undefined"] = 0.004
    power = pd.DataFrame({"models": [6, 5]})
    assert expected in findings.describe_detection(table, power).sentence
    if "JSD" in expected:
        few = findings.describe_detection(table, power - 1).sentence
        assert "4 models per strength are too few" in few
        assert "JSD" not in few


def test_figures(found, results, tmp_path):
    figures = report(results, tmp_path)[0]
    cells = figures["words"].axes[0].images[0].get_array()
    gender = {name: table.query("attribute == 'gender'") for name, table in found.items() if "attribute" in table}
    np.testing.assert_allclose(np.sort(cells.compressed()), np.sort(gender["words"]["r_mean"]))
    assert len(figures["sets_noisy"].axes) == 3
    lines = figures["templates"].axes[0].lines
    assert any(np.array_equal(line.get_ydata(), gender["reliability_curve"]["mean"]) for line in lines)
    dots = figures["retraining_variability"].axes[0].collections[1].get_offsets()[:, 0]
    np.testing.assert_allclose(np.ma.filled(dots, NAN), gender["retraining_variability"]["difference"])
    assert len(figures["detection"].axes[0].lines) == 2 + gender["power"]["metric"].nunique()
