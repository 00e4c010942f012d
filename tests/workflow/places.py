"""Places of a rule from which the arguments of its script come."""

import ast
import re
from types import SimpleNamespace

from tests.running import ROOT
from tests.workflow.test_house import RULES


class Place(str):
    """A named file, list or mapping of a rule; it and all values taken from it know the name."""

    length = 1

    def __new__(cls, name):
        return super().__new__(cls, f"{name}/*")

    def __iter__(self):
        return iter([self] * self.length)

    def __getitem__(self, key):
        return Place(f"{self.removesuffix('/*')}.{key}") if isinstance(key, str) else self

    def __int__(self):
        return int.from_bytes(self.encode(), "big")

    def keys(self):
        return ["*"]


class Places:
    """Values of one kind of a rule, such as its inputs, by name or number."""

    def __init__(self, kind, names):
        self.__dict__ |= {name: Place(f"{kind}.{name}") for name in names}

    def items(self):
        return self.__dict__.items()

    def __getitem__(self, number):
        return list(self.__dict__.values())[number]


def told(value):
    """Return the places of the rule from which a value comes, as text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{told(key)}: {told(of_key)}" for key, of_key in value.items()) + "}"
    if isinstance(value, list | tuple):
        return ", ".join(map(told, value))
    if isinstance(value, int):
        value = value.to_bytes(value.bit_length() // 8 + 1, "big").decode().strip("\0")
    return value.removesuffix("/*") if value.endswith("/*") or "." not in value else f"folder of {value}"


def names(rule, kind):
    """Return the names of a rule's values of a kind; "0" for one unnamed value."""
    if kind == "wildcards":
        return re.findall(r"(?<!\{)\{(\w+)\}", rule)
    part = re.search(rf"\n    {kind}:\n((?:        .*\n)+)", rule + "\n")
    if not part:
        return []
    found = re.findall(r"^        (\w+)=", part[1], re.MULTILINE)
    for shared in re.findall(r"^        \*\*(.+),$", part[1], re.MULTILINE):
        found += shared_names(shared)
    return found or ["0"]


def shared_names(shared):
    """Return the names in a shared mapping: another rule's outputs, keys in a list, or a constant."""
    if match := re.fullmatch(r"rules\.(\w+)\.output", shared):
        return names(next(rule.values[2] for rule in RULES if rule.values[1] == match[1]), "output")
    if match := re.search(r" in \[(.+)\]", shared):
        return re.findall(r'"(\w+)"', match[1])
    texts = "".join(path.read_text("utf-8") for path in sorted((ROOT / "rules").rglob("*.smk")))
    value = re.search(rf"^{shared} = (.*?)(?=^\S(?<![}}\]])|\Z)", texts, re.MULTILINE | re.DOTALL)[1]
    others = [name for other in re.findall(r"\b([A-Z_]{4,})\b \|", value) for name in shared_names(other)]
    return others + re.findall(r'"(\w+)": ', value)


def given(script, rule, inputs=1):
    """Return the arguments that a script's last block passes to main() for a rule with lists of this many inputs."""
    tree, calls, started = ast.parse((ROOT / f"scripts/{script}.py").read_text("utf-8")), [], []
    kept = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "main":
            node.body, node.returns = ast.parse("calls.append(locals())").body, None
            node.args.args = node.args.args[: len(node.args.args) - len(node.args.defaults)]
            node.args.defaults = []
            for argument in node.args.args:
                argument.annotation = None
        elif not isinstance(node, ast.If) and ast.unparse(node) != "from pathlib import Path":
            continue
        kept.append(node)
    kinds = {kind: Places(kind, names(rule, kind)) for kind in ("input", "output", "params", "wildcards")}
    kinds["log"] = Places("log", ["0"])
    for place in kinds["input"]:
        place.length = inputs
    snakemake = SimpleNamespace(**kinds, threads=Place("threads"))
    logs = SimpleNamespace(start=started.append)
    scope = {"__name__": "__main__", "snakemake": snakemake, "logs": logs, "calls": calls}
    exec(compile(ast.Module(kept, []), script, "exec"), scope)
    assert list(map(told, started)) == ["log.0"]
    (arguments,) = calls
    return {name: told(value) for name, value in arguments.items()}
