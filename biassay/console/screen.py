"""Output of lines: plain for a file or a pipe, with a progress bar below them on a terminal."""

import sys
import threading
import time
from collections.abc import Callable
from typing import TextIO

from biassay.core import terminals

HEARTBEAT = 60.0  # seconds without a line, after which one tells what runs; twice as long each time, to LONGEST
LONGEST = 900.0


class Plain:
    """Lines with the time of day, no control characters; `running` is asked when nothing was said for long."""

    def __init__(self, stream: TextIO, running: Callable[[], list[str]]):
        self.stream, self.running = stream, running
        self._said, self._wait = time.monotonic(), HEARTBEAT
        self._lock, self._closed = threading.Lock(), threading.Event()

    def start(self) -> None:
        """Begin to tell what runs."""
        threading.Thread(target=self._beat, daemon=True).start()

    def line(self, text: str) -> None:
        """Write a line."""
        self._wait = HEARTBEAT
        self._write([text])

    def close(self) -> None:
        """Write no more of what runs."""
        self._closed.set()

    def _beat(self) -> None:
        while not self._closed.wait(1.0):
            if time.monotonic() - self._said >= self._wait:
                self._wait = min(2 * self._wait, LONGEST)
                self._write([f"{time.strftime('%H:%M:%S')} running: {text}" for text in self.running()])

    def _write(self, lines: list[str]) -> None:
        with self._lock:
            self._said = time.monotonic()
            for text in lines:
                print(terminals.printable(text), file=self.stream, flush=True)


class Terminal:
    """Lines that scroll, and below them a bar and the jobs that run, kept up to date by rich."""

    def __init__(
        self, stream: TextIO, running: Callable[[], list[str]], head: Callable[[], tuple[float, str]], color: bool
    ):
        from rich.live import Live

        self.running, self.head = running, head
        self.console = terminals.plain_console(file=stream, no_color=not color, force_terminal=True)
        self.live = Live(
            console=self.console, get_renderable=self._drawn, refresh_per_second=2, transient=True,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip

    def start(self) -> None:
        """Begin to draw."""
        self.live.start()

    def line(self, text: str) -> None:
        """Write a line above the bar."""
        self.console.print(text, soft_wrap=True)

    def close(self) -> None:
        """Take the bar away."""
        self.live.stop()

    def _drawn(self):
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        share, text = self.head()
        top = Table.grid(padding=(0, 1))
        top.add_row(ProgressBar(total=1.0, completed=share, width=30), Text(text))
        lines = self.running()[: max(1, self.console.height - 4)]
        return Group(top, *(Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in lines))


def choose(stream: TextIO, running: Callable, head: Callable, *, color: bool = True) -> Plain | Terminal:
    """A terminal where the stream is one that can move its cursor, else plain lines."""
    import os

    if stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb"):
        return Terminal(stream, running, head, color)
    return Plain(stream, running)


def stream_of(stdout: bool) -> TextIO:
    """Standard output or standard error, as they are now."""
    return terminals.replace_unencodable(sys.stdout if stdout else sys.stderr)
