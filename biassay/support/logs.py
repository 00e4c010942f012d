"""Logging of scripts: to the rule's log file and to the terminal, with one clear line for a user's error."""

import logging
import sys
import time
import traceback
from functools import partial
from pathlib import Path
from types import TracebackType


def start(path: str) -> None:
    """Log to `path` and to standard error from here on, uncaught exceptions included.

    A user's error shows as one clear line; its traceback goes to the file only.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    handlers = [logging.FileHandler(path, mode="w", encoding="utf-8"), logging.StreamHandler(sys.stderr)]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", handlers=handlers)
    logging.captureWarnings(True)
    for noisy in ("gensim", "numba", "matplotlib", "fontTools"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    sys.excepthook = partial(_log_exception, path)


def _log_exception(path: str, kind: type, error: BaseException, trace: TracebackType) -> None:
    if not issubclass(kind, (ValueError, OSError)):
        logging.error("Uncaught exception", exc_info=(kind, error, trace))
        return
    named = isinstance(error, OSError) and error.filename and error.strerror  # a missing file, a full disk
    logging.error("Error: %s", f"{error.filename}: {error.strerror}" if named else error)
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(traceback.format_exception(kind, error, trace))


class Progress:
    """Logs how much of `total` is done, at most once every `seconds`."""

    def __init__(self, what: str, total: float, unit: str, seconds: float = 5.0):
        self.what, self.total, self.unit, self.seconds = what, total, unit, seconds
        self.done, self.started = 0.0, time.monotonic()
        self._last = self.started

    def add(self, amount: float, note: str = "") -> None:
        """Count `amount` more as done."""
        self.done += amount
        now = time.monotonic()
        if now - self._last >= self.seconds:
            self._last = now
            self._log(now, note)

    def _log(self, now: float, note: str) -> None:
        elapsed = now - self.started
        left = elapsed * (self.total / self.done - 1) if self.done else float("nan")
        logging.info(
            "%s: %.3g of %.3g %s (%.0f %%), %.0f s, about %.0f s left%s",
            self.what, self.done, self.total, self.unit, 100 * self.done / self.total, elapsed, left,
            f", {note}" if note else "",
        )  # fmt: skip
