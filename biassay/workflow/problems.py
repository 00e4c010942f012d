"""Problems of the configuration: collected, so that one run reports all of them, and described."""

import math
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from biassay.core import registry
from biassay.core.redaction import redact

TYPES = {
    "int_type": "an integer", "float_type": "a number", "finite_number": "a number", "string_type": "a text",
    "bool_type": "true or false", "list_type": "a list", "dict_type": "a mapping", "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}  # fmt: skip
NUMBERS = {"int_type": int, "float_type": float}
LENGTHS = {"min_length": "at least", "max_length": "at most"}
LIMITS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


class Problems(ValueError):
    """One or several problems; the text is the message, or a list of the messages."""

    def __init__(self, messages: list[str]):
        self.messages = messages
        lines = [f"- {message}" for message in messages]
        super().__init__(messages[0] if len(messages) == 1 else "\n".join([f"{len(messages)} problems:", *lines]))


def gather(checks: Iterable[Callable[[], object]]) -> None:
    """Make all checks; raise Problems if any raises ValueError or OSError.

    Each message appears once, without the secrets of addresses.
    """
    messages: list[str] = []
    for check in checks:
        try:
            check()
        except Problems as error:
            messages += error.messages
        except ValueError as error:
            messages.append(str(error))
        except OSError as error:
            messages.append(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    if messages:
        raise Problems(list(dict.fromkeys(map(redact, messages))))


def describe(error: ValidationError, model: type[BaseModel], config: dict) -> Problems:
    """Describe all errors of a validation: the key, what was expected, the value."""
    messages = []
    for details in error.errors(include_url=False):
        place = details["loc"][:-1] if details["type"] == "extra_forbidden" else details["loc"]
        key = _key(place, config)
        for text in _texts(details, model):
            continues = text.startswith((".", ":"))  # the key
            messages.append(f"config: {key}{text}" if continues else f"config: {key or 'top level'}: {text}")
    return Problems(list(dict.fromkeys(map(redact, sorted(messages)))))


def _key(place: tuple[int | str, ...], config: Any) -> str:
    """Return the key at a place, without what pydantic adds to it, such as the source of a corpus."""
    keys = []
    for part in place:
        if (isinstance(config, dict) and part in config) or (isinstance(config, list) and isinstance(part, int)):
            config = config[part]
            keys.append(str(part))
    return ".".join(keys)


def _texts(details: ErrorDetails, model: type[BaseModel]) -> list[str]:
    """Describe one error, with several messages if it is of several problems."""
    kind, value, context = details["type"], details["input"], details.get("ctx", {})
    *section, last = details["loc"] or ("",)
    if kind == "value_error":
        error = context["error"]
        return error.messages if isinstance(error, Problems) else [str(error)]
    if kind == "extra_forbidden":
        return [registry.describe_unknown("unknown key", last, _known_keys(section, model))]
    if kind == "missing":
        return [f"lacks the key {last!r}"]
    if kind == "union_tag_not_found":
        return [f"lacks the key {context['discriminator']}"]
    if kind == "union_tag_invalid":
        return [registry.describe_unknown(".source: unknown value", context["tag"], _quoted(context["expected_tags"]))]
    if kind == "literal_error":
        return [registry.describe_unknown("unknown value", value, _quoted(context["expected"]))]
    if kind in TYPES:
        return [f"expected {TYPES[kind]}, got {value!r}{_hint(kind, value)}"]
    for name, sign in LIMITS.items():
        if name in context:
            number = "an integer" if isinstance(context[name], int) else "a number"
            return [f"expected {number} {sign} {context[name]:.15g}, got {value}"]
    if kind == "string_pattern_mismatch":
        return [f"{value!r} does not match {context['pattern']!r}"]
    for name, limit in LENGTHS.items():
        if name in context:
            return [f"expected {limit} {context[name]} values, got {value!r}"]
    return [f"{details['msg']}, got {value!r}"]


def _quoted(choices: str) -> list[str]:
    return re.findall(r"'([^']*)'", choices)


def _known_keys(place: list[int | str], model: Any) -> list[str]:
    """Return the keys of the section at a place, in which pydantic includes the source of a corpus or of texts."""
    for part in place:
        if get_origin(model) is Annotated:
            model = get_args(model)[0]
        if isinstance(model, type) and issubclass(model, BaseModel):
            model = model.model_fields[part].annotation
        elif get_origin(model) is dict:
            model = get_args(model)[1]
        else:  # a union
            model = next(each for each in get_args(model) if part in get_args(each.model_fields["source"].annotation))
    return list(model.model_fields)


def _hint(kind: str, value: object) -> str:
    """Explain how to write a number that YAML reads as a text, such as 1e-3 or "3"."""
    if kind in NUMBERS and isinstance(value, str):
        with suppress(ValueError):
            number = NUMBERS[kind](value)
            return f"; write {number}, without quotes" if math.isfinite(number) else ""
    return ""
