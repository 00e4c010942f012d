"""The board's figure, and a study's page, through their scripts."""

import matplotlib.pyplot as plt
import numpy as np

from tests.artists import ticks, words
from tests.board.boards import board
from tests.markup import Page
from tests.scripted import draw, run


def drawn(table, folder):
    table.to_csv(folder / "board.csv", index=False)
    figure = draw("board/plot.py", ["board"], input={"board": folder / "board.csv"})["board"]
    (axis,) = figure.axes
    return axis


def test_the_figure_shows_values_ranks_and_what_dominates(tmp_path):
    values = {
        "weat": {"power": 0.5, "subsampling_variability": 0.25, "trustworthy": 0.0, "milliseconds": 2.0},
        "mac": {"power": 0.75, "subsampling_variability": 0.125, "trustworthy": 1.0},
        "mine": {"power": 0.25},
        "slow": {"milliseconds": 9.0},
    }
    axis = drawn(board(values), tmp_path)
    assert ticks(axis, "y") == ([0, 1, 2], ["WEAT", "MAC", "mine"])
    assert ticks(axis, "x") == ([0, 1, 2, 3], ["Power", "Trustworthy", "Subsampling variability ↓", "dominated by"])
    found = words(axis)
    assert [[found[column, row] for column in range(3)] for row in range(3)] == [
        ["0.50", "no", "0.25"],
        ["0.75", "yes", "0.12"],
        ["0.25", "–", "–"],
    ]
    assert [found[2.7, row] for row in range(3)] == ["MAC", "–", "WEAT, MAC"]
    (image,) = axis.images
    shades = np.ma.filled(image.get_array(), -1)
    np.testing.assert_allclose(shades, [[0.275, 0, 0], [0.55, 0.55, 0.55], [0, -1, -1]])
    plt.close("all")


def test_a_figure_of_no_judged_metric_is_drawn(tmp_path):
    axis = drawn(board({"weat": {"milliseconds": 1.0}}), tmp_path)
    assert ticks(axis, "y")[1] == []
    assert ticks(axis, "x")[1] == ["dominated by"]
    plt.close("all")


def test_a_page_of_a_study_has_what_there_is(tmp_path):
    results = tmp_path / "results"
    (results / "same/tables").mkdir(parents=True)
    (results / "board").mkdir()
    (results / "same/tables/words.csv").write_text("metric,r2\nweat,0.5\nmac,0.25\n")
    (results / "same/answer.html").write_text("<p>Here is the answer.</p>")
    (results / "same/findings.csv").write_text("result,sentence,test,n\n,It is so.,a test,3 models\n")
    (tmp_path / "caption.rst").write_text("Of *words*.")
    declarations = [
        {"path": f"results/same/{name}", "title": title, "caption": str(tmp_path / "caption.rst")}
        for name, title in (("tables/words.csv", "Words"), ("answer.html", "Answer"), ("none.csv", "Nothing"))
    ]
    files = [results / f"same/{name}" for name in ("answer.html", "findings.csv", "tables/words.csv")]
    run(
        "board/write_study.py",
        input={"results": files},
        output={"page": results / "board/same.html"},
        wildcards={"study": "same"},
        params={"declarations": declarations, "questions": {"same": "How biased?"}, "config": {"draws": 5}, "seed": 7},
    )
    text = (results / "board/same.html").read_text("utf-8")
    page = Page(text)
    assert page.texts["h1"] == ["How biased?"]
    assert page.texts["p"][:2] == ["It is so. a test · n = 3 models", "Here is the answer."]
    assert page.texts["summary"] == ["Words 2 rows", "same in the configuration"]
    assert page.texts["code"] == ["same", "draws: 5\n"]
    assert "Seed: 7" in text
    assert "Interactive" not in text  # the answer is in the page, not linked
    for file in files[:2]:
        file.unlink()
    run(
        "board/write_study.py",
        input={"results": files[2:]},
        output={"page": results / "board/same.html"},
        wildcards={"study": "same"},
        params={"declarations": declarations, "questions": {"same": "How biased?"}, "config": {"draws": 5}, "seed": 7},
    )
    page = Page((results / "board/same.html").read_text("utf-8"))
    assert page.texts["p"][0] == "This study has no verdicts."
    assert "Answer" not in page.texts["h2"]
