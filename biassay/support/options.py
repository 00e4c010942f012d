"""Options of plug-ins: types and ranges as annotations where the defaults stand, read without running a file.

    def train(words, counts, *, dimensions: Annotated[int, "1 <= x"] = 300, rate: Annotated[float, "0 < x <= 1"] = 0.1,
              positive: bool = False, kind: Literal["linear", "flat"] = "flat", k: int | None = None)

An option without annotation has the type of its default. Numbers are finite; yes-or-no values and 2.0 are no integers.
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
    """An option: its default, and what its values are.

    kind: "int", "float", "bool", "str", "choice", "list" of texts, or "any". within: (low, whether low itself is out,
    high, whether high itself is out). choices: for "choice". empty: whether it may be None.
    """

    name: str
    default: Any
    kind: str = "any"
    within: tuple[float, bool, float, bool] = (-math.inf, False, math.inf, False)
    choices: tuple = ()
    empty: bool = False

    def __str__(self) -> str:
        """What its values are, in words."""
        if self.kind == "choice":
            words = "one of " + ", ".join(map(str, self.choices))
        else:
            words = NAMES.get(self.kind, "a list of texts" if self.kind == "list" else "any value")
        low, above, high, below = self.within
        limits = [f"{'above' if above else 'from'} {_number(low)}"] if low > -math.inf else []
        limits += [f"{'below' if below else 'to'} {_number(high)}"] if high < math.inf else []
        return " ".join([words, *limits]) + (", or nothing" if self.empty else "")

    def check(self, value: object, where: str) -> None:
        """Raise ValueError that begins with `where`, with the value and what it should be, if it is not right."""
        if not (value is None and self.empty) and not self._right(value):
            unknown = f"unknown value {value!r:.80}; expected one of: {', '.join(map(str, self.choices))}"
            raise ValueError(f"{where}: " + (unknown if self.kind == "choice" else f"{value!r:.80} is not {self}"))

    def _right(self, value: object) -> bool:
        if self.kind in ("int", "float"):
            number = Integral if self.kind == "int" else Real
            low, above, high, below = self.within
            if not isinstance(value, number) or isinstance(value, bool) or not math.isfinite(value):
                return False
            return (low < value if above else low <= value) and (value < high if below else value <= high)
        if self.kind == "choice":
            return any(value == choice and type(value) is type(choice) for choice in self.choices)
        if self.kind == "list":
            return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        return self.kind == "any" or isinstance(value, {"bool": bool, "str": str}[self.kind])


def read_options(path: Path, function: str) -> dict[str, Option]:
    """The options of a function at the top of a file: its keyword-only arguments.

    Raises ValueError, naming the file, if it is no Python, lacks the function, or declares what cannot be read.
    """
    tree = parse(path)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return _of_node(node, str(path), read_constants(tree))
    raise ValueError(f"{path}: lacks the function {function}")


@cache
def inspect_options(function: Callable) -> dict[str, Option]:
    """The options of a function that is imported; raises ValueError as `read_options` does."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    return _of_node(node, function.__module__, function.__globals__)


def check(where: str, given: dict, known: dict[str, Option]) -> None:
    """Raise ValueError that begins with `where` for a value that is none of its option's; unknown names are left."""
    for name, value in given.items():
        if name in known:
            known[name].check(value, f"{where}{name}")


def parse(path: Path) -> ast.Module:
    """A Python file's syntax tree; raises ValueError, naming the file, if it is no Python."""
    state = Path(path).stat()
    return _parsed(path, state.st_mtime_ns, state.st_size)


@cache
def _parsed(path: Path, changed: int, size: int) -> ast.Module:
    """As `parse`, once for a state of the file."""
    try:
        return ast.parse(Path(path).read_text("utf-8"), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # bytes that are no text, NUL, deep nesting
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(f"{path}{line}: not a Python file: {error}") from error


def read_docstring(path: Path) -> str:
    """What a Python file says of itself."""
    return ast.get_docstring(parse(path)) or ""


def read_constants(tree: ast.Module) -> dict[str, Any]:
    """The plain values that names have at the top of a file."""
    found = {}
    for node in tree.body:
        if isinstance(target := assigned_target(node), ast.Name):
            with suppress(ValueError):
                found[target.id] = ast.literal_eval(node.value)
    return found


def assigned_target(node: ast.stmt) -> ast.expr | None:
    """What a statement gives a value, with a type beside it or without; None if it gives none."""
    if isinstance(node, ast.AnnAssign):
        return node.target if node.value else None
    return node.targets[0] if isinstance(node, ast.Assign) else None


def _of_node(node: ast.FunctionDef, where: str, names: dict) -> dict[str, Option]:
    found = {}
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        place = f"{where}: {node.name}: option {argument.arg}"
        if default is None:
            raise ValueError(f"{place}: has no default")
        try:
            value = names[default.id] if isinstance(default, ast.Name) else ast.literal_eval(default)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{place}: its default is no plain value: {ast.unparse(default)}") from error
        option = Option(argument.arg, value, **_declared(argument.annotation, value, place))
        option.check(value, f"{place}: its default")
        found[argument.arg] = option
    return found


def _declared(annotation: ast.expr | None, default: object, place: str) -> dict:
    """What an annotation says of the values: arguments of Option."""
    if annotation is None:
        kind = type(default).__name__
        return {"kind": "float" if kind in ("int", "float") else kind} if kind in NAMES else {}
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr) and _is_none(annotation.right):
        return _declared(annotation.left, default, place) | {"empty": True}
    name = ast.unparse(annotation.value if isinstance(annotation, ast.Subscript) else annotation).split(".")[-1]
    if isinstance(annotation, ast.Subscript) and name == "Annotated" and isinstance(annotation.slice, ast.Tuple):
        inner, limits = annotation.slice.elts[:2]
        return _declared(inner, default, place) | {"within": _within(limits, place)}
    if isinstance(annotation, ast.Subscript) and name == "Literal":
        choices = ast.literal_eval(annotation.slice)
        return {"kind": "choice", "choices": choices if isinstance(choices, tuple) else (choices,)}
    return {"kind": name} if name in (*NAMES, "list") else {}


def _within(node: ast.expr, place: str) -> tuple[float, bool, float, bool]:
    text = node.value if isinstance(node, ast.Constant) else None
    match = RANGE.fullmatch(text) if isinstance(text, str) else None
    try:
        low, high = (float(match[part]) if match[part] else None for part in ("low", "high"))
    except (TypeError, ValueError):
        raise ValueError(f'{place}: the range {ast.unparse(node)} is none such as "0 < x <= 1"') from None
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
