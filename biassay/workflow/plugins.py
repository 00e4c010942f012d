"""Checks of embedding algorithms and of users' metrics, if possible without running their files."""

import ast
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from biassay.core import options, python_files, registry
from biassay.measurement.metric import FUNCTIONS, Level, Metric
from biassay.workflow import study_metrics
from biassay.workflow.problems import gather

DATA_SOURCES = ("algorithm", "counts")  # keys of an embedding that are not options of its training
INPUTS = ("tokens", "counts")  # data that an algorithm is trained on


def check_embedding(embedding: dict, counts: Iterable[str]) -> None:
    """Raise ValueError with all problems of an embedding: its algorithm, options and counts."""
    try:
        path = registry.find("embeddings", embedding["algorithm"])
    except ValueError as error:
        raise ValueError(f".algorithm: {error}") from error
    declared = options.read_options(path, "train")
    own = {option: value for option, value in embedding.items() if option not in DATA_SOURCES}

    def check_source() -> None:
        source = python_files.read_constant(path, "INPUT")
        registry.check_names(f": {path}: INPUT", [source], INPUTS)
        if source == "counts":
            registry.check_names(".counts", [embedding.get("counts")], counts)
        elif "counts" in embedding:
            raise ValueError(f".counts: the algorithm {embedding['algorithm']} does not use counts; remove the key")

    def check_option(name: str) -> None:
        if name == "seed":
            raise ValueError(".seed: the run's `seed` is that of all embeddings; remove the key")
        registry.check_names("", [name], declared, "option")
        declared[name].check(own[name], f".{name}")

    gather([check_source, *(partial(check_option, name) for name in own)])


def check_own_metric(name: str, path: str) -> None:
    """Raise ValueError unless a user's file declares a metric of a new name and has the functions of its levels."""
    if name in (*registry.names("metrics"), "data", "downstream"):  # studies call their ground truth so
        raise ValueError(f".{name}: biassay uses this name; choose another name")
    _check_declaration(path)
    declared = study_metrics.read_declaration(path)
    functions = ["scores"] if declared.get("takes") == "language_model" else []
    for function in [*functions, *(FUNCTIONS[level] for level in FUNCTIONS if level in declared)]:
        options.read_options(Path(path), function)


def _check_declaration(path: str) -> None:
    """Evaluate a file's METRIC without running the file; it may use names that only the file has."""
    call = ast.Expression(python_files.find_call(Path(path), "METRIC"))
    declarations = {"Metric": Metric, "Level": Level}
    try:
        eval(compile(call, path, "eval"), declarations | {"biassay": SimpleNamespace(**declarations)})
    except (NameError, AttributeError):
        return
    except Exception as error:
        raise ValueError(registry.describe_error(path, error)) from error
