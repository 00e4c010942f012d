"""The stages of the workflow and the packages of the library."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
HELPERS = ("common", "inputs")  # files of rules that are no stage


def format_stages() -> str:
    """Return a table of the stages in the order of the Snakefile, with the docstrings of their rules."""
    rules: dict[str, list[str]] = {}
    for path in re.findall(r'^include: "(rules/.+)"', (ROOT / "Snakefile").read_text("utf-8"), re.MULTILINE):
        found = re.findall(r'^rule (\w+):\n +"""(.+?)"""', (ROOT / path).read_text("utf-8"), re.MULTILINE)
        rules.setdefault(re.split(r"[/.]", path)[1], []).extend(f"`{name}`: {about}" for name, about in found)
    rows = [f"| **{stage}** | {'<br>'.join(texts)} |" for stage, texts in rules.items() if stage not in HELPERS]
    return "\n".join(["| stage | rules |", "|---|---|", *rows])


def format_packages() -> str:
    """Return a table of the packages from the bottom up, with their modules."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rows = []
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"][::-1]
    for name in (name for layer in layers for name in layer.split(" : ")):
        folder = ROOT / "biassay" / name
        if folder.is_dir():
            about = ast.get_docstring(ast.parse((folder / "__init__.py").read_bytes())).partition("\n\n")[0]
            modules = sorted(path.stem for path in folder.glob("[!_]*.py"))
            modules += sorted(f"{path.parent.name}/" for path in folder.glob("*/__init__.py"))
            rows.append(f"| **{name}** | {' '.join(about.split())} | {' '.join(f'`{module}`' for module in modules)} |")
    return "\n".join(["| package | purpose | modules |", "|---|---|---|", *rows])
