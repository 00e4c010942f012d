"""Lines of a run: on a terminal above a bar and the running jobs; in a file or a pipe alone."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from biassay.core import terminals

if TYPE_CHECKING:
    from rich.console import Group

# Seconds without a line after which a file gets the running jobs; doubled each time, by at most LONGEST.
HEARTBEAT, LONGEST = 60.0, 600.0


class Screen:
    """Writes lines to a stream; `status` returns the share done, a text about it, and lines about running jobs."""

    def __init__(self, stream: TextIO, status: Callable[[], tuple[float, str, list[str]]], *, color: bool = True):
        from rich.live import Live

        self.status = status
        self.console = terminals.plain_console(file=stream, no_color=not color)
        self.is_live = self.console.is_terminal and not self.console.is_dumb_terminal
        self._live = Live(console=self.console, get_renderable=self._draw, refresh_per_second=2, transient=True,
                          redirect_stdout=False, redirect_stderr=False)  # fmt: skip
        self._written, self._closed = time.monotonic(), threading.Event()

    def start(self) -> None:
        """Begin to show the running jobs."""
        if self.is_live:
            self._live.start()
        else:
            threading.Thread(target=self._beat, daemon=True).start()

    def line(self, text: str) -> None:
        """Write a line."""
        self._written = time.monotonic()
        self.console.print(text, soft_wrap=True)

    def close(self) -> None:
        """Stop showing the running jobs."""
        self._closed.set()
        self._live.stop()

    def _beat(self) -> None:
        wait = HEARTBEAT
        while not self._closed.wait(1.0):
            silent = time.monotonic() - self._written
            wait = HEARTBEAT if silent < HEARTBEAT else wait
            if silent >= wait:
                wait += min(wait, LONGEST)
                for text in self.status()[2]:
                    self.console.print(f"{time.strftime('%H:%M:%S')} running: {text}", soft_wrap=True)

    def _draw(self) -> "Group":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        share, text, running = self.status()
        top = Table.grid(padding=(0, 1))
        top.add_row(ProgressBar(total=1.0, completed=share, width=30), Text(text))
        lines = running[: max(1, self.console.height - 4)]
        return Group(top, *(Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in lines))
