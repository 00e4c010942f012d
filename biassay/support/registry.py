"""Plug-ins, one a file: found by file name and read without being run, imported only where they are used.

A kind of plug-in is a folder of the library ("metrics", "embeddings"); a user's own file is named in the config.
"""

import ast
import importlib
import importlib.util
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from biassay.support import options

LIBRARY = Path(__file__).parent.parent
KINDS = ("metrics", "embeddings")
READ_ONLY = "is read-only"  # in numpy's message where such an array is written to


class PluginError(ValueError):
    """A user's file failed by other than a ValueError of its own, or changed an array that it was given."""


def names(kind: str) -> list[str]:
    """Names of the plug-ins of a kind that come with biassay, sorted."""
    return sorted(path.stem for path in (LIBRARY / kind).glob("[!_]*.py"))


def find_kind(name: str) -> str | None:
    """The kind of a plug-in that comes with biassay; None if there is no such plug-in."""
    return next((kind for kind in KINDS if name in names(kind)), None)


def find(kind: str, name: str) -> Path:
    """The file of a plug-in: one of the library's by name, or a user's own, given by a path that ends in .py.

    A path that ends in .py must come from the user, not from data: what is found here is imported. Raises ValueError,
    naming the choices, if there is none.
    """
    name = str(name)
    if name in names(kind):
        return LIBRARY / kind / f"{name}.py"
    path = Path(name)
    if path.suffix == ".py" and path.is_file() and not path.stem.startswith("_"):
        return path
    if path.suffix == ".py" and not path.exists():
        raise ValueError(f"{kind}: there is no file {name!r}")
    raise ValueError(
        describe_unknown(f"{kind}: unknown name", name, names(kind)) + ", or the path of a .py file of your own"
    )


def load(kind: str, name: str) -> ModuleType:
    """Import a plug-in; raises ValueError, naming file and line, for a user's own that cannot be."""
    path = find(kind, name)
    if path.parent == LIBRARY / kind:
        return importlib.import_module(f"biassay.{kind}.{path.stem}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    options.parse(path)  # what is no Python is told by file and line
    with plugin_errors(path):
        spec.loader.exec_module(module)
    return module


@contextmanager
def plugin_errors(path: str | Path | None) -> Iterator[None]:
    """Turn whatever a user's file raises, SystemExit too, into a ValueError that names file and line.

    It is a PluginError unless the file raises a ValueError of its own. None, a file of the library: nothing changes.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if path is None:
            raise
        own = isinstance(error, ValueError) and READ_ONLY not in str(error)
        raise (ValueError if own else PluginError)(told(path, error)) from error


def told(path: str | Path, error: BaseException) -> str:
    """What was raised in a user's file, in a line: the file, the last line of it that was run, and the error."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == Path(path).resolve()]
    place = f", line {lines[-1]}" if lines else ""
    text = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    hint = "; it must not change an array that it is given, only a copy" if READ_ONLY in text else ""
    return f"{path}{place}: {text}{hint}"


def read_constant(path: Path, name: str) -> object:
    """The value of a constant at the top of a file, read without running it."""
    known = options.read_constants(options.parse(path))
    if name not in known:
        raise ValueError(f"{path}: lacks the constant {name}")
    return known[name]


def read_keyword(path: Path, name: str, argument: str) -> object:
    """A keyword argument of the call that makes a constant at the top of a file, read without running it.

    None if it is not given there, or no plain value. Raises ValueError if the file is no Python or lacks the constant.
    """
    return read_keywords(path, name).get(argument)


def read_keywords(path: Path, name: str) -> dict[str, object]:
    """The keyword arguments of the call that makes a constant at the top of a file, read without running it.

    A call among them is the mapping of its own keyword arguments; what else is no plain value is None.
    """
    return _keywords(find_call(path, name))


def find_call(path: Path, name: str) -> ast.Call:
    """The call that makes a constant at the top of a file, read without running it."""
    for node in options.parse(path).body:
        if getattr(options.assigned_target(node), "id", None) == name:
            if not isinstance(node.value, ast.Call):
                raise ValueError(f"{path}: {name} is {ast.unparse(node.value)}, not made by a call")
            return node.value
    raise ValueError(f"{path}: lacks the constant {name}")


def _keywords(call: ast.Call) -> dict[str, object]:
    return {item.arg: _plain(item.value) for item in call.keywords}


def _plain(node: ast.expr) -> object:
    if isinstance(node, ast.Call):
        return _keywords(node)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def describe_unknown(what: str, name: object, choices: list[str]) -> str:
    """The text of an error about an unknown name: the name, the nearest one, and all choices."""
    near = get_close_matches(str(name), choices, 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"{what} {name!r}{hint}; expected one of: {', '.join(map(str, choices))}"


def check_names(key: str, names: Iterable, choices: Iterable[str]) -> None:
    """Raise ValueError for a name that is not among the choices."""
    for name in names:
        if name not in choices:
            raise ValueError(describe_unknown(f"{key}: unknown name", name, list(choices)))
