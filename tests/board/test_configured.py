"""What the board is made of, by the configuration: its tables, its rows, and what “own” in a list stands for."""

import copy

import pytest
import yaml

from biassay.workflow import board
from biassay.workflow import config as settings
from tests.running import ROOT

DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
SET = "METRIC = Metric('s', 's', set=Level(0, 1))\ndef set_bias(t, a): ...\n"
SAMPLE = "METRIC = Metric('s', 's', sample=Level(0, 1))\ndef sample_bias(t, a): ...\n"
BOTH = (
    "METRIC = Metric('s', 's', {}sample=Level(0, 1), set=Level(0, 1))\n"
    "def sample_bias(t, a): ...\ndef set_bias(t, a): ...\n"
)
STUDIES = ["first_order", "silhouette", "same", "intrinsic", "downstream"]


def config(**changes):
    found = copy.deepcopy(DEFAULT)
    for key, value in changes.items():
        found[key] = found[key] | value if isinstance(value, dict) else value
    return found


def own(folder, **files):
    """The default configuration with metrics of one's own, by name the texts of their files."""
    found = config()
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
        found["own_metrics"][name] = str(folder / f"{name}.py")
    return found


def taken(found, name):
    """The studies whose list has a metric once “own” is expanded."""
    board.expand_own(found)
    return [study for study in STUDIES if name in found[study]["metrics"]]


@pytest.mark.parametrize(
    ("text", "studies"),
    [
        (BOTH.format(""), STUDIES),
        (SET, STUDIES[1:]),
        (SAMPLE, ["first_order", "same", "intrinsic", "downstream"]),
        (BOTH.format("groups=(2, 2), "), STUDIES),
        (BOTH.format("groups=(1, None), "), STUDIES),
        (BOTH.format("groups=(3, None), "), ["intrinsic", "downstream"]),
        (BOTH.format("groups=(1, 1), "), ["intrinsic", "downstream"]),
        (BOTH.format("groups=(0, 0), "), ["silhouette", "same", "intrinsic"]),
        (BOTH.format("groups=3, "), STUDIES),
        (BOTH.format("takes='associations', "), ["first_order"]),
        (BOTH.format("takes='predictions', "), []),
        (
            BOTH.format("").replace("sample=Level(0, 1)", "sample=Level(0, 1, labels=True)"),
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
    found = own(tmp_path, b=SET, a=SET, c=SAMPLE)
    found["silhouette"]["metrics"] = ["weat", "own", "b", "mac"]
    found["same"]["metrics"] = ["weat"]
    board.expand_own(found)
    assert found["silhouette"]["metrics"] == ["weat", "a", "b", "mac"]
    assert found["same"]["metrics"] == ["weat"]
    assert found["intrinsic"]["metrics"] == [*DEFAULT["intrinsic"]["metrics"][:-1], "b", "a", "c"]


def test_a_file_that_is_not_there_is_left_to_the_checks():
    found = config(own_metrics={"mine": "no/such.py"})
    assert taken(found, "mine") == []
    with pytest.raises(ValueError, match=r"own_metrics\.mine: there is no file 'no/such\.py'"):
        settings.check(config(own_metrics={"mine": "no/such.py"}), ROOT / "config.schema.yaml")


def test_own_without_metrics_of_ones_own_is_nothing():
    found = config()
    settings.check(found, ROOT / "config.schema.yaml")
    for study in STUDIES:
        assert DEFAULT[study]["metrics"] == [*found[study]["metrics"], "own"]


def test_a_list_of_own_only_needs_a_metric_that_the_study_takes(tmp_path):
    found = own(tmp_path, mine=SAMPLE)
    found["first_order"]["metrics"] = ["own"]
    found["silhouette"]["metrics"] = ["own"]
    with pytest.raises(ValueError, match=r"config: silhouette\.metrics: 'own' stands for own_metrics, none of"):
        board.expand_own(found)
    assert found["first_order"]["metrics"] == ["mine"]


def test_no_metric_and_no_variant_may_be_called_own(tmp_path):
    with pytest.raises(ValueError, match=r"config: own_metrics\.own: "):
        board.expand_own(own(tmp_path, own=SET))
    found = config()
    found["intrinsic"]["variants"]["own"] = {"metric": "weat"}
    with pytest.raises(ValueError, match=r"config: intrinsic\.variants\.own: "):
        board.expand_own(found)


@pytest.mark.parametrize("value", [None, ["mine.py"], "mine.py"])
def test_metrics_of_ones_own_of_a_wrong_kind_are_refused_by_name(value):
    with pytest.raises(ValueError, match="own_metrics"):
        settings.check(config(own_metrics=value), ROOT / "config.schema.yaml")


def test_a_wrong_list_is_refused_by_name():
    for value in (None, "own", ["own", "own"], []):
        with pytest.raises(ValueError, match=r"same\.metrics"):
            settings.check(config(same={"metrics": value}), ROOT / "config.schema.yaml")


def test_tables_are_those_of_the_studies_that_are_run():
    found = board.tables(config(studies=["properties", "silhouette", "published"], silhouette={"pairs": ["a", "b"]}))
    assert found == [
        ("silhouette", "scores", "silhouette/a/scores"),
        ("silhouette", "false_alarms", "silhouette/a/false_alarms"),
        ("properties", "properties", "properties/properties"),
    ]


def test_seeds_are_of_the_silhouette_study():
    several = [3, 4]
    seeds = ("seeds", "scores", "seeds/silhouette/planted/scores/summary")
    assert board.tables(config(studies=["silhouette"], seeds=several))[-1] == seeds
    assert board.tables(config(studies=["same"], seeds=several)) == [
        ("same", name, f"same/{name}")
        for name in ("tables/summary", "tables/sets", "tables/consistency", "tables/robustness")
    ]
    assert seeds not in board.tables(config(studies=["silhouette"], seeds=[]))


def test_tables_are_those_that_rules_make():
    """Each path of a table stands in a rule of its study."""
    for study, _, path in board.tables(config(studies=list(board.TABLES), seeds=[1, 2])):
        rules = ROOT / f"rules/{study}.smk"
        files = [rules] if rules.is_file() else sorted((ROOT / f"rules/{study}").glob("*.smk"))
        text = "".join(file.read_text("utf-8") for file in files)
        name = path.removeprefix(f"{study}/").replace("planted/", "{pair}/")
        name = "{table}/summary" if study == "seeds" else name
        assert f'"results/{study}/{name}.csv"' in text, path


def test_the_reference_is_named_in_words():
    assert board.reference(config()) == "skipgram vectors of text without bias (corpus “balanced”)"
    pair = {"mine": {"unbiased": {"file": "vectors/plain.txt"}}}
    assert board.reference(config(reference_pairs=pair, silhouette={"pairs": ["mine", "planted"]})) == (
        "the reference vectors vectors/plain.txt"
    )


def test_rows_are_metrics_of_vectors_own_ones_and_variants(tmp_path):
    found = own(tmp_path, mine=SET, theirs=BOTH.format("takes='predictions', "))
    board.expand_own(found)
    rows = board.metrics(found)
    assert not {"pll", "aul", "unmasking", "tpr_gap", "theirs", "own"} & set(rows)
    assert {"weat", "first_order", "clustering", "mine", "ect_raw", "ripa_pairs", "direct_bias_1"} <= set(rows)
    assert rows["mine"] == {"metric": str(tmp_path / "mine.py"), "options": {}, "range": None}
    assert rows["weat"] == {"metric": "weat", "options": {}, "range": None}
    assert rows["ect_raw"] == {"metric": "ect", "options": {"raw": True}, "range": [-1, 1, 0]}
    assert rows["direct_bias_1"]["options"] == DEFAULT["intrinsic"]["variants"]["direct_bias_1"]["options"]
    variant = {"metric": "mine", "options": {"k": 2}}
    found["intrinsic"] |= {"metrics": ["of_mine"], "variants": {"of_mine": variant}}
    assert board.metrics(found)["of_mine"]["metric"] == str(tmp_path / "mine.py")


def test_a_variant_that_is_two_metrics_is_refused():
    found = config()
    found["downstream"] |= {
        "metrics": ["ect_raw"],
        "variants": {"ect_raw": {"metric": "ect", "options": {"raw": True}}},
    }
    board.check_names(found)
    assert board.metrics(found)["ect_raw"]["options"] == {"raw": True}
    for other in ({"metric": "weat", "options": {"raw": True}}, {"metric": "ect", "options": {"raw": False}}):
        found["downstream"]["variants"] = {"ect_raw": other}
        with pytest.raises(ValueError, match=r"config: downstream\.variants\.ect_raw: another metric is called so"):
            board.check_names(found)


@pytest.mark.parametrize("study", ["silhouette", "intrinsic"])
def test_a_variant_called_as_a_metric_is_that_metric(study):
    """Else its row would show the values of two."""
    found = config()
    found[study]["variants"]["direct_bias"] = {"metric": "direct_bias"}
    board.check_names(found)
    assert board.metrics(found)["direct_bias"]["options"] == {}
    found[study]["variants"]["direct_bias"]["options"] = {"k": 2}
    with pytest.raises(ValueError, match=rf"config: {study}\.variants\.direct_bias: another metric is called so"):
        settings.check(found, ROOT / "config.schema.yaml")
    found[study]["metrics"].remove("direct_bias")
    board.check_names(found)


def test_what_is_asked_of_each_study():
    found = config()
    board.expand_own(found)
    asked = board.asked(found)
    assert list(asked) == [*STUDIES, "properties"]
    assert asked["first_order"] == ["first_order", "second_order_cosine", "second_order_nnd"]
    assert {"weat", "mac", "clustering"} <= set(asked["properties"])
    assert "pll" not in asked["properties"]
    found["properties"]["metrics"] = ["mac", "weat"]
    assert board.asked(found)["properties"] == ["mac", "weat"]
