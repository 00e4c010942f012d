"""Guards around readers and writers of files: errors name the file, and nothing half-written is left."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FAULTS = (None, 0, errno.EINVAL, errno.EOVERFLOW)  # of an OSError about a file's content, not about the system


@contextmanager
def reading(path: str | Path, kind: str) -> Iterator[None]:
    """Turn whatever the block raises into a ValueError that names the file: "path: broken <kind> (reason)".

    A ValueError that already names the file is unchanged. Errors of the system, as for a missing file or a full disk,
    keep their type and text, and get the file's name if they have none.
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
        advises = "weights_only" in str(error)  # torch's text explains how to unpickle the file anyway
        raise ValueError(_message(path, kind, error)) from (None if advises else error)


@contextmanager
def writing(*paths: str | Path) -> Iterator[None]:
    """Remove all of these files if the block fails; an error of the system without a file name gets the first one's."""
    try:
        with naming(paths[0]):
            yield
    except BaseException:
        for path in paths:
            Path(path).unlink(missing_ok=True)
        raise


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Give an error of the system without a file name this one's."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        arguments = (error.errno, error.strerror, str(path)) if error.errno else (f"{path}: {error}",)
        raise OSError(*arguments) from error


def check_different(where: str, paths: Iterable[str | Path]) -> None:
    """Raise ValueError, which begins with `where`, if two paths lead to the same file or folder, as by a link.

    Paths that do not exist are compared as texts.
    """
    path_of: dict[object, str | Path] = {}
    for path in paths:
        identity: object = str(path)
        with suppress(OSError):
            state = os.stat(path)
            identity = state.st_dev, state.st_ino
        if identity in path_of:
            raise ValueError(f"{where}: {str(path_of[identity])!r} and {str(path)!r} are the same file; give it once")
        path_of[identity] = path


def _message(path: str | Path, kind: str, error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return f"{path}: not enough memory for this {kind}"
    if isinstance(error, UnicodeDecodeError):
        return f"{path}: not UTF-8 text ({error.reason}, byte {error.object[error.start]:#04x})"
    if "weights_only" in str(error):
        return f"{path}: broken {kind} (a pickle of something other than tensors, numbers and names)"
    text = str(error).strip().split("\n")[0][:200]
    if isinstance(error, ModuleNotFoundError):
        return f"{path}: {kind}: {text}; pip install 'biassay[all]'"
    if isinstance(error, ImportError):
        return f"{path}: {kind}: {text}"
    type_name = "" if isinstance(error, ValueError | OSError | EOFError) and text else f"{type(error).__name__} "
    return f"{path}: broken {kind} ({(type_name + text).strip()})"
