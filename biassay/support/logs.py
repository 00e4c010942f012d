"""Logging of scripts: to the rule's log file and to the terminal, with one clear line for a user's error."""

import errno
import logging
import re
import shutil
import sys
import time
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


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
    with suppress(OSError):  # the disk may be full
        logging.error("Error: %s", _in_words(error))
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(traceback.format_exception(kind, error, trace))


def _in_words(error: BaseException) -> str:
    """A user's error in a line: a missing file by its name, a full disk with the room that is left."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    written_in_part = re.fullmatch(r"\d+ requested and \d+ written", str(error))  # numpy's words
    if isinstance(error, OSError) and (error.errno in FULL or written_in_part):
        free = shutil.disk_usage(".").free / 1e6
        return f"results could not be written whole ({error}); {free:,.0f} MB are free on the disk of {Path.cwd()}"
    return str(error)


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
        elapsed, share = now - self.started, self.done / self.total if self.total else 1.0
        left = elapsed * (self.total / self.done - 1) if self.done else float("nan")
        logging.info(
            "%s: %s of %s %s (%.0f %%), %.0f s, about %.0f s left%s",
            self.what, _short(self.done), _short(self.total), self.unit, 100 * share, elapsed, left,
            f", {note}" if note else "",
        )  # fmt: skip


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
