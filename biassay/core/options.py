"""Options of plug-ins: types and ranges, annotated at the defaults.

    def train(words, counts, *, dimensions: Annotated[int, "1 <= x"] = 300, rate: Annotated[float, "0 < x <= 1"] = 0.1,
              positive: bool = False, kind: Literal["linear", "flat"] = "flat", k: int | None = None)

An option without an annotation has the type of its default. Numbers are finite; neither True nor 2.0 is an integer.
"""

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

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


@cache
def read(function: Callable) -> dict[str, Option]:
    """Read the options of a function: its keyword-only arguments.

    Raises ValueError, naming file and option, for an option without a default, with an invalid default or range, or
    with an annotation that cannot be evaluated.
    """
    where = f"{inspect.getfile(inspect.unwrap(function))}: {function.__name__}"
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except Exception as error:  # an annotation in quotes can be any code
        raise ValueError(f"{where}: annotations: {error}") from error
    options = {}
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY:
            name, default, place = parameter.name, parameter.default, f"{where}: option {parameter.name}"
            if default is parameter.empty:
                raise ValueError(f"{place}: has no default")
            options[name] = Option(name, default, **_parse_annotation(parameter.annotation, default, place))
            options[name].check(default, f"{place}: default")
    return options


def check(prefix: str, values: dict, declared: dict[str, Option]) -> None:
    """Raise ValueError, which begins with `prefix` and the name, for an invalid value; skip unknown names."""
    for name, value in values.items():
        if name in declared:
            declared[name].check(value, f"{prefix}{name}")


def _parse_annotation(annotation: object, default: object, place: str) -> dict:
    """Convert an annotation into arguments of Option."""
    if annotation is inspect.Parameter.empty:
        kind = type(default).__name__
        return {"kind": "float" if kind == "int" else kind if kind in ("float", "bool", "str") else "any"}
    origin, arguments = get_origin(annotation), get_args(annotation)
    if NoneType in arguments:
        rest = Union[tuple(each for each in arguments if each is not NoneType)]  # noqa: UP007
        return _parse_annotation(rest, default, place) | {"optional": True}
    if origin is Annotated:
        return _parse_annotation(arguments[0], default, place) | {"bounds": _parse_range(arguments[1], place)}
    if origin is Literal:
        return {"kind": "choice", "choices": arguments}
    name = getattr(origin or annotation, "__name__", "any")
    return {"kind": name if name in WORDS else "any"}


def _parse_range(text: object, place: str) -> tuple[float, bool, float, bool]:
    """Return the bounds of a range such as "0 < x <= 1"."""
    try:
        match = RANGE.fullmatch(text)
        low, high = float(match["low"] or -math.inf), float(match["high"] or math.inf)
    except (TypeError, ValueError):
        raise ValueError(f'{place}: range: expected one such as "0 < x <= 1", got {text!r:.80}') from None
    return low, match["above"] == "<", high, match["below"] == "<"
