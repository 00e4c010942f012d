"""Problems of several checks, collected so that one run reports all of them."""

from collections.abc import Callable, Iterable

from biassay.core.redaction import redact


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
