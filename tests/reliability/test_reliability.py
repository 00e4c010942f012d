"""Frequency dependence and reliability of scores: known nulls, known effects, and what is scored how."""

import numpy as np
import pandas as pd
import pytest

from biassay.measurement import metric
from biassay.studies.reliability import scores, tables
from biassay.vectors.embedding import Embedding
from tests import scripted

COUNTS = np.round(np.geomspace(20_000, 20, 300)).astype(int)
WORDS = [f"w{number}" for number in range(300)]
GROUPS = [["she", "her"], ["he", "him"]]
NAMES = [name for group in GROUPS for name in group]
METRICS = ["weat", "same", "mac", "rnd", "second_order_cosine", "same_skew", "gweat", "ect"]


def embed(random, tilt=0.0):
    """Random vectors; `tilt` moves frequent words towards the first group."""
    vectors = random.normal(size=(304, 20)).astype(np.float32)
    direction = vectors[:2].mean(axis=0) - vectors[2:4].mean(axis=0)
    vectors[4:] += tilt * np.log10(COUNTS)[:, None] * direction
    return Embedding([*NAMES, *WORDS], vectors)


def slope_of(name, embedding, seed=1):
    sample = pd.Series(COUNTS, WORDS)
    values, counts = scores.score_by_frequency(metric.load(name), embedding, sample, GROUPS, 10, seed)
    return tables.compute_slope(values, counts, 200, seed)


@pytest.mark.parametrize("name", METRICS)
def test_intervals_of_vectors_independent_of_frequency_include_0_in_95_percent(name):
    rows = [slope_of(name, embed(np.random.default_rng(number)), number) for number in range(100)]
    is_word = rows[0]["n"] == 300
    min_coverage = 0.9 if is_word else 0.84  # of 30 sets: 90 to 95 %
    assert np.mean([row["low"] <= 0 <= row["high"] for row in rows]) >= min_coverage
    assert abs(np.mean([row["slope"] for row in rows])) < 0.06
    assert is_word == (scores.find_level(metric.load(name)) == "word")


@pytest.mark.parametrize("name", ["weat", "same", "same_skew", "rnd"])
def test_bias_towards_the_first_group_that_follows_frequency_has_a_slope(name):
    row = slope_of(name, embed(np.random.default_rng(0), tilt=0.5))
    assert row["slope"] > 0.5
    assert row["low"] > 0


def test_a_slope_is_pearsons_r_with_the_logarithm_and_undefined_scores_do_not_count():
    random = np.random.default_rng(1)
    values = random.normal(size=40)
    row = tables.compute_slope(np.append(values, np.nan), np.append(COUNTS[:40], 5), 50, 1)
    assert row["slope"] == pytest.approx(np.corrcoef(values, np.log(COUNTS[:40]))[0, 1])
    assert row["n"] == 40
    assert row["low"] < row["slope"] < row["high"]
    for constant in (np.ones(40), values[: tables.MIN_UNITS - 1]):
        assert np.isnan(tables.compute_slope(constant, COUNTS[: len(constant)], 50, 1)["slope"])


def test_means_by_frequency_by_hand():
    table = tables.average_by_frequency(np.array([1.0, 3.0, 5.0, np.nan]), np.array([10, 30, 100, 200]))
    assert table["log_count"].tolist() == [1.0, 2.0]
    assert table["n"].tolist() == [2, 1]
    assert table["mean"].tolist() == [2.0, 5.0]
    assert table["effect"][0] == pytest.approx(2 / np.sqrt(2))


def test_words_are_spread_over_frequencies():
    counts = pd.Series(np.repeat([10_000, 1000, 10], [1, 3, 996]))
    chosen = scores.spread_by_frequency(counts, 100)
    assert chosen.is_monotonic_decreasing
    assert not chosen.index.has_duplicates
    assert set(chosen) == {10_000, 1000, 10}
    logs = np.log(scores.spread_by_frequency(pd.Series(COUNTS), 50))
    assert len(logs) == 50
    np.testing.assert_allclose(np.diff(logs), np.diff(logs).mean(), atol=0.06)


def score_pairs(name, trainings, n=60):
    labels = np.arange(n) % 2
    pairs = [("she", "he"), ("her", "him")]
    return scores.score_pairs(metric.load(name), trainings, WORDS[:n], labels, pairs, 5, 1)


def test_scores_of_pairs_are_those_of_measure():
    trainings = [embed(np.random.default_rng(number)) for number in range(2)]
    by_pair = score_pairs("weat", trainings)
    assert by_pair.shape == (2, 2, 60)
    vectors = trainings[1].vectors.astype(float)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    np.testing.assert_allclose(by_pair[1, 0], unit[4:64] @ (unit[0] - unit[2]), atol=1e-6)  # she, her, he, him
    assert score_pairs("same_skew", trainings).shape == (2, 2, 12)
    assert score_pairs("clustering", trainings).shape == (2, 1, 12)  # no group words
    labels, pairs = np.repeat([0, 1], [55, 5]), [("she", "he")]
    few = scores.score_pairs(metric.load("gweat"), trainings, WORDS[:60], labels, pairs, 5, 1)
    assert few.shape == (2, 1, 5)  # as many sets as words of the rarer label


def test_reliability_of_trainings_that_are_equal_and_that_share_nothing():
    one, *others = [embed(np.random.default_rng(number)) for number in range(6)]
    same = tables.compute_reliability(score_pairs("weat", [one] * 3), 50, 1)
    assert same["test_retest"] == pytest.approx(1)
    assert np.isnan(same["test_retest_low"])  # in all resamples
    unlike = tables.compute_reliability(score_pairs("weat", others), 50, 1)
    assert abs(unlike["test_retest"]) < 0.15
    assert unlike["test_retest_low"] < 0.05
    assert abs(unlike["internal_pairs"]) < 0.6  # 2 pairs of random vectors
    once = tables.compute_reliability(score_pairs("weat", [one]), 50, 1)
    assert np.isnan(once["test_retest"])
    assert once["internal_pairs"] == pytest.approx(same["internal_pairs"])
    few = tables.compute_reliability(score_pairs("weat", [one] * 3, n=8), 50, 1)
    assert (few["n"], few["trainings"], few["pairs"]) == (8, 3, 2)
    assert np.isnan([few["test_retest"], few["internal_pairs"], few["internal_units"]]).all()


def test_reliability_by_hand():
    """Scores of 10 units, t + p with t 0 and 2 by training and p of units: no agreement of levels, one of orders."""
    units = np.arange(10.0)
    by_pair = np.stack([np.stack([units, 2 * units]), np.stack([units + 2, 2 * units + 2])])
    row = tables.compute_reliability(by_pair, 20, 1)
    between = units.var(ddof=1)
    each = [2 * between / (2 * between + 2 * 10 * 2 / 10) for between in (between, 4 * between)]  # raters: 20, of 10
    assert row["test_retest"] == pytest.approx(np.median(each))
    assert row["internal_pairs"] == pytest.approx(2 * (1 - 5 / 9))
    assert row["n"] == 10


def test_agreement_of_metrics_depends_on_scales_only_for_icc():
    random = np.random.default_rng(2)
    base = random.normal(size=(3, 2, 200))
    table = tables.compare_metrics({"a": base, "b": base + 1, "c": 10 * base, "d": -base}).set_index(
        ["first", "second"]
    )
    assert table["r"].round(6).tolist() == [1, 1, -1, 1, -1, -1]
    assert table["icc"]["a", "b"] == pytest.approx(1)
    assert table["icc"]["a", "c"] == pytest.approx(2 * 10 / 101)  # 2 cov / (var + var)
    assert table["icc"]["a", "d"] == pytest.approx(-1)
    assert tables.compare_metrics({}).empty


def test_the_tables_of_text_and_shuffled_text(tmp_path):
    folders = {}
    for number, name in enumerate(["text/a", "again", "shuffled/a"]):
        folders[name] = str(tmp_path / "embeddings" / name)
        embed(np.random.default_rng(number)).save(folders[name])
    counts = {corpus: tmp_path / corpus / "counts.npy" for corpus in ("text", "shuffled")}
    for path in counts.values():
        path.parent.mkdir()
        np.save(path, np.append([30_000] * 4, COUNTS))
        path.with_name("words.txt").write_text("\n".join([*NAMES, *WORDS]))
    (tmp_path / "pairs.yaml").write_text("{source: test, women: [she, her, gal], men: [he, him, guy]}")
    stereotypes = "".join(f"{word},{('female', 'male')[n % 2]}\n" for n, word in enumerate(WORDS[:60]))
    (tmp_path / "occupations.csv").write_text(f"word,stereotype\nunknown,female\n{stereotypes}")
    models = [
        {"corpus": "text", "is_shuffled": False, "embedding": "a", "trainings": 2},
        {"corpus": "shuffled", "is_shuffled": True, "embedding": "a", "trainings": 1},
    ]
    params = {"models": models, "metrics": {name: name for name in ("weat", "rnd", "first_order", "same_skew")}}
    params |= {"counts": list(counts), "n_words": 100, "set_size": 5, "resamples": 20, "seed": 1}
    made = {name: tmp_path / f"{name}.csv" for name in tables.COLUMNS}
    inputs = {"folders": list(folders.values()), "counts": list(counts.values()), "pairs": tmp_path / "pairs.yaml"}
    inputs["occupations"] = tmp_path / "occupations.csv"
    scripted.run("reliability/measure.py", input=inputs, output=made, params=params)
    found = {name: pd.read_csv(path) for name, path in made.items()}
    assert {name: list(table) for name, table in found.items()} == tables.COLUMNS
    keys = found["frequency"][["is_shuffled", "metric"]].to_numpy().tolist()  # no explicit values: no first_order
    assert keys == [[is_shuffled, name] for is_shuffled in (False, True) for name in ("weat", "rnd", "same_skew")]
    assert found["reliability"][["metric", "trainings", "pairs", "n"]].to_numpy().tolist() == [
        ["weat", 2, 2, 60], ["rnd", 2, 2, 60], ["same_skew", 2, 2, 12]
    ]  # fmt: skip
    assert found["agreement"][["first", "second", "n"]].to_numpy().tolist() == [["weat", "rnd", 60]]
    assert found["agreement"]["r"][0] > 0.99
    assert set(found["bins"]["metric"]) == {"weat", "rnd"}
    (tmp_path / "pairs.yaml").write_text("{source: test, women: [she, gal], men: [he, guy]}")
    with pytest.raises(ValueError, match=r"pairs\.yaml: expected at least 2 pairs in .*, got 1"):
        scripted.run("reliability/measure.py", input=inputs, output=made, params=params)
