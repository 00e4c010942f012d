"""Inputs of the board: tables of the configured studies, and the metrics in its rows."""

from biassay.core import registry
from biassay.studies.board.tables import COLUMNS
from biassay.workflow import study_metrics
from biassay.workflow.study_metrics import STUDIES


def tables(config: dict) -> list[tuple[str, str, str]]:
    """List the tables of the configured studies: study, name, and path in results/ without extension.

    The tables of the silhouette study are those of its first pair.
    """
    pair = config["silhouette"]["pairs"][0]
    folders = {study: study for study in COLUMNS} | {"silhouette": f"silhouette/{pair}"}
    paths = [
        (study, name, f"{folders[study]}/{name}")
        for study in COLUMNS if study in config["studies"] for name in COLUMNS[study]
    ]  # fmt: skip
    if config["seeds"] and "silhouette" in config["studies"]:
        paths.append(("seeds", "scores", f"seeds/silhouette/{pair}/scores/summary"))
    return paths


def reference(config: dict) -> str:
    """Describe the unbiased model of the silhouette study's first pair."""
    model = config["reference_pairs"][config["silhouette"]["pairs"][0]]["unbiased"]
    if "file" in model:
        return f"the reference vectors {model['file']}"
    return f"{model['embedding']} vectors of the unbiased control (corpus “{model['corpus']}”)"


def metrics(config: dict) -> dict[str, dict]:
    """Return the metrics in the rows of the board by name: those of vectors, the user's, and the studies' variants."""
    rows = {name: _plain(config, name) for name in study_metrics.vector_metrics(config)}
    return rows | {name: metric for _, name, metric in _variants(config)}


def check_names(config: dict) -> None:
    """Raise ValueError for a variant with the name of another metric, or of a different variant in another study."""
    rows = {name: _plain(config, name) for name in (*registry.names("metrics"), *config["own_metrics"])}
    for study, name, metric in _variants(config):
        first = rows.setdefault(name, metric)
        if any(first[key] != metric[key] for key in ("metric", "options")):
            raise ValueError(f"config: {study}.variants.{name}: another metric has this name; choose another name")


def _plain(config: dict, name: str) -> dict:
    return {"metric": config["own_metrics"].get(name, name), "options": {}, "range": None}


def _variants(config: dict) -> list[tuple[str, str, dict]]:
    """List the variants that studies use: study, name and metric."""
    return [
        (study, name, study_metrics.variant(config, name, study))
        for study in STUDIES for name in config[study]["metrics"] if name in config[study].get("variants", {})
    ]  # fmt: skip


def metrics_by_study(config: dict) -> dict[str, list[str]]:
    """Return the metrics that the configuration names for each study."""
    of_studies = {study: list(config[study]["metrics"]) for study in STUDIES}
    return of_studies | {"properties": study_metrics.property_metrics(config)}
