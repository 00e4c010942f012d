"""Pages of a tiny run: a complete site and report that need no network."""

import re

import pandas as pd

from biassay.report import plots
from tests import browser

STUDIES = ("first_order", "silhouette", "properties", "same", "intrinsic", "downstream")
PAGES = ["index", *(f"board/{study}" for study in STUDIES)]


def test_the_site_has_a_page_a_study_and_needs_no_network(finished):
    pages = {name: (finished / f"results/{name}.html").read_text("utf-8") for name in PAGES}
    assert sum(map(len, pages.values())) < 20e6
    for name, html in pages.items():
        assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']https?://", html), name
    assert "Correlations by representation" in pages["board/first_order"]
    board = pd.read_csv(finished / "results/board/board.csv")
    assert not board.duplicated(["metric", "criterion"]).any()
    assert (board["value"].notna() | board["note"].notna()).all()
    measured = board[board["value"].notna()].groupby("criterion").size()
    assert measured["accuracy"] == 6  # of metrics with a range
    assert measured["relative_accuracy"] == 7


def test_figures_fit_a_paper_and_their_text_has_seven_points(finished):
    figures = {path: path.read_text("utf-8") for path in (finished / "results").rglob("*.svg")}
    assert len(figures) > 20
    for path, svg in figures.items():
        assert float(re.search(r'<svg [^>]*width="([\d.]+)pt"', svg, re.DOTALL)[1]) <= 72 * plots.WIDTH, path
        assert min(map(float, re.findall(r"font(?:-size)?: ?[^;\"]*?([\d.]+)px", svg))) >= 7, path
        assert path.with_suffix(".pdf").exists()


@browser.needed
def test_every_page_of_the_site_is_whole_for_everybody(finished, chromium):
    for width, scheme in browser.LOOKS:
        for name in (
            PAGES if (width, scheme) == browser.LOOKS[0] else ["index", "board/first_order", "board/silhouette"]
        ):
            path = finished / f"results/{name}.html"
            with browser.opened(chromium, path, width=width, scheme=scheme) as (page, messages):
                browser.see_all(page)
                assert browser.overflowing(page) == [0, []], name
                assert browser.dead_links(page) == [], name
                assert width > 390 or browser.violations(page) == [], name  # which takes a while
                assert browser.errors(messages) == [], name
