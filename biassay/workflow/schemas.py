"""Check of the configuration against its schema: True and 2.0 are not integers, numbers are finite."""

import math
from functools import cache, partial
from pathlib import Path

import jsonschema
import yaml

from biassay.core import registry
from biassay.workflow.problems import gather

TYPES = {
    "integer": "an integer", "number": "a number", "string": "a text", "boolean": "true or false", "array": "a list",
    "object": "a mapping", "null": "null",
}  # fmt: skip
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def check(config: dict, path: str | Path) -> None:
    """Raise ValueError that names each key and value of the configuration that the schema does not allow."""

    def fail(error: jsonschema.ValidationError) -> None:
        raise ValueError(f"config: {_message(jsonschema.exceptions.best_match([error]))}")

    errors = sorted(_validator(path).iter_errors(config), key=lambda error: list(map(str, error.absolute_path)))
    gather([partial(fail, error) for error in errors])


@cache
def _validator(path: str | Path) -> jsonschema.Draft202012Validator:
    types = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer).redefine("number", _is_number)
    kind = jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=types)
    return kind(yaml.safe_load(Path(path).read_text("utf-8")))


def _is_integer(checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(checker: object, value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _message(error: jsonschema.ValidationError) -> str:
    """Describe a schema error: the key, what was expected, the value."""
    where = ".".join(str(part) for part in error.absolute_path) or "top level"
    keys, rule, value = list(error.schema.get("properties", {})), error.validator_value, error.instance
    if error.validator == "additionalProperties":
        extra = [key for key in value if key not in keys]
        return registry.describe_unknown(f"{where}: unknown key", extra[0], keys)
    if error.validator == "enum":
        return registry.describe_unknown(f"{where}: unknown value", value, rule)
    if error.validator == "required":
        missing = [key for key in rule if key not in value]
        return f"{where}: lacks the key {missing[0]!r}"
    if error.validator == "type":
        expected = " or ".join(TYPES[name] for name in ([rule] if isinstance(rule, str) else rule))
        return f"{where}: expected {expected}, got {value!r}{_hint(rule, value)}"
    if error.validator in LIMITS:
        return f"{where}: expected a number {LIMITS[error.validator]} {rule}, got {value}"
    if error.validator == "pattern" and "description" in error.schema:
        return f"{where}: {error.message}: {error.schema['description']}"
    return f"{where}: {error.message}"


def _hint(expected: str | list[str], value: object) -> str:
    """Explain how to write a number that YAML reads as a text, such as 1e-3 or "3"."""
    if expected not in ("number", "integer") or not isinstance(value, str):
        return ""
    try:
        number = float(value)
    except ValueError:
        return ""
    if not math.isfinite(number) or (expected == "integer" and not number.is_integer()):
        return ""
    return f"; write {int(number) if expected == 'integer' else number}, without quotes"
