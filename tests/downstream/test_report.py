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


def ranking(*rows):
    """A table of ranking: score, accuracy, corrected p; group words."""
    columns = ["score", "ranking_accuracy", "p_holm", "group_words"]
    return pd.DataFrame([(*row, "raw")[:4] for row in rows], columns=columns).assign(
        set="bios", attribute="gender", version="scrubbed", ground_truth="downstream", n_models=6, n_pairs=12,
        chance=0.5, low=NAN, high=NAN, published=NAN,
    )  # fmt: skip


SAME, WEAT = "SAME (bios, gender, p = 0.010)", "WEAT (bios, gender, p = 0.020)"


@pytest.mark.parametrize(
    ("rows", "better", "worse", "n_tested"),
    [
        ([("same", 0.6, 0.3), ("weat", 0.4, 0.05)], [], [], 2),
        ([("same", 0.9, 0.01), ("weat", 0.4, 0.2)], [SAME], [], 2),
        ([("same", 0.1, 0.01), ("weat", 0.4, 0.2)], [], [SAME], 2),
        ([("same", 0.9, 0.01), ("weat", 0.8, 0.02)], [SAME, WEAT], [], 2),
        ([("same", 0.9, 0.01), ("weat", 0.1, 0.02)], [SAME], [WEAT], 2),
        ([("same", 0.9, 0.5), ("same", 0.9, 0.001, "debiased")], [], [], 1),
        ([("same", NAN, NAN), ("weat", 0.9, 0.02)], [WEAT], [], 1),
        ([("same", NAN, NAN)], [], [], 0),
        ([], [], [], 0),
    ],
)
def test_ranking(rows, better, worse, n_tested):
    for chance in (0.5, 0.6):  # which need not be 0.5
        table = ranking(*rows).assign(chance=chance)
        table["ranking_accuracy"] += chance - 0.5
        found, title = findings.describe_ranking(table, "downstream"), findings.describe_rankings(table)
        for name in (SAME, WEAT):
            place, end = found.sentence.find(name), found.sentence.find("misleading")
            assert (place >= 0) == (name in better + worse)
            assert name not in worse or found.sentence.rfind("predict", 0, end) < place < end
            assert name not in better or place < found.sentence.find("predict", place) < max(end, 1000)
        count = f"{n_tested} ranking{'s' * (n_tested > 1)}"
        assert (count in found.test) == (count in title.sentence) == bool(n_tested)
        assert found.n == title.n == ("6 models" if n_tested else "")


def test_correlations_within_models():
    rows = [("classes", "raw", "same", 0.3), ("classes", "raw", "mine", -0.2), ("classes", "scrubbed", "mine", 0.4),
            ("pairs", "", "weat", 0.1)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["units", "version", "metric", "median"]).assign(
        set="bios", attribute="gender", n_directions=0, classes="all", signed="", n_models=[7, 9, 8, 7]
    )
    found = findings.describe_correlations(table)
    for part in ("−0.20 (mine) to 0.30 (SAME)", "0.40 (mine)", "0.10 (WEAT)"):
        assert part in found.sentence
    assert found.n == "9 models"
    others = table.assign(n_directions=[1, 1, 1, 0], signed=["", "", "", True], median=0.9)
    assert findings.describe_correlations(pd.concat([table, others])) == found
    both = pd.concat([table[3:], table[3:].assign(attribute="race", median=0)])
    assert "0.00 (WEAT, bios, race) to 0.10 (WEAT, bios, gender)" in findings.describe_correlations(both).sentence
    assert findings.describe_correlations(table.assign(median=NAN)).n == ""


def test_fewer_texts():
    rows = [
        ("bios", "same", 10, 0.1),
        ("bios", "mine", 10, 0.02),
        ("bios", "same", 100, 0.001),
        ("talk", "weat", 5, 0.3),
    ]
    table = pd.DataFrame(rows, columns=["set", "metric", "n_texts", "mean"])
    table = table.assign(attribute="gender", regrouped=False, n_models=[7, 7, 9, 7])
    found = findings.describe_robustness(pd.concat([table, table.assign(regrouped=True, mean=0.9)]))
    for part in (
        "0.020 (mine) to 0.100 (SAME)",
        "10 texts of bios (gender)",
        "0.300 (WEAT)",
        "5 texts of talk (gender)",
    ):
        assert part in found.sentence
    assert found.n == "9 models"
    assert findings.describe_robustness(table.assign(mean=NAN)).n == ""


def test_sets():
    table = pd.DataFrame({"set": "bios", "attribute": "gender", "group_words": "raw", "n_models": [6, 5, 7],
                          "version": ["scrubbed", "", "raw"], "metric": ["same", "mine", "weat"],
                          "r": [-0.95, 0.2, 0.9], "low": [0, 0.1, 0], "high": [1, 0.3, 1]})  # fmt: skip
    found = findings.describe_sets(pd.concat([table, table.assign(r=0.99, group_words="debiased")]))
    assert "2 correlations" in found.sentence
    assert found.sentence.endswith("mine's on bios (gender): r = 0.20 [0.10, 0.30]")
    assert found.n == "5 models"
    assert findings.describe_sets(table[2:]).n == ""


def report(paths, folder, **changed):
    """Draw the figures and write the page of the tables at paths, some of them replaced: figures, page and findings."""
    for name, table in changed.items():
        table.to_csv(folder / f"{name}.csv", index=False)
        paths = paths | {name: folder / f"{name}.csv"}
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    results = [paths[name] for name in study.TABLES]
    figures = draw("downstream/report.py", FIGURES, output=out, input={"results": results},
                   params={"results": list(study.TABLES)})  # fmt: skip
    html = out["page"].read_text("utf-8")
    assert not re.search(r"\bnan\b", html + out["findings"].read_text("utf-8"))
    return figures, Page(html), pd.read_csv(out["findings"], keep_default_na=False)


@pytest.fixture(scope="module")
def reported(made, tmp_path_factory):
    return report(made[0], tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def figures(reported):
    return reported[0]


def test_page(made, reported):
    _, page, found = reported
    assert found["result"].tolist() == [""] * 4 + [
        f"figures/{name}" for name in ("classes", "sets", "ranking", "robustness")
    ]
    assert page.texts["p"][1:3] == found["sentence"].tolist()[:2]
    for value in ("8 language models", "0.35 at strength 0.5", "0.70 at strength 1"):
        assert value in page.texts["p"][0]
    tables = made[1]
    rows = findings.select_shown(tables["sets"])
    assert [row[:3] for row in page.rows(5)[1:]] == [
        [row.set, row.attribute, metric_label(row.metric)] for row in rows.itertuples()
    ]
    assert [row[3].split()[0] for row in page.rows(5)[1:]] == [format_decimal(r) for r in rows["r"]]
    assert len(page.rows(4)) == 1 + len(findings.select_correlations(tables["correlations"]))
    assert [row[0] for row in page.rows(7)[1:]] == tables["titles"]["set"].tolist()
    head, first, *_ = page.rows(0)
    scores = ["same", "weat", "gweat", "direct_bias", "direct_bias_1"]
    assert head == ["set and attribute", "pairs", *map(metric_label, scores)]
    assert first[0] == "biographies, gender"
    row = study.one(tables["ranking"], ground_truth="downstream", set="biographies", version="scrubbed",
                    group_words="raw", score="same")  # fmt: skip
    assert first[1] == str(row["n_pairs"])
    assert first[2].startswith(format_decimal(row["ranking_accuracy"]))
    assert first[2].endswith("published 0.66")


def find_panel(figure, title):
    (axis,) = [axis for axis in figure.axes if title in (axis.get_title(), axis.get_title(loc="left"))]
    return axis


def test_figure_of_correlations_within_models(made, figures):
    by_class, by_pair = made[1]["by_class"], made[1]["by_pair"]
    classes = by_class[(by_class["n_directions"] == 0) & (by_class["classes"] == "all")]
    pairs = by_pair[~by_pair["signed"]].assign(version="")
    assert len(figures["classes"].axes) == 4
    for units, table in (("classes", classes), ("pairs", pairs)):
        for (name, attribute), part in table.groupby(["set", "attribute"]):
            axis = find_panel(figures["classes"], f"{name}, {attribute}: {units}")
            assert ticks(axis, "x")[1] == [metric_label(metric) for metric in part["metric"].unique()]
            drawn = [scatter for scatter in dots(axis) if scatter.label.startswith("_")]  # without the legend
            values = [r for scatter in drawn for r in scatter.places[:, 1]]
            np.testing.assert_allclose(np.sort(values), np.sort(part["r"].dropna()))
            filled = sum(len(scatter.places) for scatter in drawn if scatter.faces != ["none"])
            assert filled == (part["p"] < 0.05).sum()


def test_figure_of_sets(made, figures):
    cases = made[1]["cases"]
    cases = cases[(cases["group_words"] == "raw") & (cases["version"] != "raw")].dropna(subset=["value", "bias"])
    drawn = [scatter.places for axis in figures["sets"].axes for scatter in dots(axis)]
    expected = cases[["value", "bias"]].to_numpy(float)
    np.testing.assert_allclose(*(np.sort(points.ravel()) for points in (np.concatenate(drawn), expected)))


def test_figure_of_rankings(made, figures):
    table = made[1]["ranking"]
    table = table[(table["group_words"] == "raw") & (table["version"] != "raw")]
    groups = table.groupby(["ground_truth", "set", "attribute"], sort=False)
    for axis, (_, part) in zip(figures["ranking"].axes, groups, strict=False):
        assert ticks(axis, "y")[1] == [metric_label(score) for score in part["score"]]
        points = [scatter for scatter in dots(axis) if not scatter.label or scatter.label.startswith("_")]
        for place, row in enumerate(part.itertuples()):
            for scatter, value in zip(points[2 * place :], (row.ranking_accuracy, row.published), strict=False):
                expected = [[value, place]] if np.isfinite(value) else np.empty((0, 2))
                np.testing.assert_allclose(scatter.places[np.isfinite(scatter.places).all(axis=1)], expected)
            chance, interval = (
                [line.get_xdata().astype(float) for line in axis.lines if line.get_linewidth() == width]
                for width in (9, 1.4)
            )
            np.testing.assert_allclose(chance[place], [row.chance_low, row.chance_high])
            np.testing.assert_allclose(interval[place], [row.low, row.high])


def test_figure_of_robustness(made, figures):
    robustness, titles = made[1]["robustness"], made[1]["titles"]
    upper, lower = np.reshape(figures["robustness"].axes, (2, 2))
    for above, below, name in zip(upper, lower, ("biographies", "comments"), strict=True):
        part = robustness[robustness["set"] == name]
        lines = part.groupby(["metric", "regrouped"], sort=False)
        for bar, (_, line) in zip(above.containers, lines, strict=True):
            np.testing.assert_allclose(
                np.column_stack(bar.lines[0].get_data()).astype(float), line[["n_texts", "mean"]]
            )
        (bar,) = below.containers
        np.testing.assert_allclose(bar.lines[0].get_xdata().astype(float), titles.loc[titles["set"] == name, "mean"])


@pytest.mark.parametrize(
    ("options", "n_tables"),
    [({"sets": ()}, 5), ({"pair_sets": ()}, 7),
     ({"units": {"deep": ["deep"]}, "sets": ()}, 0)],
)  # fmt: skip
def test_studies_with_fewer_parts(tmp_path, monkeypatch, options, n_tables):
    monkeypatch.setattr(study, "METRICS", ["weat"])
    paths = study.write(tmp_path, **options)
    figures, page, _ = report(paths, tmp_path)
    drawn = {title.split(",")[0] for figure in figures.values() for axis in figure.axes
             for title in (axis.get_title(), axis.get_title(loc="left")) if title}  # fmt: skip
    names = {*options.get("sets", ["biographies", "comments"]), *options.get("pair_sets", ["sentences"])}
    assert drawn == names - ({"sentences"} if "deep" in options.get("units", ()) else set())  # it has no scores of them
    assert len(page.tables) == n_tables
