"""Tables, figures and the answer of the study of planted bias, from synthetic tables of a small and a large grid."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from scripts.same import answer, correlate, correlate_sets, measure_variability, plot_examples, plot_sets, plot_words
from tests.running import ROOT
from tests.same import believable
from tests.same.answers import steps

PUBLISHED = ROOT / "resources/published/same.csv"
TABLES = (
    "correlations", "summary", "comparisons", "differences", "angles", "directions", "sets", "set_comparisons"
)  # fmt: skip


def paths(folder, part, metrics):
    return {name: folder / f"{part}/{name}.csv" for name in metrics}


def tabulate(folder, metrics=believable.METRICS, resamples=100):
    """All tables, read back."""
    scores, subsets = (list(paths(folder, part, metrics).values()) for part in ("scores", "subsets"))
    out = {name: folder / f"{name}.out.csv" for name in (*TABLES, "retraining_variability", "subsampling_variability")}
    grid, names = (folder / "models.csv", folder / "bias.csv"), {name: name for name in metrics}
    first = {name: out[name] for name in TABLES[:6]}
    correlate.main(*grid, scores, folder / "directions.csv", PUBLISHED, names, resamples, 1, first)
    correlate_sets.main(*grid, scores, PUBLISHED, names, resamples, 1, out["sets"], out["set_comparisons"])
    second = (out["retraining_variability"], out["subsampling_variability"])
    measure_variability.main(*grid, scores, subsets, PUBLISHED, names, resamples, 1, *second)
    return {name: pd.read_csv(path) for name, path in out.items()}


def draw(folder, metrics=believable.METRICS):
    """All figures and the answer; the figures' paths."""
    out = {name: [str(folder / f"{name}.svg"), str(folder / f"{name}.png")] for name in "abcdefg"}
    table = {
        name: folder / f"{name}.out.csv" for name in (*TABLES, "retraining_variability", "subsampling_variability")
    }
    grid, scores = (folder / "models.csv", folder / "bias.csv"), paths(folder, "scores", metrics)
    plot_examples.main(*grid, scores, table["correlations"], table["angles"], out["a"], out["g"])
    given = [table[name] for name in ("correlations", "summary", "differences", "angles")]
    plot_words.main(*given, out["b"], out["c"])
    given = [table[name] for name in ("retraining_variability", "sets", "subsampling_variability")]
    plot_sets.main(*given, out["d"], out["e"], out["f"])
    steps().to_csv(folder / "effect_size.out.csv", index=False)
    names = (
        "correlations",
        "summary",
        "comparisons",
        "angles",
        "sets",
        "set_comparisons",
        "retraining_variability",
        "subsampling_variability",
    )
    given = [table[name] for name in names]
    out_of_answer = folder / "answer.html", folder / "findings.csv"
    answer.main(folder / "models.csv", *given, folder / "effect_size.out.csv", 0.7, *out_of_answer)
    return out


def is_drawn(svg, png):
    return ElementTree.parse(svg).getroot().tag.endswith("svg") and Path(png).read_bytes()[:4] == b"\x89PNG"


def rows(page):
    """Cells of the answer's last table by metric, without markup."""
    found = re.findall(r"<tr>(<th scope='row'>.*?)</tr>", page[page.rindex("<table") :])
    cells = [[re.sub(r"<[^>]+>", " ", cell).split() for cell in re.split("</t[hd]>", row)] for row in found]
    return {" ".join(row[0]): [" ".join(cell) for cell in row[1:]] for row in cells}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = believable.write(tmp_path_factory.mktemp("small"), **believable.SMALL)
    return folder, tabulate(folder)


def test_small_grid(small):
    folder, tables = small
    learned = pd.read_csv(folder / "models.csv")["learned"]
    summary = tables["summary"].set_index(["ground_truth", "metric", "against"])
    weat, same = (summary.loc[("signed", name, "training")] for name in ("weat", "same"))
    assert (weat["models"], weat["published"]) == (learned.sum(), 0.4)
    assert weat["r2_mean"] == pytest.approx(same["r2_mean"])  # they differ by a factor in a model
    assert same["low"] < same["r2_mean"] < same["high"] < summary.loc[("signed", "unmasking", "training"), "r2_mean"]
    assert not summary.loc[("unsigned", "direct_bias", "training"), "signed"]
    assert ("signed", "direct_bias", "training") not in summary.index
    alike = (
        tables["comparisons"]
        .set_index(["ground_truth", "against", "first", "second"])
        .loc[(slice(None), slice(None), "weat", "same"), "p"]
    )
    assert alike.tolist() == [1] * 4
    subsampling_variability = tables["subsampling_variability"].set_index("metric")
    assert subsampling_variability.index[subsampling_variability["relative"]].tolist() == ["ripa"]
    assert subsampling_variability.loc["weat", "published"] == 0.0397
    assert tables["angles"]["published"].tolist() == pytest.approx([10.859, np.nan, 17.551], nan_ok=True)
    sets = tables["sets"].set_index(["metric", "against"])
    assert sets.loc[("same_skew", "mean"), "published"] == 0.21
    assert sets["published"].count() == 1
    assert len(sets) == 21


def test_figures_and_answer(small):
    folder, tables = small
    assert all(is_drawn(*pair) for pair in draw(folder).values())
    page = (folder / "answer.html").read_text("utf-8")
    learned = pd.read_csv(folder / "models.csv")["learned"]
    assert f"{learned.sum()} of 18 models learned" in page
    assert f"{18 - learned.sum()} did not" in page
    assert not re.search(r"(src|href)=|nan", page)
    found = rows(page)
    assert list(found) == [*("WEAT", "SAME", "SAME skew", "SAME stereotype", "MAC", "Direct Bias", "RIPA"), "unmasking"]
    difference = tables["retraining_variability"].set_index("metric").loc["direct_bias", "difference"]
    assert found["Direct Bias"][0] == f"{difference:.3f} published 0.306"
    assert found["SAME skew"][0] == "–"
    assert "relative" in found["RIPA"][1]


@pytest.mark.parametrize("fail", [0, 1.0])
def test_one_repeat_or_no_model(tmp_path, fail):
    """With one repeat Table 2 is not computable; without models that learned their bias nothing is. Both say so."""
    believable.write(tmp_path, means=(0.4, 0.6), spreads=(0.2, 0.3), repeats=1, fail=fail)
    if fail:
        models = pd.read_csv(tmp_path / "models.csv")
        models.assign(learned=False).to_csv(tmp_path / "models.csv", index=False)
    tables = tabulate(tmp_path)
    assert tables["retraining_variability"]["difference"].isna().all()
    assert tables["sets"]["low"].isna().all()
    assert tables["summary"]["models"].tolist() == [0 if fail else 4] * 18
    assert all(is_drawn(*pair) for pair in draw(tmp_path).values())
    page = (tmp_path / "answer.html").read_text("utf-8")
    assert rows(page)["SAME"][0].startswith("not computable: ")
    assert ("No metric has scores that could be compared" in page) == bool(fail)


@pytest.mark.parametrize("metrics", [["mac", "same"], ["same_skew"]])
def test_any_choice_of_metrics(tmp_path, metrics):
    believable.write(tmp_path, **believable.SMALL, metrics=metrics)
    tables = tabulate(tmp_path, metrics)
    assert tables["angles"]["note"].str.startswith("not computable").all()
    assert all(is_drawn(*pair) for pair in draw(tmp_path, metrics).values())


def test_own_metrics(tmp_path):
    """A metric of one's own is read from its file, which says that its scores have no upper bound."""
    believable.write(tmp_path, **believable.SMALL, metrics=["mine"])
    own = tmp_path / "mine.py"
    own.write_text(
        "from biassay import Level, Metric\n"
        "METRIC = Metric(summary='', source='', set=Level(0.0, None))\n"
        "def set_bias(targets, groups):\n    return 0.0\n"
    )
    scores, subsets = [tmp_path / "scores/mine.csv"], [tmp_path / "subsets/mine.csv"]
    out = (tmp_path / "retraining_variability.csv", tmp_path / "subsampling_variability.csv")
    grid = (tmp_path / "models.csv", tmp_path / "bias.csv")
    measure_variability.main(*grid, scores, subsets, PUBLISHED, {"mine": str(own)}, 10, 1, *out)
    assert pd.read_csv(out[1])["relative"].tolist() == [True]


def test_330_models_have_their_tables(tmp_path):
    believable.write(tmp_path, **believable.LARGE, occupations=258)
    tables = tabulate(tmp_path, resamples=100)
    assert tables["retraining_variability"]["distributions"].min() > 60
