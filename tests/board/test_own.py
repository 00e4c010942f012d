"""What “own” in a study's list of metrics stands for."""

import pytest

from biassay.workflow import preparation as settings
from biassay.workflow import study_metrics
from tests.board.test_configured import BOTH, DEFAULT, SET, STUDIES, WORD, config, own
from tests.running import ROOT


def taken(found, name):
    """The studies whose list has a metric once “own” is expanded."""
    study_metrics.expand_own(found)
    return [study for study in STUDIES if name in found[study]["metrics"]]


@pytest.mark.parametrize(
    ("text", "studies"),
    [
        (BOTH.format(""), STUDIES),
        (SET, STUDIES[1:]),
        (WORD, ["first_order", "same", "intrinsic", "downstream"]),
        (BOTH.format("groups=(2, 2), "), STUDIES),
        (BOTH.format("groups=(1, None), "), STUDIES),
        (BOTH.format("groups=(3, None), "), ["intrinsic", "downstream"]),
        (BOTH.format("groups=(1, 1), "), ["intrinsic", "downstream"]),
        (BOTH.format("groups=(0, 0), "), ["silhouette", "same", "intrinsic"]),
        (BOTH.format("groups=3, "), STUDIES),
        (BOTH.format("takes='associations', "), ["first_order"]),
        (BOTH.format("takes='predictions', "), []),
        (
            BOTH.format("").replace("word=Level(0, 1)", "word=Level(0, 1, labels=True)"),
            ["silhouette", "same", "intrinsic", "downstream"],
        ),
        ("", []),
        ("METRIC = 3\n", []),
        ("def f(:\n", []),
    ],
)
def test_own_stands_for_the_metrics_that_a_study_takes(tmp_path, text, studies):
    assert taken(own(tmp_path, mine=text), "mine") == studies


def test_own_stands_for_all_metrics_in_their_order_at_its_place_but_those_named_already(tmp_path):
    found = own(tmp_path, b=SET, a=SET, c=WORD)
    found["silhouette"]["metrics"] = ["weat", "own", "b", "mac"]
    found["same"]["metrics"] = ["weat"]
    study_metrics.expand_own(found)
    assert found["silhouette"]["metrics"] == ["weat", "a", "b", "mac"]
    assert found["same"]["metrics"] == ["weat"]
    assert found["intrinsic"]["metrics"] == [*DEFAULT["intrinsic"]["metrics"][:-1], "b", "a", "c"]


def test_a_file_that_is_not_there_is_left_to_the_checks():
    found = config(own_metrics={"mine": "no/such.py"})
    assert taken(found, "mine") == []
    with pytest.raises(ValueError, match=r"own_metrics\.mine: there is no file 'no/such\.py'"):
        settings.check(config(own_metrics={"mine": "no/such.py"}), ROOT)


def test_own_without_metrics_of_ones_own_is_nothing():
    found = config()
    settings.check(found, ROOT)
    for study in STUDIES:
        assert DEFAULT[study]["metrics"] == [*found[study]["metrics"], "own"]


def test_a_list_of_own_only_needs_a_metric_that_the_study_takes(tmp_path):
    found = own(tmp_path, mine=WORD)
    found["first_order"]["metrics"] = ["own"]
    found["silhouette"]["metrics"] = ["own"]
    with pytest.raises(ValueError, match=r"config: silhouette\.metrics: 'own' means all own_metrics, but none"):
        study_metrics.expand_own(found)
    assert found["first_order"]["metrics"] == ["mine"]


def test_no_metric_and_no_variant_may_be_called_own(tmp_path):
    with pytest.raises(ValueError, match=r"config: own_metrics\.own: "):
        study_metrics.expand_own(own(tmp_path, own=SET))
    found = config()
    found["intrinsic"]["variants"]["own"] = {"metric": "weat"}
    with pytest.raises(ValueError, match=r"config: intrinsic\.variants\.own: "):
        study_metrics.expand_own(found)


@pytest.mark.parametrize("value", [None, ["mine.py"], "mine.py"])
def test_metrics_of_ones_own_of_a_wrong_kind_are_refused_by_name(value):
    with pytest.raises(ValueError, match="own_metrics"):
        settings.check(config(own_metrics=value), ROOT)


def test_a_wrong_list_is_refused_by_name():
    for value in (None, "own", ["own", "own"], []):
        with pytest.raises(ValueError, match=r"same\.metrics"):
            settings.check(config(same={"metrics": value}), ROOT)
