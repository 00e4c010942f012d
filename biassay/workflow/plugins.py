"""Checks of embedding families and of metrics of one's own, read without being run."""

from functools import partial
from pathlib import Path

from biassay.measurement.metric import FUNCTIONS, TAKES
from biassay.support import options, registry
from biassay.workflow.gathering import gather

DATA_SOURCES = ("family", "counts")  # keys of an embedding that are no options of its training
INPUTS = ("tokens", "counts")  # what a family is trained from


def check_embedding(name: str, embedding: dict, counts: list[str]) -> None:
    """Raise ValueError with all that is wrong with an embedding: its family, its options, its counts."""
    key = f"config: embeddings.{name}."
    path = registry.find("embeddings", embedding["family"])
    known = options.of_file(path, "train")
    given = {option: value for option, value in embedding.items() if option not in DATA_SOURCES}

    def check_source() -> None:
        source = registry.constant(path, "INPUT")
        registry.check_names(f"{path}: INPUT", [source], INPUTS)
        if source == "counts":
            registry.check_names(f"{key}counts", [embedding.get("counts")], counts)
        elif "counts" in embedding:
            raise ValueError(f"{key}counts: the family {embedding['family']} is not made from counts")

    def check_option(name: str) -> None:
        if name not in known:
            raise ValueError(registry.unknown(f"{key[:-1]}: unknown option", name, list(known)))
        known[name].check(given[name], f"{key}{name}")

    gather([check_source, *(partial(check_option, name) for name in given)])


def check_own_metric(name: str, path: str) -> None:
    """Raise ValueError unless the file of a metric declares it and has its functions."""
    if not Path(path).is_file():
        raise ValueError(f"config: own_metrics.{name}: there is no file {path!r}")
    declared = registry.keywords(Path(path), "METRIC")
    if (takes := declared.get("takes", "vectors")) not in (None, *TAKES):  # None: not a plain value
        raise ValueError(registry.unknown(f"{path}: METRIC: takes: unknown value", takes, list(TAKES)))
    needed = ["scores"] if takes == "language_model" else []
    for function in [*needed, *(FUNCTIONS[level] for level in FUNCTIONS if level in declared)]:
        options.of_file(Path(path), function)
    if name in registry.names("metrics"):
        raise ValueError(
            f"config: own_metrics.{name}: a metric that comes with biassay is called so; give another name"
        )
