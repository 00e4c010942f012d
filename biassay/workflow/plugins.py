"""Checks of embedding algorithms and of metrics of one's own, read without being run."""

import ast
import inspect
from functools import partial
from pathlib import Path

from biassay.measurement.metric import FUNCTIONS, TAKES, Level, Metric
from biassay.support import options, registry
from biassay.workflow.problems import gather

DECLARATIONS = {"Metric": Metric, "Level": Level}
UNREAD = object()  # what only a run of the file would tell
DATA_SOURCES = ("algorithm", "counts")  # keys of an embedding that are no options of its training
INPUTS = ("tokens", "counts")  # what a family is trained from


def check_embedding(name: str, embedding: dict, counts: list[str]) -> None:
    """Raise ValueError with all that is wrong with an embedding: its family, its options, its counts."""
    key = f"config: embeddings.{name}."
    try:
        path = registry.find("embeddings", embedding["algorithm"])
    except ValueError as error:
        raise ValueError(f"{key}algorithm: {error}") from error
    known = options.read_options(path, "train")
    given = {option: value for option, value in embedding.items() if option not in DATA_SOURCES}

    def check_source() -> None:
        source = registry.read_constant(path, "INPUT")
        registry.check_names(f"{path}: INPUT", [source], INPUTS)
        if source == "counts":
            registry.check_names(f"{key}counts", [embedding.get("counts")], counts)
        elif "counts" in embedding:
            raise ValueError(f"{key}counts: the family {embedding['algorithm']} is not made from counts")

    def check_option(name: str) -> None:
        if name not in known:
            raise ValueError(registry.describe_unknown(f"{key[:-1]}: unknown option", name, list(known)))
        known[name].check(given[name], f"{key}{name}")

    gather([check_source, *(partial(check_option, name) for name in given)])


def check_own_metric(name: str, path: str) -> None:
    """Raise ValueError unless the file of a metric declares it and has its functions."""
    if not Path(path).is_file():
        raise ValueError(f"config: own_metrics.{name}: there is no file {path!r}")
    declared = registry.read_keywords(Path(path), "METRIC")
    if (takes := declared.get("takes", "vectors")) not in (None, *TAKES):  # None: not a plain value
        raise ValueError(registry.describe_unknown(f"{path}: METRIC: takes: unknown value", takes, list(TAKES)))
    needed = ["scores"] if takes == "language_model" else []
    for function in [*needed, *(FUNCTIONS[level] for level in FUNCTIONS if level in declared)]:
        options.read_options(Path(path), function)
    _declare(path, registry.find_call(Path(path), "METRIC"))
    if name in registry.names("metrics"):
        raise ValueError(
            f"config: own_metrics.{name}: a metric that comes with biassay is called so; give another name"
        )


def _declare(path: str, node: ast.expr) -> object:
    """A Metric or a Level as a file declares it, or a plain value; UNREAD what cannot be told without running the file.

    Raises ValueError, naming the line, for a declaration that could not be made.
    """
    made = DECLARATIONS.get(ast.unparse(node.func).rpartition(".")[2]) if isinstance(node, ast.Call) else None
    if made is None:
        try:
            return ast.literal_eval(node)
        except ValueError:
            return UNREAD
    if any(isinstance(value, ast.Starred) for value in node.args) or any(item.arg is None for item in node.keywords):
        return UNREAD
    where, signature = f"{path}, line {node.lineno}: {made.__name__}", inspect.signature(made)
    given = {item.arg: _declare(path, item.value) for item in node.keywords}
    for name in given:
        if name not in signature.parameters:
            raise ValueError(registry.describe_unknown(f"{where}: unknown argument", name, list(signature.parameters)))
    try:
        bound = signature.bind(*(_declare(path, value) for value in node.args), **given).arguments
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error
    any_level = Level(None, None)
    stand_ins = {"word": any_level, "set": any_level, "b_min": None, "b_max": None, "summary": "", "source": ""}
    known = {name: stand_ins.get(name) if value is UNREAD else value for name, value in bound.items()
             if value is not UNREAD or name in stand_ins}  # fmt: skip
    try:
        return made(**known)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error
