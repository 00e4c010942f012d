"""Charts of tables: data, menus, intervals and marks; and which tables have one."""

import pandas as pd

from biassay.report import charts, results
from biassay.report import study as study_pages
from biassay.report.results import Result

NAN = float("nan")
SCORES = {"bias": ["gender", "religion"], "list": "groups", "metric": ["weat", "weat"], "accuracy": [0.5, 0.75],
          "relative_accuracy": 0.7, "auc": [0.9, 1.0], "robustness_biased": 0.5, "words_needed_biased": 30,
          "n_words": 40}  # fmt: skip


def table(**columns):
    return pd.DataFrame({"metric": ["weat", "mac", "weat"], "r2": [0.5, 0.25, 0.123456789], **columns})


def data(chart):
    return chart["data"]["values"]


def test_dots_have_the_values_of_the_table_and_of_no_other_column():
    given = table(secret=1)
    chart = charts.draw_dots(given, value="r2", by="metric")
    assert [tuple(row.items()) for row in data(chart)][-1] == (("metric", "weat"), ("r2", 0.12346))
    (layer,) = chart["layer"]
    assert (layer["encoding"]["x"]["field"], layer["encoding"]["y"]["field"]) == ("r2", "metric")
    assert layer["encoding"]["y"]["sort"] == ["weat", "mac"]
    pd.testing.assert_frame_equal(given, table(secret=1))
    some = charts.draw_dots(table().assign(r2=[0.5, NAN, NAN]), value="r2", by="metric")
    assert data(some) == [{"metric": "weat", "r2": 0.5}]
    assert charts.draw_dots(table().assign(r2=NAN), value="r2", by="metric") is None
    small = charts.draw_dots(table(p=[3.2e-30, 0.04, NAN]), value="r2", by="metric", tooltip=["p"])
    assert data(charts.draw_dots(table(p=float("inf")), value="r2", by="metric", tooltip=["p"]))[0]["p"] is None
    assert [row["p"] for row in data(small)] == [3.2e-30, 0.04, None]


def test_menus_are_of_columns_with_several_values():
    rows = table(ground_truth=["signed", "unsigned", "signed"], share=[0.5, 1.0, NAN], corpus="big")
    chart = charts.draw_dots(rows, value="r2", by="metric", filters=["ground_truth", "share", "corpus"])
    menus = {param["name"]: (param["value"], param["bind"]["options"]) for param in chart["params"]}
    assert menus == {
        "chosen_ground_truth": ("signed", ["signed", "unsigned"]),
        "chosen_share": ("0.5", ["0.5", "1.0", ""]),
    }
    assert [row["share"] for row in data(chart)] == ["0.5", "1.0", ""]  # texts, as the menus give


def test_an_interval_is_a_line_behind_the_dot_and_a_reference_a_tick():
    rows = table(low=[0.4, 0.2, NAN], high=[0.6, float("inf"), NAN], published=[0.4, NAN, NAN])
    chart = charts.draw_dots(rows, value="r2", by="metric", interval=("low", "high"), reference="published")
    line, open_line, _, tick = (layer["encoding"] for layer in chart["layer"])
    assert (line["x"]["field"], line["x2"]["field"], tick["x"]["field"]) == ("low", "high", "published")
    assert (open_line["x"]["field"], open_line["x2"]["value"]) == ("low", "width")
    assert [row["high"] for row in data(chart)] == [0.6, None, None]


def result(folder, name, rows, **wildcards):
    path = folder / f"{name.replace('/', '_')}.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return Result(path, name, "table", "A title", "", wildcards)


def test_each_pair_of_models_has_its_charts(tmp_path, monkeypatch):
    tables = [result(tmp_path, f"{pair}/scores", SCORES, pair=pair) for pair in ("a", "b")]
    (title, first), *_, (_, last) = charts.make_charts("silhouette", tables)
    assert title.endswith("(a)")
    assert [row["accuracy"] for row in data(first)] == [0.5, 0.75]
    assert [row["row"] for row in data(last)] == ["WEAT", "WEAT"]
    monkeypatch.setattr(charts, "MAX_ROWS", 1)
    (title, first), *_ = charts.make_charts("silhouette", tables)
    assert "1 of 2 rows" in title
    assert len(data(first)) == 1


def test_charts_are_of_tables_on_the_site_and_their_columns():
    for study in study_pages.NAMES:
        for chart in results.read_charts(study):
            assert results.read_descriptions()[chart["table"]].title
            columns = [chart["value"], *chart["by"], *chart.get("interval", ()), *chart["filters"], *chart["tooltip"]]
            assert all(results.find_column(chart["table"], column) for column in columns)
