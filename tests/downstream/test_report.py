"""Findings and figures of the study: they change with the tables."""

import re

import numpy as np
import pandas as pd
import pytest

from biassay.report.formatting import metric_label
from biassay.studies.downstream import findings
from tests.artists import dots, ticks
from tests.downstream import study
from tests.scripted import draw

FIGURES = ["classes", "sets", "ranking", "robustness"]
NAN = np.nan


@pytest.mark.parametrize(
    ("rows", "significant", "n_tested"),
    [
        ([("same", 0.6, 0.3), ("weat", 0.4, 0.05)], [], 2),
        ([("same", 0.1, 0.01), ("weat", 0.9, 0.02)], ["WEAT", "SAME"], 2),  # the misleading one comes last
        ([("same", 0.55, 0.01), ("weat", 0.7, 0.02)], ["WEAT", "SAME"], 2),  # chance is 0.6
        ([("same", NAN, NAN), ("weat", 0.9, 0.02)], ["WEAT"], 1),
        ([("same", 0.9, 0.5), ("same", 0.9, 0.001, "published")], [], 1),
        ([], [], 0),
    ],
)
def test_rankings_that_differ_from_chance(rows, significant, n_tested):
    columns = ["score", "ranking_accuracy", "p_holm", "form"]
    table = pd.DataFrame([(*row, "declared")[:4] for row in rows], columns=columns)
    table = table.assign(set="bios", attribute="gender", ground_truth="downstream", n_models=6, reason="")
    table = table.assign(chance=0.6, chance_low=0.2, chance_high=0.8)
    found = findings.describe_ranking(table, "downstream")
    assert re.findall(r"(\w+) \(bios, gender, p = 0.0[12]0\)", found.sentence) == significant
    assert (f"{n_tested} ranking{'s' * (n_tested > 1)}" in found.test) == bool(n_tested)
    assert found.n == ("6 models" if n_tested else "")


def test_reasons_of_sets_that_cannot_be_ranked():
    table = pd.DataFrame({"set": ["bios", "talk", "pairs", "more"], "reason": ["", "noise", "few", "noise"]})
    table = table.assign(attribute="gender", form="declared", n_models=6, reliability=0.5, low=NAN, high=NAN)
    said = findings.describe_reliability(table).sentence
    assert re.findall(r"(bios|talk|pairs|more|noise|few)\b", said) == ["bios", "talk", "more", "noise", "pairs", "few"]
    assert findings.describe_reliability(table[1:]).sentence.startswith("Models cannot be ranked in talk")


def test_correlations_within_models():
    rows = [
        ("classes", "raw", "same", 0.3),
        ("classes", "raw", "mine", -0.2),
        ("classes", "scrubbed", "mine", 0.4),
        ("pairs", "", "weat", 0.1),
    ]
    table = pd.DataFrame(rows, columns=["units", "version", "metric", "median"])
    table = table.assign(set="bios", attribute="gender", n_directions=0, classes="all", signed="")
    table["n_models"] = [7, 9, 8, 7]
    found = findings.describe_correlations(table)
    for part in ("−0.20 (mine) to 0.30 (SAME)", "0.40 (mine)", "0.10 (WEAT)"):
        assert part in found.sentence
    assert found.n == "9 models"
    others = table.assign(n_directions=[1, 1, 1, 0], signed=["", "", "", True], median=0.9)
    assert findings.describe_correlations(pd.concat([table, others])) == found
    both = pd.concat([table[3:], table[3:].assign(attribute="race", median=0)])
    assert "0.00 (WEAT, bios, race) to 0.10 (WEAT, bios, gender)" in findings.describe_correlations(both).sentence
    assert findings.describe_correlations(table.assign(median=NAN)).n == ""


def test_robustness_is_of_the_fewest_texts_of_each_set():
    rows = [
        ("bios", "same", 0.01, 10, 0.1),
        ("bios", "mine", 0.01, 10, 0.02),
        ("bios", "same", 0.1, 10, 0),
        ("talk", "weat", 0.1, 5, 0.3),
    ]  # two shares of few texts are as many texts
    table = pd.DataFrame(rows, columns=["set", "metric", "share", "n_texts", "mean"])
    table = table.assign(attribute="gender", regrouped=False, n_models=[7, 7, 9, 7])
    found = findings.describe_robustness(pd.concat([table, table.assign(regrouped=True, mean=0.9)]))
    for part in ("0.020 (mine) to 0.100 (SAME)", "10 texts of bios (gender)", "0.300 (WEAT)", "5 texts of talk"):
        assert part in found.sentence
    assert found.n == "9 models"
    assert findings.describe_robustness(table.assign(mean=NAN)).n == ""


def report(paths, folder):
    """Write the findings and draw the figures: figures and findings."""
    out = {"findings": folder / "findings.csv"}
    results = {"results": [paths[name] for name in study.TABLES]}
    params = {"results": list(study.TABLES)}
    figures = draw("downstream/report.py", FIGURES, output=out, input=results, params=params)
    assert not re.search(r"\bnan\b", out["findings"].read_text("utf-8"))
    return figures, pd.read_csv(out["findings"], keep_default_na=False)


@pytest.fixture(scope="module")
def reported(made, tmp_path_factory):
    return report(made[0], tmp_path_factory.mktemp("report"))


def test_verdicts(made, reported):
    found, reliability = reported[1], made[1]["reliability"].query("form == 'declared'")
    assert len(found) == 5
    assert all(f"{row.set}, {row.attribute}" in found["sentence"][0] for row in reliability.itertuples())
    for number, ground_truth in ((1, "downstream"), (2, "planted")):
        assert f"more {ground_truth} bias" in found["sentence"][number]


def test_figures_of_correlations(made, reported):
    tables, figures = made[1], reported[0]
    classes = tables["by_class"].query("n_directions == 0 and classes == 'all'").assign(units="classes")
    pairs = tables["by_pair"][~tables["by_pair"]["signed"]].assign(units="pairs")
    panels = {axis.get_title(): axis for axis in figures["classes"].axes}
    groups = pd.concat([classes, pairs]).groupby(["units", "set", "attribute"])
    assert len(panels) == len(groups) == 4
    for (units, name, attribute), part in groups:
        axis = panels[f"{name}, {attribute}: {units}"]
        assert ticks(axis, "x")[1] == [metric_label(metric) for metric in part["metric"].unique()]
        drawn = [scatter for scatter in dots(axis) if scatter.label.startswith("_")]  # without the legend
        values = [r for scatter in drawn for r in scatter.places[:, 1]]
        np.testing.assert_allclose(np.sort(values), np.sort(part["r"].dropna()))
        filled = sum(len(scatter.places) for scatter in drawn if scatter.faces != ["none"])
        assert filled == (part["p"] < 0.05).sum()


def test_figure_of_rankings(made, reported):
    groups = findings.select_shown(made[1]["ranking"]).groupby(["ground_truth", "set", "attribute"], sort=False)
    for axis, (_, part) in zip(reported[0]["ranking"].axes, groups, strict=False):
        assert ticks(axis, "y")[1] == [metric_label(score) for score in part["score"]]
        points = [scatter.places[:, 0] for scatter in dots(axis) if not scatter.label or scatter.label[0] == "_"]
        ranked = part.dropna(subset="ranking_accuracy")
        np.testing.assert_allclose(np.concatenate([*points, []]), ranked["ranking_accuracy"])
        assert sum(text.get_text() == "not ranked" for text in axis.texts) == len(part) - len(ranked)
        lines = [line.get_xdata() for line in axis.lines if len(line.get_xdata()) == 2]
        for row in ranked.itertuples():
            for ends in ([row.chance_low, row.chance_high], [row.low, row.high]):
                assert any(np.allclose(np.array(line, float), ends, equal_nan=True) for line in lines)


def test_figure_of_robustness(made, reported):
    robustness, titles = (made[1][name].dropna(subset="mean") for name in ("robustness", "titles"))
    assert "gweat" not in set(robustness["metric"]) | set(titles["metric"])  # it has no range
    upper, lower = np.reshape(reported[0]["robustness"].axes, (2, 2))
    for above, below, name in zip(upper, lower, ("biographies", "comments"), strict=True):
        lines = robustness[robustness["set"] == name].groupby(["metric", "regrouped"], sort=False)
        for bar, (_, line) in zip(above.containers, lines, strict=True):
            drawn = np.column_stack(bar.lines[0].get_data()).astype(float)
            np.testing.assert_allclose(drawn, line[["n_texts", "mean"]])
        (bar,) = below.containers
        np.testing.assert_allclose(bar.lines[0].get_xdata().astype(float), titles.loc[titles["set"] == name, "mean"])


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"sets": ()}, {"sentences"}),
        ({"pair_sets": ()}, {"biographies", "comments"}),
        ({"units": {"deep": ["deep"]}, "sets": ()}, set()),  # an encoder has no scores of pairs
    ],
)
def test_studies_with_fewer_parts(tmp_path, monkeypatch, options, names):
    monkeypatch.setattr(study, "METRICS", ["weat"])
    figures, _ = report(study.write(tmp_path, **options), tmp_path)
    axes = [axis for figure in figures.values() for axis in figure.axes]
    titles = [title for axis in axes for title in (axis.get_title(), axis.get_title(loc="left")) if title]
    assert {title.split(",")[0] for title in titles} == names
