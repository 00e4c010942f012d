"""The page of a study in a browser: nothing is cut or dead, menus and tables work, everybody can read it."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from biassay.report import charts, plots, rendering, study
from biassay.report.findings import Finding
from biassay.report.results import Result
from tests import browser

pytestmark = browser.needed
CELL = 'with "quotes", a comma and <i>markup</i>'  # a word of somebody's corpus, which is no part of the page


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A study's page with a chart, and a wide table; the page that it leads to is there."""
    folder = tmp_path_factory.mktemp("site") / "results"
    for name in ("index.html", "board/same.html", "same/words.csv"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    table = pd.DataFrame({"metric": ["weat", CELL] * 20, "r2": np.arange(40) / 40})
    table = table.assign(**{f"a_name_of_a_column_that_is_rather_long_{number}": number for number in range(12)})
    table.to_csv(folder / "same/words.csv", index=False)
    scores = pd.DataFrame({"metric": ["weat", "mac"] * 2, "r2": [0.1, 0.2, 0.3, 0.4]})
    scores["ground_truth"] = ["signed"] * 2 + ["unsigned"] * 2
    dots = charts.draw_dots(scores, value="r2", by="metric", filters=["ground_truth"])
    out = folder / "board/same.html"
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 3))
    axis.set_title("A title")
    plots.save(figure, *(f"{folder}/same/words{end}" for end in (".svg", ".png", ".pdf")))
    results = [Result(folder / "same/words.csv", "words", "table", "Scores", "A caption.", {})]
    results.append(Result(folder / "same/words.svg", "words", "figure", "Words", "A caption.", {}))
    given = {"verdicts": [Finding("It does.", "a test", "3 models")], "charts": [("Dots", dots)]}
    given |= {"config": {"a": 1}, "seeds": [1], "page": out}
    context = study.make_context("same", results, questions={"same": "Does a metric see it?"}, **given)
    study.write_libraries(out.with_name(study.LIBRARIES))
    rendering.write_page(out, "study.html", context)
    return out


def measure(opened, script):
    return opened.evaluate(f"document.documentElement.{script}")


@pytest.mark.parametrize(("width", "scheme"), browser.LOOKS)
def test_everybody_can_read_it_and_it_keeps_its_height(chromium, page, width, scheme):
    with browser.opened(chromium, page, width=width, scheme=scheme, java_script_enabled=False) as (empty, _):
        height = measure(empty, "scrollHeight")
    with browser.opened(chromium, page, width=width, scheme=scheme) as (opened, messages):
        browser.see_all(opened)
        assert abs(measure(opened, "scrollHeight") - height) < 10
        assert opened.evaluate("document.images[0].clientWidth") >= 96 * plots.WIDTH  # its text has 9 pixels

        chart = opened.locator(".chart .drawn")
        chart.scroll_into_view_if_needed()
        text, top, box = chart.text_content(), measure(opened, "scrollTop"), chart.bounding_box()
        opened.mouse.move(box["x"] + 100, box["y"] + 40)
        opened.mouse.wheel(0, -top / 2)
        opened.wait_for_function(f"document.documentElement.scrollTop < {top}")
        assert chart.text_content() == text

        opened.click("details.table summary")
        opened.wait_for_selector("table.dataTable tbody tr")
        assert browser.overflowing(opened) == [0, []]
        assert browser.dead_links(opened) == []
        assert browser.violations(opened) == []
        assert browser.errors(messages) == []


def test_a_table_sorts_searches_and_is_linked(chromium, page):
    with browser.opened(chromium, page) as (opened, _):
        opened.add_init_script(
            "document.onreadystatechange = () => { document.querySelector('details.table').open = true; }"
        )
        opened.reload()  # opened before the library is there
        opened.wait_for_selector("table.dataTable tbody tr")
    with browser.opened(chromium, page) as (opened, _):
        opened.focus("details.table summary")
        opened.keyboard.press("Enter")
        opened.wait_for_selector("table.dataTable tbody tr")
        column = "table.dataTable tbody tr:first-child td:nth-child(2)"
        assert opened.inner_text(column) == "0"
        for order in ("ascending", "descending"):
            opened.click("table.dataTable thead th:nth-child(2)")
            opened.wait_for_selector(f"table.dataTable thead th[aria-sort={order}]:nth-child(2)")
        assert opened.inner_text(column) == "0.975"  # numbers, not texts, in falling order
        opened.fill("details input[type=search]", "quotes")
        assert "1 to 15 of 20" in opened.inner_text(".dt-info")
        assert opened.inner_text("table.dataTable tbody td") == CELL


def test_a_chart_shows_the_chosen_rows_and_has_text(chromium, page):
    def values():
        labels = [dot.get_attribute("aria-label") for dot in opened.query_selector_all(dots)]
        return sorted(text.partition("r2: ")[2][:3] for text in labels)

    dots = ".chart .drawn .mark-symbol path"
    with browser.opened(chromium, page) as (opened, _):
        browser.see_all(opened)
        assert values() == ["0.1", "0.2"]
        opened.select_option(".chart select", "unsigned")
        opened.wait_for_function(f"() => document.querySelector('{dots}').ariaLabel.includes('unsigned')")
        assert values() == ["0.3", "0.4"]
        assert "weat" in opened.text_content(".chart .drawn svg")
