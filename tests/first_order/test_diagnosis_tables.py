"""Every column of the tables of the diagnosis (T2, F3–F5), by the paper's plain formulas."""

import numpy as np
import pandas as pd
import pytest

from scripts.first_order import diagnose_contexts, measure_factors
from tests.first_order.small import GROUPS, NEUTRAL, cos, debias, e, first_order, vector


def mean(embedding, words):
    return embedding.rows(words).astype(float).mean(axis=0)


def test_contexts_are_the_largest_parts_of_the_second_order_bias(setting, tmp_path, caplog):
    embedding, files, folder = setting
    caplog.set_level("INFO")
    asked, out = ["smith", "unheard", "nurse", "absent"], str(tmp_path / "contexts.csv")
    lists = list(files.lists.values())
    diagnose_contexts.main("wiki", "sg", str(folder / "sg"), files.lists["long"], lists, asked, 4, out)
    assert caplog.messages == ["occupations not in the vocabulary: absent, unheard"]
    table = pd.read_csv(out)
    names = ["occupation", "bias", "group", "rank", "context", "effect", "definitional"]
    assert list(table.columns) == ["corpus", "embedding", *names]
    assert set(table[["corpus", "embedding"]].itertuples(index=False, name=None)) == {("wiki", "sg")}
    rows = []
    for word in ("smith", "nurse"):
        o = e(embedding, vector(embedding, word))
        female, male = (e(embedding, mean(embedding, words)) for words in GROUPS.values())
        parts = (female / np.linalg.norm(female) - male / np.linalg.norm(male)) * o / np.linalg.norm(o)
        bias = cos(female, o) - cos(male, o)
        order = np.argsort(parts)
        for group, places in (("female", order[::-1][:4]), ("male", order[:4])):
            for rank, place in enumerate(places, 1):
                context = embedding.words[place]
                rows.append((word, bias, group, rank, context, parts[place], context in ("she", "woman", "he", "man")))
    expected = pd.DataFrame(rows, columns=names)
    pd.testing.assert_frame_equal(table[names], expected, rtol=1e-4, atol=1e-7)
    assert expected["definitional"].nunique() == 2


def test_contexts_of_unknown_words_are_an_error(setting, tmp_path):
    _, files, folder = setting
    given = ("wiki", "sg", str(folder / "sg"), files.lists["long"], [], ["unheard"], 4)
    with pytest.raises(
        ValueError, match=r"first_order\.diagnosis\.occupations: no occupation is in the vocabulary of .*sg"
    ):
        diagnose_contexts.main(*given, str(tmp_path / "out.csv"))


@pytest.fixture(scope="module")
def factors(setting):
    _, files, folder = setting
    lists, outs = list(files.lists.values()), [str(folder / "factors.csv"), str(folder / "bands.csv")]
    measure_factors.main("wiki", str(folder / "sg"), files.lists["short"], lists, files.occupations, *outs)
    return map(pd.read_csv, outs)


def test_factors_before_and_after_debiasing_on_the_scale_of_all_words(setting, factors):
    embedding, _, _ = setting
    table, bands = factors
    names = ["word", "mark", "neutral", "method", "state", "factor_female", "factor_male", "bias", "side", "corpus"]
    assert list(table.columns) == names
    assert set(table["corpus"]) | set(bands["corpus"]) == {"wiki"}
    plain = {
        "first_order": lambda of, word: first_order(embedding, of, [word]),
        "second_order_cosine": lambda of, word: cos(of, vector(embedding, word)),
    }
    words = ["nurse", "king", "smith", "clerk", "midwife", "man"]
    keys = [(method, state, word) for method in plain for state in ("original", "debiased") for word in words]
    assert list(table[["method", "state", "word"]].itertuples(index=False, name=None)) == keys
    assert dict(zip(table["word"], table["mark"], strict=True)) == dict(zip(words, "nmnnfn", strict=True))
    assert table["neutral"].eq(table["word"].isin(NEUTRAL)).all()
    summary = bands.set_index(["method", "state"])
    assert list(summary.index) == list(dict.fromkeys(key[:2] for key in keys))
    for method, factor in plain.items():
        every = np.array([[factor(vector(embedding, word), of) for of in ("she", "he")] for word in embedding.words])
        low, high = every.min(), every.max()
        band = np.abs(np.diff(every)).mean() / (high - low)
        for state in ("original", "debiased"):
            rows = table[(table["method"] == method) & (table["state"] == state)]
            for row in rows.itertuples():
                of = vector(embedding, row.word)
                of = debias(embedding, row.word) if state == "debiased" and row.neutral else of
                female, male = ((factor(of, word) - low) / (high - low) for word in ("she", "he"))
                assert [row.factor_female, row.factor_male] == pytest.approx([female, male], abs=1e-5)
                assert row.bias == pytest.approx(female - male, abs=1e-5)
                leaning = "female" if female > male else "male"
                assert row.side == (leaning if abs(female - male) > band else "unbiased")
            check_band(summary.loc[(method, state)], rows[rows["neutral"]], low, high, band)


def check_band(row, rows, low, high, band):
    """A row of bands.csv, from the rows of neutral words."""
    assert list(row.index) == [
        "corpus", "min_factor", "max_factor", "band", "n_neutral_occupations", "mean_absolute_bias", "mean_bias",
        "n_female", "n_male", "n_unbiased",
    ]  # fmt: skip
    scale = [row["min_factor"], row["max_factor"], row["band"]]
    assert scale == pytest.approx([low, high, band], rel=1e-4)
    assert row["n_neutral_occupations"] == 3
    assert row["mean_absolute_bias"] == pytest.approx(rows["bias"].abs().sum() / 3, rel=1e-3)
    assert row["mean_bias"] == pytest.approx(rows["bias"].sum() / 3, rel=1e-3)
    assert [row[f"n_{side}"] for side in ("female", "male", "unbiased")] == [
        sum(rows["side"] == side) for side in ("female", "male", "unbiased")
    ]
