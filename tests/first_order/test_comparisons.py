"""Comparisons of scores that lack words, and the published correlations beside ours."""

import numpy as np
import pandas as pd
import pytest

from scripts.first_order import correlate

PUBLISHED = "resources/published/first_order.csv"


def one(folder, biases, ground_truth):
    """Both tables of a first-order and a second-order score of words; None is undefined."""
    places = [("skipgram", "explicit", "first_order"), ("skipgram", "vectors", "second_order_cosine")]
    rows = [
        ("wiki", *place, name, *pair)
        for place, of in zip(places, biases, strict=True) for name in ("medium", "tiny") for pair in of.items()
    ]  # fmt: skip
    pd.DataFrame(rows, columns=[*correlate.KEYS, "word", "bias"]).to_csv(folder / "scores.csv", index=False)
    lines = [f"{word},{value}" for word, value in ground_truth.items()]
    (folder / "labor.csv").write_text("\n".join(["word,percent_female", *lines]) + "\n")
    outs = [str(folder / "correlations.csv"), str(folder / "comparisons.csv")]
    files = {"labor": str(folder / "labor.csv")}
    correlate.main([str(folder / "scores.csv")], files, [], PUBLISHED, {}, 20, 1, *outs)
    return map(pd.read_csv, outs)


@pytest.mark.parametrize("common", [0, 2, 5])
def test_scores_that_share_few_words_or_none_are_compared_on_these(tmp_path, common):
    ground_truth = {f"w{i}": 10 * i for i in range(10)}
    first = {f"w{i}": (i * 7) % 5 if i < 5 else None for i in range(10)}
    second = {f"w{i}": (i * i + 1) % 7 if i >= 5 - common else None for i in range(10)}
    table, compared = one(tmp_path, [first, second], ground_truth)
    assert table["n"].tolist() == [5, 5, 5 + common, 5 + common]
    assert table["spearman"].notna().all()
    assert set(compared["n"]) == {common}
    assert set(compared["verdict"]) == {"undefined" if common < 4 else "no difference"}
    assert compared["first_order"].isna().all() == (common < 3)


def test_published_correlations_stand_beside_the_list_of_their_size(tmp_path):
    words = {f"w{i}": (i * 7) % 5 for i in range(8)}
    squares = {word: value**2 + 1 for word, value in words.items()}
    table, compared = one(tmp_path, [words, squares], dict(zip(words, range(8), strict=True)))
    columns = ["method", "word_list", "spearman_published", "pearson_published"]
    np.testing.assert_array_equal(table[columns[2:]], [[np.nan, 0.64], [np.nan] * 2, [0.53, 0.55], [np.nan] * 2])
    shown = compared.set_index(["word_list", "correlation"])[["first_published", "second_published"]]
    np.testing.assert_array_equal(shown.loc[("medium", "spearman")], [np.nan, 0.53])
    np.testing.assert_array_equal(shown.loc[("medium", "pearson")], [0.64, 0.55])
    assert shown.loc["tiny"].isna().all(axis=None)
