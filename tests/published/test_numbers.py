"""The table of published numbers, against values worked out by hand."""

import logging

import numpy as np
import pandas as pd
import pytest

from biassay.studies.published import numbers
from biassay.words import published_numbers
from tests.published.small import D, P, number, write
from tests.scripted import draw

COLUMNS = ["test", "vectors", "quantity", "ddof", "n_found", "n_missing", "computed", "published", "difference",
           "agrees", "reason", "missing_words", "source"]  # fmt: skip


def run_tabulate(folder, *rows, **read):
    """The table of these rows, by number of the row, and the figure of them."""
    paths, out = write(folder, *rows), {"table": folder / "table.csv"}
    given = {"vectors": [paths["plane"]], "numbers": paths["numbers"], "word_lists": paths["word_lists"]}
    params = {"vectors": ["plane"], "permutations": 50, "seed": 1}
    figures = draw("published/tabulate.py", ["figure"], input=given, params=params, output=out)
    return pd.read_csv(out["table"], **read), figures["figure"]


def test_every_column(tmp_path, caplog):
    rows = [
        number("one", published="0.96", source="A, Table 1"), number("one", quantity="p", published="0.25"),
        number("two", targets="x partly", published=".50"), number("three", targets="x lost", published="1.5"),
        number("four", groups="equal first", quantity="direct_bias", targets="jobs"),
    ]  # fmt: skip
    with caplog.at_level(logging.INFO):
        table, figure = run_tabulate(tmp_path, *rows, keep_default_na=False)
    assert list(table) == COLUMNS
    assert table[COLUMNS[:6]].to_numpy().tolist() == [
        ["one", "plane", "d", "1", 6, 0], ["one", "plane", "p", "", 6, 0], ["two", "plane", "d", "1", 6, 1],
        ["three", "plane", "d", "1", 5, 2], ["four", "plane", "direct_bias", "", 4, 0],
    ]  # fmt: skip
    ours = pd.to_numeric(table["computed"]).to_numpy()
    # Four: half less a points at 112.5°, and its jobs at 0° and 45°.
    assert ours == pytest.approx([D, P, D, np.nan, np.cos(3 * np.pi / 8)], abs=5e-4, nan_ok=True)
    assert table["published"].tolist() == ["0.96", "0.25", ".50", "1.5", ""]
    assert pd.to_numeric(table["difference"]).to_numpy() == pytest.approx(
        [D - 0.96, P - 0.25, D - 0.5] + [np.nan] * 2, abs=5e-4, nan_ok=True
    )
    assert table["agrees"].tolist() == ["True", "False", "False", "", ""]
    assert table["reason"].tolist()[:3] == ["", "no word is missing", "1 of 7 words are missing"]
    assert table["reason"][3].startswith("lost: 1 of 3 words")
    assert table["reason"][4]
    assert table["missing_words"].tolist() == ["", "", "absent", "absent gone", ""]
    assert table["source"].tolist() == ["A, Table 1"] + ["Someone"] * 4
    assert "plane: 1 of 3 " in caplog.text
    drawn, published = (np.ma.filled(dots.get_offsets().astype(float), np.nan) for dots in figure.axes[0].collections)
    assert drawn[:, 0] == pytest.approx(ours[[0, 2, 3, 4]], abs=5e-4, nan_ok=True)  # without p
    assert published[:, 0] == pytest.approx([0.96, 0.5, 1.5, np.nan], nan_ok=True)


def test_capitals_tell_words_apart(tmp_path):
    """With ann, whose cosine with the direction is 0, in place of Ann it would be .07."""
    table, _ = run_tabulate(tmp_path, number(targets="named", quantity="direct_bias", published="0.42"))
    assert table["computed"][0] == pytest.approx((0.5**0.5 + 0.2 / 2**0.5) / 2, abs=5e-4)
    assert table["agrees"][0]
    assert table["n_missing"][0] == 0


def test_an_undefined_number_says_why():
    """Both targets lie in one direction, so that all associations are equal."""
    vectors = {"u": [1, 1], "v": [2, 2], "a": [1, 0], "b": [0, 1]}
    of = published_numbers.PublishedNumber(
        "t", "plane", "d", {"x": ["u"], "y": ["v"]}, {"first": ["a"], "second": ["b"]}, "1", "s"
    )
    arrays = {word: np.array(row, float) for word, row in vectors.items()}
    row = numbers.compute_row(of, arrays, permutations=1, seed=1)
    assert (np.isnan(row["computed"]), row["agrees"]) == (True, None)
    assert "all associations s are equal" in row["reason"]


@pytest.mark.parametrize(
    ("ours", "said", "expected"),
    [
        (1.5449, "1.54", True), (1.535, "1.54", True), (1.5346, "1.54", False), (1.5456, "1.54", False),
        (1.2967, "1.30", True), (1.2967, "1.3", True), (1.2947, "1.30", False), (1.34, "1.3", True),
        (-0.084, "-.08", True), (0.084, "-0.08", False), (2.4, "2", True),
        (0.0099, "1e-2", True), (0.0101, "1e-2", False),
        (1e-7, "1E-7", True), (0.5, "", None), (np.nan, "1.3", None),
    ],
)  # fmt: skip
def test_agreement_is_to_the_printed_digits_and_orders_are_bounds(ours, said, expected):
    assert numbers.agrees(ours, said) is expected


def far_out(published):
    """Forty targets, half of them near b and half near a: no partition is as far out as X and Y."""
    random = np.random.default_rng(3)
    words = {
        f"{side}{n}": at + random.normal(0, 0.01, 2) for side, at in (("x", [1, 0]), ("y", [0, 1])) for n in range(20)
    }
    lists = {side: [word for word in words if word[0] == side] for side in "xy"}
    words |= {"a": np.array([1.0, 0]), "b": np.array([0, 1.0])}
    of = published_numbers.PublishedNumber("t", "v", "p", lists, {"a": ["a"], "b": ["b"]}, published, "s")
    return numbers.compute_row(of, words, permutations=99, seed=1)


@pytest.mark.parametrize(
    ("said", "agreed"), [("1e-2", True), ("1e-7", None), ("", None), ("0.010", True), ("0.5", None)]
)
def test_permutations_that_never_reach_the_number_bound_it_only(said, agreed):
    row = far_out(said)
    assert (row["computed"], row["agrees"]) == (pytest.approx(0.01), agreed)
    assert row["reason"] == "none of 99 permutations reaches the observed value"


def test_the_seed_and_the_permutations_reach_the_test():
    random, found = np.random.default_rng(4), set()
    lists = {side: [f"{side}{n}" for n in range(20)] for side in "xy"}
    words = {word: random.normal(size=2) for word in [*lists["x"], *lists["y"], "a", "b"]}
    of = published_numbers.PublishedNumber("t", "v", "p", lists, {"a": ["a"], "b": ["b"]}, "", "s")
    for n, seed in ((99, 1), (99, 2), (49, 1)):
        p = numbers.compute_row(of, words, permutations=n, seed=seed)["computed"]
        assert p * (n + 1) == pytest.approx(round(p * (n + 1)))
        found.add(p)
    assert len(found) == 3


def test_what_is_shipped():
    """Sizes of the lists as the papers print them; each number is of both vectors, and p has no print."""
    tests = {}
    for one in published_numbers.read("resources/published/open_vectors.csv", "resources/words/published.yaml"):
        tests.setdefault((one.vectors, one.quantity), []).append(one)
    assert {key: len(rows) for key, rows in tests.items()} == {
        ("google_news", "d"): 10, ("google_news", "p"): 10, ("google_news", "direct_bias"): 1,
        ("glove_840b", "d"): 10, ("glove_840b", "p"): 10,
    }  # fmt: skip
    for name in ("google_news", "glove_840b"):
        effect_sizes, p_values = tests[name, "d"], tests[name, "p"]
        sizes = [[len(words) for lists in (n.targets, n.groups) for words in lists.values()] for n in effect_sizes]
        assert sizes == [*[[25] * 4] * 2, [32, 32, 25, 25], [16, 16, 25, 25], [16, 16, 8, 8], *[[8] * 4] * 3,
                         [6, 6, 7, 7], [8] * 4]  # fmt: skip
        assert all(one.published and "Caliskan" in one.source for one in effect_sizes)
        assert not any(one.published for one in p_values)
        assert [one.targets for one in p_values] == [one.targets for one in effect_sizes]
    (direct,) = tests["google_news", "direct_bias"]
    assert (len(direct.targets["professions"]), direct.published) == (320, "0.08")
    assert list(zip(*direct.groups.values(), strict=True))[-1] == ("Mary", "John")
