"""Every column of the tables of correlations and comparisons, recomputed with scipy; the page, from its table."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from scripts.first_order import correlate

KEYS = ["corpus", "embedding", "space", "method", "word_list"]
WORDS = [f"w{i}" for i in range(12)]
GIVEN = {"labor": dict(zip(WORDS[:9], [5, 90, 40, 33, 71, 12, 55, 60, 8], strict=True)) | {"unheard": 50}}
GIVEN["census"] = dict(zip(WORDS[2:], [20, 10, 70, 66, 35, 85, 52, 44, 31, 97], strict=True))
PLACES = [  # embedding, space, method
    ("sg", "explicit", "first_order"),
    ("ppmi", "explicit", "first_order"),
    ("sg", "vectors", "second_order_cosine"),
    ("ppmi", "explicit", "second_order_cosine"),
    ("ppmi_svd", "vectors", "second_order_cosine"),
    ("ppmi_svd", "vectors", "second_order_nnd"),
]
RELATIVES = {"sg": [], "ppmi": ["ppmi_svd"], "ppmi_svd": ["ppmi"]}
COMPARED = [(0, 2), (1, 3), (1, 4), (1, 5)]  # by their numbers: of the same or a related embedding
PAIRS = [(*PLACES[first], *PLACES[second]) for first, second in COMPARED]
FUNCTIONS = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}
PUBLISHED = "resources/published/first_order.csv"
BOOTSTRAP, SEED = 40, 5


def write_scores(folder):
    """Scores of two corpora in three files; a word of one embedding has none."""
    random, rows = np.random.default_rng(8), []
    shared = np.array([GIVEN["census"].get(word, 50) for word in WORDS]) / 30
    for corpus, better in (("wiki", "first_order"), ("control", "second_order_cosine")):
        for place in PLACES:
            for word_list in ("short", "long"):
                bias = shared + (0.3 if better in place else 1.5) * random.standard_normal(len(WORDS))
                rows += [(corpus, *place, word_list, word, value) for word, value in zip(WORDS, bias, strict=True)]
    table = pd.DataFrame(rows, columns=[*KEYS, "word", "bias"])
    table.loc[(table["embedding"] == "ppmi_svd") & (table["word"] == "w4"), "bias"] = np.nan
    paths = [str(folder / f"{name}.csv") for name in "abc"]
    for path, part in zip(paths, np.array_split(np.arange(len(table)), 3), strict=True):
        table.iloc[part].to_csv(path, index=False)
    return paths, table.set_index([*KEYS, "word"])["bias"]


def write_ground_truth(folder):
    """A table of what was planted in wiki; w1 is marked, w2 and w5 have partners."""
    ground_truth = {word: 0.05 + 0.08 * ((7 * i) % 12) for i, word in enumerate(WORDS[1:], 1)}
    rows = [("gender", word, "female", "f" if word == "w1" else "n", p, "") for word, p in ground_truth.items()]
    rows += [("gender", word, "male", "n", 1 - p, "") for word, p in ground_truth.items()]
    rows += [("religion", word, "female", "n", 0.5, "w2") for word in ground_truth]
    table = pd.DataFrame(rows, columns=["bias", "word", "group", "category", "probability", "partner"])
    table.loc[table["word"].isin(["w2", "w5", "w7", "w8", "w10"]), "partner"] = "w11"
    (folder / "wiki").mkdir()
    table.to_csv(folder / "wiki/ground_truth.csv", index=False)
    planted = {word: 100 * p for word, p in ground_truth.items() if word != "w1"}
    confounded = {word: planted[word] for word in ("w2", "w5", "w7", "w8", "w10")}
    clear = {word: p for word, p in planted.items() if word not in confounded}
    return str(folder / "wiki/ground_truth.csv"), {
        "planted": planted, "planted_confounded": confounded, "planted_clear": clear,
    }  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Both tables, the biases that they are of, and the ground truths of each corpus."""
    folder = tmp_path_factory.mktemp("correlations")
    scores, biases = write_scores(folder)
    ground_truth, planted = write_ground_truth(folder)
    files = {}
    for name, values in GIVEN.items():
        files[name] = str(folder / f"{name}.csv")
        lines = [f"{word},{value}" for word, value in values.items()]
        (folder / f"{name}.csv").write_text("\n".join(["word,percent_female", *lines]) + "\n")
    flat = folder / "control/ground_truth.csv"  # the unbiased control, where nothing can be correlated with
    flat.parent.mkdir()
    pd.read_csv(ground_truth).assign(probability=0.5).to_csv(flat, index=False)
    outs = [str(folder / "correlations.csv"), str(folder / "comparisons.csv")]
    correlate.main(scores, files, [str(flat), ground_truth], PUBLISHED, RELATIVES, BOOTSTRAP, SEED, *outs)
    return (
        *map(pd.read_csv, outs),
        {key: group.droplevel(KEYS) for key, group in biases.groupby(KEYS)},
        {"wiki": GIVEN | planted, "control": GIVEN},
    )


def both(ground_truth, *biases):
    """Truth and biases of the words that have all."""
    words = [word for word in WORDS if word in ground_truth and all(np.isfinite(bias[word]) for bias in biases)]
    return np.array([ground_truth[word] for word in words], float), *(bias[words].to_numpy() for bias in biases)


def test_every_correlation(found):
    table, _, biases, ground_truths = found
    kinds = [f"{kind}{part}" for kind in FUNCTIONS for part in ("", "_p", "_low", "_high", "_published")]
    assert list(table.columns) == [*KEYS, "statistics", "n", *kinds]
    lists = ("short", "long")
    rows = [(c, *place, name, s) for c in ground_truths for s in ground_truths[c] for place in PLACES for name in lists]
    assert list(table[[*KEYS, "statistics"]].itertuples(index=False, name=None)) == rows
    for row in table.to_dict("records"):
        y, x = both(ground_truths[row["corpus"]][row["statistics"]], biases[tuple(row[key] for key in KEYS)])
        assert row["n"] == len(x)
        resamples = np.random.default_rng(SEED).integers(0, len(x), (BOOTSTRAP, len(x)))
        for kind, function in FUNCTIONS.items():
            expected = function(x, y)
            assert [row[kind], row[f"{kind}_p"]] == pytest.approx([expected.statistic, expected.pvalue], rel=1e-4)
            if row["word_list"] == "long" and len(x) > 5:  # of fewer, resamples come out constant
                drawn = [function(x[cases], y[cases]).statistic for cases in resamples]
                ends = np.percentile(drawn, [2.5, 97.5])
                assert [row[f"{kind}_low"], row[f"{kind}_high"]] == pytest.approx(ends, rel=1e-4, abs=1e-6)


def steiger(r_1, r_2, r_12, n):
    """Steiger's (1980) Z̄1*, with Fisher's transforms written out."""
    mean = (r_1 + r_2) / 2
    psi = r_12 * (1 - 2 * mean**2) - mean**2 / 2 * (1 - 2 * mean**2 - r_12**2)
    fisher = [0.5 * np.log((1 + r) / (1 - r)) for r in (r_1, r_2)]
    z = np.sqrt(n - 3) * (fisher[0] - fisher[1]) / np.sqrt(2 - 2 * psi / (1 - mean**2) ** 2)
    return z, 2 * (1 - scipy.stats.norm.cdf(abs(z)))


def test_every_comparison(found):
    """First order against every second-order score of the same or a related embedding on the same list."""
    _, compared, biases, ground_truths = found
    second = ["second_embedding", "second_space", "second_method"]
    sides = [f"{side}_{part}" for side in ("first", "second") for part in ("order", "low", "high", "published")]
    rest = ["n", *sides, "steiger_z", "p", "p_holm", "verdict"]
    assert list(compared.columns) == [*KEYS, *second, "statistics", "correlation", *rest]
    keys = compared[[*KEYS[1:4], *second, "word_list", "corpus", "statistics", "correlation"]]
    assert set(keys.itertuples(index=False, name=None)) == {
        (*pair, word_list, corpus, statistics, kind)
        for pair in PAIRS for word_list in ("short", "long")
        for corpus, of_corpus in ground_truths.items() for statistics in of_corpus for kind in FUNCTIONS
    }  # fmt: skip
    assert len(keys.drop_duplicates()) == len(keys)
    for row in compared.to_dict("records"):
        first = tuple(row[key] for key in KEYS)
        other = (row["corpus"], *(row[name] for name in second), row["word_list"])
        ground_truth, x, y = both(ground_truths[row["corpus"]][row["statistics"]], biases[first], biases[other])
        r = [FUNCTIONS[row["correlation"]](*pair).statistic for pair in ((x, ground_truth), (y, ground_truth), (x, y))]
        assert row["n"] == len(x)
        assert [row["first_order"], row["second_order"]] == pytest.approx(r[:2], rel=1e-4, abs=1e-6)
        if len(x) > 3 and max(map(abs, r)) < 1 - 1e-9:
            assert [row["steiger_z"], row["p"]] == pytest.approx(steiger(*r, len(x)), rel=1e-4, abs=1e-6)
            ahead = "first" if r[0] > r[1] else "second"
            assert row["verdict"] == (ahead if row["p_holm"] < 0.05 else "no difference")
        else:
            assert row["verdict"] == "undefined"
    assert set(compared["verdict"]) == {"first", "second", "no difference", "undefined"}


def test_tests_are_corrected_over_what_one_table_shows(found):
    """All pairs and statistics of a corpus, list, kind of correlation and second method: m p, (m − 1) p, …"""
    compared = found[1]
    for _, family in compared.groupby(["corpus", "word_list", "correlation", "second_method"]):
        p = np.sort(family["p"].dropna())
        expected, least = [], 0.0
        for i, value in enumerate(p):
            least = max(least, (len(p) - i) * value)
            expected.append(min(least, 1))
        assert np.sort(family["p_holm"].dropna()) == pytest.approx(expected, rel=1e-4)
    assert ((compared["p"] < 0.05) & (compared["p_holm"] > 0.05)).any()


def test_intervals_of_both_sides_are_of_their_common_words(found):
    _, compared, biases, ground_truths = found
    rows = compared[(compared["word_list"] == "long") & (compared["statistics"] == "census")]
    assert set(rows["n"]) == {9, 10}
    for row in rows.to_dict("records"):
        other = (row["corpus"], row["second_embedding"], row["second_space"], row["second_method"], "long")
        ground_truth, *sides = both(
            ground_truths[row["corpus"]]["census"], biases[tuple(row[key] for key in KEYS)], biases[other]
        )
        resamples = np.random.default_rng(SEED).integers(0, len(ground_truth), (BOOTSTRAP, len(ground_truth)))
        for name, side in zip(("first", "second"), sides, strict=True):
            drawn = [FUNCTIONS[row["correlation"]](side[cases], ground_truth[cases]).statistic for cases in resamples]
            ends = np.percentile(drawn, [2.5, 97.5])
            assert [row[f"{name}_low"], row[f"{name}_high"]] == pytest.approx(ends, rel=1e-4, abs=1e-6)


def test_words_that_one_embedding_lacks_are_left_out_of_the_comparison_only(found):
    """w4 has no score on ppmi_svd: nine words of labor for first order alone, eight for the comparison."""
    table, compared, _, _ = found
    rows = table[(table["statistics"] == "labor") & (table["corpus"] == "wiki")]
    assert rows.groupby("embedding")["n"].unique().map(list).to_dict() == {"ppmi": [9], "ppmi_svd": [8], "sg": [9]}
    rows = compared[(compared["statistics"] == "labor") & (compared["embedding"] == "ppmi")]
    assert rows.groupby("second_embedding")["n"].unique().map(list).to_dict() == {"ppmi": [9], "ppmi_svd": [8]}
