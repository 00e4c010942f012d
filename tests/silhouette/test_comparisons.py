"""Tables of false positives and of comparisons, from small values and p-values, through their scripts."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.silhouette import false_positives
from scripts.silhouette import compare, count_false_positives
from tests import scripted

SAME = {"metric": "same", "options": {}, "range": None}
SKEW = {"metric": "same_skew", "options": {}, "range": None}
RIPA = {"metric": "ripa", "options": {}, "range": None}
WORDS = np.array([2, 4, 6])


def values(folder, name, biased, unbiased, bias="gender", kind="groups"):
    arrays = {"biased": np.array(biased, float), "unbiased": np.array(unbiased, float), "words": WORDS}
    path = folder / f"{name}.npz"
    np.savez(path, **{f"{bias}/{kind}/{part}": rows for part, rows in arrays.items()})
    return path


def p_values(folder, name, rows, test=false_positives.REASSIGNED):
    """p-values of parts of half of the words: (bias, model, p)."""
    table = pd.DataFrame(
        [[bias, model, 0.5, shuffle, test, p, 0.01] for shuffle, (bias, model, p) in enumerate(rows)],
        columns=false_positives.COLUMNS,
    )
    path = folder / f"{name}.csv"
    table.to_csv(path, index=False)
    return path


def counted(folder, tested, measured, variants):
    out = folder / "false_positives.csv"
    scripted.run(
        "silhouette/count_false_positives.py", input={"tests": tested, "values": measured}, output={"table": out},
        params={"names": list(variants), "variants": list(variants.values()), "share": 0.5},
    )  # fmt: skip
    return pd.read_csv(out, dtype={"p_unbiased": str, "p_biased": str})


def test_false_positives_by_hand(tmp_path):
    """Of 4 p-values on the unbiased model 2 are at most .05; on the biased one 2 of 2, both the least there can be."""
    rows = [("gender", "unbiased", p) for p in (0.05, 0.051, 0.01, 0.9)] + [("gender", "biased", 0.01)] * 2
    rows += [("religion", "unbiased", 0.5), ("religion", "biased", 0.02), ("religion", "biased", np.nan)]
    band = [[-0.2, 0.1, 0.3]] * 39 + [[0, 0.3, 0.3]]
    files = [
        values(tmp_path, "same", np.ones((2, 3)), np.zeros((2, 3))),
        values(tmp_path, "skew", np.ones((40, 3)), band),
    ]
    tested = [p_values(tmp_path, "same", rows), p_values(tmp_path, "skew", [])]
    table = counted(tmp_path, tested, files, {"same": SAME, "skew": SKEW})
    assert table[["metric", "test", "bias"]].to_numpy().tolist() == [
        ["same", false_positives.REASSIGNED, bias] for bias in ("all", "gender", "religion")
    ] + [["skew", "95 % of the shuffles", bias] for bias in ("all", "gender")]
    every, gender, religion, _, skew = table.to_dict("records")
    assert (gender["n_unbiased"], gender["false_positive_rate"], gender["n_biased"], gender["power"]) == (4, 0.5, 2, 1)
    # Wilson: centre (½ + z²/8) / (1 + z²/4), half width z √(¼/4 + z²/64) / (1 + z²/4), z² = 3.8415
    half = 1.96 * np.sqrt(1 / 16 + 3.8415 / 64) / (1 + 3.8415 / 4)
    assert (gender["false_positive_rate_low"], gender["false_positive_rate_high"]) == pytest.approx(
        (0.5 - half, 0.5 + half), abs=1e-3
    )
    assert (gender["p_unbiased"], gender["p_biased"]) == ("0.051", "<= 0.01")
    assert (religion["n_biased"], religion["power"], religion["p_biased"]) == (1, 1, "0.02")
    assert (every["n_unbiased"], every["false_positive_rate"]) == (5, 0.4)
    # at 3 of 6 words, the nearest size with words is the first; 39 of 40 orders lie at −.2, one at 0
    assert (skew["n_unbiased"], skew["false_positive_rate"], skew["power"], skew["share"]) == (1, 1, 1, 0.5)


def test_a_band_that_holds_b_0_concludes_no_bias():
    arrays = {"x/groups/words": WORDS, "x/groups/biased": np.array([[0, -1.0, 5], [0, 1, 5]]),
              "x/groups/unbiased": np.full((2, 3), np.nan)}  # fmt: skip
    (row,) = count_false_positives.test_bands(arrays, (-1, 1, 0.0, True), 0.7)
    assert (row[:5], row[-1]) == (["x", "biased", 0.7, "x/groups", "95 % of the shuffles"], False)
    (row,) = count_false_positives.test_bands(arrays, (-1, 1, -0.99, True), 0.7)
    assert row[-1]
    (row,) = count_false_positives.test_bands(arrays, (None, None, 0.0, True), 1.0)
    assert row[-1]
    for above, concluded in ((0, True), (2, False)):  # of 40 orders, 5 % are more than 2.5 % of a side
        arrays["x/groups/biased"] = np.repeat([[-0.2, 0, 0], [0.1, 0, 0]], [40 - above, above], axis=0)
        (row,) = count_false_positives.test_bands(arrays, (-1, 1, 0.0, True), 0.3)
        assert row[-1] == concluded
    for limits in ((0, 1, 0, False), (0, 1, 1, False), (0, 1, None, False)):
        assert not list(count_false_positives.test_bands(arrays, limits, 0.7))


def compared(folder, measured, variants):
    out = folder / "comparisons.csv"
    scripted.run(
        "silhouette/compare.py", input={"values": measured}, output={"table": out},
        params={"names": list(variants), "variants": list(variants.values()), "seed": 1},
    )  # fmt: skip
    return pd.read_csv(out)


def test_comparisons_by_hand(tmp_path):
    """Values .6, .1 and .4 on the biased model, 0 on the other, in 6 orders that all say the same."""
    rows = {"a": np.full((6, 3), 0.6), "b": np.full((6, 3), 0.1), "c": np.full((6, 3), 0.4)}
    files = [values(tmp_path, name, biased, np.zeros((6, 3))) for name, biased in rows.items()]
    table = compared(tmp_path, files, {"a": SAME, "b": SAME, "c": RIPA})
    assert table.groupby("score", sort=False).size().to_dict() == {"accuracy": 1, "auc": 3, "steadiness": 1}
    assert (table[["bias", "list"]].drop_duplicates().to_numpy() == [["gender", "groups"]]).all()
    row = table.iloc[0]
    assert (row["first"], row["second"], row["n"], row["clusters"]) == ("a", "b", 6, 6)
    assert row["difference"] == pytest.approx(0.5 * (0.6 - 0.1) * 4 / 6, rel=1e-3)
    assert row["p"] == pytest.approx(2 / 2**6, rel=1e-3)
    assert row["p_holm"] == pytest.approx(5 * 2 / 2**6, rel=1e-3)  # of five tests, four of which say nothing
    assert (table["p_holm"].iloc[1:] == 1).all()
    assert (table["difference"].iloc[1:] == 0).all()


def test_places_are_families_of_their_own():
    by_score = {"accuracy": {"a": np.arange(8.0) + 9, "b": np.arange(8.0)}, "auc": {}}
    table = compare.compare_metrics(by_score, 1)
    assert table["p_holm"].tolist() == table["p"].tolist() == pytest.approx([2 / 2**8])


def test_a_metric_without_test_or_band_and_one_alone_leave_empty_tables(tmp_path):
    """Its values cannot lie on both sides of b_0, and nothing was tested; there is no other to compare it with."""
    files = [values(tmp_path, "one", np.ones((4, 3)), np.zeros((4, 3)))]
    clustering = {"metric": "clustering", "options": {}, "range": None}
    table = counted(tmp_path, [p_values(tmp_path, "one", [])], files, {"one": clustering})
    kept = counted(tmp_path, [p_values(tmp_path, "one", [("gender", "biased", 0.5)])], files, {"one": clustering})
    assert (len(table), len(kept)) == (0, 2)
    assert table.columns.tolist() == kept.columns.tolist()
    out = tmp_path / "comparisons.csv"
    compare.main([str(files[0])], ["one"], [clustering], 1, str(out))
    assert out.read_text().strip() == "bias,list,score,first,second,n,clusters,difference,low,high,p,p_holm"
