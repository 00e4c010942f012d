"""Options of plug-ins: types and ranges, annotated at the defaults and read without running the file.

    def train(words, counts, *, dimensions: Annotated[int, "1 <= x"] = 300, rate: Annotated[float, "0 < x <= 1"] = 0.1,
              positive: bool = False, kind: Literal["linear", "flat"] = "flat", k: int | None = None)

An option without an annotation has the type of its default. Numbers are finite; neither True nor 2.0 is an integer.
"""

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from biassay.core import python_files

WORDS = {"int": "an integer", "float": "a number", "bool": "true or false", "str": "a text", "list": "a list of texts"}
RANGE = re.compile(r"\s*(?:(?P<low>\S+)\s*(?P<above><=?)\s*)?x(?:\s*(?P<below><=?)\s*(?P<high>\S+))?\s*")


@dataclass(frozen=True)
class Option:
    """An option of a plug-in: its default and its allowed values.

    `kind` is "int", "float", "bool", "str", "list" (of texts), "choice" (one of `choices`) or "any"; `optional` allows
    None. `bounds` are the lower bound, whether it is excluded, the upper bound, and whether that is excluded.
    """

    name: str
    default: Any
    kind: str = "any"
    bounds: tuple[float, bool, float, bool] = (-math.inf, False, math.inf, False)
    choices: tuple = ()
    optional: bool = False

    def __str__(self) -> str:
        """Describe the allowed values, as "an integer ≥ 1" or "a number from 0 to 1"."""
        low, above, high, below = self.bounds
        limits = [f"{'>' if above else '≥'} {low:.15g}"] if low > -math.inf else []
        limits += [f"{'<' if below else '≤'} {high:.15g}"] if high < math.inf else []
        is_closed = len(limits) == 2 and not above and not below
        words = "one of " + ", ".join(map(str, self.choices)) if self.choices else WORDS.get(self.kind, "any value")
        words = f"{words} from {low:.15g} to {high:.15g}" if is_closed else f"{words} {' and '.join(limits)}".rstrip()
        return words + (", or nothing" if self.optional else "")

    def check(self, value: object, where: str) -> None:
        """Raise ValueError that begins with `where` and names expected and actual value, unless it is allowed."""
        if not (value is None and self.optional) and not self._is_valid(value):
            unknown = f"unknown value {value!r:.80}; expected one of: {', '.join(map(str, self.choices))}"
            invalid = f"expected {self}, got {value!r:.80}"
            raise ValueError(f"{where}: {unknown if self.kind == 'choice' else invalid}")

    def _is_valid(self, value: object) -> bool:
        if self.kind in ("int", "float"):
            number = Integral if self.kind == "int" else Real
            low, above, high, below = self.bounds
            if not isinstance(value, number) or isinstance(value, bool) or not math.isfinite(value):
                return False
            return (low < value if above else low <= value) and (value < high if below else value <= high)
        if self.kind == "choice":
            return any(value == choice and type(value) is type(choice) for choice in self.choices)
        if self.kind == "list":
            return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        return self.kind == "any" or isinstance(value, {"bool": bool, "str": str}[self.kind])


def read_options(path: Path, function: str) -> dict[str, Option]:
    """Read the options of a function in a file: its keyword-only arguments.

    Raises
    ------
    ValueError
        If the file is not Python, lacks the function, or declares an option that cannot be read.
    """
    for node in python_files.parse(path).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return _read_arguments(node, str(path), python_files.read_constants(path))
    raise ValueError(f"{path}: lacks the function {function}, defined in the file by def")


@cache
def inspect_options(function: Callable) -> dict[str, Option]:
    """Return the options of an imported function, as `read_options` does."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    return _read_arguments(node, function.__module__, function.__globals__)


def check(prefix: str, values: dict, declared: dict[str, Option]) -> None:
    """Raise ValueError, which begins with `prefix` and the name, for an invalid value; skip unknown names."""
    for name, value in values.items():
        if name in declared:
            declared[name].check(value, f"{prefix}{name}")


def _read_arguments(node: ast.FunctionDef, where: str, names: dict) -> dict[str, Option]:
    options = {}
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        place = f"{where}: {node.name}: option {argument.arg}"
        if default is None:
            raise ValueError(f"{place}: has no default")
        try:
            value = names[default.id] if isinstance(default, ast.Name) else ast.literal_eval(default)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{place}: default: expected a literal value, got {ast.unparse(default)}") from error
        option = Option(argument.arg, value, **_parse_annotation(argument.annotation, value, place))
        option.check(value, f"{place}: default")
        options[argument.arg] = option
    return options


def _parse_annotation(annotation: ast.expr | None, default: object, place: str) -> dict:
    """Convert an annotation into arguments of Option."""
    if annotation is None:
        kind = type(default).__name__
        return {"kind": "float" if kind == "int" else kind if kind in ("float", "bool", "str") else "any"}
    if isinstance(annotation, ast.BinOp) and ast.unparse(annotation.right) == "None":
        return _parse_annotation(annotation.left, default, place) | {"optional": True}
    parameters = annotation.slice if isinstance(annotation, ast.Subscript) else None
    name = ast.unparse(annotation.value if parameters else annotation).split(".")[-1]
    if name == "Annotated" and isinstance(parameters, ast.Tuple):
        inner, limits = parameters.elts[:2]
        return _parse_annotation(inner, default, place) | {"bounds": _parse_range(limits, place)}
    if name == "Literal" and parameters:
        choices = ast.literal_eval(parameters)
        return {"kind": "choice", "choices": choices if isinstance(choices, tuple) else (choices,)}
    return {"kind": name if name in WORDS else "any"}


def _parse_range(node: ast.expr, place: str) -> tuple[float, bool, float, bool]:
    """Return the bounds of a range such as "0 < x <= 1"."""
    try:
        match = RANGE.fullmatch(node.value)
        low, high = float(match["low"] or -math.inf), float(match["high"] or math.inf)
    except (AttributeError, TypeError, ValueError):
        raise ValueError(f'{place}: range: expected one such as "0 < x <= 1", got {ast.unparse(node)}') from None
    return low, match["above"] == "<", high, match["below"] == "<"
