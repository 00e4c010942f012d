"""Checks of embedding algorithms and of users' metrics, whose files are imported."""

from collections.abc import Iterable
from functools import partial

from biassay import embeddings
from biassay.core import options, registry
from biassay.measurement import evaluation
from biassay.measurement import metric as metrics
from biassay.workflow.problems import gather

DATA_SOURCES = ("algorithm", "counts")  # keys of an embedding that are not options of its training


def check_embedding(embedding: dict, counts: Iterable[str]) -> None:
    """Raise ValueError with all problems of an embedding: its algorithm, options and counts."""
    try:
        module = embeddings.load(embedding["algorithm"])
        declared = options.read(module.train)
    except ValueError as error:
        raise ValueError(f".algorithm: {error}") from error
    own = {option: value for option, value in embedding.items() if option not in DATA_SOURCES}

    def check_source() -> None:
        if module.INPUT == "counts":
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
    """Raise ValueError unless a user's file is a metric of a new name, with the functions of its levels."""
    if name in (*registry.names("metrics"), "data", "downstream"):  # studies call their ground truth so
        raise ValueError(f".{name}: biassay uses this name; choose another name")
    evaluation.read_options(metrics.load(path))
