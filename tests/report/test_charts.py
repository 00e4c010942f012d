"""Charts that can be explored: their data, choices, intervals and marks."""

import pandas as pd
import pytest

from biassay.report import charts

NAN = float("nan")


def table(**columns):
    return pd.DataFrame({"metric": ["weat", "mac", "weat"], "r2": [0.5, 0.25, 0.123456789], **columns})


def data(found):
    return found["spec"]["data"]["values"]


def marks(found):
    return [layer["mark"]["type"] for layer in found["spec"]["layer"]]


def test_dots_have_the_tables_values():
    found = charts.draw_dots(table(), value="r2", by="metric")
    assert data(found) == [
        {"metric": "weat", "r2": 0.5}, {"metric": "mac", "r2": 0.25}, {"metric": "weat", "r2": 0.1235}
    ]  # fmt: skip
    assert found["choices"] == []
    assert marks(found) == ["circle"]
    (layer,) = found["spec"]["layer"]
    assert layer["encoding"]["x"]["field"] == "r2"
    assert layer["encoding"]["x"]["title"] == "r2"
    assert layer["encoding"]["x"]["scale"] == {"zero": False, "nice": True}
    assert layer["encoding"]["y"]["field"] == "metric"
    assert layer["encoding"]["y"]["sort"] == ["weat", "mac"]
    assert found["spec"]["width"] == "container"
    assert layer["params"] == [{"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}]


def test_rows_without_a_value_are_left_out():
    found = charts.draw_dots(table(r2=[0.5, NAN, NAN]), value="r2", by="metric")
    assert data(found) == [{"metric": "weat", "r2": 0.5}]
    assert charts.draw_dots(table(r2=NAN), value="r2", by="metric") is None
    assert charts.draw_dots(table()[:0], value="r2", by="metric") is None


def test_other_columns_are_left_out():
    assert set(data(charts.draw_dots(table(secret=1), value="r2", by="metric"))[0]) == {"metric", "r2"}


def test_a_missing_column_is_named_with_what_there_is():
    for wrong in ({"value": "r"}, {"by": "r"}, {"filters": ["r"]}, {"tooltip": ["r"]}, {"reference": "r"},
                  {"interval": ("r", "r2")}):  # fmt: skip
        with pytest.raises(ValueError, match="lacks the column 'r'; it has metric, r2"):
            charts.draw_dots(table(), **({"value": "r2", "by": "metric"} | wrong))


def test_choices_are_of_columns_with_several_values():
    rows = table(ground_truth=["signed", "unsigned", "signed"], share=[0.5, 1.0, NAN], corpus="big")
    found = charts.draw_dots(rows, value="r2", by="metric", filters=["ground_truth", "share", "corpus"])
    assert found["choices"] == [
        {"param": "chosen_ground_truth", "label": "ground truth", "options": ["signed", "unsigned"]},
        {"param": "chosen_share", "label": "share", "options": ["0.5", "1.0", ""]},
    ]
    params = {param["name"]: param["value"] for param in found["spec"]["params"]}
    assert params == {"chosen_ground_truth": "signed", "chosen_share": "0.5"}
    assert found["spec"]["transform"] == [
        {"filter": 'datum["ground_truth"] === chosen_ground_truth'}, {"filter": 'datum["share"] === chosen_share'}
    ]  # fmt: skip
    assert [row["share"] for row in data(found)] == ["0.5", "1.0", ""]  # texts, as the menus give


def test_an_interval_is_a_line_behind_the_dot():
    rows = table(low=[0.4, 0.2, NAN], high=[0.6, 0.3, NAN])
    found = charts.draw_dots(rows, value="r2", by="metric", interval=("low", "high"))
    assert marks(found) == ["rule", "circle"]
    line = found["spec"]["layer"][0]["encoding"]
    assert (line["x"]["field"], line["x2"]["field"], line["y"]["field"]) == ("low", "high", "metric")
    assert [(row["low"], row["high"]) for row in data(found)] == [(0.4, 0.6), (0.2, 0.3), (None, None)]


def test_a_reference_is_a_tick_where_there_is_one():
    found = charts.draw_dots(table(published=[0.4, NAN, NAN]), value="r2", by="metric", reference="published")
    assert marks(found) == ["circle", "tick"]
    tick = found["spec"]["layer"][1]
    assert tick["encoding"]["x"]["field"] == "published"
    assert tick["transform"] == [{"filter": 'isValid(datum["published"])'}]
    found = charts.draw_dots(table(published=NAN), value="r2", by="metric", reference="published")
    assert marks(found) == ["circle"]


def test_what_is_told_of_a_dot():
    rows = table(n=[3, 4, 5], kept=[True, False, True], share_of=[0.5, 0.25, 1.0])
    found = charts.draw_dots(rows, value="r2", by="metric", tooltip=["n", "kept", "share_of"])
    told = found["spec"]["layer"][0]["encoding"]["tooltip"]
    assert [(one["field"], one["title"], one["type"], one["format"]) for one in told] == [
        ("metric", "metric", "nominal", ""),
        ("r2", "r2", "quantitative", ".3~g"),
        ("n", "n", "quantitative", ""),
        ("kept", "kept", "nominal", ""),
        ("share_of", "share of", "quantitative", ".3~g"),
    ]


def test_columns_with_signs_of_vega_are_columns():
    rows = pd.DataFrame({"a.b": ["x"], "c[d]:e": [1.0]})
    encoding = charts.draw_dots(rows, value="c[d]:e", by="a.b")["spec"]["layer"][0]["encoding"]
    assert encoding["y"]["field"] == r"a\.b"
    assert encoding["x"]["field"] == r"c\[d\]\:e"


def test_the_table_given_is_not_changed():
    rows = table(share=[1, 2, 3])
    before = rows.copy()
    charts.draw_dots(rows, value="r2", by="metric", filters=["share"])
    pd.testing.assert_frame_equal(rows, before)


def test_a_name_cannot_end_the_data():
    rows = pd.DataFrame({"metric": ['a "b" </script>'], "r2": [1.0]})
    assert data(charts.draw_dots(rows, value="r2", by="metric"))[0]["metric"] == 'a "b" </script>'
