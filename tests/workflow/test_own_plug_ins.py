"""Invalid metrics and algorithms of your own are refused at the start of a run."""

import copy
import re

import pytest
import yaml

from biassay.workflow import plugins
from biassay.workflow import preparation as settings
from tests.running import ROOT

DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))


@pytest.mark.bad_input(
    "metrics and algorithms of your own", "refused at the start; the message names file, line and what is missing"
)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.py: lacks the constant METRIC"),
        ("METRIC = 3\n", "mine.py: METRIC: expected a call, got 3"),
        ("METRIC = Metric('s', 's')\n", "mine.py, line 1: ValueError: METRIC: declare at least one of the levels"),
        ("METRIC = Metric('s', 's', set=Level(0, 1))\n", "mine.py: lacks the function set_bias"),
        (
            "METRIC = Metric('s', 's', takes='prediction', set=Level(0, 1))\ndef set_bias(p, t, g): ...\n",
            "mine.py: METRIC: takes: unknown value 'prediction' (did you mean 'predictions'?)",
        ),
        (
            "METRIC = Metric('s', 's', takes='predictions', set=Level(0, 1))\n",
            "mine.py: lacks the function set_bias",
        ),
        (
            "METRIC = Metric('s', 's', takes='predictions', word=Level(0, 1))\ndef word_bias(p, t, g): ...\n",
            "config: first_order.metrics: 'mine' takes predictions, but this study measures vectors",
        ),
        ("def f(:\n", "mine.py, line 1: not a Python file"),
        (
            "METRIC = Metric('s', 's', word=Level(0, 1))\ndef word_bias(t, a, *, k: int = 1.5): ...\n",
            "mine.py: word_bias: option k: default: expected an integer, got 1.5",
        ),
        (
            "METRIC = Metric('s', 's', set=Level(0, 1))\ndef set_bias(t, a): ...\n",
            "config: first_order.metrics: 'mine' has no word level, only set",
        ),
        (
            "METRIC = Metric(sumary='s', source='s', set=Level(0, 1))\ndef set_bias(t, a): ...\n",
            "mine.py, line 1: TypeError: ",
        ),
        (
            "METRIC = biassay.Metric('s', set=Level(0, 1))\ndef set_bias(t, a): ...\n",
            "mine.py, line 1: TypeError: ",
        ),
        (
            "METRIC = Metric('s', 's',\n  set=Level(2, 0))\ndef set_bias(t, a): ...\n",
            "mine.py, line 2: ValueError: b_min, b_max: expected b_min < b_max, got 2 and 0",
        ),
        (
            "METRIC = Metric('s', 's', set=Level(0, 1), cite=('caliskan',))\ndef set_bias(t, a): ...\n",
            "mine.py, line 1: ValueError: METRIC.cite: ",
        ),
    ],
)
def test_a_metric_of_ones_own_is_read_at_the_start(tmp_path, text, message):
    (tmp_path / "mine.py").write_text(text)
    config = copy.deepcopy(DEFAULT)
    config["own_metrics"]["mine"] = str(tmp_path / "mine.py")
    config["first_order"]["metrics"] = ["mine"]
    with pytest.raises(ValueError, match=re.escape(message)):
        settings.check(config, ROOT)


@pytest.mark.bad_input(
    "metrics and algorithms of your own", "refused at the start; the message names file, line and what is missing"
)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("INPUT = 'tokens'\n", "mine.py: lacks the function train"),
        ("def train(corpus): ...\n", "mine.py: lacks the constant INPUT"),
        ("INPUT = 'token'\ndef train(corpus): ...\n", "mine.py: INPUT: unknown name 'token' (did you mean 'tokens'?)"),
        ("INPUT = 'tokens'\ndef train(corpus, *, k): ...\n", "mine.py: train: option k: has no default"),
    ],
)
def test_an_algorithm_of_ones_own_is_read_at_the_start(tmp_path, text, message):
    (tmp_path / "mine.py").write_text(text)
    config = copy.deepcopy(DEFAULT)
    config["embeddings"]["mine"] = {"algorithm": str(tmp_path / "mine.py")}
    with pytest.raises(ValueError, match=re.escape(message)):
        settings.check(config, ROOT)


@pytest.mark.parametrize(
    "text",
    [
        "METRIC: Metric = Metric('s', 's', word=Level(0, 1))",
        "MOST = 1\nLEVEL = Level(0, MOST)\nMETRIC = Metric('s' + 's', NAME, word=LEVEL, cite=PAPERS)",
        "METRIC = Metric(**EVERYTHING, word=Level(*BOUNDS))",
        "METRIC = replace(weat.METRIC, summary='s', word=Level(lambda k: -k, None))",
    ],
)
def test_a_declaration_that_only_running_it_would_tell_is_taken(tmp_path, text):
    path = tmp_path / "mine.py"
    path.write_text(f"{text}\ndef word_bias(t, a): ...\n")
    plugins.check_own_metric("mine", str(path))
