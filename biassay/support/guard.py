"""One guard around every reader of files: what a parser raises on a broken file becomes one ValueError that names it.

Readers bound time and memory by the size that a file has, never by what it claims: see `check_claim` and `Unpacked`.
"""

import errno
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

RATIO = 100  # bytes that a file may claim for each one it has; compressed vectors stay below 20
FLOOR = 1 << 20  # bytes that any file may claim, or unpack to
_FAULTS = (None, 0, errno.EINVAL, errno.EOVERFLOW)  # of an OSError that tells of a file's content, not of the system


@contextmanager
def reading(path: str | Path, what: str) -> Iterator[None]:
    """Turn whatever the block raises into a ValueError that names the file: "path: broken <what> (reason)".

    A ValueError that names the file already passes as it is. So does what the system refuses, a missing file or a full
    disk, which keeps its kind and text and is given the file's name if it has none.
    """
    try:
        yield
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__module__ != "pyo3_runtime":  # a panic of Rust code
            raise
        if isinstance(error, ValueError) and str(path) in str(error):
            raise
        if isinstance(error, OSError) and error.errno not in _FAULTS:
            if error.filename is not None:
                raise
            raise OSError(error.errno, error.strerror, str(path)) from error
        advises = "weights_only" in str(error)  # torch's text says how to unpickle the file all the same
        raise ValueError(_message(path, what, error)) from (None if advises else error)


@contextmanager
def writing(*paths: str | Path) -> Iterator[None]:
    """Leave all of these files or none: whatever the block raises, they are removed.

    An error of the system that names no file, a full disk, is given the first one's name.
    """
    try:
        with naming(paths[0]):
            yield
    except BaseException:
        for path in paths:
            Path(path).unlink(missing_ok=True)
        raise


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Give an error of the system that names no file this one's name."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        known = (error.errno, error.strerror, str(path)) if error.errno else (f"{path}: {error}",)
        raise OSError(*known) from error


def check_claim(path: str | Path, what: str, claimed: int, held: int | None = None) -> None:
    """Raise ValueError if a part of a file claims more than FLOOR bytes and RATIO times what it holds.

    held: bytes of the part as stored, all of the file's if None.
    """
    held = os.path.getsize(path) if held is None else held
    if claimed > max(FLOOR, RATIO * held):
        raise ValueError(
            f"{path}: {what} claims {claimed:,} bytes and {held:,} are stored, less than one in {RATIO}; "
            "if that is right, store it uncompressed"
        )


def check_different(where: str, paths: Iterable[str | Path]) -> None:
    """Raise ValueError, which begins with `where`, if two paths lead to one file or folder, as by a link.

    Paths that lead nowhere are compared as they are.
    """
    seen: dict[object, str | Path] = {}
    for path in paths:
        same: object = str(path)
        with suppress(OSError):
            found = os.stat(path)
            same = found.st_dev, found.st_ino
        if same in seen:
            raise ValueError(f"{where}: {str(seen[same])!r} and {str(path)!r} are the same file; give it once")
        seen[same] = path


class Unpacked(io.RawIOBase):
    """The bytes of a compressed stream, opened from a file; raises ValueError where they are too many for its size.

    At most RATIO times the file's own are read, and at least FLOOR.
    """

    def __init__(self, path: str | Path, stream: BinaryIO):
        self.path, self.stream = path, stream
        self.left = max(FLOOR, RATIO * os.path.getsize(path))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        count = self.stream.readinto(buffer)
        self.left -= count
        if self.left < 0:
            raise ValueError(
                f"{self.path}: unpacks to more than {RATIO:,} times its size; if that is right, unpack it first"
            )
        return count


def _message(path: str | Path, what: str, error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return f"{path}: this {what} needs more memory than there is"
    if isinstance(error, UnicodeDecodeError):
        return f"{path}: not UTF-8 text ({error.reason}, byte {error.object[error.start]:#04x})"
    if "weights_only" in str(error):
        return f"{path}: broken {what} (a pickle of something else than tensors, numbers and names)"
    text = str(error).strip().split("\n")[0][:200]
    if isinstance(error, ImportError):
        return f"{path}: {what}: {text}"
    named = "" if isinstance(error, ValueError | OSError | EOFError) and text else f"{type(error).__name__} "
    return f"{path}: broken {what} ({(named + text).strip()})"
