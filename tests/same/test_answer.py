"""The study's answer page, findings and figures, from its tables."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from biassay.studies.same import findings, tables
from scripts.same import plot
from tests.markup import Page
from tests.same import believable, study
from tests.scripted import draw, run

NAN = np.nan
NAMES = ("correlations", "summary", "comparisons", "angles", "sets", "set_comparisons", "retraining_variability",
         "subsampling_variability")  # fmt: skip
STEPS = ["mild words", "one of Y replaced", "one of X replaced", "one of each replaced", "all replaced"]
FIGURES = ["words", "angles", "example", "examples", "retraining_variability", "subsampling_variability", "sets",
           "effect_size"]  # fmt: skip


def steps(effect_size=(2, 1.2, 1.3, 1.4, 1.9), same=(0.01, 0.06, 0.04, 0.1, 0.15)):
    """A table of the effect size."""
    words = {f"{side}_{i}": f"{side}{i}" for side in "xy" for i in (1, 2)}
    table = pd.DataFrame({"model": 3, "step": STEPS, **words, "effect_size": effect_size, "same": same})
    return table.assign(same_skew=0.1, same_stereotype=0.2, **{f"s_{name}": 0.1 for name in words})


@pytest.fixture(scope="module")
def results(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("steps") / "effect_size.csv"
    steps().to_csv(path, index=False)
    return {name: str(written[name]) for name in (*NAMES, "differences")} | {"effect_size": str(path)}


def answer(folder, models, results):
    """The page and the findings that the script writes."""
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    given = {"models": models, "results": list(results.values())}
    run("same/answer.py", input=given, params={"results": list(results), "min_r2": 0.65}, output=out)
    return Page(out["page"].read_text("utf-8")), pd.read_csv(out["findings"], keep_default_na=False)


def test_page_and_findings(written, found, results, tmp_path):
    page, table = answer(tmp_path, written["models"], results)
    summary = found["summary"].set_index(["ground_truth", "metric", "against"])
    assert page.texts["p"][0].startswith("15 of 18 models learned their bias")
    signed, unsigned, variability = ([[cell.text for cell in row] for row in rows] for rows in page.tables)
    assert [row[0] for row in signed[1:]] == ["WEAT", "SAME", "RIPA", "unmasking"]
    assert [row[0] for row in unsigned[1:]] == ["|WEAT|", "|SAME|", "MAC", "Direct Bias", "|RIPA|", "|0.5 − unmasking|"]
    row = summary.loc["signed", "weat", "training"]
    share = f"{100 * row['share_of_upper_bound']:.0f} % of the upper bound"
    expected = f"{row['r2_mean']:.2f} [{row['low']:.2f}, {row['high']:.2f}]{share}published about 0.41"
    assert "".join(signed[1][1].split("\n")) == expected
    assert signed[-1][2].strip() == "–"  # unmasking with itself
    assert signed[1][3] == f"{row['share_significant'] * row['models']:.0f} of {row['models']:.0f} models"
    r2 = found["sets"].query("metric == 'weat'")
    assert variability[1][3].split(", ") == [
        f"{r:.2f}{'*' * (p < 0.05)}" for r, p in zip(r2["r2"], r2["p_holm"], strict=True)
    ]
    assert table["result"].tolist() == [""] * 4 + [f"figures/{name}" for name in FIGURES]
    best = summary.xs(("unsigned", "training"), level=(0, 2)).drop("unmasking")["r2_mean"]
    assert f"(mean R² {best.max():.2f}" in table["sentence"][1]
    assert table["test"][0].startswith("paired permutation test over 9 distributions")
    assert not table["sentence"].str.contains("nan|None").any()


COLUMNS = {
    "correlations": "model learned ground_truth metric signed against n r2",
    "summary": "ground_truth metric against signed models r2_mean low high upper_bound share_of_upper_bound published",
    "comparisons": "ground_truth against first second clusters difference p_holm",
    "differences": "model r2_same r2_direct_bias difference angle",
    "sets": "metric signed against ground_truth n r2 low high p p_holm published",
    "set_comparisons": "against first second difference p_holm",
    "retraining_variability": "metric distributions difference low high noise_ratio note published",
    "subsampling_variability": "metric models deviation low high relative published",
    "effect_size": "model step effect_size same",
}


def without_scores():
    """Tables of a grid in which no model learned, by name."""
    angles = pd.DataFrame({"category": ["similar", "between", "worse"], "models": 0, "angle_mean": NAN,
                           "example_model": NAN, "note": "not < computable", "published": NAN})  # fmt: skip
    empty = {name: pd.DataFrame(columns=columns.split()) for name, columns in COLUMNS.items()}
    retraining = pd.DataFrame({"metric": ["weat"], "note": "one < two", "distributions": 0})
    retraining = retraining.reindex(columns=COLUMNS["retraining_variability"].split())
    return empty | {"angles": angles, "retraining_variability": retraining}


def test_tables_without_values(tmp_path):
    paths = {name: tmp_path / f"{name}.csv" for name in without_scores()}
    for name, table in without_scores().items():
        table.to_csv(paths[name], index=False)
    models = tmp_path / "models.csv"
    pd.DataFrame({"model": [0], "distribution": 0, "mean": 0.5, "spread": 0.1, "repeat": 0, "r2": [NAN],
                  "learned": [False]}).to_csv(models, index=False)  # fmt: skip
    page, table = answer(tmp_path, models, paths)
    assert "median –, minimum –" in " ".join(page.texts["p"][0].split())
    assert [cell.text.strip() for cell in page.tables[-1][1]] == ["WEAT", "one < two", "–", "–"]
    assert not table["sentence"].str.contains("nan").any()


def words(ground_truth="signed", **means):
    rows = {"ground_truth": ground_truth, "against": "training", "metric": list(means), "r2_mean": list(means.values())}
    table = pd.DataFrame(rows).assign(models=18, low=0.7, high=0.9)
    return table.assign(signed=~table["metric"].isin(["mac", "direct_bias"]))


def pairs(*rows):
    table = pd.DataFrame(rows, columns=["first", "second", "difference", "p_holm"])
    return table.assign(ground_truth="signed", against="training", clusters=11)


def test_leaders_of_words():
    tests = pairs(("weat", "mine", 0.4, 0.012))
    best = findings.find_best_words(words(weat=0.8, mine=0.4, unmasking=0.95), tests, "signed")
    assert (best["names"], best["mean"], best["is_below"]) == (["WEAT"], "0.80", True)
    assert "the lead over mine" in best["lead"]
    assert best["test"].startswith("paired permutation test over 11 distributions")
    tied = findings.find_best_words(words("unsigned", weat=0.401, mac=0.398, mine=0.1), pairs(), "unsigned")
    assert (tied["names"], tied["interval"], tied["test"]) == (["|WEAT|", "MAC"], "", "")
    assert not findings.find_best_words(words(mine=0.6, unmasking=0.5), pairs(), "signed")["is_below"]
    assert findings.find_best_words(words(weat=NAN, unmasking=0.9), pairs(), "signed") is None
    assert findings.find_best_words(words(unmasking=0.9), pairs(), "signed") is None


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (steps(), ["lower the effect size (from 2.00 to 1.20 and 1.30)", "raise SAME (from 0.01 to 0.06 and 0.04)"]),
        (steps((1.2, 1.5, 1.3, 1, 1)), ["raise the effect size"]),
        (steps(same=(0.05, 0.06, 0.04, 1, 1)), ["do not consistently change SAME"]),
        (steps()[:0], ["Too few occupations"]),
    ],
)
def test_findings_of_the_effect_size(table, expected):
    assert all(part in findings.describe_effect_size(table).sentence for part in expected)


@pytest.mark.parametrize(("similar", "worse", "expected"), [(4.2, 5.1, "larger"), (5.1, 4.2, "no larger"),
                                                            (4.19, 4.21, "no larger")])  # fmt: skip
def test_findings_of_angles_and_examples(similar, worse, expected):
    table = pd.DataFrame({"category": ["similar", "between", "worse"], "angle_mean": [similar, 1, worse],
                          "note": "none", "models": [7, 1, 8], "example_model": [3, 1, NAN]})  # fmt: skip
    finding = findings.describe_angles(table)
    assert f"is {expected} than" in " ".join(finding.sentence.split())
    assert finding.n == "15 models"
    keys = [("signed", "same", 3, 0.8), ("unsigned", "direct_bias", 3, 0.7)]
    r2 = pd.DataFrame(keys, columns=["ground_truth", "metric", "model", "r2"]).assign(against="training")
    assert "similar to SAME in model 3 (R² 0.70 and 0.80)" in findings.describe_examples(r2, table).sentence


def test_figures(written, found, results):
    given = {name: written[name] for name in ("models", "bias", "scores")} | {"results": list(results.values())}
    figures = draw("same/plot.py", FIGURES, input=given,
                   params={"scores": list(study.METRICS), "results": list(results)})  # fmt: skip
    axes = figures["words"].axes
    assert [len(axis.get_yticklabels()) for axis in axes[::2]] == [4, 6]
    means = found["summary"].query("ground_truth == 'signed' and against == 'training'")["r2_mean"]
    np.testing.assert_allclose(np.asarray(axes[0].containers[0].lines[0].get_xdata(), float), means)
    assert sum(axis.get_visible() for axis in figures["example"].axes) == 10
    drawn = figures["sets"].axes[0].images[0].get_array()
    np.testing.assert_allclose(np.asarray(drawn, float).ravel(), found["sets"]["r2"])
    for name in ("retraining_variability", "subsampling_variability"):
        column = {"retraining_variability": "difference", "subsampling_variability": "deviation"}[name]
        ours = figures[name].axes[0].collections[1].get_offsets()[:, 0]
        np.testing.assert_allclose(np.ma.filled(ours, NAN).astype(float), found[name][column].astype(float))
    points = [len(dots.get_offsets()) for dots in figures["angles"].axes[0].collections[:2]]
    assert sum(points) == found["differences"][["difference", "angle"]].notna().all(axis=1).sum()


def test_figures_without_values(tmp_path):
    believable.write(tmp_path, **believable.SMALL, occupations=4, metrics=["mac"], seed=1)
    grid, empty = tables.load_grid(tmp_path / "models.csv", tmp_path / "bias.csv"), without_scores()
    categories = empty["angles"].set_index("category")
    figures = [
        plot.draw_examples(grid, empty["correlations"], {}, categories),
        plot.draw_angles(empty["differences"].astype(float), categories),
        plot.draw_effect_size(empty["effect_size"], grid),
    ]
    assert "not < computable" in figures[0].axes[0].texts[0].get_text()
    assert "too few" in figures[2].axes[0].texts[0].get_text()
    plt.close("all")
