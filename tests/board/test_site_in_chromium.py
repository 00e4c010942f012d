"""The first page of the site in a browser: the board sorts, hides, explains and remembers, and anybody can read it."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import rendering
from biassay.report.formatting import metric_label
from biassay.studies.board import page as first
from biassay.studies.board.board import COLUMNS, assessed_metrics, dominates
from biassay.studies.board.criteria import BY_KEY, START
from tests import browser

pytestmark = browser.needed
CRITERIA = ["accuracy", *START]
METRICS = ["weat", "same", "mac", "rnsb", "ect", "mine"]


@pytest.fixture(scope="module")
def board():
    """Cells at random, a fifth of them empty; mine has an accuracy only."""
    random = np.random.default_rng(3)
    rows = []
    for metric in METRICS:
        for key in CRITERIA:
            value = random.integers(0, 3) / 2 if random.random() > 0.2 or key == "accuracy" else np.nan
            value = np.nan if metric == "mine" and key != "accuracy" else value
            width = random.integers(0, 4) / 10
            note = "" if np.isfinite(value) else f"{metric} has none"
            page = f"board/{BY_KEY[key].study}.html"
            rows.append([metric, key, value, value - width, value + width, 0.5, 0.01, 5, "shuffles", page, note])
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.fixture(scope="module")
def page(board, tmp_path_factory):
    results = tmp_path_factory.mktemp("site") / "results"
    (results / "board").mkdir(parents=True)
    studies = {
        "silhouette": "How accurate?",
        "properties": "Which are trustworthy?",
        "same": "Seen?",
        "downstream": "?",
    }
    for study in studies:
        (results / f"board/{study}.html").write_text("")
    context = first.make_context(board, {}, studies, "plain vectors", 1, [])
    rendering.write_page(results / "index.html", "board.html", context, package="biassay.studies.board")
    return results / "index.html"


def lines(seen):
    """Which metrics dominate which, as the page lists them."""
    return {line for line in seen.inner_text("#order").splitlines() if line}


def expected(board, criteria):
    found = dominates(board, criteria)
    valued = set(board.loc[board["value"].notna() & board["criterion"].isin(criteria), "metric"])
    order = [name for name in assessed_metrics(board) if name in valued]
    below = {above: [metric_label(name) for name in order if found.loc[above, name]] for above in order}
    return {f"{metric_label(above)} dominates {', '.join(names)}." for above, names in below.items() if names}


def shown(seen):
    """The visible rows and columns of the board, in order."""
    rows = [row.inner_text() for row in seen.query_selector_all(".board tbody th") if row.is_visible()]
    heads = seen.query_selector_all(".board thead th[data-criterion]")
    return rows, [head.get_attribute("data-criterion") for head in heads if head.is_visible()]


def test_dominance_is_the_librarys_whatever_is_chosen(chromium, page, board):
    with browser.opened(chromium, page) as (seen, messages):
        assert lines(seen) == expected(board, list(START))
        seen.click(".switches summary")
        seen.click("[data-all=yes]")
        chosen = list(CRITERIA)
        assert lines(seen) == expected(board, chosen)
        while chosen:
            seen.uncheck(f"input[value={chosen.pop()}]")
            assert lines(seen) == expected(board, chosen)
        assert messages == []


@pytest.mark.parametrize(("width", "scheme"), browser.LOOKS)
def test_the_board_sorts_hides_explains_and_remembers(chromium, page, board, width, scheme):
    values = board.set_index(["metric", "criterion"])["value"].unstack().drop("mine")
    with browser.opened(chromium, page, width=width, scheme=scheme) as (seen, messages):
        assert browser.overflowing(seen) == [0, []]
        assert browser.dead_links(seen) == []
        rows, columns = shown(seen)
        assert sorted(columns) == sorted(START)
        assert sorted(rows) == sorted(map(metric_label, values.index))  # without mine, which has no value here

        for is_reversed in (False, True):
            seen.click("th[data-criterion=power] button")
            places = [
                {metric_label(name): values.loc[name, "power"] for name in values.index}[row] for row in shown(seen)[0]
            ]
            finite = [value for value in places if np.isfinite(value)]
            assert finite == sorted(finite, reverse=not is_reversed)
            assert np.isnan(places[len(finite) :]).all()
        seen.click(".switches summary")
        seen.uncheck("input[value=auc]")
        seen.check("input[value=accuracy]")
        before = shown(seen)
        assert "mine" in before[0]
        assert "auc" not in before[1]
        seen.reload()
        assert shown(seen) == before
        assert seen.get_attribute("th[data-criterion=power]", "aria-sort") == "ascending"

        for metric, key in (("weat", "power"), ("mine", "ranking")):
            button = f"tr:has(th:text-is('{metric_label(metric)}')) td[data-criterion={key}] button"
            seen.click(button)
            text, (cell, box) = (
                seen.inner_text("#details"),
                [seen.locator(at).bounding_box() for at in (button, "#details")],
            )
            assert text.startswith(f"{metric_label(metric)}, {BY_KEY[key].title}")
            assert ("mine has none" if metric == "mine" else "n = 5 shuffles") in text
            assert min(abs(box["y"] - cell["y"] - cell["height"]), abs(cell["y"] - box["y"] - box["height"])) < 10
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert browser.violations(seen) == []
            seen.keyboard.press("Escape")
            assert not seen.is_visible("#details")

        seen.evaluate("document.querySelector('.board').style.maxHeight = '12rem'")  # as if there were many metrics
        seen.evaluate("document.querySelector('.board').scrollTo(0, 150)")
        top, head = (seen.locator(at).first.bounding_box()["y"] for at in (".board", ".board thead th"))
        assert abs(top - head) < 2
        assert messages == []
