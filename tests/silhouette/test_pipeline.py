"""The study on two small vector files, script by script: words, values, scores, error rates and comparisons."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay.studies.silhouette import false_positives, reassignment, reference
from scripts.silhouette import collect_words, measure, score
from tests.silhouette import study
from tests.silhouette.study import run_score

STEPS = {"groups": 2, "targets": 6}


def test_scores_are_sensible(results):
    table = results["scores"].set_index(["metric", "list"])
    weat, twice = table.xs("weat"), table.xs("twice")
    np.testing.assert_allclose(twice["value_biased"], 2 * weat["value_biased"], rtol=1e-5)  # without the fast path
    for column in ("robustness_biased", "robustness_unbiased", "accuracy", "auc", "words_needed_biased"):
        np.testing.assert_allclose(twice[column], weat[column], rtol=1e-5)
    assert (table.loc["same", "auc"] > 0.8).all()
    assert weat["n_words"].to_dict() == {"groups": 10, "targets": 9}  # "his" is missing, so "her" goes too
    assert table.loc["gweat", "relative"].all()
    assert table.loc["gweat", ["accuracy", "robustness_biased", "robustness_unbiased"]].isna().all(axis=None)
    assert table.loc["gweat", ["relative_accuracy", "reason"]].notna().all(axis=None)
    assert [kind for metric, kind in table.index if metric == "clustering"] == ["targets"]
    missing = results["missing"].set_index("group")
    assert missing.loc[["female", "male"], "unused_words"].tolist() == ["her", "his"]


def test_curves_tests_and_comparisons(results):
    curves = results["silhouettes"]
    last = curves[(curves["metric"] == "weat") & (curves["n_words"] == 10) & (curves["list"] == "groups")]
    np.testing.assert_allclose(last["min"], last["max"], atol=1e-9)  # all shuffles end with all words
    assert len(results["convergence"]) == 5 * 9
    rates = results["false_positives"].set_index(["metric", "form", "bias", "share"])
    assert set(rates.index.get_level_values("metric")) == {"weat", "same", "gweat", "twice"}
    parts = rates.loc["weat", "targets", "gender", 0.9]
    assert parts["test"] == reassignment.PUBLISHED
    reasons = results["p_values"].dropna(subset="reason")
    assert reasons[["metric", "form"]].to_numpy().tolist() == [["clustering", "groups"], ["clustering", "targets"]]
    assert (parts["n_biased"], parts["n_unbiased"]) == (5, 5)
    tests = results["comparisons"]
    own = tests[(tests["first"] == "weat") & (tests["second"] == "twice")]
    np.testing.assert_allclose(own["difference"], 0, atol=1e-6)  # twice WEAT, with twice the range
    assert (own["p_holm"] > 0.9).all()
    assert set(tests[tests["second"] == "gweat"]["score"]) == {"auc"}  # unbounded


def collect(folder, *biases):
    """The words and vectors of the study's two models, with biases whose lists are in files."""
    study.write_inputs(folder)
    paired = (folder / "gender.yaml").read_text().replace(" her,", "").replace(" his,", "")  # which one model lacks
    (folder / "gender.yaml").write_text(paired)
    (folder / "apart.yaml").write_text(paired.replace("paired: true", "paired: false"))
    models, words = (str(folder / name) for name in ("biased.txt", "unbiased.txt")), folder / "words/vectors.npz"
    lists = {bias: str(folder / f"{bias}.yaml") for bias in biases}
    collect_words.main(*models, lists, [], str(words), str(folder / "missing.csv"))
    return reference.Reference.open(words.parent)


def test_an_option_changes_the_range(tmp_path):
    """ρ of ECT, whose value without bias is 1, separates the models as 1 − ρ does."""
    words, scored = collect(tmp_path, "gender"), []
    for raw in (False, True):
        variant = {"metric": "ect", "options": {"raw": raw}, "range": None}
        np.savez(tmp_path / "ect.npz", **measure.measure_all(words, variant, 5, STEPS, 1))
        values = score.read_all({"ect": tmp_path / "ect.npz"}, [variant])
        scored.append([score.score_metric(one)[0]["auc"] for one in values])
    assert scored[1] == pytest.approx(scored[0])
    assert max(scored[0]) > 0.6


def test_weats_range_is_that_of_groups_of_these_sizes(tmp_path):
    words = collect(tmp_path, "gender")
    first, *_ = words.lists["gender"]["groups"].values()
    del first[2]
    m, n = len(first), 2 * len(first) + 1
    variant = {"metric": "weat", "options": {}, "range": None}
    arrays = measure.measure_all(replace(words, paired=[]), variant, 5, STEPS, 1)
    np.savez(tmp_path / "weat.npz", **arrays)
    ends = [one.declared[:2] for one in score.read_all({"weat": tmp_path / "weat.npz"}, [variant])]
    bound = n / np.sqrt(m * (n - m))  # more than 2
    assert ends == [pytest.approx((-bound, bound))] * 2


def test_a_bias_without_pairs_has_its_own_shuffles(tmp_path):
    variant = {"metric": "same", "options": {}, "range": None}
    both, alone = (
        measure.measure_all(collect(tmp_path, *biases), variant, 5, STEPS, 1)
        for biases in (("gender", "apart"), ("apart",))
    )
    np.testing.assert_array_equal(both["apart/groups/biased"], alone["apart/groups/biased"])
    assert (both["gender/groups/biased"] != both["apart/groups/biased"]).any()


def test_words_that_make_no_pairs_are_paired_anew_in_each_shuffle(tmp_path):
    variant = {"metric": "ripa", "options": {}, "range": None}
    arrays = measure.measure_all(collect(tmp_path, "gender", "apart"), variant, 5, STEPS, 1)
    paired, apart = (np.ptp(arrays[f"{bias}/targets/biased"][:, -1]) for bias in ("gender", "apart"))  # of all targets
    assert paired < 1e-9 < 1e-3 < apart


def test_comparisons_by_hand(tmp_path):
    """Values 0.6, 0.1 and 0.4 on the biased model, 0 on the other, in 6 equal shuffles."""
    metrics = {"a": ("same", 0.6), "b": ("same", 0.1), "c": ("ripa", 0.4)}
    for name, (_, value) in metrics.items():
        arrays = {"biased": np.full((6, 3), value), "unbiased": np.zeros((6, 3)), "words": np.array([2, 4, 6])}
        np.savez(tmp_path / f"{name}.npz", **{f"gender/groups/{part}": rows for part, rows in arrays.items()})
        pd.DataFrame(columns=false_positives.COLUMNS).to_csv(tmp_path / f"{name}_tests.csv", index=False)
    variants = [{"metric": metric, "options": {}, "range": None} for metric, _ in metrics.values()]
    values = {name: str(tmp_path / f"{name}.npz") for name in metrics}
    tests = [str(tmp_path / f"{name}_tests.csv") for name in metrics]
    table = run_score(tmp_path, variants, values, tests)["comparisons"]
    assert table.groupby("score", sort=False).size().to_dict() == {"accuracy": 1, "auc": 3, "steadiness": 1}
    row = table.iloc[0]
    assert row[["bias", "list", "first", "second", "n", "clusters"]].tolist() == ["gender", "groups", "a", "b", 6, 6]
    assert row["difference"] == pytest.approx(0.5 * (0.6 - 0.1) * 4 / 6, rel=1e-3)
    assert row["p"] == pytest.approx(2 / 2**6, rel=1e-3)
    assert row["p_holm"] == pytest.approx(5 * 2 / 2**6, rel=1e-3)  # of five tests, four without a difference
    assert (table[["p_holm", "difference"]].iloc[1:] == [1, 0]).all(axis=None)


@pytest.fixture
def models(tmp_path):
    """A cased GloVe file and a Numberbatch file of lower-case words with their prefix, of other dimensions."""
    random = np.random.default_rng(0)
    texts = {
        "glove.txt": (["Adam", "adam", "she", "he", "woman", "nurse", "doctor", "Anna", "her"], 4, ""),
        "numberbatch.txt": (["adam", "she", "he", "man", "woman", "nurse", "doctor", "anna", "his"], 3, "/c/en/"),
    }
    for name, (words, d, prefix) in texts.items():
        rows = [f"{prefix}{word} " + " ".join(f"{x:.3f}" for x in random.standard_normal(d)) for word in words]
        head = [f"{len(words)} {d}"] if prefix else []
        (tmp_path / name).write_text("\n".join(head + rows) + "\n")
    return {"biased": str(tmp_path / "glove.txt"), "unbiased": str(tmp_path / "numberbatch.txt")}


def make_lists(*groups, paired=False):
    targets = {"c": ["nurse", "midwife"], "d": ["doctor"]}
    return {"x": reference.Lists(dict(zip("ab", groups, strict=True)), targets, paired)}


WOMEN, MEN = ["she", "woman", "her", "Anna"], ["he", "man", "his", "Adam"]


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        (make_lists(WOMEN, MEN), [["she", "woman", "Anna"], ["he", "Adam"]]),  # those in both models
        (make_lists(WOMEN, MEN, paired=True), [["she", "Anna"], ["he", "Adam"]]),  # with their partners
        (make_lists(["Anna", "anna"], ["he"]), [["Anna"], ["he"]]),  # equal spellings count once
    ],
)
def test_words_that_are_in_both_models(models, lists, expected, tmp_path):
    words, missing = reference.collect_words(lists, models)
    assert list(words.lists["x"]["groups"].values()) == expected
    assert words.lists["x"]["targets"] == {"c": ["nurse"], "d": ["doctor"]}
    row = missing.set_index("group").loc["c"]
    assert row[["n_words", "n_in_biased", "n_used", "unused_words"]].tolist() == [2, 1, 1, "midwife"]
    words.save(tmp_path / "words")
    again = reference.Reference.open(tmp_path / "words")
    shapes = [rows.shape for rows in again.select_vectors("unbiased", "x", "groups")]
    assert shapes == [(len(part), 3) for part in expected]
    assert (again.lists, again.paired) == (words.lists, words.paired)


def test_words_in_two_lists(models, caplog):
    reference.collect_words(make_lists(["she", "Adam"], ["he", "adam"]), models)
    assert "both lists" not in caplog.text  # one model has both spellings
    reference.collect_words(make_lists(["she", "he"], ["he"]), models)
    assert "x: he: in both lists a and b of groups" in caplog.text
    with pytest.raises(ValueError, match="x: Nurse: in groups: a and in targets: c; expected in one list"):
        reference.collect_words(make_lists(["she", "Nurse"], ["he"]), models)


def test_a_list_without_words_in_both_models(models):
    with pytest.raises(ValueError, match="x: b: none of the 1 words is in both models"):
        reference.collect_words(make_lists(["she"], ["unheard"]), models)
