"""Every number of the study's page, against its tables."""

import re

import numpy as np
import pandas as pd
import pytest

from biassay.report.findings import describe_differences
from biassay.studies.same import verdicts
from tests.same import study
from tests.same.answers import NAMES, answer, name_of, short, steps

TABLES = ("models", "correlations", "summary", "comparisons", "angles", "sets", "set_comparisons",
          "retraining_variability", "subsampling_variability", "effect_size")  # fmt: skip
GROUND_TRUTHS = {"signed": ["weat", "same", "ripa", "unmasking"],
          "unsigned": ["weat", "same", "mac", "direct_bias", "ripa", "unmasking"]}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answer")
    paths = study.write(folder)
    paths["effect_size"] = folder / "effect_size.csv"
    steps().to_csv(paths["effect_size"], index=False)
    return study.read(paths), answer(folder, min_r2=0.65, **{name: paths[name] for name in TABLES})


def test_how_many_models_learned(made):
    tables, (sentences, *_, page) = made
    models = tables["models"]
    median, least = (short(value) for value in (np.median(models["r2"]), min(models["r2"])))
    assert sentences[0].startswith("15 of 18 models learned their bias")
    for fragment in ("at least 0.65", "; 3 did not", f"median {median}", f"minimum {least}."):
        assert fragment in sentences[0]
    assert "nan" not in page
    assert not re.search("<(html|head|body|h1|h2)", page)  # a part of a page, below the question as its heading


def test_the_sentences_are_those_of_the_tests(made):
    """One sentence per ground truth, from its own rows; then the set level."""
    tables, (sentences, _, page) = made
    summary, comparisons = tables["summary"], tables["comparisons"]
    assert sentences[1:3] == [verdicts.describe_words(summary, comparisons, name) for name in GROUND_TRUTHS]
    for sentence, ground_truth in zip(sentences[1:3], GROUND_TRUTHS, strict=True):
        rows = summary[(summary["against"] == "training") & (summary["ground_truth"] == ground_truth)].set_index(
            "metric"
        )["r2_mean"]
        upper_bound = rows.pop("unmasking")
        assert f"{name_of(ground_truth, rows.idxmax())} {short(rows.max())}" in sentence
        assert f"upper bound by unmasking: {short(upper_bound)}." in sentence
    headings = re.findall(r"<h3>(.*?)</h3>", page)
    assert headings[0].startswith("Direction and magnitude")
    assert headings[1].startswith("Magnitude only")
    names = {"mean": "the mean", "std": "the standard deviation", "absolute": "Σ|0.5 − p|"}
    for sentence, (against, name) in zip(sentences[3:6], names.items(), strict=True):
        tests = tables["set_comparisons"][tables["set_comparisons"]["against"] == against]
        bars = {metric: f"|{NAMES[metric]}|" for metric in ("weat", "same_skew") if against != "mean"}
        assert sentence == f"With {name}: {describe_differences(tests, NAMES | bars)}"


def test_tables_rows_and_columns(made):
    _, (_, found, _) = made
    for ground_truth, metrics in GROUND_TRUTHS.items():
        headings, rows = found[ground_truth]
        assert list(rows) == [name_of(ground_truth, metric) for metric in metrics]
        assert headings == ["metric", "R² with training bias", "R² with unmasking bias", "significant"]
        assert {len(cells) for cells in rows.values()} == {3}
    headings, rows = found["sets"]
    assert list(rows) == list(NAMES.values())
    assert headings[:3] == ["metric", "retraining variability", "subsampling variability"]
    assert headings[3].endswith("R² with mean, std, Σ|0.5 − p|")


@pytest.mark.parametrize("ground_truth", list(GROUND_TRUTHS))
@pytest.mark.parametrize(("column", "against"), [(0, "training"), (1, "unmasking")])
def test_cells_of_words(made, ground_truth, column, against):
    tables, (_, found, _) = made
    table = tables["summary"].query("against == @against and ground_truth == @ground_truth").set_index("metric")
    published = {("signed", "weat"): "published about 0.41", ("unsigned", "mac"): "published about 0.04",
                 ("unsigned", "direct_bias"): "published about 0.13"}  # fmt: skip
    for metric in GROUND_TRUTHS[ground_truth]:
        cell = found[ground_truth][1][name_of(ground_truth, metric)][column]
        if metric not in table.index:
            assert cell == {"text": "–", "small": None, "bar": None}
            continue
        row = table.loc[metric]
        assert cell["text"] == f"{short(row['r2_mean'])} [{short(row['low'])}, {short(row['high'])}]"
        if against == "unmasking":
            assert (cell["bar"], cell["small"]) == (None, None)
            continue
        share = round(100 * row["share_of_upper_bound"])
        notes = [] if metric == "unmasking" else [f"{share} % of the upper bound"]
        notes += [published[ground_truth, metric]] if (ground_truth, metric) in published else []
        assert cell["bar"] == share
        assert cell["small"] == (notes if len(notes) > 1 else notes[0] if notes else None)


def test_cells_of_significant_models_and_of_variability(made):
    tables, (_, found, _) = made
    correlations = tables["correlations"].query("against == 'training' and learned and p == p")
    for ground_truth, metrics in GROUND_TRUTHS.items():
        for metric in metrics:
            of = correlations[(correlations["metric"] == metric) & (correlations["ground_truth"] == ground_truth)]
            sees = [row.p < 0.05 and (row.r > 0 or not row.signed) for row in of.itertuples()]
            assert (
                found[ground_truth][1][name_of(ground_truth, metric)][2]["text"] == f"{sum(sees)} of {len(sees)} models"
            )
    repeats, halves = (
        tables[name].set_index("metric") for name in ("retraining_variability", "subsampling_variability")
    )
    published = [
        {"direct_bias": "published 0.306", "unmasking": "published 0.096"},
        {"mac": "published 0.0010", "same_skew": "published 0.0022", "ripa": "relative to the largest value"},
    ]
    for metric, name in NAMES.items():
        repeated, half, _ = found["sets"][1][name]
        assert repeated["text"] == (f"{repeats['difference'][metric]:.3f}" if metric in repeats.index else "–")
        assert half["text"] == (f"{halves['deviation'][metric]:.4f}" if metric in halves.index else "–")
        assert [repeated["small"], half["small"]] == [of_table.get(metric) for of_table in published]


def test_cells_of_sets(made):
    tables, (_, found, _) = made
    table = tables["sets"]
    table = table.assign(star=["*" * (p < 0.05) for p in study.holm(table["p"].tolist())])
    assert 0 < (table["star"] == "*").sum() < (table["p"] < 0.05).sum()  # the correction takes some away
    for metric, name in NAMES.items():
        of = table[table["metric"] == metric].set_index("against")
        cells = [short(of["r2"][kind]) + of["star"][kind] for kind in ("mean", "std", "absolute") if len(of)]
        assert found["sets"][1][name][2]["text"] == (", ".join(cells) or "–")


def test_what_is_missing(tmp_path):
    """Undefined values have a dash or a note; names are escaped; a bar ends at the upper bound."""
    nan = np.nan
    row = {"ground_truth": "signed", "against": "training", "signed": True, "models": 4, "low": nan, "high": nan,
           "r2_std": 0.1, "share_significant": 0.5, "share_negative": 0, "published": nan,
           "upper_bound": 0.4}  # fmt: skip
    means = {"a<b": 0.5, "mac": 0.1, "empty": nan, "unmasking": 0.4}
    summary = [
        {"metric": metric, "r2_mean": mean, "share_of_upper_bound": mean / 0.4, **row} for metric, mean in means.items()
    ]
    summary[2] |= {"models": 0, "share_significant": nan}
    sets = [{"metric": "mac", "signed": False, "ground_truth": "signed", "against": "mean", "published": nan}]
    sets[0] |= {"r2": nan, "p": nan, "p_holm": nan}
    sets += [sets[0] | {"ground_truth": "unsigned", "against": "std", "r2": 0.25, "p": 0.001, "p_holm": 0.05}]
    repeats = [{"metric": "weat", "difference": nan, "note": "one < two", "published": 0.15},
               {"metric": "mac", "difference": nan, "note": nan, "published": nan}]  # fmt: skip
    repeats = [row | {"distributions": 0, "low": nan, "high": nan, "noise_ratio": nan} for row in repeats]
    halves = [{"metric": "weat", "deviation": nan, "relative": False, "published": 0.04},
              {"metric": "mac", "deviation": 0.5, "relative": True, "published": 0.25}]  # fmt: skip
    halves = [row | {"models": 4, "low": nan, "high": nan} for row in halves]
    sets = [row | {"n": 4, "low": nan, "high": nan} for row in sets]
    angles = [{"category": group, "models": 0, "angle_mean": nan, "example_model": nan, "note": "not < computable"}
              for group in ("similar", "between", "worse")]  # fmt: skip
    of_models = {"ground_truth": ["signed"], "metric": "a<b", "signed": True, "against": "training", "model": 0,
    "learned": False,
                 "n": 3, "r2": nan}  # fmt: skip
    models = {"model": [0], "distribution": 0, "mean": 0.5, "spread": 0.1, "repeat": 0, "r2": [nan], "learned": [False]}
    tests = pd.DataFrame(columns=["ground_truth", "against", "first", "second", "clusters", "difference", "p_holm"])
    tables = {"models": models, "correlations": of_models, "summary": summary, "comparisons": tests, "angles": angles,
              "sets": sets, "set_comparisons": tests, "retraining_variability": repeats,
              "subsampling_variability": halves, "effect_size": steps()[:0]}  # fmt: skip
    for name, table in tables.items():
        pd.DataFrame(table).to_csv(tmp_path / f"{name}.csv", index=False)
    sentences, found, page = answer(tmp_path, **{name: tmp_path / f"{name}.csv" for name in tables})
    assert "; 1 did not" in sentences[0]
    assert "median –, minimum –." in sentences[0]
    assert sentences[1].startswith("Mean R²: a<b 0.50 and MAC 0.10; upper bound by unmasking: 0.40. No two metrics")
    assert sentences[2:4] == [verdicts.NO_SCORES, "With the mean: No two metrics could be compared."]
    assert page.count("a&lt;b") == 2
    findings = pd.read_csv(tmp_path / "findings.csv", keep_default_na=False)
    assert findings["sentence"][0].startswith("a<b follows the direction and magnitude")
    assert findings["sentence"][0].endswith("in 4 language models (mean R² 0.50; upper bound by unmasking 0.40).")
    assert not findings["sentence"].str.contains("nan|–").any()
    rows = found["signed"][1]
    assert rows["a&lt;b"][0] == {"text": "0.50", "small": "125 % of the upper bound", "bar": 100}
    assert [cell["text"] for cell in rows["empty"]] == ["–"] * 3
    assert found["unsigned"][1] == {}
    rows = found["sets"][1]
    assert [cell["text"] for cell in rows["WEAT"]] == ["one &lt; two", "–", "–"]
    assert rows["MAC"][0]["text"] == "–"
    assert rows["MAC"][1] == {
        "text": "0.5000", "small": ["relative to the largest value", "published 0.2500"], "bar": None
    }  # fmt: skip
    assert rows["MAC"][2]["text"] == "–, 0.25"
