"""The first page of the site in a browser: cells tell, switches hide, dominance is what the library says."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import rendering
from biassay.report.formatting import metric_label
from biassay.studies.board import page as first
from biassay.studies.board.board import COLUMNS, assessed_metrics, dominates
from biassay.studies.board.criteria import BY_KEY
from tests import browser

pytestmark = browser.needed
CRITERIA = ["accuracy", "auc", "false_positive_rate", "trustworthy", "signed", "milliseconds"]
METRICS = ["weat", "same", "mac", "rnsb", "ect", "mine"]


@pytest.fixture(scope="module")
def board():
    """Cells at random, a fifth of them empty."""
    random = np.random.default_rng(3)
    rows = []
    for metric in METRICS:
        for key in CRITERIA:
            value = random.integers(0, 3) / 2 if random.random() > 0.2 or key == "accuracy" else np.nan
            width = random.integers(0, 4) / 10
            note = "" if np.isfinite(value) else f"{metric} has none"
            rows.append(
                [
                    metric,
                    key,
                    value,
                    value - width,
                    value + width,
                    0.5,
                    0.01,
                    5,
                    "shuffles",
                    f"board/{BY_KEY[key].study}.html",
                    note,
                ]
            )
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.fixture(scope="module")
def page(board, tmp_path_factory):
    results = tmp_path_factory.mktemp("site") / "results"
    (results / "board").mkdir(parents=True)
    studies = {"silhouette": "How accurate?", "properties": "Which are trustworthy?", "same": "Seen?"}
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


def test_dominance_is_the_librarys_whatever_is_chosen(chromium, page, board):
    better = [key for key in CRITERIA if key != "milliseconds"]
    with browser.opened(chromium, page) as (seen, said):
        assert lines(seen) == expected(board, better)
        seen.click(".switches summary")
        for gone in range(len(better) - 1):
            seen.uncheck(f"input[value={better[gone]}]")
            assert lines(seen) == expected(board, better[gone + 1 :])
            assert not seen.is_visible(f"th[data-criterion={better[gone]}]")
        seen.click("[data-all=yes]")
        assert lines(seen) == expected(board, better)
        seen.click("[data-all='']")
        assert lines(seen) == set()
        assert said == []


def test_a_cell_tells_its_interval_and_why_it_is_empty(chromium, page, board):
    with browser.opened(chromium, page) as (seen, _):
        for _, row in board.iterrows():
            place = f"tr:has(th:text-is('{metric_label(row['metric'])}')) td[data-criterion={row['criterion']}] button"
            seen.click(place)
            told = seen.inner_text("#details")
            assert told.startswith(f"{metric_label(row['metric'])}, {BY_KEY[row['criterion']].title}")
            if np.isnan(row["value"]):
                assert seen.inner_text(place) == "–"
                assert f"{row['metric']} has none" in told
            else:
                assert "n = 5 shuffles" in told


@pytest.mark.parametrize(("width", "scheme"), browser.LOOKS)
def test_nothing_sticks_out_nothing_is_dead_and_anybody_can_read_it(chromium, page, width, scheme):
    with browser.opened(chromium, page, width=width, scheme=scheme) as (seen, said):
        seen.click(".switches summary")
        assert browser.overflowing(seen) == [0, []]
        assert browser.dead_links(seen) == []
        assert browser.violations(seen) == []
        assert said == []
