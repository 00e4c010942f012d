"""Figures and the interactive page of the silhouette study, from synthetic scores."""

import base64
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from biassay.report import curves
from scripts.silhouette import plot, plot_interactive, plot_scores
from tests.running import ROOT
from tests.silhouette import believable

PUBLISHED = ROOT / "resources/published/silhouette.csv"
TEMPLATE = ROOT / "report/silhouette/interactive.html"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return believable.few(tmp_path_factory.mktemp("silhouette"))


def is_svg(path):
    return ElementTree.parse(path).getroot().tag.endswith("svg")


def test_figures_are_drawn(results, tmp_path):
    paths = {name: [str(tmp_path / f"{name}.svg"), str(tmp_path / f"{name}.png")] for name in "abcde"}
    silhouettes_csv, scores_csv = results / "silhouettes.csv", results / "scores.csv"
    plot.main(silhouettes_csv, scores_csv, "gender", paths["a"], paths["b"])
    converged = results / "convergence.csv"
    plot_scores.main(scores_csv, converged, PUBLISHED, paths["c"], paths["d"], paths["e"])
    for svg, png in paths.values():
        assert is_svg(svg)
        assert Path(png).read_bytes()[:4] == b"\x89PNG"


def drawn(results, silhouettes_csv, out):
    """The page's source and what it holds of each bias and list."""
    plot_interactive.main("corpora", silhouettes_csv, results / "scores.csv", TEMPLATE, out)
    page = out.read_text("utf-8")
    return page, json.loads(re.search(r"^const DATA = (.*);$", page, re.M).group(1))["panels"]


def decoded(panel, model):
    values = np.frombuffer(base64.b64decode(panel["models"][model]), "<f4").reshape(-1, len(panel["n_words"]))
    return pd.DataFrame(values.T, index=panel["n_words"], columns=plot_interactive.COLUMNS)


def test_interactive_page_holds_all_curves(results, tmp_path):
    page, shown = drawn(results, results / "silhouettes.csv", tmp_path / "page.html")
    assert not re.search(r"(src|href)=", page)
    assert list(shown) == [f"{b}, {kind}" for b in ("gender", "ethnicity") for kind in ("social groups", "targets")]
    assert all(len(panels) == 4 for panels in shown.values())
    panel = shown["ethnicity, targets"][1]
    assert (panel["name"], panel["whole"], panel["b_0"]) == ("WEAT", [-2, 2], 0)
    table = pd.read_csv(results / "silhouettes.csv")
    table = curves.select_rows(table, bias="ethnicity", list="targets", metric="weat", model="unbiased").set_index(
        "n_words"
    )
    found = decoded(panel, "unbiased")
    np.testing.assert_allclose(found, table.loc[found.index, found.columns], rtol=1e-6)
    assert shown["gender, social groups"][2]["b_0"] is None


def test_interactive_page_starts_with_gender_and_its_fragment_can_stand_in_another_page(results, tmp_path):
    """Whatever the order of the scores; nothing in the fragment is found by an id that another could have."""
    scores = pd.read_csv(results / "scores.csv")
    scores.sort_values("bias", kind="stable").to_csv(tmp_path / "scores.csv", index=False)
    plot_interactive.main(
        "corpora", results / "silhouettes.csv", tmp_path / "scores.csv", TEMPLATE, tmp_path / "i.html"
    )
    page = (tmp_path / "i.html").read_text("utf-8")
    shown = json.loads(re.search(r"^const DATA = (.*);$", page, re.M).group(1))["panels"]
    assert next(iter(shown)) == "gender, social groups"
    fragment = re.search(r"<!-- fragment.*?-->\n(.*)<!-- end of the fragment -->", page, re.S).group(1)
    assert fragment.startswith('<section class="silhouettes"')
    assert fragment.rstrip().endswith("</section>")
    assert " id=" not in fragment
    assert "getElementById" not in fragment
    rules = re.search(r"<style>(.*?)</style>", fragment, re.S).group(1)
    selectors = [part for rule in re.findall(r"([^{}]+)\{", rules) for part in rule.split(",")]
    assert all(selector.strip().startswith(".silhouettes ") for selector in selectors)


def test_interactive_page_is_small_enough_for_a_report(tmp_path, monkeypatch):
    """Long curves are thinned so far that the page is below Chromium's limit for pages inside of pages."""
    believable.write(tmp_path, long=6484, shuffles=3)
    _, shown = drawn(tmp_path, tmp_path / "silhouettes.csv", tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 1.5e6
    assert len(shown["ethnicity, targets"][0]["n_words"]) == 300
    monkeypatch.setattr(plot_interactive, "MAX_POINTS", 7200)
    _, shown = drawn(tmp_path, tmp_path / "silhouettes.csv", tmp_path / "page.html")
    assert len(shown["ethnicity, targets"][0]["n_words"]) == 7200 // (9 * 2 * 2 * 2)


def test_a_curve_without_values_leaves_a_gap(results, tmp_path):
    """With few words a metric may have no value in any shuffle."""
    table = pd.read_csv(results / "silhouettes.csv")
    values = ["min", "max", "mean", "q05", "q25", "q75", "q95"]
    table.loc[table["n_words"] <= 4, values] = np.nan
    table.to_csv(tmp_path / "gaps.csv", index=False)
    plot.main(tmp_path / "gaps.csv", results / "scores.csv", "gender", [str(tmp_path / "a.svg")], [])
    _, shown = drawn(results, tmp_path / "gaps.csv", tmp_path / "page.html")
    values = decoded(shown["gender, social groups"][0], "biased")
    assert values.loc[:4, "mean"].isna().all()
    assert values.loc[5:, "mean"].notna().all()
