"""Registry of plug-ins, one per file: found by file name, imported only when used.

The kinds of plug-ins are folders of the library ("metrics", "embeddings"); the configuration names your own files.
"""

import importlib
import importlib.util
import inspect
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType

LIBRARY = Path(__file__).parent.parent
KINDS = ("metrics", "embeddings")
READ_ONLY = "is read-only"  # in numpy's message for a write to such an array


class PluginError(ValueError):
    """A user's file raised something other than ValueError, or changed an array that it received."""


def names(kind: str) -> list[str]:
    """List the names of biassay's own plug-ins of a kind, sorted."""
    return sorted(path.stem for path in (LIBRARY / kind).glob("[!_]*.py"))


def find_kind(name: str) -> str | None:
    """Return the kind of one of biassay's own plug-ins; None if there is no such plug-in."""
    return next((kind for kind in KINDS if name in names(kind)), None)


def find(kind: str, name: str) -> Path:
    """Find the file of a plug-in of the library, or a user's .py file; raise ValueError if there is none.

    The path of a user's file must come from the user, never from data, because the file is imported.
    """
    name = str(name)
    if name in names(kind):
        return LIBRARY / kind / f"{name}.py"
    path = Path(name)
    if path.suffix == ".py" and path.is_file() and not path.stem.startswith("_"):
        return path
    if path.suffix == ".py" and not path.exists():
        raise ValueError(f"{kind}: there is no file {name!r}")
    unknown = describe_unknown(f"{kind}: unknown name", name, names(kind))
    raise ValueError(f"{unknown}, or the path of your own .py file")


def load(kind: str, name: str) -> ModuleType:
    """Import a plug-in; raise ValueError, naming file and line, if a user's file cannot be imported."""
    path = find(kind, name)
    if path.parent == LIBRARY / kind:
        return importlib.import_module(f"biassay.{kind}.{path.stem}")
    state = path.stat()
    return _load_once(path, state.st_mtime_ns, state.st_size)


@cache
def _load_once(path: Path, changed: int, size: int) -> ModuleType:
    """Import a user's file once per state of it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    with plugin_errors(path):
        spec.loader.exec_module(module)
    return module


def has_function(module: ModuleType, name: str) -> bool:
    """Whether a plug-in has a function, and not another callable, of this name."""
    return inspect.isfunction(inspect.unwrap(getattr(module, name, None)))


@contextmanager
def plugin_errors(path: str | Path | None) -> Iterator[None]:
    """Turn whatever a user's file raises, including SystemExit, into a ValueError that names file and line.

    The error is a PluginError unless the file itself raises a ValueError. Does nothing if path is None, as for files of
    the library.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if path is None:
            raise
        own = isinstance(error, ValueError) and READ_ONLY not in str(error)
        raise (ValueError if own else PluginError)(describe_error(path, error)) from error


def describe_error(path: str | Path, error: BaseException) -> str:
    """Describe an error in a user's file in one line: the file, the last line of it that ran, and the error."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == Path(path).resolve()]
    place = f", line {lines[-1]}" if lines else ""
    text = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    hint = "; a plug-in must not change the arrays it receives, only copies" if READ_ONLY in text else ""
    return f"{path}{place}: {text}{hint}"


def describe_unknown(problem: str, name: object, choices: list[str]) -> str:
    """Describe an unknown name: "<problem> 'weet' (did you mean 'weat'?); expected one of: mac, weat"."""
    texts = list(map(str, choices))
    similar = get_close_matches(str(name), texts, 1)
    hint = f" (did you mean {similar[0]!r}?)" if similar else ""
    return f"{problem} {name!r}{hint}; expected one of: {', '.join(texts)}"


def check_names(key: str, names: Iterable, choices: Iterable[str], what: str = "name") -> None:
    """Raise ValueError for a name (or `what` it is) that is not one of the choices."""
    for name in names:
        if name not in choices:
            raise ValueError(describe_unknown(f"{key}: unknown {what}", name, list(choices)))
