"""Findings, page and figures of the study: they change with the tables."""

import re

import numpy as np
import pandas as pd
import pytest

from biassay.report.formatting import format_decimal, metric_label
from biassay.studies.downstream import findings
from tests.artists import dots, ticks
from tests.downstream import study
from tests.markup import Page
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
    found, title = findings.describe_ranking(table, "downstream"), findings.describe_rankings(table)
    assert re.findall(r"(\w+) \(bios, gender, p = 0.0[12]0\)", found.sentence) == significant
    count = f"{n_tested} ranking{'s' * (n_tested > 1)}"
    assert (count in found.test) == (count in title.sentence) == bool(n_tested)
    assert found.n == title.n == ("6 models" if n_tested else "")


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


def test_the_largest_correlation_over_models():
    rows = [("raw", "same", -0.95, 6), ("", "mine", 0.2, 5), ("scrubbed", "weat", 0.9, 7)]
    table = pd.DataFrame(rows, columns=["version", "metric", "r", "n_models"])
    table = table.assign(set="bios", attribute="gender", low=0.1, high=0.3, reason="")
    found = findings.describe_sets(pd.concat([table, table.assign(r=0.99, reason="noise")]))
    for part in ("2 correlations", "mine's on bios (gender): r = 0.20 [0.10, 0.30]"):
        assert part in found.sentence
    assert found.n == "5 models"
    assert findings.describe_sets(table[2:]).n == ""


def report(paths, folder):
    """Draw the figures and write the page: figures, page and findings."""
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    results = {"results": [paths[name] for name in study.TABLES]}
    params = {"results": list(study.TABLES)}
    figures = draw("downstream/report.py", FIGURES, output=out, input=results, params=params)
    html = out["page"].read_text("utf-8")
    assert not re.search(r"\bnan\b", html + out["findings"].read_text("utf-8"))
    return figures, Page(html), pd.read_csv(out["findings"], keep_default_na=False)


@pytest.fixture(scope="module")
def reported(made, tmp_path_factory):
    return report(made[0], tmp_path_factory.mktemp("report"))


def test_page(made, reported):
    tables, (_, page, found) = made[1], reported
    assert found["result"].tolist() == [""] * 5 + [f"figures/{name}" for name in FIGURES]
    assert set(found["sentence"][:3]) <= set(page.texts["p"])
    for value in ("8 language models", "0.35 at strength 0.5", "0.70 at strength 1"):
        assert value in page.texts["p"][0]
    rows = findings.select_shown(tables["sets"])
    head = ["set", "attribute", "score", "r", "r at most", "models"]
    (sets,) = (number for number in range(len(page.tables)) if page.rows(number)[0] == head)
    assert [row[0] for row in page.rows(sets)[1:]] == rows["set"].tolist()
    assert [row[3].split()[0] for row in page.rows(sets)[1:]] == [format_decimal(r) for r in rows["r"]]
    assert len(page.rows(sets - 1)) == 1 + len(findings.select_correlations(tables["correlations"]))
    judged = tables["reliability"].query("form != 'published'")
    assert [row[7].split()[0] for row in page.rows(0)[1:]] == [format_decimal(r) for r in judged["reliability"]]
    row = tables["ranking"].query("ground_truth == 'downstream' and set == 'biographies' and form == 'declared'")
    row = row.query("score == 'same'").iloc[0]
    head, first, *_ = page.rows(1)
    assert head == ["set and attribute", "pairs", *map(metric_label, study.METRICS)]
    assert first[:2] == ["biographies, gender", str(row["n_pairs"])]
    assert first[2].startswith(format_decimal(row["ranking_accuracy"]))
    assert "published 0.66" in page.rows(3)[1][2]


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
    ("options", "names", "n_tables"),
    [
        ({"sets": ()}, {"sentences"}, 7),
        ({"pair_sets": ()}, {"biographies", "comments"}, 9),
        ({"units": {"deep": ["deep"]}, "sets": ()}, set(), 0),  # an encoder has no scores of pairs
    ],
)
def test_studies_with_fewer_parts(tmp_path, monkeypatch, options, names, n_tables):
    monkeypatch.setattr(study, "METRICS", ["weat"])
    figures, page, _ = report(study.write(tmp_path, **options), tmp_path)
    axes = [axis for figure in figures.values() for axis in figure.axes]
    titles = [title for axis in axes for title in (axis.get_title(), axis.get_title(loc="left")) if title]
    assert {title.split(",")[0] for title in titles} == names
    assert len(page.tables) == n_tables
