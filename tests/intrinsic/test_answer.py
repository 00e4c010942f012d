"""The study's answer page, findings and figures, from its tables."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.intrinsic import findings
from scripts.intrinsic import plot
from tests.intrinsic import believable, study
from tests.markup import Page
from tests.scripted import draw, run

NAN = np.nan
FIGURES = ["words", "sets_noisy", "sets_ideal", "templates", "retraining_variability", "detection"]


@pytest.fixture(scope="module")
def results(made):
    return {name: str(made[0][name]) for name in study.TABLES}


def answer(folder, models, results):
    """The page and the findings that the script writes."""
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    given = {"models": models, "results": list(results.values())}
    run("intrinsic/answer.py", input=given, params={"results": list(results), "min_r": 0.85}, output=out)
    return Page(out["page"].read_text("utf-8")), pd.read_csv(out["findings"], keep_default_na=False)


def test_page(made, results, tmp_path):
    paths, found = made
    page, table = answer(tmp_path, paths["models"], results)
    grid = found["models"].query("purpose == 'grid'")
    assert page.texts["p"][0].startswith(f"{grid['learned'].sum()} of 12 models learned their bias")
    assert page.texts["h4"] == ["gender", "religion", "gender", "gender", "religion"]
    cells = [[[cell.text for cell in row] for row in rows] for rows in page.tables]
    assert [row[0] for row in cells[0][1:]] == ["unmasking", "WEAT", "SAME", "MAC", "Direct Bias, 1 direction"]
    row = found["words"].query("attribute == 'gender' and first == 'data' and second == 'weat'").iloc[0]
    assert cells[0][2][1] == f"{row['r_mean']:.2f} [{row['low']:.2f}, {row['high']:.2f}]".replace("-", "−")
    assert cells[0][1][2] == "–"  # unmasking with itself
    assert len(cells[3][0]) == 5  # noisy and ideal
    effects = found["min_detectable_effect"].set_index(["metric", "attribute"])
    by_metric = {row[0]: row[1:] for row in cells[5][1:]}
    for (metric, attribute), effect in effects.iterrows():
        cell = by_metric[findings.metric_label(metric)][list(believable.GROUPS).index(attribute)]
        assert ("none" in cell) == np.isnan(effect["divergence"])
    assert by_metric["WEAT"][1] == "–"
    assert "nan" not in " ".join(text for texts in page.texts.values() for text in texts).lower().split()
    assert table["result"].tolist() == [""] * 4 + [f"figures/{name}" for name in FIGURES]
    assert not table["sentence"].str.contains("nan").any()


def test_tables_without_values(made, results, tmp_path):
    """No detection models, no repeats, no pairs of attributes and no signed scores."""
    empty = {name: tmp_path / f"{name}.csv" for name in ("min_detectable_effect", "intersections", "signs")}
    for name, path in empty.items():
        made[1][name][:0].to_csv(path, index=False)
    empty["retraining_variability"] = tmp_path / "retraining.csv"
    columns = ["difference_from_first", "difference"]
    made[1]["retraining_variability"].assign(**dict.fromkeys(columns, NAN)).to_csv(
        empty["retraining_variability"], index=False
    )
    page, table = answer(tmp_path, made[0]["models"], results | empty)
    assert sum(text.startswith(("No ", "Not ")) for text in page.texts["p"]) == 4
    assert table["result"].tolist() == [""] * 3 + [f"figures/{name}" for name in FIGURES]
    assert "unknown" in table.set_index("result")["sentence"]["figures/retraining_variability"]


def test_direction_replaces_detection(made):
    tables_of = {name: made[1][name] for name in study.TABLES}
    without = tables_of | {"min_detectable_effect": made[1]["min_detectable_effect"][:0]}
    sentences = [finding.sentence for finding in findings.describe_results(without)]
    assert sentences[2].startswith("Closest to the direction of the bias in the data: ")


def correlations(*rows):
    table = pd.DataFrame(rows, columns=["attribute", "second", "r"])
    return table.assign(first="data", models=8, low=NAN, high=NAN)


def test_leaders():
    table = correlations(("gender", "unmasking", 0.9), ("gender", "weat", 0.601), ("gender", "mac", 0.598),
                         ("gender", "svm (leaking)", 0.99), ("age", "mac", NAN), ("religion", "same", 0.3))  # fmt: skip
    best = findings.find_leaders(table)
    assert [(row["attribute"], row["names"], row["r"]) for row in best] == [
        ("gender", ["WEAT", "MAC"], "0.60"), ("religion", ["SAME"], "0.30")
    ]  # fmt: skip
    assert best[0]["upper_bound"] == 0.9
    assert np.isnan(best[1]["upper_bound"])
    sentence = findings.describe_closest(table, "the data").sentence
    assert sentence.endswith("(r 0.60; upper bound by unmasking 0.90) and SAME for religion (r 0.30)")
    assert findings.describe_closest(table[:0], "the data").sentence.startswith("No metric")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("gender", "weat", 0.01), ("gender", "mac", NAN), ("age", "mac", NAN), ("age", "weat", 0.02)],
         "by WEAT for gender (mean JSD 0.010) and WEAT for age (mean JSD 0.020); MAC detects none"),
        ([("gender", "weat", 0.01), ("gender", "mac", 0.01), ("age", "mac", NAN)],
         "by WEAT and MAC for gender (mean JSD 0.010) and no metric for age"),
        ([("gender", "unmasking", 0.01)], "No models for detection"),
    ],
)  # fmt: skip
def test_findings_of_detection(rows, expected):
    table = pd.DataFrame(rows, columns=["attribute", "metric", "divergence"])
    assert expected in findings.describe_detection(table).sentence


def test_findings_of_templates():
    table = pd.DataFrame(
        {"attribute": ["gender", "age"], "n_sentences": [30, 9], "min_sentences": [NAN, 1], "models": 8}
    )
    expected = "more than the 30 available for gender and 1 test sentence for age"
    assert expected in findings.describe_templates(table).sentence


def test_figures(made, results):
    found = made[1]
    figures = draw("intrinsic/plot.py", FIGURES, input={"results": list(results.values())},
                   params={"results": list(results)})  # fmt: skip
    cells = figures["words"].axes[0].images[0].get_array()
    gender = found["words"].query("attribute == 'gender'")
    np.testing.assert_allclose(np.sort(cells.compressed()), np.sort(gender["r_mean"]))
    assert len(figures["sets_noisy"].axes) == 3
    lines = figures["templates"].axes[0].lines
    curve = found["reliability_curve"].query("attribute == 'gender'")
    assert any(np.array_equal(line.get_ydata(), curve["mean"]) for line in lines)
    dots = figures["retraining_variability"].axes[0].collections[1].get_offsets()[:, 0]
    expected = found["retraining_variability"].query("attribute == 'gender'")["difference"]
    np.testing.assert_allclose(np.ma.filled(dots, NAN), expected)
    assert (
        len(figures["detection"].axes[1].lines)
        == 2 + found["power"].query("attribute == 'religion'")["metric"].nunique()
    )
    assert "detection" in plot.draw_detection(found["power"][:0]).axes[0].texts[0].get_text()
