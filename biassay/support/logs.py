"""Logging of scripts: to the rule's log file and to the terminal, with one clear line for a user's error."""

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

from biassay.support import formatting
from biassay.support.redaction import redact
from biassay.support.terminals import printable

QUIET = "BIASSAY_QUIET"  # environment variable: jobs write to their logs only, and the console shows what is in these
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
OUT_OF_MEMORY = re.compile(
    r"can't allocate memory|cannot allocate memory|out of memory|bad_alloc", re.IGNORECASE
)  # torch's


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return printable(redact(super().format(record)))


def start(path: str) -> None:
    """Log to `path` and to standard error from here on, uncaught exceptions included.

    A user's error shows as one clear line; its traceback goes to the file only. On standard error each line names its
    job, by its log; under the quiet console nothing is written there, unless an error does not get into the log.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    handlers = [logging.FileHandler(path, mode="w", encoding="utf-8")]
    handlers += [] if os.environ.get(QUIET) else [logging.StreamHandler(sys.stderr)]
    for handler, job in zip(handlers, ("", f"{_job(path)}: "), strict=False):
        handler.setFormatter(_Formatter(f"%(asctime)s {job}%(message)s", datefmt="%H:%M:%S"))
    logging.basicConfig(level=logging.INFO, handlers=handlers)
    logging.captureWarnings(True)
    for noisy in ("gensim", "numba", "matplotlib", "fontTools"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    sys.excepthook = partial(_log_exception, path)
    atexit.register(_log_use, path)


def _log_use(path: str) -> None:
    """The log's last line: processor time, that of other processes included, and the most memory one of them had."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = sum(use.ru_utime + use.ru_stime for use in (own, others))
    with suppress(OSError), open(path, "a", encoding="utf-8") as file:
        file.write(f"Took {seconds:.1f} s of processor time and at most {max(_peak(own), _size(others)):.0f} MB\n")


def _peak(own: resource.struct_rusage) -> float:
    """MB; by the kernel's status where there is one, for a process inherits the figure of the one that started it."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    found = [int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmHWM")]
    return found[0] if found else _size(own)


def _size(use: resource.struct_rusage) -> float:
    return use.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _job(path: str) -> str:
    """A job by its log: same/train/0 of results/logs/same/train/0.log."""
    parts = Path(path).with_suffix("").parts
    return "/".join(parts[parts.index("logs") + 1 :] if "logs" in parts else parts[-1:]).replace("%", "%%")


def _log_exception(path: str, kind: type, error: BaseException, trace: TracebackType) -> None:
    atexit.unregister(_log_use)
    if not (issubclass(kind, (ValueError, OSError)) or _is_out_of_memory(error)):
        logging.error("Uncaught exception", exc_info=(kind, error, trace))
        _make_sure(path, redact(traceback.format_exception(kind, error, trace)[-1].strip()))
        return
    with suppress(OSError):  # the disk may be full
        told = redact(_in_words(error))
        logging.error("Error: %s", told)
        _make_sure(path, f"Error: {told}")
        with open(path, "a", encoding="utf-8") as file:
            file.write(redact("".join(traceback.format_exception(kind, error, trace))))


def _is_out_of_memory(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and bool(OUT_OF_MEMORY.search(str(error)))
    )


def _make_sure(path: str, told: str) -> None:
    """Say on standard error what the quiet console would find in the log, if it is not there: the disk may be full."""
    if not os.environ.get(QUIET):
        return
    try:
        found = Path(path).read_text("utf-8", "replace")
    except OSError:
        found = ""
    if printable(told) not in found:
        print(printable(told), file=sys.stderr)


def _in_words(error: BaseException) -> str:
    """A user's error in a line: a missing file by its name, a full disk or memory with the room there is or was."""
    if _is_out_of_memory(error):
        peak = _peak(resource.getrusage(resource.RUSAGE_SELF))
        told = str(error).strip().split("\n")[0] or type(error).__name__
        return f"out of memory: the job had {peak:,.0f} MB and could get no more ({told})"
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    written_in_part = re.fullmatch(r"\d+ requested and \d+ written", str(error))  # numpy's words
    if isinstance(error, OSError) and (error.errno in FULL or written_in_part):
        free = shutil.disk_usage(".").free / 1e6
        return f"results could not be written whole ({error}); {free:,.0f} MB are free on the disk of {Path.cwd()}"
    return str(error)


class Progress:
    """Logs how much of `total` is done, at most once every `seconds`, and once in each hundredth of the time gone."""

    def __init__(self, what: str, total: float, unit: str, seconds: float = 5.0):
        self.what, self.total, self.unit, self.seconds = what, total, unit, seconds
        self.done, self.started = 0.0, time.monotonic()
        self._last = self.started

    def add(self, amount: float, note: str | Callable[[], str] = "") -> None:
        """Count `amount` more as done; a note that is a function is called only when it is logged."""
        self.done += amount
        now = time.monotonic()
        if now - self._last >= max(self.seconds, 0.01 * (now - self.started)):
            self._last = now
            self._log(now, note() if callable(note) else note)

    def _log(self, now: float, note: str) -> None:
        elapsed, share = now - self.started, self.done / self.total if self.total else 1.0
        left = formatting.format_duration(elapsed * (self.total / self.done - 1)) if self.done else "an unknown time"
        logging.info(
            "%s: %s of %s %s (%.0f %%), %s, about %s left%s",
            self.what, formatting.format_number(self.done), formatting.format_number(self.total), self.unit, 100 * share,
            formatting.format_duration(elapsed), left, f", {note}" if note else "",
        )  # fmt: skip
