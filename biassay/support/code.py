"""What a script runs: the files of it and of the library that it imports, and a digest of them without comments."""

import ast
import atexit
import contextlib
import hashlib
import json
import os
import sys
from functools import cache
from pathlib import Path

from biassay.support import options, registry

SHOWN = {"show_empty": True} if sys.version_info >= (3, 13) else {}  # dumps are the same in 3.11, 3.12 and 3.13
ADDED = ", type_params=[]"  # by 3.12
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_kept: dict[str, list] = {}  # by content of a file the digest of its tree, and its imports: [module, name or ""]


def digest(*paths: str | Path) -> str:
    """A digest of all that files run: the same after a change of comments, docstrings or layout, else another.

    Files of the library count with their place in it, others with their names. The same on Python 3.11 to 3.13.
    """
    found = sorted(_name(path) + _read(path)[0] for path in map(Path, sources(*paths)))
    return hashlib.sha256("".join(found).encode()).hexdigest()[:16]


def sources(*paths: str | Path) -> list[str]:
    """The files given and all library files that they import, themselves or through others."""
    found: dict[Path, None] = {}
    waiting = [Path(path) for path in paths]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = None
            for module, name in _read(path)[1]:
                waiting += _files(module, name, registry.LIBRARY)
    return sorted(str(path) for path in found)


def reach(folder: str | Path) -> None:
    """Let processes that are started from here on import the library from a folder."""
    others = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.abspath(folder), *others])


@cache
def remember(path: str | Path, *, keeps: bool) -> None:
    """Take digests of files that are known by their contents from a JSON file, and write it at the end if it `keeps`.

    It saves the time of reading; whatever is no such file is ignored, and where none can be written is none.
    """
    if keeps:
        atexit.register(_keep, path)
    with contextlib.suppress(OSError, ValueError, TypeError):
        found = json.loads(Path(path).read_text("utf-8"))
        if isinstance(found, dict) and found.pop("version", None) == _version():
            _kept.update({key: [str(text), [[str(module), str(name)] for module, name in imports]]
                          for key, (text, imports) in found.items()})  # fmt: skip


def _keep(path: str | Path) -> None:
    text = json.dumps({"version": _version()} | _kept)
    with contextlib.suppress(OSError):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        draft = Path(f"{path}.{os.getpid()}")
        draft.write_text(text, "utf-8")
        draft.replace(path)


def _version() -> str:
    """What the digests hang on: this file."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def _name(path: Path) -> str:
    return path.relative_to(registry.LIBRARY).as_posix() if path.is_relative_to(registry.LIBRARY) else path.name


def _read(path: Path) -> list:
    """Digest and imports of a file, once for a state of it; raises ValueError, naming the file, if it is no Python."""
    state = path.stat()
    return _parsed(path, state.st_mtime_ns, state.st_size)


@cache
def _parsed(path: Path, changed: int, size: int) -> list:
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    if content not in _kept:
        tree = options.parse(path)
        imports, documented = _nodes(tree)
        _kept[content] = [_digest(tree, documented), imports]
    return _kept[content]


def _digest(tree: ast.Module, documented: list[DOCUMENTED]) -> str:
    """A digest of a syntax tree without docstrings."""
    bodies = [(node, node.body) for node in documented if _is_text(node.body[:1])]
    for node, body in bodies:
        node.body = body[1:]
    text = ast.dump(tree, **SHOWN)
    for node, body in bodies:
        node.body = body
    return hashlib.sha256(text.replace(ADDED, "").encode()).hexdigest()


def _nodes(tree: ast.Module) -> tuple[list[list[str]], list[DOCUMENTED]]:
    """What a syntax tree imports of the library, and what can have a docstring; expressions are not searched."""
    imports, documented, waiting = [], [], [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and not node.level and node.module.split(".")[0] == "biassay":
            imports += [[node.module, alias.name] for alias in node.names]
        elif isinstance(node, ast.Import):
            imports += [[alias.name, ""] for alias in node.names if alias.name.split(".")[0] == "biassay"]
        elif not isinstance(node, ast.expr):
            waiting += ast.iter_child_nodes(node)
            if isinstance(node, DOCUMENTED):
                documented.append(node)
    return imports, documented


def _is_text(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


@cache
def _files(module: str, name: str, library: Path) -> list[Path]:
    """Files behind an import, those of packages on the way included: a name of a module, or the module itself."""
    if not name:
        return _public("*", library) if module == "biassay" else _modules(module, library)
    public = _public(name, library) if module == "biassay" else []
    return [*public, *_modules(f"{module}.{name}", library)]


def _modules(name: str, library: Path) -> list[Path]:
    """Files of a module, or of the one that has the name, and of the packages around it that do anything."""
    files, folder = [], library
    for part in name.split(".")[1:]:
        if (folder / f"{part}.py").is_file():
            return [*files, folder / f"{part}.py"]
        folder = folder / part
        if (init := folder / "__init__.py").is_file() and _does_something(init):
            files.append(init)
    return files


def _public(name: str, library: Path) -> list[Path]:
    """Files behind a name that is imported from biassay itself; behind "*", all of them."""
    front = library / "__init__.py"
    public = registry.read_constant(front, "PUBLIC")
    chosen = public.values() if name == "*" else [public[name]] if name in public else []
    files = [file for place in chosen for file in _modules(place.partition(":")[0], library)]
    if not files and (kind := registry.find_kind(name)):
        files = [library / kind / f"{name}.py"]
    return [front, *files]


def _does_something(init: Path) -> bool:
    """Whether there is more than a docstring in a file."""
    return not all(_is_text([node]) for node in options.parse(init).body)
