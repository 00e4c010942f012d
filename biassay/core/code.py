"""Digests of the code that a script runs: it and the library modules it imports, without comments and docstrings."""

import ast
import atexit
import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

import grimp

from biassay.core import python_files, registry

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
CACHE = Path(".snakemake/biassay/digests.json")  # of digests between runs: parsing all modules takes seconds


@cache
def compute_digest(*paths: str | Path) -> str:
    """Compute a digest of files and of the library modules that they import, directly or indirectly."""
    digests = [path.stem + _digest_file(path) for path in sorted(find_sources(*paths))]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


def find_sources(*paths: str | Path) -> set[Path]:
    """Find the library modules that files import, directly or indirectly; return them with the files."""
    direct = {module for path in paths for module in _imports(Path(path))}
    modules = direct.union(*(_graph().find_upstream_modules(module) for module in direct))
    return {*map(Path, paths), *map(_file, modules)}


def _imports(path: Path) -> set[str]:
    """Return the library modules that a file imports."""
    names = set()
    for node in ast.walk(python_files.parse(path)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            names |= {_resolve(node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names & _graph().modules


def _resolve(module: str, name: str) -> str:
    """Return the module behind a name that is imported from a module; the public names are imported from biassay."""
    if module == "biassay" and name in (
        public := python_files.read_constant(registry.LIBRARY / "__init__.py", "PUBLIC")
    ):
        return public[name].partition(":")[0]
    if module == "biassay" and (kind := registry.find_kind(name)):
        return f"biassay.{kind}.{name}"
    return module if f"{module}.{name}" not in _graph().modules else f"{module}.{name}"


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("biassay", cache_dir=None)


def _file(module: str) -> Path:
    path = registry.LIBRARY.joinpath(*module.split(".")[1:])
    return file if (file := path.with_suffix(".py")).is_file() else path / "__init__.py"


@cache
def _digest_file(path: Path) -> str:
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    if content not in _digests():
        tree = ast.parse(path.read_text("utf-8"))  # not python_files.parse, which keeps its trees
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        _digests()[content] = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return _digests()[content]


@cache
def _digests() -> dict[str, str]:
    """Return the digests of syntax trees by those of the files' contents, from a file that is written at exit."""
    digests = {}
    with suppress(OSError, ValueError, TypeError):
        digests.update(json.loads(CACHE.read_text("utf-8")))
    atexit.register(_save, digests)
    return digests


def _save(digests: dict[str, str]) -> None:
    with suppress(OSError):
        CACHE.parent.mkdir(parents=True, exist_ok=True)
        CACHE.write_text(json.dumps(digests), "utf-8")
