"""The study's findings and figures, from its tables."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from biassay.studies.same import findings, tables
from scripts.same import plot
from tests.same import study
from tests.scripted import draw

NAN = np.nan
STEPS = ["mild words", "one of Y replaced", "one of X replaced", "one of each replaced", "all replaced"]
FIGURES = ["words", "angles", "example", "examples", "retraining_variability", "subsampling_variability", "sets",
           "effect_size"]  # fmt: skip


def steps():
    """A table of the effect size."""
    table = pd.DataFrame({"model": 3, "step": STEPS, "effect_size": [2, 1.2, 1.3, 1.4, 1.9]})
    words = ["x_1", "x_2", "y_1", "y_2"]
    others = {"same": 0.1, "same_skew": 0.1, "same_stereotype": 0.2, **{f"s_{name}": 0.1 for name in words}}
    return table.assign(**{name: name for name in words}, **others)


@pytest.fixture(scope="module")
def results(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("steps") / "effect_size.csv"
    steps().to_csv(path, index=False)
    return {name: str(written[name]) for name in study.TABLES} | {"effect_size": str(path)}


def test_scores_that_fall_as_the_bias_grows_have_a_minus(found):
    sets = found["sets"].query("metric == 'weat'").assign(r=-0.5, r2=-0.25, p_holm=1)
    summary, correlations = found["summary"].copy(), found["correlations"].query("learned").copy()
    summary.loc[summary["metric"] == "weat", ["r2_mean", "low", "high"]] = -0.36, -0.4, -0.3
    correlations.loc[correlations["metric"] == "weat", ["r", "r2"]] = -0.6, -0.36
    image = plot.draw_sets(sets).axes[0].images[0].get_array()
    assert np.asarray(image, float).ravel().tolist() == [-0.25] * 3
    axis = plot.draw_words(correlations, summary).axes[0]
    assert float(axis.containers[0].lines[0].get_xdata()[0]) == pytest.approx(-0.36)
    plt.close("all")


def test_sets_that_follow_the_bias_rise_with_it():
    rows = [("weat", True, "mean", -0.9), ("same", False, "mean", 0.8), ("mac", False, "std", -0.8),
            ("ripa", False, "std", 0.7), ("weat", True, "std", 0.2)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["metric", "signed", "against", "r"]).assign(
        r2=lambda table: table["r"] * table["r"].abs()
    )
    table["ground_truth"] = np.where(table["against"] == "mean", "signed", "unsigned")
    sentence = findings.describe_sets(table.assign(p_holm=0.01, n=18, low=NAN, high=NAN)).sentence
    assert all(part in sentence for part in ("2 of 2", "RIPA", "0.49"))


@pytest.fixture(scope="module")
def without_scores(found):
    """Tables of a grid in which no model learned, by name."""
    empty = {name: found[name][:0] for name in study.TABLES} | {"effect_size": steps()[:0]}
    angles = found["angles"].assign(models=0, angle_mean=NAN, example_model=NAN, note="not < computable")
    retraining = found["retraining_variability"][:1].assign(difference=NAN, noise_ratio=NAN, note="one < two")
    return empty | {"angles": angles, "retraining_variability": retraining.assign(distributions=0)}


def words(ground_truth="signed", **means):
    rows = {"ground_truth": ground_truth, "against": "training", "metric": list(means), "r2_mean": list(means.values())}
    table = pd.DataFrame(rows).assign(models=18)
    table = table.assign(low=table["r2_mean"] - 0.1, high=table["r2_mean"] + 0.1)
    return table.assign(signed=~table["metric"].isin(["mac", "direct_bias"]))


def pairs(*rows):
    table = pd.DataFrame(rows, columns=["first", "second", "difference", "p_holm"])
    return table.assign(ground_truth="signed", against="training", clusters=11)


def test_leaders_of_words():
    tests = pairs(("weat", "mine", 0.4, 0.012))
    best = findings.find_best_words(words(weat=0.8, mine=0.4, unmasking=0.95), tests, "signed")
    assert (best["names"], best["mean"], best["upper_bound"]) == (["WEAT"], "0.80", 0.95)
    assert "mine" in best["lead"]
    assert "11" in best["test"]
    tied = findings.find_best_words(words("unsigned", weat=0.401, mac=0.398, mine=0.1), pairs(), "unsigned")
    assert (tied["names"], tied["interval"], tied["test"]) == (["|WEAT|", "MAC"], "", "")
    falling = words(weat=0.4, mac=-0.5)
    lead = findings.find_best_words(falling, pairs(("weat", "mac", 0.9, 0.01)), "signed")
    assert (lead["names"], lead["lead"]) == (["WEAT"], "the lead over MAC is significant (p = 0.010)")
    assert findings.find_best_words(words(weat=NAN, unmasking=0.9), pairs(), "signed") is None


@pytest.mark.parametrize(("low", "end"), [(-0.05, "WEAT (0.05 [−0.05, 0.15])"), (NAN, "WEAT (0.05, no interval)")])
def test_metrics_whose_interval_is_not_above_0_do_not_follow_the_bias(found, low, end):
    summary = words(weat=0.05, mine=0.01).assign(low=low)
    tables = found | {"summary": summary, "comparisons": pairs(("weat", "mine", 1, 0))}
    verdict, *_ = findings.describe_results(tables)
    follows, *_ = findings.describe_results(tables | {"summary": summary.assign(low=0.01)})
    assert follows.sentence.strip().startswith("WEAT follows the")
    assert verdict.test == ""
    assert f"{end},\nis not distinguishably above 0" in verdict.sentence
    second = findings.find_best_words(words(weat=0.05, mine=0.2), pairs(), "signed")
    assert second["names"] == ["mine"]


def test_figures_and_findings(written, found, results, tmp_path):
    given = {name: written[name] for name in ("models", "bias", "scores")} | {"results": list(results.values())}
    figures = draw("same/plot.py", FIGURES, input=given, output={"findings": tmp_path / "findings.csv"},
                   params={"metrics": {name: name for name in study.METRICS}, "results": list(results)})  # fmt: skip
    sentences = pd.read_csv(tmp_path / "findings.csv")["sentence"]
    assert len(sentences) == 4
    assert not sentences.str.contains("nan|None").any()
    axes = figures["words"].axes
    assert [len(axis.get_yticklabels()) for axis in axes[::2]] == [4, 6]
    means = found["summary"].query("ground_truth == 'signed' and against == 'training'")["r2_mean"]
    np.testing.assert_allclose(np.asarray(axes[0].containers[0].lines[0].get_xdata(), float), means, rtol=1e-5)
    assert sum(axis.get_visible() for axis in figures["example"].axes) == 10
    drawn = figures["sets"].axes[0].images[0].get_array()
    np.testing.assert_allclose(np.asarray(drawn, float).ravel(), found["sets"]["r2"])
    for name, column in (("retraining_variability", "difference"), ("subsampling_variability", "deviation")):
        ours = figures[name].axes[0].collections[1].get_offsets()[:, 0]
        expected = found[name][found[name]["metric"] != "ripa"] if name[0] == "s" else found[name]  # RIPA has no range
        np.testing.assert_allclose(np.ma.filled(ours, NAN).astype(float), expected[column].astype(float))
    points = [len(dots.get_offsets()) for dots in figures["angles"].axes[0].collections[:2]]
    assert sum(points) == found["differences"][["difference", "angle"]].notna().all(axis=1).sum()


def test_figures_and_findings_without_values(written, without_scores):
    grid, categories = tables.load_grid(written["models"], written["bias"]), without_scores["angles"]
    categories = categories.set_index("category")
    examples = plot.draw_examples(grid, without_scores["correlations"], {}, categories)
    assert "not < computable" in examples.axes[0].texts[0].get_text()
    assert not plot.draw_angles(without_scores["differences"], categories).axes[0].collections[0].get_offsets().size
    assert len(plot.draw_effect_size(without_scores["effect_size"], grid).axes[0].texts) == 1
    assert not any("nan" in finding.sentence for finding in findings.describe_results(without_scores))
    plt.close("all")
