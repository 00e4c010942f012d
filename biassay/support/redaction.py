"""Addresses without their secrets: the user and password before the host, and the query behind the path."""

import re
from typing import Any

USER = re.compile(r"://[^@\n]*@(?:\S*@)?")  # a password may hold what should be escaped there, as / or a space
QUERY = re.compile(r"(://[^\s?]*)\?\S+")


def redact(value: Any) -> Any:
    """A text with *** for the secrets of the addresses in it; so are the texts in mappings and lists."""
    if isinstance(value, str):
        return QUERY.sub(r"\1?***", USER.sub("://***@", str(value)))
    if isinstance(value, dict):
        return {key: redact(one) for key, one in value.items()}
    return [redact(one) for one in value] if isinstance(value, list) else value


class Address(str):
    """An address whose repr has no secrets: what shows or notes the mapping that it is in shows none."""

    def __repr__(self) -> str:
        return repr(redact(self))
