"""Types of the configuration's values: names, lists, shares, paths, and names of other sections.

Validators that need the whole configuration, or files, find it in the context of the validation; without a context they
accept every value. A message that begins with a dot or a colon continues the key of its value.
"""

import os
from glob import glob
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationInfo, create_model

from biassay.core import registry
from biassay.core.redaction import Address
from biassay.words import files


class Section(BaseModel):
    """A mapping of the configuration. True and 2.0 are not integers, and numbers are finite.

    An optional key without a default has the default None, which is no value that a user can give.
    """

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


def section(base: type[Section] = Section, /, **fields: Any) -> type[Section]:
    """Return a section without checks of its own; an optional key is a pair of its type and None."""
    kinds = {name: kind if isinstance(kind, tuple) else (kind, ...) for name, kind in fields.items()}
    return create_model("Section", __base__=base, **kinds)


def name_of(section: str) -> AfterValidator:
    """Check that a name, or each of a list, is a name of a section of the configuration."""

    def check(value: str | list[str], info: ValidationInfo) -> str | list[str]:
        choices = info.context["config"][section] if info.context else None
        names = [value] if isinstance(value, str) else value
        unknown = [name for name in names if isinstance(choices, dict) and name not in choices]
        if unknown:
            raise ValueError(registry.describe_unknown("unknown name", unknown[0], list(choices)))
        return value

    return AfterValidator(check)


def integer(low: int, high: int) -> Any:
    """Return the type of an integer of a range."""
    return Annotated[int, Field(ge=low, le=high)]


def distinct(kind: Any, min_length: int = 1, max_length: int | None = None) -> Any:
    """Return the type of a list without duplicates."""
    lengths = Field(min_length=min_length, max_length=max_length)
    return Annotated[list[kind], lengths, AfterValidator(_check_distinct)]


def number(**bounds: float) -> Any:
    """Return the type of a number of a range, with the bounds of pydantic's Field."""
    return Annotated[float, Field(**bounds)]


def _check_distinct(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError(f"{values} has non-unique elements")
    return values


def _check_name(name: str) -> str:
    files.check_name("", name)
    return name


def _find(path: str, info: ValidationInfo) -> str:
    """Return a path that does not exist in the working directory relative to the workflow's folder, if it exists there.

    So shipped word lists are found wherever the workflow runs, and a user's file has precedence. Other paths are
    unchanged, as is the name of an algorithm; later checks report them. Raises ValueError for line breaks and for
    braces, which Snakemake treats as wildcards.
    """
    if any(sign in path for sign in "{}\n\r"):
        raise ValueError(f"{path!r} has braces or a line break, which Snakemake does not allow in paths")
    if info.context is None or os.path.isabs(path) or _exists(path):
        return path
    shipped = os.path.relpath(os.path.join(info.context["home"], path))
    return shipped if _exists(shipped) else path


def _exists(pattern: str) -> bool:
    return os.path.exists(pattern) or bool(glob(pattern, recursive=True))


def check_exists(path: str) -> None:
    """Raise ValueError for a missing file."""
    if not Path(path).exists():
        raise ValueError(f"there is no file {path!r}")


def _check_exists(path: str, info: ValidationInfo) -> str:
    if info.context:
        check_exists(path)
    return path


Name = Annotated[str, AfterValidator(_check_name)]
Names = distinct(str)
PathLike = Annotated[str, AfterValidator(_find)]  # a path or a glob pattern
File = Annotated[PathLike, AfterValidator(_check_exists)]


def text_or(other: Any, kind: type, text: Any = None) -> Any:
    """Return the type of a path (or another type of texts), or of another value of a Python type."""
    return Annotated[
        Annotated[text or PathLike, Tag("text")] | Annotated[other, Tag("other")],
        Discriminator(lambda value: "other" if isinstance(value, kind) else "text"),
    ]


Paths = text_or(list[PathLike], list)
Url = Annotated[str, Field(pattern=r"^https?://[^?#]+/[^/?#]+$"), AfterValidator(Address)]
Share = number(ge=0, le=1)
Shares = distinct(Share)
