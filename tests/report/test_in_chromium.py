"""Pages of results in a browser: nothing cut, nothing dead, menus and tables that work, readable by anybody."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from biassay.report import charts, plots, rendering, study
from biassay.report.results import find_results
from tests import browser

pytestmark = browser.needed
QUESTIONS = {"first_order": "Does it count?", "same": "Does a metric see it?"}
CELL = 'with "quotes", a comma and <i>markup</i>'  # a word of somebody's corpus, which is no part of the page
LONG = "a_name_of_a_column_that_is_rather_long"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A study's page with a figure, a chart, a wide table and a fragment; the pages that it leads to are there."""
    results = tmp_path_factory.mktemp("site") / "results"
    (results / "board").mkdir(parents=True)
    (results / "same/figures").mkdir(parents=True)
    figure, axis = plt.subplots()
    axis.plot([1, 2], [3, 4], "o")
    axis.set_xlabel("share of male pronouns")
    plots.save(figure, *(str(results / f"same/figures/words.{kind}") for kind in ("svg", "png")))
    table = pd.DataFrame({"metric": ["weat", CELL] * 20, "r2": np.arange(40) / 40})
    table = table.assign(**{f"{LONG}_{number}": number for number in range(12)})
    table.to_csv(results / "same/words.csv", index=False)
    (results / "caption.rst").write_text("What *it* is.")
    declared = [{"path": f"results/same/{path}", "title": title, "caption": str(results / "caption.rst")}
                for path, title in (("figures/words.svg", "Words"), ("words.csv", "Scores of words"))]  # fmt: skip
    files = [results / "same/figures/words.svg", results / "same/words.csv"]
    scores = {
        "metric": ["weat", "mac"] * 2,
        "ground_truth": ["signed"] * 2 + ["unsigned"] * 2,
        "r2": [0.1, 0.2, 0.3, 0.4],
    }
    dots = charts.draw_dots(pd.DataFrame(scores), value="r2", by="metric", filters=["ground_truth"])
    out = results / "board/same.html"
    context = study.make_context(
        "same", find_results(files, declared), questions=QUESTIONS,
        findings={"": [study.Finding("It does.", "a test", "3 models")]}, answer="<h3>Answer</h3><p>Yes.</p>",
        charts=[("Dots", dots)], config={"a": 1}, seed=1, page=out,
    )  # fmt: skip
    rendering.write_page(out, "study.html", context)
    for other in (results / "index.html", results / "board/first_order.html"):
        other.write_text("")
    return out


@pytest.fixture(scope="module")
def chromium():
    with browser.chromium() as found:
        yield found


@pytest.mark.parametrize("width", browser.WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_nothing_is_dead_and_anybody_can_read_it(chromium, page, width, scheme):
    with browser.opened(chromium, page, width=width, scheme=scheme) as (seen, said):
        browser.seen_whole(seen)
        seen.click("details.table summary")
        seen.wait_for_selector("table.dataTable tbody tr")
        assert browser.overflowing(seen) == [0, []]
        assert browser.dead_links(seen) == []
        assert browser.violations(seen) == []
        assert [text for text in said if not text.startswith("WARN Dropping")] == []


def test_a_table_sorts_searches_and_downloads_as_it_is(chromium, page):
    with browser.opened(chromium, page) as (seen, _):
        seen.click("details.table summary")
        seen.wait_for_selector("table.dataTable tbody tr")
        column = "table.dataTable tbody tr:first-child td:nth-child(2)"
        assert seen.inner_text(column) == "0.0"
        for order in ("ascending", "descending"):
            seen.click("table.dataTable thead th:nth-child(2)")
            seen.wait_for_selector(f"table.dataTable thead th[aria-sort={order}]:nth-child(2)")
        assert seen.inner_text(column) == "0.975"  # numbers, not texts, in falling order
        seen.fill(".rows input[type=search]", "quotes")
        assert "1 to 15 of 20" in seen.inner_text(".dt-info")
        assert seen.inner_text("table.dataTable tbody td") == CELL
        with seen.expect_download() as download:
            seen.click("text=Download words.csv")
        file = page.parent.parent / "same/words.csv"
        assert download.value.suggested_filename == "words.csv"
        assert download.value.path().read_bytes() == file.read_bytes()


def test_a_chart_shows_what_is_chosen_and_has_text(chromium, page):
    with browser.opened(chromium, page) as (seen, _):
        browser.seen_whole(seen)
        dots = ".chart .drawn .mark-symbol path"
        told = [dot.get_attribute("aria-label") for dot in seen.query_selector_all(dots)]
        assert sorted(text.partition("r2: ")[2][:3] for text in told) == ["0.1", "0.2"]
        seen.select_option(".menus select", "unsigned")
        seen.wait_for_function(
            f"() => document.querySelector('{dots}').getAttribute('aria-label').includes('unsigned')"
        )
        told = [dot.get_attribute("aria-label") for dot in seen.query_selector_all(dots)]
        assert sorted(text.partition("r2: ")[2][:3] for text in told) == ["0.3", "0.4"]
        assert "weat" in seen.text_content(".chart .drawn svg")


def test_figures_have_text_and_fit(chromium, page):
    with browser.opened(chromium, page, width=390) as (seen, _):
        assert "share of male pronouns" in seen.text_content("figure svg")
        assert seen.get_attribute("figure svg", "aria-label").startswith("Words")
        box = seen.query_selector("figure .drawing").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    with browser.opened(chromium, page) as (seen, _):
        box = seen.query_selector("figure svg").bounding_box()
        assert box["height"] < browser.HEIGHT


def test_all_is_reached_by_keyboard(chromium, page):
    with browser.opened(chromium, page) as (seen, _):
        seen.keyboard.press("Tab")
        assert seen.evaluate("document.activeElement.className") == "skip"
        seen.keyboard.press("Enter")
        assert seen.evaluate("document.activeElement.id") == "main"
        seen.focus("details.table summary")
        seen.keyboard.press("Enter")
        seen.wait_for_selector("table.dataTable tbody tr")
