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
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from typing import Any

NAMES = {"int": "an integer", "float": "a number", "bool": "true or false", "str": "a text"}
RANGE = re.compile(r"\s*(?:(?P<low>\S+)\s*(?P<above><=?)\s*)?x(?:\s*(?P<below><=?)\s*(?P<high>\S+))?\s*")


@dataclass(frozen=True)
class Option:
    """An option of a plug-in: its default and its allowed values.

    Parameters
    ----------
    name, default
    kind : {"int", "float", "bool", "str", "choice", "list", "any"}
        "list" is a list of texts.
    bounds : tuple of (float, bool, float, bool)
        Lower bound, whether it is excluded, upper bound, whether it is excluded.
    choices : tuple
        The values of a "choice".
    optional : bool
        Whether None is allowed.
    """

    name: str
    default: Any
    kind: str = "any"
    bounds: tuple[float, bool, float, bool] = (-math.inf, False, math.inf, False)
    choices: tuple = ()
    optional: bool = False

    def __str__(self) -> str:
        """Describe the allowed values, as "an integer ≥ 1" or "a number from 0 to 1"."""
        if self.kind == "choice":
            words = "one of " + ", ".join(map(str, self.choices))
        else:
            words = NAMES.get(self.kind, "a list of texts" if self.kind == "list" else "any value")
        return " ".join([words, *self._limits()]) + (", or nothing" if self.optional else "")

    def _limits(self) -> list[str]:
        low, above, high, below = self.bounds
        if math.isfinite(low) and math.isfinite(high) and not above and not below:
            return [f"from {_number(low)} to {_number(high)}"]
        limits = [f"{'>' if above else '≥'} {_number(low)}"] if low > -math.inf else []
        limits += [f"{'<' if below else '≤'} {_number(high)}"] if high < math.inf else []
        return [" and ".join(limits)] if limits else []

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
    tree = parse(path)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return _from_node(node, str(path), read_constants(tree))
    raise ValueError(f"{path}: lacks the function {function}")


@cache
def inspect_options(function: Callable) -> dict[str, Option]:
    """Return the options of an imported function, as `read_options` does."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    return _from_node(node, function.__module__, function.__globals__)


def check(prefix: str, values: dict, declared: dict[str, Option]) -> None:
    """Raise ValueError, which begins with `prefix` and the name, for an invalid value; skip unknown names."""
    for name, value in values.items():
        if name in declared:
            declared[name].check(value, f"{prefix}{name}")


def parse(path: Path) -> ast.Module:
    """Parse a Python file; raise ValueError, naming file and line, if it is not Python."""
    state = Path(path).stat()
    return _parse_once(path, state.st_mtime_ns, state.st_size)


@cache
def _parse_once(path: Path, changed: int, size: int) -> ast.Module:
    """Parse a file once per state of it."""
    try:
        return ast.parse(Path(path).read_text("utf-8"), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # not text, NUL bytes, deep nesting
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(f"{path}{line}: not a Python file: {error}") from error


def read_docstring(path: Path) -> str:
    """Read the docstring of a Python file."""
    return ast.get_docstring(parse(path)) or ""


def read_constants(tree: ast.Module) -> dict[str, Any]:
    """Return the names at the top of a file that have literal values."""
    values = {}
    for node in tree.body:
        if isinstance(target := assigned_target(node), ast.Name):
            with suppress(ValueError):
                values[target.id] = ast.literal_eval(node.value)
    return values


def assigned_target(node: ast.stmt) -> ast.expr | None:
    """Return the target of an assignment, annotated or not; None for other statements."""
    if isinstance(node, ast.AnnAssign):
        return node.target if node.value else None
    return node.targets[0] if isinstance(node, ast.Assign) else None


def _from_node(node: ast.FunctionDef, where: str, names: dict) -> dict[str, Option]:
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
        return {"kind": "float" if kind in ("int", "float") else kind} if kind in NAMES else {}
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr) and _is_none(annotation.right):
        return _parse_annotation(annotation.left, default, place) | {"optional": True}
    name = ast.unparse(annotation.value if isinstance(annotation, ast.Subscript) else annotation).split(".")[-1]
    if isinstance(annotation, ast.Subscript) and name == "Annotated" and isinstance(annotation.slice, ast.Tuple):
        inner, limits = annotation.slice.elts[:2]
        return _parse_annotation(inner, default, place) | {"bounds": _parse_range(limits, place)}
    if isinstance(annotation, ast.Subscript) and name == "Literal":
        choices = ast.literal_eval(annotation.slice)
        return {"kind": "choice", "choices": choices if isinstance(choices, tuple) else (choices,)}
    return {"kind": name} if name in (*NAMES, "list") else {}


def _parse_range(node: ast.expr, place: str) -> tuple[float, bool, float, bool]:
    text = node.value if isinstance(node, ast.Constant) else None
    match = RANGE.fullmatch(text) if isinstance(text, str) else None
    try:
        low, high = (float(match[part]) if match[part] else None for part in ("low", "high"))
    except (TypeError, ValueError):
        raise ValueError(f'{place}: range: expected one such as "0 < x <= 1", got {ast.unparse(node)}') from None
    return (
        -math.inf if low is None else low,
        match["above"] == "<",
        math.inf if high is None else high,
        match["below"] == "<",
    )


def _number(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else f"{value:g}"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
