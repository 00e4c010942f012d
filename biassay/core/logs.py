"""Logging of scripts to the rule's log file and to the terminal; a user's error is one line."""

import atexit
import errno
import logging
import os
import re
import resource
import shutil
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from biassay.core.formatting import format_duration, format_number
from biassay.core.redaction import redact
from biassay.core.terminals import printable

PROGRESS = logging.getLogger("biassay.progress")
QUIET = "BIASSAY_QUIET"  # environment variable: jobs write only to their logs, which the console reads
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
OUT_OF_MEMORY = re.compile(r"can(no|')t allocate memory|out of memory|bad_alloc", re.IGNORECASE)  # of torch


class PrintableFormatter(logging.Formatter):
    """Formats a message without control characters and secrets of addresses."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(redact(super().format(record)))


def start(path: str) -> None:
    """Log to a file and to standard error from now on, including uncaught exceptions.

    A user's error is one line on standard error; its traceback is only in the file. Each line on standard error names
    its job. Under the quiet console nothing is written there unless an error cannot be logged.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    handlers = [logging.FileHandler(path, mode="w", encoding="utf-8")]
    handlers += [] if os.environ.get(QUIET) else [logging.StreamHandler(sys.stderr)]
    for handler, job in zip(handlers, ("", f"{_job(path)}: "), strict=False):
        handler.setFormatter(PrintableFormatter(f"%(asctime)s {job}%(message)s", datefmt="%H:%M:%S"))
    logging.basicConfig(level=logging.INFO, handlers=handlers)
    logging.captureWarnings(True)
    for noisy in ("gensim", "numba", "matplotlib", "fontTools"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    sys.excepthook = partial(_log_exception, path)
    atexit.register(_log_usage, path)


def _log_usage(path: str) -> None:
    """Write the last line of the log: processor time with child processes, and the peak memory of a process."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in (own, children))
    with suppress(OSError), open(path, "a", encoding="utf-8") as file:
        file.write(f"Took {seconds:.1f} s of processor time and at most {max(_peak(own), _size(children)):.0f} MB\n")


def _peak(own: resource.struct_rusage) -> float:
    """Return peak MB, from the kernel's status if possible: rusage inherits the peak of the parent process."""
    with suppress(OSError):
        if peak := re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text()):
            return int(peak[1]) / 1e3
    return _size(own)


def _size(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _job(path: str) -> str:
    """Name a job by its log: same/train/0 for results/logs/same/train/0.log."""
    parts = Path(path).with_suffix("").parts
    return "/".join(parts[parts.index("logs") + 1 :] if "logs" in parts else parts[-1:]).replace("%", "%%")


def _log_exception(path: str, kind: type, error: BaseException, trace: TracebackType) -> None:
    atexit.unregister(_log_usage)
    if not (issubclass(kind, (ValueError, OSError)) or _is_out_of_memory(error)):
        logging.error("Uncaught exception", exc_info=(kind, error, trace))
        _ensure_visible(path, redact(traceback.format_exception(kind, error, trace)[-1].strip()))
        return
    with suppress(OSError):  # the disk may be full
        message = redact(_describe(error))
        logging.error("Error: %s", message)
        _ensure_visible(path, f"Error: {message}")
        with open(path, "a", encoding="utf-8") as file:
            file.write(redact("".join(traceback.format_exception(kind, error, trace))))


def _is_out_of_memory(error: BaseException) -> bool:
    by_torch = isinstance(error, RuntimeError) and OUT_OF_MEMORY.search(str(error))
    return isinstance(error, MemoryError) or bool(by_torch)


def _ensure_visible(path: str, message: str) -> None:
    """Under the quiet console, print a message that is not in the log, as on a full disk."""
    log = ""
    with suppress(OSError):
        log = Path(path).read_text("utf-8", "replace")
    if os.environ.get(QUIET) and printable(message) not in log:
        print(printable(message), file=sys.stderr)


def _describe(error: BaseException) -> str:
    """Describe a user's error in one line; a full memory or disk with the MB used or free."""
    if _is_out_of_memory(error):
        peak = _peak(resource.getrusage(resource.RUSAGE_SELF))
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        return f"out of memory: the job used {peak:,.0f} MB and could not allocate more ({reason})"
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    is_partial = re.fullmatch(r"\d+ requested and \d+ written", str(error))  # numpy's message
    if isinstance(error, OSError) and (error.errno in FULL or is_partial):
        free = shutil.disk_usage(".").free / 1e6
        return f"results could not be written ({error}); the disk of {Path.cwd()} has {free:,.0f} MB free"
    return str(error)


class Progress:
    """Logs how much of `total` is done, at most every `seconds` and at most once per hundredth of the elapsed time."""

    def __init__(self, task: str, total: float, unit: str, seconds: float = 5.0):
        self.task, self.total, self.unit, self.seconds = task, total, unit, seconds
        self.done, self.started = 0.0, time.monotonic()
        self._last = self.started

    def add(self, amount: float, note: str | Callable[[], str] = "") -> None:
        """Add a finished amount; a note that is a function is called only when it is logged."""
        self.done += amount
        now = time.monotonic()
        if now - self._last >= max(self.seconds, 0.01 * (now - self.started)):
            self._last = now
            self._log(now, note() if callable(note) else note)

    def _log(self, now: float, note: str) -> None:
        elapsed, share = now - self.started, self.done / self.total if self.total else 1.0
        left = format_duration(elapsed * (self.total / self.done - 1)) if self.done else "an unknown time"
        PROGRESS.info(
            "%s: %s of %s %s (%.0f %%), %s, about %s left%s",
            self.task, format_number(self.done), format_number(self.total), self.unit, 100 * share,
            format_duration(elapsed), left, f", {note}" if note else "",
        )  # fmt: skip
