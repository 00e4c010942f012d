"""Options of plug-ins: annotations are read without running the file, and values are checked."""

import re

import numpy as np
import pytest

from biassay.core import options, registry

FILE = """
from __future__ import annotations
STEPS = 7
raise SystemExit("this file must not be run")

def train(
    words, counts, *, size: Annotated[int, "1 <= x"] = 3, rate: typing.Annotated[float, "0 < x < 1"] = 0.5,
    most: Annotated[float, "x <= 10"] = 1, share: Annotated[float, "0 <= x <= 1"] = 1, positive: bool = False,
    kind: Literal["linear", "flat"] = "flat", k: Annotated[int, "2 <= x"] | None = None,
    words_left: list[str] | None = None, name: str = "x", free=2, steps: int = STEPS, odd: np.ndarray | None = None,
    three: Literal[1, 2] = 2, on=True,
): ...
"""
NAN, INF = float("nan"), float("inf")
# By option: default, description, allowed values, other values.
OPTIONS = {
    "size": (3, "an integer ≥ 1", [1, np.int64(5), 10**9], [0, 1.0, True, "3", None, NAN, INF, [1], np.bool_(True)]),
    "rate": (0.5, "a number > 0 and < 1", [0.1, np.float32(0.5)], [0, 1, -0.5, NAN, INF, "0.5", None, True]),
    "most": (1, "a number ≤ 10", [-1e300, 10, 10.0], [10.1, INF, -INF, NAN, "1", False]),
    "share": (1, "a number from 0 to 1", [0, 1, 0.5], [-0.1, 1.1]),
    "positive": (False, "true or false", [True, False], ["no", "true", 0, 1, None, NAN]),
    "kind": ("flat", "one of linear, flat", ["linear", "flat"], ["Flat", "", None, 1, ["flat"]]),
    "k": (None, "an integer ≥ 2, or nothing", [None, 2], [1, 2.0, "2", False]),
    "words_left": (None, "a list of texts, or nothing", [None, [], ("a", "b")], ["word", [1], {"a": 1}, 3]),
    "name": ("x", "a text", ["", "y"], [None, 1, ["x"]]),
    "free": (2, "a number", [2, 2.5, -1], ["2", True, NAN, None]),
    "steps": (7, "an integer", [0, -3], [7.0, "7"]),
    "odd": (None, "any value, or nothing", [None, 3, "x", [1]], []),
    "three": (2, "one of 1, 2", [1, 2], [3, 1.0, True, "1"]),
    "on": (True, "true or false", [False], [1, None]),
}


@pytest.fixture(scope="module")
def declared(tmp_path_factory):
    path = tmp_path_factory.mktemp("plug-in") / "mine.py"
    path.write_text(FILE)
    return options.read_options(path, "train")


def test_options_are_read_without_running_the_file(declared):
    assert list(declared) == list(OPTIONS)
    for name, (default, description, allowed, others) in OPTIONS.items():
        option = declared[name]
        assert (option.default, str(option)) == (default, description)
        for value in allowed:
            options.check("", {name: value}, declared)
        for value in others:
            expected = "one of: " + ", ".join(map(str, option.choices)) if option.choices else description
            with pytest.raises(ValueError, match=rf"^here\.{name}: .*expected {expected}") as caught:
                options.check("here.", {name: value}, declared)
            assert repr(value)[:20] in str(caught.value)
    options.check("", {"sise": "x"}, declared)  # unknown names are checked elsewhere


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def train(w, *, k): ...", "option k: has no default"),
        ("def train(w, *, k=f()): ...", "option k: default: expected a literal value, got f()"),
        ('def train(w, *, k: Annotated[int, "1 < x"] = 1): ...', "option k: default: expected an integer > 1, got 1"),
        ('def train(w, *, k: Annotated[int, "1 to 3"] = 1): ...', "option k: range: expected one such as"),
        ("def train(w, *, k: Annotated[int, 3] = 1): ...", "option k: range: expected one such as"),
        ("def train(w, *, k: int = 1.5): ...", "option k: default: expected an integer, got 1.5"),
        ("def other(w): ...", "mine.py: lacks the function train"),
        ("x = 1\n\ndef train(w\n", "mine.py, line 3: not a Python file: "),
        ("(" * 5000, "mine.py"),
        (b"\xff\xfe\x00", "mine.py: not a Python file"),
    ],
)
def test_errors_name_file_and_option(tmp_path, text, message):
    (tmp_path / "mine.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=re.escape(message)):
        options.read_options(tmp_path / "mine.py", "train")


def test_an_imported_function_has_the_options_of_its_file():
    from biassay.metrics import same_skew, weat

    for module in (weat, same_skew):
        path = registry.find("metrics", module.__name__.split(".")[-1])
        assert options.inspect_options(module.set_bias) == options.read_options(path, "set_bias")
