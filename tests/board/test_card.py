"""Measurement cards: the numbers of a board made by hand, and every metric of biassay."""

import json
import re

import pytest

from biassay import cli
from biassay.core import registry
from biassay.measurement import metric
from biassay.studies.board import card
from biassay.studies.board.criteria import BY_KEY
from tests.board.boards import NAN, board

OWN = '''"""Do my words agree?

f(w) = 1
"""
from biassay import Level, Metric
METRIC = Metric(summary="one", source="me", word=Level(0.0, 2.0, 1.0), avoid="On Mondays.")
def word_bias(targets, groups):
    return targets[:, 0]
'''


@pytest.fixture
def own(tmp_path):
    """A metric of a user, and the board of a run with it."""
    (tmp_path / "mine.py").write_text(OWN)
    values = {"mine": {"false_positive_rate": 0.4, "trustworthy": 0.5, "recovery": 0.25},
              "weat": dict.fromkeys(BY_KEY, NAN) | {"false_positive_rate": 0.1, "power": 1.0}}  # fmt: skip
    changes = {
        "false_positive_rate": {
            "low": 0.3,
            "high": 0.5,
            "chance": 0.05,
            "n": 100,
            "unit": "samples",
            "note": "the worst",
        },
        "trustworthy": {"low": 0.5, "high": 0.5},
        "recovery": {"p": 0.015, "chance": 0.0},
    }
    table = board(values, **changes)
    unfound = (table["metric"] == "mine") & (table["criterion"] == "power")
    table.loc[unfound, ["n", "unit", "note"]] = [40, "samples", "none up to 2"]
    table.astype({"n": "Int64"}).to_csv(tmp_path / "board.csv", index=False)
    (tmp_path / "seeds.csv").write_text(
        "quantity,criterion,metric,n_seeds,mean,std\n"
        "value,false_positive_rate,mine,3,0.45,0.125\nvalue,auc,mine,3,0.5,0.1\nrank,auc,mine,3,7,1\nvalue,auc,weat,3,9,9\n"
    )
    return str(tmp_path / "mine.py"), str(tmp_path / "board.csv")


def cells_of(name, path=None):
    return {cell["criterion"]: cell for cells in card.make_card(name, path)["measured"].values() for cell in cells}


def test_a_card_has_the_numbers_of_its_board(own):
    cells = cells_of(*own)
    rate = cells["false_positive_rate"]
    numbers = ("value", "low", "high", "chance", "p", "n", "unit", "note", "text", "interval_text", "missing")
    expected = [0.4, 0.3, 0.5, 0.05, None, 100, "samples", "the worst", "0.40", "0.30 to 0.50, liberal", ""]
    assert [rate[name] for name in numbers] == expected
    assert rate["seeds"] == {"mean": 0.45, "std": 0.125, "n": 3, "text": "0.45 ± 0.12"}
    assert (rate["form"], rate["interval"]) == BY_KEY["false_positive_rate"][7:10:2]
    assert cells["trustworthy"]["text"] == "partly"
    assert "interval" not in cells["trustworthy"]
    assert cells["power"]["missing"] == "No value: none up to 2"  # it was measured
    assert cells["auc"]["missing"] == "Not measured: no auc"
    assert cells["auc"]["seeds"]["mean"] == 0.5


def test_a_card_as_text(own, capsys):
    assert cli.main(["card", own[0], "--board", own[1]]) == 0
    text = capsys.readouterr().out
    for part in (
        f"The numbers are from {own[1]}.", "f(w) = 1", "- Power (groups). No value: none up to 2.",
        "(groups) | 0.40 | 0.30 to 0.50, liberal | 100 samples | 0.05 | 0.45 ± 0.12, n = 3 | near 0.05 |",
    ):  # fmt: skip
        assert part in text
    assert cli.main(["card", own[0], "--board", own[1], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == card.make_card(*own)


def test_a_metric_of_a_user_is_not_that_of_the_same_name_on_biassays_board(tmp_path):
    (tmp_path / "weat.py").write_text(OWN)
    cells = cells_of(str(tmp_path / "weat.py")).values()
    assert {cell["missing"] for cell in cells} == {"Not measured: the board has no row for it"}


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_every_metric_has_a_card_with_all_criteria(name):
    made = card.make_card(name)
    cells = [cell for cells in made["measured"].values() for cell in cells]
    assert sorted(cell["criterion"] for cell in cells) == sorted(BY_KEY)
    assert all(cell["text"] not in ("", "–") if not cell["missing"] else len(cell["missing"]) > 20 for cell in cells)
    text = card.format_markdown(made)
    json.loads(card.format_json(made))
    assert not re.search(r"\b(nan|None|inf)\b", text.partition("\n## Reliability")[2])
    sections = re.findall("^## (.+)", text, re.M)
    assert sections == ["Construct", "Intended use", "When not to use it", "Range and ideal value", *card.SECTIONS]
    assert metric.load(name).METRIC.avoid in text
    for cell in cells:
        assert cell["missing"] in text
        assert cell["title"] in text


@pytest.mark.parametrize(("arguments", "message"), [
    (["weet"], "unknown name 'weet' (did you mean 'weat'?)"),
    (["no/mine.py"], "no/mine.py"),
    (["mine", "--board", "{folder}/board.csv"], "for one of yours, give its file (mine.py)"),
    (["weat", "--board", "no.csv"], "no.csv"),
    (["weat", "--board", "{folder}/mine.py"], "mine.py: row 1 has"),
])  # fmt: skip
def test_errors(own, tmp_path, capsys, arguments, message):
    assert cli.main(["card", *(one.format(folder=tmp_path) for one in arguments)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
