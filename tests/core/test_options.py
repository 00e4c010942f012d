"""Options of plug-ins: annotations are read without running the file, and values are checked."""

import re

import numpy as np
import pytest

from biassay.core import options, registry
from biassay.core.options import Option

FILE = """
from __future__ import annotations
STEPS = 7
raise SystemExit("this file must not be run")

def train(
    words, counts, *, size: Annotated[int, "1 <= x"] = 3, rate: typing.Annotated[float, "0 < x < 1"] = 0.5,
    most: Annotated[float, "x <= 10"] = 1, positive: bool = False, kind: Literal["linear", "flat"] = "flat",
    k: Annotated[int, "2 <= x"] | None = None, words_left: list[str] | None = None, name: str = "x", free=2,
    steps: int = STEPS, odd: np.ndarray | None = None, three: Literal[1, 2] = 2,
): ...
"""
NAN, INF = float("nan"), float("inf")
RIGHT = {
    "size": [1, 3, np.int64(5), 10**9],
    "rate": [0.1, 0.999, np.float32(0.5)],
    "most": [-1e300, 10, 10.0],
    "positive": [True, False],
    "kind": ["linear", "flat"],
    "k": [None, 2],
    "words_left": [None, [], ["a"], ("a", "b")],
    "name": ["", "y"],
    "free": [2, 2.5, -1],
    "steps": [0, -3],
    "odd": [None, 3, "x", [1]],
    "three": [1, 2],
}
WRONG = {
    "size": [0, -1, 1.0, 2.5, True, "3", None, NAN, INF, [1], np.bool_(True)],
    "rate": [0, 1, 0.0, 1.0, -0.5, NAN, INF, "0.5", None, True],
    "most": [10.1, INF, -INF, NAN, "1", False],
    "positive": ["no", "true", 0, 1, None, NAN],
    "kind": ["Flat", "", None, 1, ["flat"]],
    "k": [1, 2.0, "2", False],
    "words_left": ["word", [1], {"a": 1}, 3],
    "name": [None, 1, ["x"]],
    "free": ["2", True, NAN, None],
    "steps": [7.0, "7"],
    "odd": [],
    "three": [3, 1.0, True, "1"],
}


@pytest.fixture(scope="module")
def declared(tmp_path_factory):
    path = tmp_path_factory.mktemp("plug-in") / "mine.py"
    path.write_text(FILE)
    return options.read_options(path, "train")


def test_declarations_are_read_without_running_the_file(declared):
    assert {name: option.default for name, option in declared.items()} == {
        "size": 3, "rate": 0.5, "most": 1, "positive": False, "kind": "flat", "k": None, "words_left": None,
        "name": "x", "free": 2, "steps": 7, "odd": None, "three": 2,
    }  # fmt: skip
    assert {name: str(option) for name, option in declared.items()} == {
        "size": "an integer ≥ 1",
        "rate": "a number > 0 and < 1",
        "most": "a number ≤ 10",
        "positive": "true or false",
        "kind": "one of linear, flat",
        "k": "an integer ≥ 2, or nothing",
        "words_left": "a list of texts, or nothing",
        "name": "a text",
        "free": "a number",
        "steps": "an integer",
        "odd": "any value, or nothing",
        "three": "one of 1, 2",
    }


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in RIGHT for value in RIGHT[name]])
def test_right_values_are_taken(declared, name, value):
    options.check("", {name: value}, declared)


@pytest.mark.bad_input(
    "options: each type × each bad kind", "refused; the message names option, value and expected values"
)
@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_wrong_values_are_named_with_what_is_right(declared, name, value):
    option = declared[name]
    expected = "one of: " + ", ".join(map(str, option.choices)) if option.choices else str(option)
    with pytest.raises(ValueError, match=rf"^here\.{name}: .*expected {expected}") as caught:
        options.check("here.", {name: value}, declared)
    assert repr(value)[:20] in str(caught.value)


def test_unknown_names_are_another_matter(declared):
    options.check("", {"sise": "x"}, declared)


@pytest.mark.bad_input(
    "metrics and algorithms of your own", "refused at the start; the message names file, line and what is missing"
)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def train(w, *, k): ...", "option k: has no default"),
        ("def train(w, *, k=f()): ...", "option k: default: expected a literal value, got f()"),
        ("def train(w, *, k=UNKNOWN): ...", "option k: default: expected a literal value, got UNKNOWN"),
        ('def train(w, *, k: Annotated[int, "1 < x"] = 1): ...', "option k: default: expected an integer > 1, got 1"),
        ('def train(w, *, k: Annotated[int, "1 to 3"] = 1): ...', "option k: range: expected one such as"),
        ("def train(w, *, k: Annotated[int, 3] = 1): ...", "option k: range: expected one such as"),
        ('def train(w, *, k: Annotated[int, "a <= x"] = 1): ...', "option k: range: expected one such as"),
        ("def train(w, *, k: int = 1.5): ...", "option k: default: expected an integer, got 1.5"),
        ("def other(w): ...", "mine.py: lacks the function train"),
        ("def train(:\n", "mine.py, line 1: not a Python file: "),
        ("x = 1\n\ndef train(w\n", "mine.py, line 3: not a Python file: "),
        ("\0", "mine.py: not a Python file: "),
        ("(" * 5000, "mine.py"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, text, message):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ValueError, match=re.escape(message)):
        options.read_options(tmp_path / "mine.py", "train")


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "mine.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"mine\.py: not a Python file"):
        options.parse(tmp_path / "mine.py")


def functions():
    kinds = {"embeddings": ["train"], "metrics": ["word_bias", "set_bias", "scores"]}
    for kind, names in kinds.items():
        for name in registry.names(kind):
            path = registry.find(kind, name)
            yield from ((path, function) for function in names if f"\ndef {function}(" in path.read_text("utf-8"))


@pytest.mark.parametrize(("path", "function"), list(functions()), ids=lambda part: getattr(part, "stem", part))
def test_every_option_that_comes_with_biassay_has_a_type_and_a_range(path, function):
    for name, option in options.read_options(path, function).items():
        assert option.kind != "any", name
        if option.kind in ("int", "float"):
            assert option.bounds != Option("", 0).bounds, name


def test_a_function_that_is_imported_has_the_options_of_its_file():
    from biassay.metrics import same_skew, weat

    for module in (weat, same_skew):
        path = registry.find("metrics", module.__name__.split(".")[-1])
        assert options.inspect_options(module.set_bias) == options.read_options(path, "set_bias")
