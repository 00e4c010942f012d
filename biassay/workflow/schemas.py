"""The configuration against its schema: integers are integers, numbers finite, each error in words."""

import math
from functools import cache, partial
from pathlib import Path

import jsonschema
import yaml

from biassay.support import registry
from biassay.workflow.problems import gather


def check(config: dict, path: str | Path) -> None:
    """Raise ValueError with each place of the configuration that is not as the schema has it."""

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
    return isinstance(value, int) and not isinstance(value, bool)  # 2.0 is none


def _is_number(checker: object, value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _message(error: jsonschema.ValidationError) -> str:
    """A schema error in words: where, what value, which choices."""
    where = ".".join(str(part) for part in error.absolute_path) or "top level"
    known = list(error.schema.get("properties", {}))
    if error.validator == "additionalProperties":
        extra = [key for key in error.instance if key not in known]
        return registry.describe_unknown(f"{where}: unknown key", extra[0], known)
    if error.validator == "enum":
        return registry.describe_unknown(f"{where}: unknown value", error.instance, error.validator_value)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"{where}: lacks the key {missing[0]!r}"
    if error.validator == "type":
        return f"{where}: {error.instance!r} is not of type {error.validator_value}{_of_text(error)}"
    if error.validator == "pattern" and "description" in error.schema:
        return f"{where}: {error.message}: {error.schema['description']}"
    return f"{where}: {error.message}"


def _of_text(error: jsonschema.ValidationError) -> str:
    """How to write a number that YAML has read as a text: 1e-3 lacks its point, and "3" has quotes."""
    wanted = error.validator_value
    if wanted not in ("number", "integer") or not isinstance(error.instance, str):
        return ""
    try:
        number = float(error.instance)
    except ValueError:
        return ""
    if not math.isfinite(number) or (wanted == "integer" and not number.is_integer()):
        return ""
    return f"; write {int(number) if wanted == 'integer' else number}, without quotes"
