"""Tables and figure over seeds, through the script that makes them."""

import numpy as np
import pandas as pd
import pytest

from tests.scripted import draw


def summarise(folder, tables, name):
    """Summarise tables by seed; return both tables and the figure."""
    paths = [folder / f"{seed}.csv" for seed in tables]
    for path, table in zip(paths, tables.values(), strict=True):
        table.to_csv(path, index=False)
    out = {name: folder / f"{name}.csv" for name in ("summary", "pairwise")}
    params, given = {"tables": list(tables), "main_list": "medium"}, {"tables": paths}
    figures = draw("seeds/summarise.py", ["figure"], input=given, params=params, wildcards={"table": name}, output=out)
    return *map(pd.read_csv, out.values()), figures["figure"]


def test_summary_orders_and_one_dot_per_seed(tmp_path):
    tables = {}
    for seed, values in {4: [0.9, 0.5, 0.8, 0.1], 7: [0.7, 0.6, 0.4, 0.3]}.items():
        table = pd.DataFrame({"metric": ["weat", "mac"] * 2, "against": ["training"] * 2 + ["unmasking"] * 2})
        tables[seed] = table.assign(r2=values, r=1, ground_truth="signed")
    summary, pairwise, figure = summarise(tmp_path, tables, "same/tables/sets")
    row = summary.set_index(["against", "metric"]).loc[("training", "weat")]
    assert row[["quantity", "n_seeds", "min", "max"]].tolist() == ["r2", 2, 0.7, 0.9]
    assert row["mean"] == pytest.approx(0.8)
    row = pairwise.set_index("against").loc["training"]
    assert row[["first", "second", "is_consistent"]].tolist() == ["weat", "mac", True]
    assert row["difference"] == pytest.approx(0.25)
    first, second = figure.axes
    assert (first.get_title(), second.get_title()) == ("signed\ntraining", "signed\nunmasking")
    assert [label.get_text() for label in first.get_yticklabels()] == ["weat", "mac"]
    dots, means = (np.round(part.get_offsets(), 6).tolist() for part in first.collections)
    assert sorted(dots) == [[0.5, -1], [0.6, -1], [0.7, 0], [0.9, 0]]
    assert sorted(means) == [[0.55, -1], [0.8, 0]]


def test_pairs_have_no_version_and_are_drawn(tmp_path):
    table = pd.DataFrame({"score": ["weat", "mac"] * 2, "version": ["raw"] * 2 + [""] * 2, "ranking_accuracy": 0.5})
    table = table.assign(form="declared", set="s", attribute="gender", group_words="raw", ground_truth="downstream")
    axes = summarise(tmp_path, {1: table}, "downstream/tables/ranking")[2].axes
    assert [len(axis.collections[0].get_offsets()) for axis in axes] == [2, 2]
    assert "nan" not in axes[1].get_title()


def test_only_the_main_list_is_drawn(tmp_path):
    rows = [("skipgram", "explicit", "first_order", word_list) for word_list in ("tiny", "medium")]
    table = pd.DataFrame(rows, columns=["embedding", "space", "method", "word_list"])
    table = table.assign(corpus="b", statistics="labor", spearman=[0.1, 0.2], pearson=0.9)
    (axis,) = summarise(tmp_path, {1: table}, "first_order/correlations")[2].axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["e-skipgram Λ1"]
    assert axis.collections[0].get_offsets().tolist() == [[0.2, 0]]
