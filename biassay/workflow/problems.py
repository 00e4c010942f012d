"""Checks that are all made, so that one run tells all that is wrong."""

from collections.abc import Callable, Iterable

from biassay.support.redaction import redact


class Problems(ValueError):
    """What is wrong: a message, or a list of several."""

    def __init__(self, messages: list[str]):
        self.messages = messages
        lines = [f"- {message}" for message in messages]
        super().__init__(messages[0] if len(messages) == 1 else "\n".join([f"{len(messages)} problems:", *lines]))


def gather(checks: Iterable[Callable[[], object]]) -> None:
    """Call all checks; raises Problems with the messages of those that raised ValueError or OSError, each once,
    and without secrets of addresses."""
    found: list[str] = []
    for check in checks:
        try:
            check()
        except Problems as error:
            found += error.messages
        except ValueError as error:
            found.append(str(error))
        except OSError as error:
            found.append(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    if found:
        raise Problems(list(dict.fromkeys(map(redact, found))))
