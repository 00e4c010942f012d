"""Text for a terminal, a pipe or a file: data cannot style it, move the cursor or stop the output."""

import io
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import count
from typing import TYPE_CHECKING, TextIO

from biassay.core.redaction import redact

if TYPE_CHECKING:
    from rich.console import Console

ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\r")  # colours and movements of the cursor
CONTROLS = dict.fromkeys((*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)), "\ufffd")  # except tab and newline


def printable(text: str) -> str:
    """Remove escape sequences and replace other control characters by �; keep tabs and line ends."""
    return ESCAPES.sub("", text).translate(CONTROLS)


def plain_console(**options: object) -> "Console":
    """Create a rich console without markup, emoji codes and control characters."""
    from rich.console import Console
    from rich.segment import Segment

    class PlainText(Console):
        def render(self, *arguments: object, **keywords: object) -> Iterable[Segment]:
            for segment in super().render(*arguments, **keywords):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

        def on_broken_pipe(self) -> None:  # rich would exit the program
            raise BrokenPipeError

    # A notebook sets FORCE_COLOR, which rich would take for a terminal whose lines can be replaced.
    stream = options.get("file") or (sys.stderr if options.get("stderr") else sys.stdout)
    return PlainText(
        markup=False, emoji=False, highlight=False, force_jupyter=False, force_terminal=stream.isatty(), **options
    )


def replace_unencodable(stream: TextIO | None) -> TextIO:
    """Make a stream replace characters that its encoding lacks; for a closed stream, return one that discards."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


@contextmanager
def latest_message(logger: logging.Logger) -> Iterator[None]:
    """Show the latest message of a logger on a line that changes; print only the first one unless at a terminal."""
    console = plain_console(stderr=True)
    handler, numbers, before = logging.Handler(logging.INFO), count(), (logger.level, logger.propagate)
    with console.status("starting") if console.is_terminal else nullcontext() as status:
        if status:
            handler.emit = lambda record: status.update(_keep_end(redact(record.getMessage()), console.width - 4))
        else:
            handler.addFilter(lambda record: next(numbers) == 0)
            handler.emit = lambda record: console.print(redact(record.getMessage()), soft_wrap=True)
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False  # the root logger of the command line would print each message as well
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before[0])
            logger.propagate = before[1]


def _keep_end(text: str, width: int) -> str:
    """Cut the beginning of a text that is too long, since the time left is at its end."""
    return text if len(text) <= width else f"…{text[1 - width :]}"


@contextmanager
def flushed_output() -> Iterator[None]:
    """Flush standard output at the end of the block; raise OSError if that fails, as on a full disk.

    If the reader of a pipe stops, as `head` does, the block ends without an error.
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
    """Discard what standard output still buffers; otherwise Python fails again at its exit."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
