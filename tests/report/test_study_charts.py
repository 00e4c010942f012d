"""Which tables become charts, and what stands in their rows."""

from pathlib import Path

import pandas as pd
import pytest

from biassay.report import charts, study_charts
from biassay.report.results import Result
from tests.running import ROOT

CORRELATIONS = {
    "corpus": "big", "embedding": ["skipgram", "glove", "glove"], "space": ["explicit", None, "vectors"],
    "method": ["first_order", "second_order_cosine", "mine"], "word_list": "long", "statistics": "labor", "n": 40,
    "spearman": [0.5, 0.25, None], "spearman_p": 0.01, "spearman_low": 0.1, "spearman_high": 0.9,
    "spearman_published": [0.6, None, None],
}  # fmt: skip
SCORES = {"bias": ["gender", "religion"], "list": "groups", "metric": ["weat", "weat"], "accuracy": [0.5, 0.75],
          "auc": [0.9, 1.0], "robustness_biased": 0.5, "words_needed_biased": 30, "n_words": 40}  # fmt: skip


def table(folder, study, name, of, rows):
    """A result that is a table of these rows."""
    path = folder / f"{study}_{name.replace('/', '_')}.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return Result(path, study, name, "table", "A title", "", of)


def values(chart):
    return chart["spec"]["data"]["values"]


def test_a_row_is_called_as_readers_know_it(tmp_path):
    ((title, chart),) = study_charts.make_charts(
        "first_order", [table(tmp_path, "first_order", "correlations", {}, CORRELATIONS)]
    )
    assert title == "Correlation with women's shares, by representation"
    assert [row["row"] for row in values(chart)] == ["skipgram · explicit · Λ1", "glove · second-order cosine"]
    assert [row["spearman_published"] for row in values(chart)] == [0.6, None]
    assert [layer["mark"]["type"] for layer in chart["spec"]["layer"]] == ["rule", "circle", "tick"]
    assert chart["choices"] == []


def test_tables_of_pairs_are_told_apart(tmp_path):
    results = [table(tmp_path, "silhouette", f"{pair}/scores", {"pair": pair}, SCORES) for pair in ("a", "b")]
    found = study_charts.make_charts("silhouette", results)
    assert [title for title, _ in found] == [
        "Accuracy of metrics (a)",
        "Accuracy of metrics (b)",
        "AUC between the biased and the unbiased model (a)",
        "AUC between the biased and the unbiased model (b)",
    ]
    assert [row["accuracy"] for row in values(found[0][1])] == [0.5, 0.75]
    assert [row["row"] for row in values(found[2][1])] == ["WEAT", "WEAT"]
    assert [choice["param"] for choice in found[0][1]["choices"]] == ["chosen_bias"]


def test_a_chart_says_what_it_leaves_out(tmp_path, monkeypatch):
    monkeypatch.setattr(charts, "MAX_ROWS", 1)
    found = study_charts.make_charts("silhouette", [table(tmp_path, "silhouette", "a/scores", {"pair": "a"}, SCORES)])
    assert found[0][0] == "Accuracy of metrics (a, the first 1 of 2 rows)"
    assert len(values(found[0][1])) == 1


def test_other_results_are_no_charts(tmp_path):
    result = table(tmp_path, "first_order", "others", {}, CORRELATIONS)
    figure = Result(Path("no/such.svg"), "first_order", "correlations", "figure", "A", "", {})
    assert study_charts.make_charts("first_order", [result, figure]) == []
    assert study_charts.make_charts("published", [table(tmp_path, "published", "correlations", {}, CORRELATIONS)]) == []


def test_a_table_without_values_is_no_chart(tmp_path):
    rows = pd.DataFrame(CORRELATIONS)
    assert study_charts.make_charts("first_order", [table(tmp_path, "first_order", "correlations", {}, rows[:0])]) == []
    none = rows.assign(spearman=None)
    assert study_charts.make_charts("first_order", [table(tmp_path, "first_order", "correlations", {}, none)]) == []


def test_a_lacking_column_is_named(tmp_path):
    for lacking in ("spearman_p", "embedding", "corpus"):
        rows = pd.DataFrame(CORRELATIONS).drop(columns=lacking)
        with pytest.raises((ValueError, KeyError), match=lacking):
            study_charts.make_charts("first_order", [table(tmp_path, "first_order", "correlations", {}, rows)])


@pytest.mark.parametrize("study", study_charts.CHARTS)
def test_tables_are_those_that_rules_declare(study):
    """Each has its place in the rules of its study, as what the site shows."""
    files = [ROOT / f"rules/{study}.smk"] if (ROOT / f"rules/{study}.smk").is_file() else []
    text = "".join(file.read_text("utf-8") for file in [*files, *(ROOT / f"rules/{study}").glob("*.smk")])
    for name, *_ in study_charts.CHARTS[study]:
        assert f'"results/{study}/{name.replace("*/", "{pair}/")}.csv"' in text, name
