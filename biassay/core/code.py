"""Digests of the code that a script runs: it and the library modules it imports, without comments and docstrings."""

import ast
import atexit
import hashlib
import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import grimp

import biassay
from biassay.core import registry

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
CACHE = Path(".snakemake/biassay/sources.json")  # of digests and imports between runs: parsing all files takes seconds


@cache
def compute_digest(*paths: str | Path) -> str:
    """Compute a digest of files, of the library modules that they import, also indirectly, and of their templates."""
    sources = sorted(find_sources(*paths))
    templates = sorted(set().union(*map(_find_templates, sources)))
    digests = [path.stem + _read(path)[0] for path in sources] + [path.name + path.read_text() for path in templates]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


def find_sources(*paths: str | Path) -> set[Path]:
    """Find the library modules that files import, directly or indirectly; return them with the files."""
    direct = {module for path in paths for name in _read(Path(path))[1] if (module := _find_module(name))}
    modules = direct.union(*(_graph().find_upstream_modules(module) for module in direct))
    return {*map(Path, paths), *map(_file, modules)}


@cache
def _find_templates(path: Path) -> set[Path]:
    """Find the templates that a file names, in its own package, in packages that it names and in report/.

    Templates name others, which they extend or include.
    """
    text = path.read_text("utf-8")
    packages = [registry.LIBRARY / name.replace(".", "/") for name in re.findall(r'"biassay\.([\w.]+)"', text)]
    folders = [package / "templates" for package in (path.parent, *packages, registry.LIBRARY / "report")]
    names = re.findall(r'"(\w+\.(?:html|txt|md|css|js))"', text)
    templates = {file for folder in (path.parent, *folders) for name in names if (file := folder / name).is_file()}
    return templates.union(*map(_find_templates, templates))


def _find_module(name: str) -> str | None:
    """Return the library module that is or has an imported name; the public names are imported from biassay."""
    module, _, attribute = name.rpartition(".")
    if module == "biassay" and attribute in biassay.PUBLIC:
        return biassay.PUBLIC[attribute].partition(":")[0]
    if module == "biassay" and (kind := registry.find_kind(attribute)):
        return f"biassay.{kind}.{attribute}"
    return next((each for each in (name, module) if each in _graph().modules), None)


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("biassay", cache_dir=None)


def _file(module: str) -> Path:
    path = registry.LIBRARY.joinpath(*module.split(".")[1:])
    return file if (file := path.with_suffix(".py")).is_file() else path / "__init__.py"


@cache
def _read(path: Path) -> tuple[str, list[str]]:
    """Return the digest of a file's syntax tree, and the names of the library that it imports."""
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    if content not in _known_files():
        tree, names = ast.parse(path.read_bytes(), filename=str(path)), []
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
            if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
                module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                names += [module + alias.name for alias in node.names]
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                names.append(f"{node.value.id}.{node.attr}")  # biassay.weat, after "import biassay"
        library = [name for name in names if name.startswith("biassay")]
        _known_files()[content] = hashlib.sha256(ast.dump(tree).encode()).hexdigest(), library
    return _known_files()[content]


@cache
def _known_files() -> dict[str, tuple[str, list[str]]]:
    """Return what `_read` returns by the hash of the content, from a file that is written at exit."""
    known = {}
    with suppress(OSError, ValueError):
        known = json.loads(CACHE.read_text("utf-8"))
    atexit.register(_save, known)
    return known


def _save(known: dict[str, tuple[str, list[str]]]) -> None:
    with suppress(OSError):
        CACHE.parent.mkdir(parents=True, exist_ok=True)
        CACHE.write_text(json.dumps(known), "utf-8")
