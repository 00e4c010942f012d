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
        number("five", targets="equal same", published="1"),
    ]  # fmt: skip
    with caplog.at_level(logging.INFO):
        table, figure = run_tabulate(tmp_path, *rows, keep_default_na=False)
    assert list(table) == COLUMNS
    assert table[COLUMNS[:6]].to_numpy().tolist() == [
        ["one", "plane", "d", "1", 6, 0], ["one", "plane", "p", "", 6, 0], ["two", "plane", "d", "1", 6, 1],
        ["three", "plane", "d", "1", 5, 2], ["four", "plane", "direct_bias", "", 4, 0],
        ["five", "plane", "d", "1", 4, 0],
    ]  # fmt: skip
    ours = pd.to_numeric(table["computed"]).to_numpy()
    # Four: half less a points at 112.5°, and its jobs at 0° and 45°.
    assert ours == pytest.approx([D, P, D, np.nan, np.cos(3 * np.pi / 8), np.nan], abs=5e-4, nan_ok=True)
    assert table["published"].tolist() == ["0.96", "0.25", ".50", "1.5", "", "1"]
    assert pd.to_numeric(table["difference"]).to_numpy() == pytest.approx(
        [D - 0.96, P - 0.25, D - 0.5] + [np.nan] * 3, abs=5e-4, nan_ok=True
    )
    assert table["agrees"].tolist() == ["True", "False", "False", "", "", ""]
    assert table["reason"].tolist()[:3] == ["", "no word is missing", "1 of 7 words are missing"]
    assert table["reason"][3].startswith("lost: 1 of 3 words")
    assert table["reason"][4]
    assert "all associations s are equal" in table["reason"][5]
    assert table["missing_words"].tolist() == ["", "", "absent", "absent gone", "", ""]
    assert table["source"].tolist() == ["A, Table 1"] + ["Someone"] * 5
    assert "plane: 1 of 3 " in caplog.text
    drawn, published = (np.ma.filled(dots.get_offsets().astype(float), np.nan) for dots in figure.axes[0].collections)
    assert drawn[:, 0] == pytest.approx(ours[[0, 2, 3, 4, 5]], abs=5e-4, nan_ok=True)  # without p
    assert published[:, 0] == pytest.approx([0.96, 0.5, 1.5, np.nan, 1], nan_ok=True)


def test_capitals_tell_words_apart(tmp_path):
    """With ann, whose cosine with the direction is 0, in place of Ann it would be .07."""
    table, _ = run_tabulate(tmp_path, number(targets="named", quantity="direct_bias", published="0.42"))
    assert table["computed"][0] == pytest.approx((0.5**0.5 + 0.2 / 2**0.5) / 2, abs=5e-4)
    assert table["agrees"][0]
    assert table["n_missing"][0] == 0


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


def compute_p_row(distance, published="", permutations=99, seed=1):
    """The row of p of forty targets; half lie towards a, half towards b, at a distance in standard deviations."""
    random = np.random.default_rng(3)
    lists = {side: [f"{side}{n}" for n in range(20)] for side in "xy"}
    places = {"x": np.array([distance, 0]), "y": np.array([0, distance])}
    words = {word: places[side] + random.normal(size=2) for side in "xy" for word in lists[side]}
    words |= {"a": np.array([1.0, 0]), "b": np.array([0, 1.0])}
    of = published_numbers.PublishedNumber("t", "v", "p", lists, {"a": ["a"], "b": ["b"]}, published, "s")
    return numbers.compute_row(of, words, permutations=permutations, seed=seed)


@pytest.mark.parametrize(
    ("said", "agreed"), [("1e-2", True), ("1e-7", None), ("", None), ("0.010", True), ("0.002", None), ("0.5", False)]
)
def test_permutations_that_never_reach_the_number_bound_it_only(said, agreed):
    row = compute_p_row(100, said)
    assert (row["computed"], row["agrees"]) == (pytest.approx(0.01), agreed)
    assert row["reason"] == "none of 99 permutations reaches the observed value"


def test_the_seed_and_the_permutations_reach_the_test():
    found = set()
    for n, seed in ((99, 1), (99, 2), (49, 1)):
        p = compute_p_row(0, permutations=n, seed=seed)["computed"]
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
