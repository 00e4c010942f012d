"""Every column of the tables of correlations and comparisons, recomputed with scipy."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.statistics import correlation
from biassay.statistics.intervals import MIN_CLUSTERS, draw_resamples, expanded_levels
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.first_order.tables import KEYS, SIDES
from scripts.first_order import correlate

WORDS = [f"w{i}" for i in range(12)]
GIVEN = {"labor": dict(zip(WORDS[:9], [5, 90, 40, 33, 71, 12, 55, 60, 8], strict=True)) | {"unheard": 50}}
GIVEN["census"] = dict(zip(WORDS[2:], [20, 10, 70, 66, 35, 85, 52, 44, 31, 97], strict=True))
PLANTED = {word: 8 * ((7 * i) % 12) + 5.0 for i, word in enumerate(WORDS[1:], 1)}
PARTNERS = {"w2": "w11", "w5": "w3", "w7": "w4", "w8": "w6", "w10": "w9"}
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
FUNCTIONS = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}
TABLES = ("correlations", "comparisons", "confounding", "false_positives")
RESAMPLES, SEED = 40, 5


def run(folder, scores, statistics, ground_truths=()):
    """Run the script on scores and statistics by name, and return its tables by name."""
    scores.assign(signed=scores["method"] != "unsigned").to_csv(folder / "scores.csv", index=False)
    files = {}
    for name, values in statistics.items():
        files[name] = str(folder / f"{name}.csv")
        pd.Series(values, name="percent_female").rename_axis("word").to_csv(files[name])
    outs = {f"{name}_out": str(folder / f"{name}_table.csv") for name in TABLES}
    published = "resources/published/first_order.csv"
    correlate.main(
        [str(folder / "scores.csv")], files, list(ground_truths), published, RELATIVES, RESAMPLES, SEED, **outs
    )
    return {name: pd.read_csv(path) for name, path in zip(TABLES, outs.values(), strict=True)}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The tables, the biases that they are of, and the statistics of each corpus."""
    folder, random, rows = tmp_path_factory.mktemp("correlations"), np.random.default_rng(8), []
    shared = np.array([GIVEN["census"].get(word, 50) for word in WORDS]) / 30
    for corpus, better in (("wiki", "first_order"), ("control", "second_order_cosine"), ("text", "first_order")):
        for place in PLACES:
            for word_list in ("short", "long"):
                bias = shared + (0.3 if better in place else 1.5) * random.standard_normal(len(WORDS))
                rows += [(corpus, *place, word_list, word, value) for word, value in zip(WORDS, bias, strict=True)]
    scores = pd.DataFrame(rows, columns=[*KEYS, "word", "bias"])
    scores.loc[(scores["embedding"] == "ppmi_svd") & (scores["word"] == "w4"), "bias"] = np.nan
    ground_truths = []
    for corpus, percentages in (("wiki", PLANTED), ("control", dict.fromkeys(PLANTED, 50.0))):
        rows = [("gender", word, "female", "f" if word == "w1" else "n", p / 100, PARTNERS.get(word, ""))
                for word, p in percentages.items()]  # fmt: skip
        (folder / corpus).mkdir()
        ground_truths.append(str(folder / corpus / "ground_truth.csv"))
        columns = ["bias", "word", "group", "category", "probability", "partner"]
        pd.DataFrame(rows, columns=columns).to_csv(ground_truths[-1], index=False)
    planted = {word: p for word, p in PLANTED.items() if word != "w1"}
    of_wiki = {
        "planted": planted,
        "planted_confounded": {word: planted[word] for word in PARTNERS},
        "planted_clear": {word: p for word, p in planted.items() if word not in PARTNERS},
    }
    biases = {key: group.droplevel(KEYS) for key, group in scores.set_index([*KEYS, "word"])["bias"].groupby(KEYS)}
    return run(folder, scores, GIVEN, ground_truths), biases, {"wiki": GIVEN | of_wiki, "control": GIVEN, "text": GIVEN}


def select_common(percentages, *biases):
    """Words, percentages and biases of the words that have all."""
    words = [word for word in WORDS if word in percentages and all(np.isfinite(bias[word]) for bias in biases)]
    return words, np.array([percentages[word] for word in words], float), *(bias[words].to_numpy() for bias in biases)


def resample(function, words, x, y):
    """Correlations in resamples of whole groups of words: a partner and the words that have it."""
    numbers, names = pd.factorize(pd.Series(words).replace(PARTNERS))
    samples = [np.concatenate([np.flatnonzero(numbers == drawn) for drawn in sample])
               for sample in draw_resamples(len(names), RESAMPLES, SEED)]  # fmt: skip
    return np.array([function(x[cases], y[cases]).statistic for cases in samples])


def test_every_correlation(results):
    tables, biases, statistics = results
    table = tables["correlations"]
    lists = ("short", "long")
    rows = [(c, *place, name, s) for c in statistics for s in statistics[c] for place in PLACES for name in lists]
    assert list(table[[*KEYS, "statistics"]].itertuples(index=False, name=None)) == rows
    for row in table.to_dict("records"):
        bias = biases[tuple(row[key] for key in KEYS)]
        words, y, x = select_common(statistics[row["corpus"]][row["statistics"]], bias)
        assert row["n"] == len(x)
        for kind, function in FUNCTIONS.items():
            value, p = function(x, y)
            if kind == "spearman" and len(x) <= correlation.MAX_LISTED:  # p of all orders
                p = np.mean([abs(function(order, y).statistic) >= abs(value) - 1e-9 for order in permutations(x)])
            assert [row[kind], row[f"{kind}_p"]] == pytest.approx([value, p], rel=1e-4)
            if row["corpus"] == "wiki" and row["statistics"] == "census":
                n_groups = pd.Series(words).replace(PARTNERS).nunique()
                interval = np.nanpercentile(resample(function, words, x, y), expanded_levels(n_groups))
                assert [row[f"{kind}_low"], row[f"{kind}_high"]] == pytest.approx(interval, rel=1e-4)


def test_every_comparison(results):
    """First order with every second-order score of the same or a related embedding, on the words that have both."""
    tables, biases, statistics = results
    table, second = tables["comparisons"], ["second_embedding", "second_space", "second_method"]
    rest = ["statistics", "correlation", "n", *SIDES, "z", "p", "p_holm", "verdict"]
    assert list(table.columns) == [*KEYS, *second, *rest]
    assert len(table) == len(COMPARED) * 2 * len(FUNCTIONS) * sum(map(len, statistics.values()))
    pairs = {(*PLACES[first], *PLACES[other]) for first, other in COMPARED}
    assert set(table[[*KEYS[1:4], *second]].itertuples(index=False, name=None)) == pairs
    for row in table.to_dict("records"):
        first = tuple(row[key] for key in KEYS)
        other = (row["corpus"], *(row[name] for name in second), row["word_list"])
        words, y, *sides = select_common(statistics[row["corpus"]][row["statistics"]], biases[first], biases[other])
        function = FUNCTIONS[row["correlation"]]
        r = [function(*pair).statistic for pair in ((sides[0], y), (sides[1], y), sides)]
        assert row["n"] == len(y)
        assert [row["first_order"], row["second_order"]] == pytest.approx(r[:2], rel=1e-4, abs=1e-6)
        r = [value if abs(value) < 1 - 1e-9 else 1 for value in r]
        z, p = correlation.compare_dependent(*r, len(y))
        if row["corpus"] != "text":  # generated: whole groups are resampled
            resampled = np.array([resample(function, words, side, y) for side in sides])
            differences = np.subtract(*np.arctanh(np.where(abs(resampled) < 1 - 1e-9, resampled, np.nan)))
            is_compared = len(set(pd.Series(words).replace(PARTNERS))) >= MIN_CLUSTERS
            z = np.nan
            if is_compared and np.nanstd(differences) > 1e-9:
                z = np.subtract(*np.arctanh(r[:2])) / np.nanstd(differences, ddof=1)
            p = 2 * scipy.stats.norm.sf(abs(z))
        assert [row["z"], row["p"]] == pytest.approx([z, p], rel=1e-4, abs=1e-6, nan_ok=True)
        assert row["verdict"] == correlation.describe_test(z, row["p_holm"])
    assert set(table["verdict"]) == {"first", "second", "not significant", "undefined"}
    for _, family in table.groupby(["corpus", "word_list", "correlation", "second_method"]):
        np.testing.assert_allclose(family["p_holm"], correct_holm(family["p"].to_numpy()), rtol=1e-4)


def test_confounding_and_false_positives_are_of_their_corpora(results):
    counts = {name: results[0][name]["corpus"].value_counts().to_dict() for name in ("confounding", "false_positives")}
    assert counts == {"confounding": {"wiki": 2 * len(PLACES)}, "false_positives": {"control": len(PLACES)}}


def make_scores(*biases):
    """Scores of a first-order and a second-order score of words by list; None is undefined."""
    places = [("skipgram", "explicit", "first_order"), ("skipgram", "vectors", "second_order_cosine")]
    rows = [("wiki", *place, name, *pair) for place, bias in zip(places, biases, strict=True)
            for name in ("medium", "tiny") for pair in bias.items()]  # fmt: skip
    return pd.DataFrame(rows, columns=[*KEYS, "word", "bias"])


def test_scores_without_a_sign_are_not_correlated(tmp_path):
    words = {f"w{i}": i for i in range(8)}
    scores = make_scores(words, words)
    scores = pd.concat([scores, scores[scores["method"] != "first_order"].assign(method="unsigned")])
    tables = run(tmp_path, scores, {"labor": words})
    table = tables["correlations"].set_index("method")
    assert table["spearman"].groupby("method").count().to_dict() == {
        "first_order": 2, "second_order_cosine": 2, "unsigned": 0,
    }  # fmt: skip
    compared = tables["comparisons"]
    assert ((compared["verdict"] == "no sign") == (compared["second_method"] == "unsigned")).all()


@pytest.mark.parametrize("common", [2, 5])
def test_scores_that_share_few_words_are_compared_on_these(tmp_path, common):
    first = {f"w{i}": (i * 7) % 5 if i < 5 else None for i in range(10)}
    second = {f"w{i}": (i * i + 1) % 7 if i >= 5 - common else None for i in range(10)}
    tables = run(tmp_path, make_scores(first, second), {"labor": {f"w{i}": 10 * i for i in range(10)}})
    assert tables["correlations"]["n"].tolist() == [5, 5, 5 + common, 5 + common]
    assert set(tables["comparisons"]["n"]) == {common}
    assert set(tables["comparisons"]["verdict"]) == {"undefined" if common < 4 else "not significant"}
    assert tables["comparisons"]["first_order"].isna().all() == (common < 3)


def test_published_correlations_are_of_the_list_of_their_size(tmp_path):
    words = {f"w{i}": (i * 7) % 5 for i in range(8)}
    squares = {word: value**2 + 1 for word, value in words.items()}
    tables = run(tmp_path, make_scores(words, squares), {"labor": dict(zip(words, range(8), strict=True))})
    values = tables["correlations"][["spearman_published", "pearson_published"]]
    np.testing.assert_array_equal(values, [[np.nan, 0.64], [np.nan] * 2, [0.53, 0.55], [np.nan] * 2])
    rows = tables["comparisons"].set_index(["word_list", "correlation"])[["first_published", "second_published"]]
    np.testing.assert_array_equal(rows.loc[("medium", "spearman")], [np.nan, 0.53])
    np.testing.assert_array_equal(rows.loc[("medium", "pearson")], [0.64, 0.55])
    assert rows.loc["tiny"].isna().all(axis=None)
