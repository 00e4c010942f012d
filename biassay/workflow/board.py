"""What the board is made of: the tables of the configured studies, and the metrics in its rows."""

from biassay.support import registry
from biassay.workflow import study_metrics

OWN = "own"  # in a study's list of metrics: those of one's own that it takes
STUDIES = ("first_order", "silhouette", "same", "intrinsic", "downstream")  # with a list of metrics
TABLES = {
    "first_order": ("correlations",),
    "silhouette": ("scores", "false_alarms"),
    "properties": ("properties",),
    "same": ("tables/summary", "tables/sets", "tables/consistency", "tables/robustness"),
    "intrinsic": ("tables/words", "tables/consistency", "tables/detected"),
    "downstream": ("tables/ranking",),
}


def tables(config: dict) -> list[tuple[str, str, str]]:
    """Study, name of the table, and its path in results/ without extension, of the configured studies.

    The silhouette study's are of the first of its pairs.
    """
    pair = config["silhouette"]["pairs"][0]
    folders = {study: study for study in TABLES} | {"silhouette": f"silhouette/{pair}"}
    found = [
        (study, name, f"{folders[study]}/{name}")
        for study in TABLES if study in config["studies"] for name in TABLES[study]
    ]  # fmt: skip
    if config["seeds"] and "silhouette" in config["studies"]:
        found.append(("seeds", "scores", f"seeds/silhouette/{pair}/scores/summary"))
    return found


def reference(config: dict) -> str:
    """The unbiased model of the silhouette study's first pair, in words."""
    model = config["reference_pairs"][config["silhouette"]["pairs"][0]]["unbiased"]
    if "file" in model:
        return f"the reference vectors {model['file']}"
    return f"{model['embedding']} vectors of text without bias (corpus “{model['corpus']}”)"


def metrics(config: dict) -> dict[str, dict]:
    """The rows of the board: metrics of vectors, one's own too, and the studies' variants, as `variant` has them.

    Raises ValueError for a name that two studies give to different variants.
    """
    rows = {name: study_metrics.variant(config, name) for name in study_metrics.vector_metrics(config)}
    for study in STUDIES:
        for name in config[study]["metrics"]:
            if name not in config[study].get("variants", {}):
                continue
            found = study_metrics.variant(config, name, study)
            known = rows.setdefault(name, found)
            if any(known[key] != found[key] for key in ("metric", "options")):
                raise ValueError(f"config: {study}.variants.{name}: another study has another metric of this name")
    return rows


def asked(config: dict) -> dict[str, list[str]]:
    """The metrics that each study's configuration names."""
    found = {study: list(config[study]["metrics"]) for study in STUDIES}
    judged = config["properties"]["metrics"]
    return found | {"properties": study_metrics.vector_metrics(config) if judged == "all" else list(judged)}


def expand_own(config: dict) -> None:
    """Put the metrics of one's own that a study takes in place of “own” in its list, in place."""
    for study in STUDIES:
        names = config[study]["metrics"] if isinstance(config.get(study), dict) else None
        if isinstance(names, list) and OWN in names:
            own = [name for name in config["own_metrics"] if name not in names and _fits(study, name, config)]
            place = names.index(OWN)
            config[study]["metrics"] = [*names[:place], *own, *(name for name in names[place:] if name != OWN)]


def _fits(study: str, name: str, config: dict) -> bool:
    """Whether a study takes a metric of one's own; what is wrong with its file is told elsewhere."""
    try:
        if study in ("first_order", "same"):
            study_metrics.check_metric(f"{study}.metrics", name, config, "sample" if study == "first_order" else None)
        else:
            study_metrics.check_variant(name, config, study)
        groups = registry.keywords(registry.find("metrics", config["own_metrics"][name]), "METRIC").get(
            "groups", (2, 2)
        )
    except (ValueError, OSError):
        return False
    return study != "first_order" or groups is None or groups[0] <= 2
