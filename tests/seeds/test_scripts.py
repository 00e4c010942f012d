"""Tables and figures over seeds, through the scripts that make them."""

import numpy as np
import pandas as pd
import pytest

from tests import scripted

NAME = "same/tables/sets"


@pytest.fixture
def tables(tmp_path):
    """sets.csv of the seeds 4 and 7: two metrics and two biases."""
    for seed, values in {4: [0.9, 0.5, 0.8, 0.1], 7: [0.7, 0.6, 0.4, 0.3]}.items():
        table = pd.DataFrame({"metric": ["weat", "mac"] * 2, "against": ["training"] * 2 + ["unmasking"] * 2})
        table.assign(r2=values, ground_truth="signed").to_csv(tmp_path / f"{seed}.csv", index=False)
    return [tmp_path / "4.csv", tmp_path / "7.csv"]


def test_summary_and_orders(tables, tmp_path):
    out = {"summary": tmp_path / "summary.csv", "pairwise": tmp_path / "pairwise.csv"}
    scripted.run(
        "seeds/summarise.py", input={"tables": tables}, output=out, params={"seeds": [4, 7]}, wildcards={"table": NAME}
    )
    found = pd.read_csv(out["summary"]).set_index(["against", "metric"])
    assert found.loc[("training", "weat"), ["quantity", "n_seeds", "mean", "min", "max"]].tolist() == [
        "r2", 2, pytest.approx(0.8), 0.7, 0.9,
    ]  # fmt: skip
    pairwise = pd.read_csv(out["pairwise"]).set_index("against")
    assert pairwise.loc["training", ["first", "second", "difference", "is_consistent"]].tolist() == [
        "weat", "mac", pytest.approx(0.25), True,
    ]  # fmt: skip


def test_a_dot_a_seed_and_a_bar_their_mean(tables, tmp_path):
    drawn = []
    scripted.run(
        "seeds/plot.py", input={"tables": tables}, output={"svg": tmp_path / "a.svg", "png": tmp_path / "a.png"},
        params={"seeds": [4, 7], "main_list": "medium"}, wildcards={"table": NAME},
        replace={"biassay.report.plots.save": lambda figure, *paths: drawn.append((figure, paths))},
    )  # fmt: skip
    ((figure, paths),) = drawn
    assert paths == (str(tmp_path / "a.svg"), str(tmp_path / "a.png"))
    first, second = figure.axes
    assert (first.get_title(), second.get_title()) == ("signed\ntraining", "signed\nunmasking")
    assert first.get_xlabel() == "r2"
    assert figure.get_size_inches() == pytest.approx((1.8 + 2 * 1.9, 0.8 + 2 * 0.19))
    assert {axis.title.get_fontsize() for axis in figure.axes} == {8}
    assert {label.get_fontsize() for label in first.get_yticklabels()} == {7}
    assert first.get_xlim() == second.get_xlim()
    assert [label.get_text() for label in first.get_yticklabels()] == ["weat", "mac"]
    places = [np.round(found.get_offsets(), 6).tolist() for found in first.collections]
    assert sorted(places[0]) == [[0.5, -1], [0.6, -1], [0.7, 0], [0.9, 0]]
    assert sorted(places[1]) == [[0.55, -1], [0.8, 0]]
    assert sorted(np.round(second.collections[1].get_offsets(), 6).tolist()) == [[0.2, -1], [0.6, 0]]


def test_only_the_main_list_is_drawn_and_a_name_is_that_of_figures(tmp_path):
    rows = [("skipgram", "explicit", "first_order", word_list) for word_list in ("tiny", "medium")]
    table = pd.DataFrame(rows, columns=["embedding", "space", "method", "word_list"])
    table.assign(corpus="b", statistics="labor", spearman=[0.1, 0.2], pearson=0.9).to_csv(tmp_path / "t.csv")
    drawn = []
    scripted.run(
        "seeds/plot.py", input={"tables": [tmp_path / "t.csv"]}, output={"svg": "a.svg"},
        params={"seeds": [1], "main_list": "medium"}, wildcards={"table": "first_order/correlations"},
        replace={"biassay.report.plots.save": lambda figure, *paths: drawn.append(figure)},
    )  # fmt: skip
    (axis,) = drawn[0].axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["e-skipgram Λ1"]
    assert axis.collections[0].get_offsets().tolist() == [[0.2, 0]]


def test_a_table_without_keys(tmp_path):
    pd.DataFrame({"metric": ["weat", "mac"], "difference": [0.3, 0.2]}).to_csv(tmp_path / "1.csv", index=False)
    out, name = (
        {"summary": tmp_path / "summary.csv", "pairwise": tmp_path / "pairwise.csv"},
        "same/tables/retraining_variability",
    )
    inputs, params = {"tables": [tmp_path / "1.csv"] * 2}, {"seeds": [1, 2], "main_list": "medium"}
    scripted.run("seeds/summarise.py", input=inputs, output=out, params=params, wildcards={"table": name})
    found = pd.read_csv(out["pairwise"]).iloc[0]
    assert found[["quantity", "first", "second", "n_seeds", "is_consistent"]].tolist() == [
        "difference",
        "weat",
        "mac",
        2,
        True,
    ]
    drawn = []
    scripted.run(
        "seeds/plot.py", input=inputs, output={"svg": "a.svg"}, params=params, wildcards={"table": name},
        replace={"biassay.report.plots.save": lambda figure, *paths: drawn.append(figure)},
    )  # fmt: skip
    assert sorted(drawn[0].axes[0].collections[1].get_offsets().tolist()) == [[0.2, -1], [0.3, 0]]
