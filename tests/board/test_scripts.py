"""The board's scripts as the rules run them: from tables of studies to the figure and the pages."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.board.criteria import BY_KEY
from tests.artists import ticks, words
from tests.board.boards import board
from tests.board.test_cells import correlation, rates, score
from tests.markup import Page
from tests.scripted import draw, run

METRICS = {
    "weat": {"metric": "weat", "options": {}, "range": None},
    "ect_raw": {"metric": "ect", "options": {"raw": True}, "range": None},
    "mine": {"metric": "MINE", "options": {}, "range": None},
    "first_order": {"metric": "first_order", "options": {}, "range": None},
}
MINE = """from biassay import Level, Metric

METRIC = Metric("s", "s", set=Level(0.0, 1.0))


def set_bias(targets, attributes):
    return 0.5
"""
TABLES = [
    ("first_order", "correlations", "first_order/correlations"),
    ("silhouette", "scores", "silhouette/planted/scores"),
    ("silhouette", "false_positives", "silhouette/planted/false_positives"),
    ("seeds", "scores", "seeds/silhouette/planted/scores/summary"),
]
ASKED = {"first_order": ["first_order"], "silhouette": ["weat", "ect_raw", "mine"], "intrinsic": ["weat"],
         "same": ["weat"], "properties": ["weat"], "downstream": ["weat"]}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The board's tables as its scripts write them, of small tables of the studies."""
    folder = tmp_path_factory.mktemp("board")
    (folder / "mine.py").write_text(MINE)
    metrics = METRICS | {"mine": METRICS["mine"] | {"metric": str(folder / "mine.py")}}
    rows = [
        [correlation("first_order", r, word_list=name) for r, name in ((0.5, "short"), (0.25, "long"))],
        [score("weat", 0.75), score("ect_raw", 0.5, relative=True), score("mine", 0.875)],
        [rates("weat", 0.4), rates("mine", 0.04)],
        [{"quantity": "accuracy", "bias": "gender", "list": "groups", "metric": "weat", "n_seeds": 3,
          "std": 0.0123456}],
    ]  # fmt: skip
    read = []
    for (_, _, path), of in zip(TABLES, rows, strict=True):
        read.append(folder / f"{path.replace('/', '_')}.csv")
        pd.DataFrame(of).to_csv(read[-1], index=False)
    out = {name: folder / f"{name}.csv" for name in ("board", "criteria")}
    params = {"tables": TABLES, "metrics": metrics, "chosen": ASKED, "main_list": "long",
              "studies": ["first_order", "silhouette", "intrinsic", "published"]}  # fmt: skip
    run("board/collect.py", input={"tables": read}, params=params,
        output={name: out[name] for name in ("board", "criteria")})  # fmt: skip
    return out


def test_the_board_has_the_cells_of_the_tables(made):
    table = pd.read_csv(made["board"])
    assert len(table) == 4 * len(BY_KEY)
    values = table.dropna(subset="value").set_index(["criterion", "metric"])["value"]
    assert values.to_dict() == {
        ("labor", "first_order"): 0.25,  # of the main list
        ("accuracy", "weat"): 0.75,
        ("accuracy", "mine"): 0.875,
        **{("relative_accuracy", name): 0.7 for name in ("weat", "ect_raw", "mine")},
        **{("auc", name): 0.9 for name in ("weat", "ect_raw", "mine")},
        **{("words_needed", name): 30 for name in ("weat", "ect_raw", "mine")},
        ("robustness", "weat"): 0.8,
        ("robustness", "mine"): 0.8,
        ("false_positive_rate", "weat"): 0.4,
        ("false_positive_rate", "mine"): 0.04,
        ("power", "weat"): 0.7,
        ("power", "mine"): 0.7,
        ("seeds", "weat"): 0.012346,
    }
    notes = table.set_index(["criterion", "metric"])["note"]
    assert "first_order.metrics" in notes["labor", "weat"]
    assert notes[table["value"].isna().to_numpy()].notna().all()


def test_the_figure_shows_values_and_separated_differences(tmp_path):
    values = {
        "weat": {"power": 0.5, "subsampling_variability": 0.25, "trustworthy": 0.0},
        "mac": {"power": 0.75, "subsampling_variability": 0.125, "trustworthy": 1.0},
        "mine": {"power": 0.25},
    }
    table = board(values, subsampling_variability={"low": 0.1, "high": 0.3})
    table.loc[table["criterion"] == "power", ["low", "high"]] = [[0.4, 0.6], [0.7, 0.8], [0.2, 0.3]]
    table.to_csv(tmp_path / "board.csv", index=False)
    figure = draw("board/plot.py", ["board"], input={"board": tmp_path / "board.csv"})["board"]
    (axis,) = figure.axes
    assert ticks(axis, "y") == ([0, 1, 2], ["WEAT", "MAC", "mine"])
    assert ticks(axis, "x")[1] == ["Power\n(groups)", "Trustworthy", "Subsampling\nvariability\n↓"]
    found = words(axis)
    assert [[found[column, row] for column in range(3)] for row in range(3)] == [
        ["0.50", "no", "0.25"], ["0.75", "yes", "0.12"], ["0.25", "–", "–"]
    ]  # fmt: skip
    np.testing.assert_allclose(axis.images[0].get_array(), [[0.225, 0, 0], [0.45, 0.45, 0], [0, 0, 0]])


def test_the_first_page_has_verdicts_and_the_board(made, tmp_path):
    (tmp_path / "findings.csv").write_text("sentence,test,n\nIt is so.,a test,3 models\n")
    (tmp_path / "others.csv").write_text("sentence,test,n\nThat too.,,\n")
    run(
        "board/write.py",
        input={"board": made["board"], "findings": [tmp_path / "findings.csv", tmp_path / "others.csv"],
               "files": ["results/board/board.csv"]},
        output={"page": tmp_path / "index.html"},
        params={"studies": ["silhouette", "intrinsic"], "reference": "plain vectors", "seed": 7,
                "questions": {"silhouette": "How accurate?", "intrinsic": "Of groups?", "published": "As printed?"}},
    )  # fmt: skip
    page = Page((tmp_path / "index.html").read_text("utf-8"))
    assert "WEAT (40 %)" in page.texts["p"][0]
    assert {"It is so. a test · n = 3 models", "That too."} <= set(page.texts["p"])
    assert "board.csv" in page.texts["dt"][-1]
    assert page.texts["h3"][:3] == ["How accurate?", "Of groups?", "As printed?"]
    assert [row[0] for row in page.rows(-1)[1:]] == ["WEAT", "mine", "ECT (ρ)", "Λ1"]
    assert page.rows(-1)[1][1].startswith("0.75")
