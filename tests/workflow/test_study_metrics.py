"""Metrics of the studies and of the board: the user's own, “own” in lists of metrics, and variants."""

import re

import pytest

from biassay.workflow import board, preparation, study_metrics
from biassay.workflow.study_metrics import STUDIES
from tests.running import ROOT
from tests.workflow.changes import CONFIG, DEFAULT, changed

HEAD = "from biassay import Level, Metric\n"
SET = HEAD + "METRIC = Metric('s', 's', set=Level(0, 1))\ndef set_bias(t, a): ...\n"
WORD = HEAD + "METRIC = Metric('s', 's', word=Level(0, 1))\ndef word_bias(t, a): ...\n"
BOTH = HEAD + (
    "METRIC = Metric('s', 's', {}word=Level(0, 1), set=Level(0, 1))\n"
    "def word_bias(t, a): ...\ndef set_bias(t, a): ...\n"
)


def own(folder, changes=(), **files):
    """The default configuration, as users write it, with own metrics: by name the texts of their files."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    paths = {name: str(folder / f"{name}.py") for name in files}
    return changed({"own_metrics": paths} | dict(changes), default=CONFIG)


@pytest.mark.parametrize(
    ("text", "studies"),
    [
        (BOTH.format(""), STUDIES),
        (SET, STUDIES[1:]),
        (WORD, ("first_order", "same", "intrinsic", "downstream", "reliability")),
        (BOTH.format("groups=(1, None), "), STUDIES),
        (BOTH.format("groups=(3, None), "), ("intrinsic", "downstream")),
        (BOTH.format("groups=(1, 1), "), ("intrinsic", "downstream")),
        (BOTH.format("groups=(0, 0), "), ("silhouette", "same", "intrinsic", "reliability")),
        (BOTH.format("takes='associations', "), ("first_order", "reliability")),
        (BOTH.format("takes='predictions', "), ()),
        (BOTH.format("").replace("word=Level(0, 1)", "word=Level(0, 1, labels=True)"), STUDIES[1:]),
        (
            BOTH.format("").replace("set=Level(0, 1)", "set=Level(0, 1, None)"),
            ("first_order", "silhouette", "same", "reliability"),
        ),
        (SET.replace("Level(0, 1)", "Level(0, 1, lambda n: None)"), ("silhouette", "same", "reliability")),
        ("raise SystemExit\n", ()),
    ],
)
def test_own_is_the_metrics_that_a_study_takes(tmp_path, text, studies):
    config = own(tmp_path, mine=text)
    study_metrics.expand_own(config)
    assert tuple(study for study in STUDIES if "mine" in config[study]["metrics"]) == studies


def test_variants_have_the_metric_and_options_of_the_configuration():
    chosen = study_metrics.chosen_metrics(changed({"metrics": ["ripa_published", "mac"]}, "intrinsic"), "intrinsic")
    assert chosen["ripa_published"] == {"metric": "ripa", "options": {"normalize": False}, "range": None}
    assert chosen["mac"] == {"metric": "mac", "options": {}, "range": None}


def test_own_metrics_keep_their_order_and_place(tmp_path):
    lists = {"silhouette.metrics": ["weat", "own", "b", "mac"], "same.metrics": ["weat"]}
    config = own(tmp_path, lists, b=SET, a=SET, c=WORD)
    study_metrics.expand_own(config)
    assert config["silhouette"]["metrics"] == ["weat", "a", "b", "mac"]
    assert config["same"]["metrics"] == ["weat"]
    assert config["intrinsic"]["metrics"] == [*CONFIG["intrinsic"]["metrics"][:-1], "b", "a", "c"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"silhouette.metrics": ["own"]}, "silhouette.metrics: 'own' means all own_metrics, but none"),
        ({"intrinsic.variants.own": {"metric": "weat"}}, "intrinsic.variants.own: "),
        ({"own_metrics": {"own": "README.md"}}, "own_metrics.own: "),
        ({"own_metrics": {"mine": "mine.py"}}, "own_metrics.mine: there is no file 'mine.py'"),
        ({"own_metrics": {"weat": "biassay/metrics/weat.py"}}, "own_metrics.weat: biassay uses this name"),
        ({"own_metrics": {"data": "biassay/metrics/weat.py"}}, "own_metrics.data: biassay uses this name"),
    ],
)
def test_own_that_cannot_be_expanded(tmp_path, changes, message):
    with pytest.raises(ValueError, match=re.escape(f"config: {message}")):
        preparation.check(own(tmp_path, changes), ROOT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(\n", "config: own_metrics: {path}: SyntaxError: '(' was never closed (mine.py, line 1)"),
        ("import nothing_like_it\n", "{path}, line 1: ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("raise SystemExit\n", "{path}, line 1: SystemExit"),
        ("", "{path}: expected a constant METRIC of type biassay.Metric"),
        (f"{HEAD}METRIC = Metric('s', 's')\n", "{path}, line 2: ValueError: METRIC: declare at least one of"),
        (SET.replace("set_bias", "bias"), "{path}: METRIC declares the level set, but there is no function set_bias"),
        (SET.replace("set=", "takes='language_model', set="), "but there is no function scores"),
        (BOTH.format("groups=3, "), "METRIC.groups: expected a pair such as (2, 2) or (1, None), got 3"),
        (SET.replace("Level(0, 1)", "(0, 1)"), "METRIC.set: expected a Level, got (0, 1)"),
        (BOTH.format("takes='prediction', "), "METRIC.takes: unknown value 'prediction' (did you mean"),
        (BOTH.format("takes='predictions', "), "first_order.metrics: 'mine' takes predictions, but this"),
        (WORD.replace("a)", "a, *, k: int = 1.5)"), "mine.py: word_bias: option k: default: expected an integer"),
        (SET, "config: first_order.metrics: 'mine' has no word level, only set"),
        (SET.replace("'s', 's'", "sumary='s', source='s'"), "mine.py, line 2: TypeError: "),
        (SET.replace("set=Level(0, 1)", "\n  set=Level(2, 0)"), "mine.py, line 3: ValueError: b_min, b_max: expected"),
        (SET.replace("Level(0, 1)", "Level(0, 1, labels='no')"), "line 2: ValueError: labels, signed: expected"),
        (SET.replace("Level(0, 1)", "Level(0, 1, 'none')"), "mine.py, line 2: ValueError: b_0: expected a number"),
    ],
)
def test_invalid_own_metrics(tmp_path, text, message):
    message = message.replace("{path}", str(tmp_path / "mine.py"))
    with pytest.raises(ValueError, match=re.escape(message)):
        preparation.check(own(tmp_path, {"first_order.metrics": ["mine"]}, mine=text), ROOT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("INPUT = 'tokens'\n", "mine.py: lacks the function train"),
        ("def train(corpus): ...\n", "mine.py: lacks the constant INPUT"),
        ("INPUT = 'token'\ndef train(corpus): ...\n", "mine.py: INPUT: unknown name 'token' (did you mean 'tokens'?)"),
        ("INPUT = 'tokens'\ndef train(corpus, *, k: int = 'x'): ...\n", "mine.py: train: option k: default: expected"),
        ("import nothing_like_it\n", "mine.py, line 1: ModuleNotFoundError: No module named 'nothing_like_it'"),
    ],
)
def test_invalid_own_algorithms(tmp_path, text, message):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ValueError, match=rf"^config: embeddings\.mine\.algorithm: .*{re.escape(message)}"):
        preparation.check(changed({"embeddings.mine": {"algorithm": str(tmp_path / "mine.py")}}), ROOT)


def test_tables_of_the_board_are_those_of_the_studies():
    changes = {"studies": ["properties", "silhouette", "published"], "silhouette.pairs": ["planted", "planted_glove"]}
    tables = [
        ("silhouette", "scores", "silhouette/planted/scores"),
        ("silhouette", "false_positives", "silhouette/planted/false_positives"),
        ("properties", "properties", "properties/properties"),
    ]
    assert board.tables(changed(changes)) == tables
    seeds = ("seeds", "scores", "seeds/silhouette/planted/scores/summary")
    assert board.tables(changed(changes | {"seeds": [3, 4]})) == [*tables, seeds]
    assert seeds not in board.tables(changed({"studies": ["same"], "seeds": [3, 4]}))


def test_the_reference_of_the_board():
    assert "(corpus “control”)" in board.reference(DEFAULT)
    file = {"reference_pairs.planted.unbiased": {"file": "vectors/plain.txt"}}
    assert "vectors/plain.txt" in board.reference(changed(file))


def test_rows_of_the_board(tmp_path):
    variant = {"intrinsic.variants.of_mine": {"metric": "mine", "options": {"k": 2}}}
    config = own(tmp_path, variant, mine=SET, theirs=BOTH.format("takes='predictions', "))
    study_metrics.expand_own(config)
    config["intrinsic"]["metrics"].append("of_mine")
    rows, path = board.metrics(config), str(tmp_path / "mine.py")
    assert not {"pll", "tpr_gap", "theirs", "own"} & set(rows)
    assert {"weat", "first_order", "clustering", "ripa_pairs", "direct_bias_published"} <= set(rows)
    assert rows["mine"] == {"metric": path, "options": {}, "range": None}
    assert rows["of_mine"] == {"metric": path, "options": {"k": 2}, "range": None}
    assert rows["ect_raw"] == {"metric": "ect", "options": {"raw": True}, "range": [-1, 1, 0]}
    by_study = board.metrics_by_study(config)
    assert list(by_study) == [*STUDIES, "properties"]
    assert by_study["intrinsic"][-1] == "of_mine"
    assert {"weat", "clustering", "mine"} <= set(by_study["properties"])
    assert board.metrics_by_study(changed({"properties.metrics": ["mac"]}))["properties"] == ["mac"]


def test_a_name_is_one_metric_in_all_studies():
    raw = {"metric": "ect", "options": {"raw": True}}
    board.check_names(changed({"metrics": ["ect_raw"], "variants.ect_raw": raw}, "downstream"))
    board.check_names(changed({"metrics": ["mac"], "variants.mac": {"metric": "mac"}}, "intrinsic"))
    for other in ({"metric": "weat", "options": {}}, raw | {"options": {"raw": False}}):
        with pytest.raises(ValueError, match=r"config: downstream\.variants\.ect_raw: .*metric"):
            board.check_names(changed({"metrics": ["ect_raw"], "variants.ect_raw": other}, "downstream"))
