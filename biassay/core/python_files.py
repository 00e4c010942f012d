"""Python files, read without being run."""

import ast
from contextlib import suppress
from functools import cache
from pathlib import Path


def parse(path: Path) -> ast.Module:
    """Parse a Python file; raise ValueError, naming file and line, if it is not Python."""
    state = Path(path).stat()
    return _parse_once(path, state.st_mtime_ns, state.st_size)


@cache
def _parse_once(path: Path, changed: int, size: int) -> ast.Module:
    """Parse a file once per state of it."""
    try:
        return ast.parse(Path(path).read_text("utf-8"), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # not text, NUL bytes, deep nesting
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(f"{path}{line}: not a Python file: {error}") from error


def read_constants(path: Path) -> dict[str, object]:
    """Return the names at the top of a file that have literal values."""
    values = {}
    for name, node in _assignments(path):
        with suppress(ValueError):
            values[name] = ast.literal_eval(node)
    return values


def read_constant(path: Path, name: str) -> object:
    """Return a literal value at the top of a file; raise ValueError if there is none of this name."""
    constants = read_constants(path)
    if name not in constants:
        raise ValueError(f"{path}: lacks the constant {name}")
    return constants[name]


def find_call(path: Path, name: str) -> ast.Call:
    """Find the call that makes a constant at the top of a file; raise ValueError if it is made otherwise."""
    for target, node in _assignments(path):
        if target == name:
            if not isinstance(node, ast.Call):
                raise ValueError(f"{path}: {name}: expected a call, got {ast.unparse(node)}")
            return node
    raise ValueError(f"{path}: lacks the constant {name}")


def read_keywords(path: Path, name: str) -> dict[str, object]:
    """Return the arguments of the call that makes a constant at the top of a file: by keyword, or by place ("0", …).

    A nested call is a dict of its arguments; another expression that is no literal is None.
    """
    return _keywords(find_call(path, name))


def _assignments(path: Path) -> list[tuple[str, ast.expr]]:
    """List names and values of the assignments at the top of a file, annotated or not."""
    pairs = []
    for node in parse(path).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and getattr(node, "value", None):
            pairs.append((target.id, node.value))
    return pairs


def _keywords(call: ast.Call) -> dict[str, object]:
    positional = {str(place): _literal(value) for place, value in enumerate(call.args)}
    return positional | {item.arg: _literal(item.value) for item in call.keywords}


def _literal(node: ast.expr) -> object:
    if isinstance(node, ast.Call):
        return _keywords(node)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None
