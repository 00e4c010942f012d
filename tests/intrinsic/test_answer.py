"""The study's answer page, findings and figures, from its tables."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.intrinsic import findings
from scripts.intrinsic import plot
from tests.intrinsic import study
from tests.scripted import answer, draw

NAN = np.nan
FIGURES = ["words", "sets_noisy", "sets_ideal", "templates", "retraining_variability", "detection"]


@pytest.fixture(scope="module")
def results(written):
    return {name: str(written[name]) for name in study.TABLES}


def test_page(written, found, results, tmp_path):
    page, table = answer("intrinsic", tmp_path, written["models"], results, min_r=0.85)
    n_learned = found["models"].query("purpose == 'grid'")["learned"].sum()
    assert page.texts["p"][0].startswith(f"{n_learned} of 12 ")
    assert page.texts["h4"] == ["gender", "religion", "gender", "gender", "religion"]
    cells = page.tables
    assert [row[0] for row in cells[0][1:]] == ["unmasking", "WEAT", "SAME", "MAC", "Direct Bias, as published"]
    row = found["words"].query("attribute == 'gender' and first == 'data' and second == 'weat'").iloc[0]
    assert cells[0][2][1] == f"{row['r_mean']:.2f} [{row['low']:.2f}, {row['high']:.2f}]".replace("-", "−")
    assert cells[0][1][2] == "–"  # unmasking with itself
    tests = found["attribute_comparisons"]
    assert [row[:2] for row in cells[2][1:]] == [
        ["gender − religion", findings.metric_label(name)] for name in tests["metric"].unique()
    ]
    assert len(cells[4][0]) == 5  # noisy and ideal
    by_metric = {row[0]: row[1:] for row in cells[6][1:]}
    for row in found["min_detectable_effect"].itertuples():
        cell = by_metric[findings.metric_label(row.metric)][list(study.GROUPS).index(row.attribute)]
        assert ("none" in cell) == np.isnan(row.divergence)
    assert by_metric["WEAT"][1] == "–"
    assert table["result"].tolist() == [""] * 5 + [f"figures/{name}" for name in FIGURES]
    assert not table["sentence"].str.contains("nan").any()


def test_tables_without_values(written, found, results, tmp_path):
    """No detection models, no repeats, no pairs of attributes and no signed scores."""
    empty = {name: found[name][:0] 
             for name in ("min_detectable_effect", "intersections", "signs", "attribute_comparisons")}  # fmt: skip
    empty["retraining_variability"] = found["retraining_variability"].assign(difference_from_first=NAN, difference=NAN)
    for name, table in empty.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    paths = results | {name: tmp_path / f"{name}.csv" for name in empty}
    page, table = answer("intrinsic", tmp_path, written["models"], paths, min_r=0.85)
    assert sum(text.startswith(("No ", "Not ")) for text in page.texts["p"]) == 5
    assert table["result"].tolist() == [""] * 4 + [f"figures/{name}" for name in FIGURES]


def test_direction_replaces_detection(found):
    verdicts = list(findings.describe_results(found | {"min_detectable_effect": found["min_detectable_effect"][:0]}))
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
        "(largest r 0.00, SAME; upper bound 0.90)"
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


def test_figures(found, results):
    figures = draw("intrinsic/plot.py", FIGURES, input={"results": list(results.values())},
                   params={"results": list(results)})  # fmt: skip
    cells = figures["words"].axes[0].images[0].get_array()
    gender = {name: table.query("attribute == 'gender'") for name, table in found.items() if "attribute" in table}
    np.testing.assert_allclose(np.sort(cells.compressed()), np.sort(gender["words"]["r_mean"]))
    assert len(figures["sets_noisy"].axes) == 3
    lines = figures["templates"].axes[0].lines
    assert any(np.array_equal(line.get_ydata(), gender["reliability_curve"]["mean"]) for line in lines)
    dots = figures["retraining_variability"].axes[0].collections[1].get_offsets()[:, 0]
    np.testing.assert_allclose(np.ma.filled(dots, NAN), gender["retraining_variability"]["difference"])
    assert len(figures["detection"].axes[0].lines) == 2 + gender["power"]["metric"].nunique()
    assert len(plot.draw_detection(found["power"][:0]).axes[0].texts) == 1
