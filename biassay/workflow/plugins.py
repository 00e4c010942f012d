"""Checks of embedding algorithms and of users' metrics; their files are not run."""

import ast
import inspect
from functools import partial
from pathlib import Path

from biassay.core import options, registry
from biassay.measurement.metric import FUNCTIONS, TAKES, Level, Metric
from biassay.workflow.problems import gather

DECLARATIONS = {"Metric": Metric, "Level": Level}
UNREAD = object()  # a value that only running the file would reveal
DATA_SOURCES = ("algorithm", "counts")  # keys of an embedding that are not options of its training
INPUTS = ("tokens", "counts")  # data that an algorithm is trained on


def check_embedding(name: str, embedding: dict, counts: list[str]) -> None:
    """Raise ValueError with all problems of an embedding: its algorithm, options and counts."""
    key = f"config: embeddings.{name}."
    try:
        path = registry.find("embeddings", embedding["algorithm"])
    except ValueError as error:
        raise ValueError(f"{key}algorithm: {error}") from error
    declared = options.read_options(path, "train")
    own = {option: value for option, value in embedding.items() if option not in DATA_SOURCES}

    def check_source() -> None:
        source = registry.read_constant(path, "INPUT")
        registry.check_names(f"{path}: INPUT", [source], INPUTS)
        if source == "counts":
            registry.check_names(f"{key}counts", [embedding.get("counts")], counts)
        elif "counts" in embedding:
            raise ValueError(f"{key}counts: the algorithm {embedding['algorithm']} does not use counts; remove the key")

    def check_option(name: str) -> None:
        if name not in declared:
            raise ValueError(registry.describe_unknown(f"{key[:-1]}: unknown option", name, list(declared)))
        declared[name].check(own[name], f"{key}{name}")

    gather([check_source, *(partial(check_option, name) for name in own)])


def check_own_metric(name: str, path: str) -> None:
    """Raise ValueError unless a user's file declares a metric and has the functions of its levels."""
    if not Path(path).is_file():
        raise ValueError(f"config: own_metrics.{name}: there is no file {path!r}")
    declared = registry.read_keywords(Path(path), "METRIC")
    if (takes := declared.get("takes", "vectors")) not in (None, *TAKES):  # None: not a literal
        raise ValueError(registry.describe_unknown(f"{path}: METRIC: takes: unknown value", takes, list(TAKES)))
    functions = ["scores"] if takes == "language_model" else []
    for function in [*functions, *(FUNCTIONS[level] for level in FUNCTIONS if level in declared)]:
        options.read_options(Path(path), function)
    _declare(path, registry.find_call(Path(path), "METRIC"))
    if name in registry.names("metrics"):
        raise ValueError(f"config: own_metrics.{name}: biassay has a metric of this name; choose another name")


def _declare(path: str, node: ast.expr) -> object:
    """Evaluate a file's Metric or Level, or a literal; UNREAD if that is impossible without running the file.

    Raises ValueError, naming the line, for an invalid declaration.
    """
    declaration = DECLARATIONS.get(ast.unparse(node.func).rpartition(".")[2]) if isinstance(node, ast.Call) else None
    if declaration is None:
        try:
            return ast.literal_eval(node)
        except ValueError:
            return UNREAD
    if any(isinstance(value, ast.Starred) for value in node.args) or any(item.arg is None for item in node.keywords):
        return UNREAD
    where, signature = f"{path}, line {node.lineno}: {declaration.__name__}", inspect.signature(declaration)
    keywords = {item.arg: _declare(path, item.value) for item in node.keywords}
    for name in keywords:
        if name not in signature.parameters:
            raise ValueError(registry.describe_unknown(f"{where}: unknown argument", name, list(signature.parameters)))
    try:
        bound = signature.bind(*(_declare(path, value) for value in node.args), **keywords).arguments
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error
    any_level = Level(None, None)
    stand_ins = {"word": any_level, "set": any_level, "b_min": None, "b_max": None, "summary": "", "source": ""}
    arguments = {name: stand_ins.get(name) if value is UNREAD else value for name, value in bound.items()
                 if value is not UNREAD or name in stand_ins}  # fmt: skip
    try:
        return declaration(**arguments)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error
