"""Digests of the code that a script runs: the script and the library files it imports, without comments."""

import ast
import atexit
import contextlib
import hashlib
import json
import os
import sys
from functools import cache
from pathlib import Path

from biassay.core import python_files, registry

DUMP_OPTIONS = {"show_empty": True} if sys.version_info >= (3, 13) else {}  # one dump for Python 3.11 to 3.13
TYPE_PARAMS = ", type_params=[]"  # in dumps since 3.12
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_cache: dict[str, list] = {}  # by hash of a file's content: the digest of its tree, its imports [module, name or ""]


def compute_digest(*paths: str | Path) -> str:
    """Compute a digest of the code that files run.

    Changes of comments, docstrings and layout leave it unchanged. It includes the names of the files, for library files
    their path in the library, and is the same on Python 3.11 to 3.13.
    """
    digests = sorted(_name(path) + _read(path)[0] for path in map(Path, find_sources(*paths)))
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


def find_sources(*paths: str | Path) -> list[str]:
    """Find the library files that files import, directly or indirectly; return them with the files themselves."""
    sources: set[Path] = set()
    waiting = [Path(path) for path in paths]
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources.add(path)
            for module, name in _read(path)[1]:
                waiting += _files(module, name, registry.LIBRARY)
    return sorted(map(str, sources))


def add_to_pythonpath(folder: str | Path) -> None:
    """Let processes started from now on import the library from a folder."""
    others = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.abspath(folder), *others])


@cache
def load_cache(path: str | Path, *, save: bool) -> None:
    """Load digests by file content from a JSON file, and with `save` write it at exit.

    The cache only saves time: an unreadable or unwritable file is ignored.
    """
    if save:
        atexit.register(_save_cache, path)
    with contextlib.suppress(OSError, ValueError, TypeError):
        entries = json.loads(Path(path).read_text("utf-8"))
        if isinstance(entries, dict) and entries.pop("version", None) == _version():
            _cache.update({key: [str(text), [[str(module), str(name)] for module, name in imports]]
                          for key, (text, imports) in entries.items()})  # fmt: skip


def _save_cache(path: str | Path) -> None:
    text = json.dumps({"version": _version()} | _cache)
    with contextlib.suppress(OSError):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        draft = Path(f"{path}.{os.getpid()}")
        draft.write_text(text, "utf-8")
        draft.replace(path)


def _version() -> str:
    """Hash this file, on which the digests depend."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def _name(path: Path) -> str:
    return path.relative_to(registry.LIBRARY).as_posix() if path.is_relative_to(registry.LIBRARY) else path.name


def _read(path: Path) -> list:
    """Return digest and imports of a file; raise ValueError, naming the file, if it is not Python."""
    state = path.stat()
    return _read_once(path, state.st_mtime_ns, state.st_size)


@cache
def _read_once(path: Path, changed: int, size: int) -> list:
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    if content not in _cache:
        tree = python_files.parse(path)
        imports, documented = _find_nodes(tree)
        _cache[content] = [_hash_tree(tree, documented), imports]
    return _cache[content]


def _hash_tree(tree: ast.Module, documented: list[DOCUMENTED]) -> str:
    """Hash a syntax tree without its docstrings."""
    bodies = [(node, node.body) for node in documented if _is_text(node.body[:1])]
    for node, body in bodies:
        node.body = body[1:]
    text = ast.dump(tree, **DUMP_OPTIONS)
    for node, body in bodies:
        node.body = body
    return hashlib.sha256(text.replace(TYPE_PARAMS, "").encode()).hexdigest()


def _find_nodes(tree: ast.Module) -> tuple[list[list[str]], list[DOCUMENTED]]:
    """Find a tree's imports from the library and its nodes that can have a docstring; skip expressions."""
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
    """Find the files behind an import of a module, or of a name from it; include the packages on the path."""
    if not name:
        return _public("*", library) if module == "biassay" else _modules(module, library)
    public = _public(name, library) if module == "biassay" else []
    return [*public, *_modules(f"{module}.{name}", library)]


def _modules(name: str, library: Path) -> list[Path]:
    """Find the file of a module, or of the module that defines a name, and its packages' files that run code."""
    files, folder = [], library
    for part in name.split(".")[1:]:
        if (folder / f"{part}.py").is_file():
            return [*files, folder / f"{part}.py"]
        folder = folder / part
        if (init := folder / "__init__.py").is_file() and _runs_code(init):
            files.append(init)
    return files


def _public(name: str, library: Path) -> list[Path]:
    """Find the files behind a name imported from biassay itself; for "*", behind all names."""
    front = library / "__init__.py"
    public = python_files.read_constant(front, "PUBLIC")
    locations = public.values() if name == "*" else [public[name]] if name in public else []
    files = [file for location in locations for file in _modules(location.partition(":")[0], library)]
    if not files and (kind := registry.find_kind(name)):
        files = [library / kind / f"{name}.py"]
    return [front, *files]


def _runs_code(init: Path) -> bool:
    """Whether a file has more than a docstring."""
    return not all(_is_text([node]) for node in python_files.parse(init).body)
