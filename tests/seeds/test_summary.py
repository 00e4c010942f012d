"""Means, spreads and orders over seeds, by hand."""

import numpy as np
import pandas as pd
import pytest

from biassay.statistics.paired_tests import correct_holm
from biassay.studies.seeds import summary
from biassay.studies.seeds.tables import TABLES, Table, find_table

TABLE = Table(("of",), ("metric",), ("r2", "share"))


def tables():
    """Three seeds: a and b on x; b is undefined on y at seed 2, a at seed 3. The share of b is larger, on y equal."""
    rows = {"metric": ["a", "b", "a", "b"], "of": ["x", "x", "y", "y"], "share": [0.25, 0.75, 0.5, 0.5]}
    r2 = {1: [0.9, 0.4, 0.1, 0.2], 2: [0.8, 0.5, 0.3, np.nan], 3: [0.4, 0.6, np.nan, 0.7]}
    return {seed: pd.DataFrame(rows | {"r2": values}) for seed, values in r2.items()}


def test_means_and_spreads_between_seeds():
    found = summary.summarise(summary.gather_values(tables(), TABLE), TABLE).set_index(["quantity", "of", "metric"])
    std, half = np.std([0.9, 0.8, 0.4], ddof=1), 0.65724  # t = 4.3027 for 2 degrees of freedom, times std / √3
    expected = [3, 0.7, std, 0.4, 0.9, 0.7 - half, 0.7 + half]
    assert found.loc["r2", "x", "a"].tolist() == pytest.approx(expected, abs=1e-4)
    assert found.loc["r2", "y", "b"].tolist()[:5] == pytest.approx([2, 0.45, 0.5 / np.sqrt(2), 0.2, 0.7])
    assert found.loc["share", "y", "b"].tolist() == pytest.approx([3, 0.5, 0, 0.5, 0.5, 0.5, 0.5])
    assert len(found) == 8


def test_orders_of_the_seeds_that_both_have():
    found = summary.compare_pairs(summary.gather_values(tables(), TABLE), TABLE).set_index(["quantity", "of"])
    x, y = found.loc["r2", "x"], found.loc["r2", "y"]
    counts = ["n_seeds", "n_first_ahead", "n_second_ahead", "is_consistent"]
    assert x[["first", "second", *counts]].tolist() == ["a", "b", 3, 2, 1, False]
    assert (x["difference"], x["std"]) == pytest.approx((0.2, np.std([0.5, 0.3, -0.2], ddof=1)))
    assert y[counts].tolist() == [1, 0, 1, False]
    assert found.loc["share", "x"][["difference", *counts]].tolist() == [-0.5, 3, 0, 3, True]
    assert found.loc["share", "y"][["difference", *counts]].tolist() == [0, 3, 0, 0, False]
    assert len(found) == 4


def test_a_contender_has_several_columns_and_a_row_is_there_once():
    table = Table(("of",), ("embedding", "method"), ("r",))
    found = pd.DataFrame({"of": "x", "embedding": ["glove", "glove"], "method": ["cosine", "nnd"], "r": [0.3, 0.1]})
    row = summary.compare_pairs(summary.gather_values({1: found, 2: found}, table), table).iloc[0]
    assert row[["first", "second"]].tolist() == ["glove cosine", "glove nnd"]
    with pytest.raises(ValueError, match="seed 2: several rows have the same of, embedding, method"):
        summary.gather_values({1: found, 2: pd.concat([found, found])}, table)


def test_a_table_is_found_by_its_path():
    assert find_table("silhouette/planted/scores") is TABLES["silhouette/*/scores"]
    assert find_table("same/tables/sets") is TABLES["same/tables/sets"]


def test_cases_of_a_seed_are_averaged_and_compared_over_all_seeds():
    table = Table(("ground_truth",), ("metric",), ("r2",), cases=("model", "distribution"))
    found = {}
    for seed in range(4):
        rows = [(metric, model, model // 2, model != 5) for metric in ("a", "b") for model in range(6)]
        part = pd.DataFrame(rows, columns=["metric", "model", "distribution", "learned"]).assign(ground_truth="signed")
        lead = np.where(part["metric"] == "a", 0.1 + 0.01 * part["model"], 0)
        found[seed] = part.assign(r2=0.2 + 0.1 * seed + lead)
    values = summary.gather_values(found, table)
    means = summary.summarise(values, table).set_index("metric")
    assert means.loc["a", ["n_seeds", "mean", "min"]].tolist() == pytest.approx([4, 0.35 + 0.12, 0.2 + 0.12])
    (row,) = summary.compare_pairs(values, table).to_dict("records")
    assert (row["n_seeds"], row["n"], row["clusters"], row["is_consistent"]) == (4, 20, 12, True)
    assert row["difference"] == pytest.approx(0.12)
    assert row["low"] < 0.12 < row["high"]
    assert row["p"] == row["p_holm"] == pytest.approx(2 / 2**12)  # all twelve distributions turned


def test_a_difference_over_cases_is_that_of_its_interval_and_test():
    table = Table(("ground_truth",), ("metric",), ("r2",), cases=("model",))
    parts = {
        seed: pd.DataFrame(
            {
                "ground_truth": "p",
                "metric": ["a"] * n + ["b"] * n,
                "model": [*range(n)] * 2,
                "r2": [value] * n + [0.5] * n,
            }
        )
        for seed, n, value in ((1, 2, 0.9), (2, 8, 0.4))
    }
    (row,) = summary.compare_pairs(summary.gather_values(parts, table), table).to_dict("records")
    assert row["difference"] == pytest.approx((2 * 0.4 - 8 * 0.1) / 10, abs=1e-9)
    assert (row["n"], row["n_first_ahead"], row["n_second_ahead"]) == (10, 1, 1)


def test_seeds_are_ahead_by_the_cases_that_both_have():
    table = Table(("ground_truth",), ("metric",), ("r2",), cases=("model",))
    rows = [("a", 0, 0.9), ("a", 1, 0.1), ("b", 0, 0.8), ("b", 1, np.nan)]
    part = pd.DataFrame(rows, columns=["metric", "model", "r2"]).assign(ground_truth="p")
    (row,) = summary.compare_pairs(summary.gather_values({1: part, 2: part}, table), table).to_dict("records")
    assert (row["n_first_ahead"], row["n_second_ahead"], row["difference"]) == (2, 0, pytest.approx(0.1))


def test_no_model_kept_at_any_seed_leaves_empty_tables():
    table = Table(("ground_truth",), ("metric",), ("r2",), cases=("model", "distribution"))
    rows = {"ground_truth": "p", "metric": ["a", "b"], "model": 0, "distribution": 0, "r2": 0.5, "learned": False}
    none = pd.DataFrame(rows)
    one = pd.concat([none, none.assign(model=1, learned=True)])
    values = summary.gather_values({1: none, 2: none}, table)
    assert len(summary.summarise(values, table)) == len(summary.compare_pairs(values, table)) == 0
    known = summary.compare_pairs(summary.gather_values({1: one, 2: none}, table), table)
    assert summary.compare_pairs(values, table).columns.tolist() == known.columns.tolist()
    assert len(known) == 1


def test_the_family_of_a_correction_is_that_of_the_same_keys():
    table = Table(("ground_truth",), ("metric",), ("r2",), cases=("model",))
    keys = pd.MultiIndex.from_product([[*"pq"], [*"abc"], range(9)], names=["ground_truth", "metric", "model"])
    part = keys.to_frame(index=False).assign(r2=np.random.default_rng(1).normal(size=54))
    found = summary.compare_pairs(summary.gather_values({1: part}, table), table)
    for _, of in found.groupby("ground_truth"):
        assert of["p_holm"].tolist() == pytest.approx(correct_holm(of["p"].to_numpy()).tolist())


@pytest.mark.parametrize("path", TABLES)
def test_every_table_has_columns_for_its_orders(path):
    table = find_table(path.replace("*", "planted"))
    names = [*table.keys, *table.contenders, *table.cases]
    rows = [[f"{name}{i}" if name in table.contenders else 0 for name in names] for i in range(2)]
    one = pd.DataFrame(rows, columns=names).assign(**{key: [0.2, 0.1] for key in table.values})
    pairwise = summary.compare_pairs(summary.gather_values({1: one, 2: one}, table), table)
    assert (pairwise["n_first_ahead"] == 2).all()
    assert len(pairwise) == len(table.values)
    assert ("against" in pairwise) == bool({"first", "against"} & set(table.keys))  # `first` is the first contender
