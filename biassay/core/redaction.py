"""Addresses without secrets: without user and password before the host, and without the query after the path."""

import re
from typing import Any

# A password may contain / or a space that should be escaped. Limits keep the time linear in the length of a text.
USER = re.compile(r"://[^@\n]{0,4000}@(?:\S{0,4000}@)?")
QUERY = re.compile(r"(://[^\s?]{0,4000})\?\S+")


def redact(value: Any) -> Any:
    """Replace the secrets of addresses in a text by ***; also in the texts of mappings and lists."""
    if isinstance(value, str):
        return QUERY.sub(r"\1?***", USER.sub("://***@", str(value)))
    if isinstance(value, dict):
        return {key: redact(one) for key, one in value.items()}
    return [redact(one) for one in value] if isinstance(value, list) else value


class Address(str):
    """An address whose repr has no secrets, so that logs of the mapping it is in have none."""

    def __repr__(self) -> str:
        return repr(redact(self))
