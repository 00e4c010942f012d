"""What the board is made of, by the configuration: its tables and its rows."""

import copy

import pytest
import yaml

from biassay.workflow import board, study_metrics
from biassay.workflow import preparation as settings
from tests.running import ROOT

DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
SET = "METRIC = Metric('s', 's', set=Level(0, 1))\ndef set_bias(t, a): ...\n"
WORD = "METRIC = Metric('s', 's', word=Level(0, 1))\ndef word_bias(t, a): ...\n"
BOTH = (
    "METRIC = Metric('s', 's', {}word=Level(0, 1), set=Level(0, 1))\n"
    "def word_bias(t, a): ...\ndef set_bias(t, a): ...\n"
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


def test_tables_are_those_of_the_studies_that_are_run():
    found = board.tables(config(studies=["properties", "silhouette", "published"], silhouette={"pairs": ["a", "b"]}))
    assert found == [
        ("silhouette", "scores", "silhouette/a/scores"),
        ("silhouette", "false_positives", "silhouette/a/false_positives"),
        ("properties", "properties", "properties/properties"),
    ]


def test_seeds_are_of_the_silhouette_study():
    several = [3, 4]
    seeds = ("seeds", "scores", "seeds/silhouette/planted/scores/summary")
    assert board.tables(config(studies=["silhouette"], seeds=several))[-1] == seeds
    assert board.tables(config(studies=["same"], seeds=several)) == [
        ("same", name, f"same/{name}")
        for name in ("tables/summary", "tables/sets", "tables/retraining_variability", "tables/subsampling_variability")
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
    assert board.reference(config()) == "skipgram vectors of the unbiased control (corpus “control”)"
    pair = {"mine": {"unbiased": {"file": "vectors/plain.txt"}}}
    assert board.reference(config(reference_pairs=pair, silhouette={"pairs": ["mine", "planted"]})) == (
        "the reference vectors vectors/plain.txt"
    )


def test_rows_are_metrics_of_vectors_own_ones_and_variants(tmp_path):
    found = own(tmp_path, mine=SET, theirs=BOTH.format("takes='predictions', "))
    study_metrics.expand_own(found)
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
        with pytest.raises(ValueError, match=r"config: downstream\.variants\.ect_raw: .*metric"):
            board.check_names(found)


@pytest.mark.parametrize("study", ["silhouette", "intrinsic"])
def test_a_variant_called_as_a_metric_is_that_metric(study):
    """Else its row would show the values of two."""
    found = config()
    found[study]["variants"]["direct_bias"] = {"metric": "direct_bias"}
    board.check_names(found)
    assert board.metrics(found)["direct_bias"]["options"] == {}
    found[study]["variants"]["direct_bias"]["options"] = {"n_directions": 2}
    with pytest.raises(ValueError, match=rf"config: {study}\.variants\.direct_bias: .*metric"):
        settings.check(found, ROOT)
    found[study]["metrics"].remove("direct_bias")
    board.check_names(found)


def test_what_is_asked_of_each_study():
    found = config()
    study_metrics.expand_own(found)
    asked = board.metrics_by_study(found)
    assert list(asked) == [*STUDIES, "properties"]
    assert asked["first_order"] == ["first_order", "second_order_cosine", "second_order_nnd"]
    assert {"weat", "mac", "clustering"} <= set(asked["properties"])
    assert "pll" not in asked["properties"]
    found["properties"]["metrics"] = ["mac", "weat"]
    assert board.metrics_by_study(found)["properties"] == ["mac", "weat"]
