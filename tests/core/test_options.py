"""Options of plug-ins: annotations are read, and values are checked."""

import re

import numpy as np
import pytest

from biassay.core import options, registry

HEAD = "from __future__ import annotations\n"  # with and without: annotations are texts or objects
FILE = """
import typing
from pathlib import Path
from typing import Annotated, Literal, Optional

import numpy as np

STEPS = 7

def train(
    words, counts, *, size: Annotated[int, "1 <= x"] = 3, rate: typing.Annotated[float, "0 < x < 1"] = 0.5,
    share: Annotated[float, "0 <= x <= 1"] = 1, positive: bool = False, kind: Literal["linear", "flat"] = "flat",
    k: Annotated[int, "2 <= x"] | None = None, words_left: list[str] | None = None, name: str = "x", free=2,
    steps: int = STEPS, odd: np.ndarray | None = None, three: Literal[1, 2] = 2, on=True,
    source: str | Path | None = None, top: Optional[Literal["x", "y"]] = None,
): ...
"""
NAN, INF = float("nan"), float("inf")
# By option: default, description, allowed values, other values.
OPTIONS = {
    "size": (3, "an integer ≥ 1", [1, np.int64(5), 10**9], [0, 1.0, True, "3", None, NAN, INF, [1]]),
    "rate": (0.5, "a number > 0 and < 1", [0.1, np.float32(0.5)], [0, 1, NAN, INF, "0.5", None, True]),
    "share": (1, "a number from 0 to 1", [0, 1, 0.5], [-0.1, 1.1]),
    "positive": (False, "true or false", [True, False], ["true", 0, None, NAN]),
    "kind": ("flat", "one of linear, flat", ["linear", "flat"], ["Flat", None, 1, ["flat"]]),
    "k": (None, "an integer ≥ 2, or nothing", [None, 2], [1, 2.0, "2", False]),
    "words_left": (None, "a list of texts, or nothing", [None, [], ("a", "b")], ["word", [1], {"a": 1}]),
    "name": ("x", "a text", ["", "y"], [None, 1, ["x"]]),
    "free": (2, "a number", [2, 2.5, -1], ["2", True, NAN, None]),
    "steps": (7, "an integer", [0, -3], [7.0, "7"]),
    "odd": (None, "any value, or nothing", [None, "x", [1]], []),
    "three": (2, "one of 1, 2", [1, 2], [3, 1.0, True, "1"]),
    "on": (True, "true or false", [False], [1, None]),
    "source": (None, "any value, or nothing", [None, "x", [1]], []),
    "top": (None, "one of x, y, or nothing", [None, "x"], ["z"]),
}


def read(folder, text):
    (folder / "mine.py").write_text(text)
    return options.read(registry.load("embeddings", str(folder / "mine.py")).train)


@pytest.mark.parametrize("head", ["", HEAD])
def test_options_have_types_and_ranges(tmp_path, head):
    declared = read(tmp_path, head + FILE)
    assert list(declared) == list(OPTIONS)
    for name, (default, description, allowed, others) in OPTIONS.items():
        option = declared[name]
        assert (option.default, str(option)) == (default, description)
        for value in allowed:
            options.check("", {name: value}, declared)
        expected = "one of: " + ", ".join(map(str, option.choices)) if option.choices else description
        for value in others:
            with pytest.raises(ValueError, match=rf"^here\.{name}: .*expected {expected}") as caught:
                options.check("here.", {name: value}, declared)
            assert repr(value)[:20] in str(caught.value)
    options.check("", {"sise": "x"}, declared)  # unknown names are checked elsewhere


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def train(w, *, k): ...", "option k: has no default"),
        ('def train(w, *, k: Annotated[int, "1 < x"] = 1): ...', "option k: default: expected an integer > 1, got 1"),
        ('def train(w, *, k: Annotated[int, "1 to 3"] = 1): ...', "option k: range: expected one such as"),
        ("def train(w, *, k: Annotated[int, 3] = 1): ...", "option k: range: expected one such as"),
        ("def train(w, *, k: 'Int' = 1): ...", "annotations: name 'Int' is not defined"),
    ],
)
def test_errors_name_file_and_option(tmp_path, text, message):
    with pytest.raises(ValueError, match=rf"mine\.py: train: {re.escape(message)}"):
        read(tmp_path, f"from typing import Annotated\n{text}")
