"""Text on its way to a terminal, a pipe or a file: data can neither style it, nor move the cursor, nor stop it."""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\r")  # colours and movements of the cursor
CONTROLS = dict.fromkeys((*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)), "\ufffd")  # all but tabs and line ends


def printable(text: str) -> str:
    """A text without escape sequences, with � for each other control character; tabs and line ends stay."""
    return ESCAPES.sub("", text).translate(CONTROLS)


def plain_console(**options: object) -> "Console":
    """A console of rich that takes text as it is: no markup, no emoji codes, no control characters."""
    from rich.console import Console
    from rich.segment import Segment

    class PlainText(Console):
        def render(self, *arguments: object, **more: object) -> Iterable[Segment]:
            for segment in super().render(*arguments, **more):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

        def on_broken_pipe(self) -> None:  # rich would end the program
            raise BrokenPipeError

    return PlainText(markup=False, emoji=False, highlight=False, **options)


def replace_unencodable(stream: TextIO | None) -> TextIO:
    """A stream that replaces what its encoding lacks; in place of a closed one, one that is written nowhere."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


@contextmanager
def flushed_output() -> Iterator[None]:
    """What the block prints reaches standard output before it ends, or an OSError is raised, as for a full disk.

    If whoever reads the output stops, as `head` does, the block ends and the program goes on.
    """
    sys.stdout, sys.stderr = replace_unencodable(sys.stdout), replace_unencodable(sys.stderr)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard()
    except OSError:
        _discard()
        raise


def _discard() -> None:
    """Write what standard output still holds nowhere, for Python would fail once more as it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
