"""What the board is made of: the tables of the configured studies, and the metrics in its rows."""

from biassay.support import registry
from biassay.workflow import study_metrics

OWN = "own"  # in a study's list of metrics: those of one's own that it takes
STUDIES = ("first_order", "silhouette", "same", "intrinsic", "downstream")  # with a list of metrics
OF_TWO = ("first_order", "silhouette", "same")  # groups
TABLES = {
    "first_order": ("correlations",),
    "silhouette": ("scores", "false_positives"),
    "properties": ("properties",),
    "same": ("tables/summary", "tables/sets", "tables/retraining_variability", "tables/subsampling_variability"),
    "intrinsic": ("tables/words", "tables/retraining_variability", "tables/min_detectable_effect"),
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
    """The rows of the board: metrics of vectors, one's own too, and the studies' variants, as `variant` has them."""
    rows = {name: _plain(config, name) for name in study_metrics.vector_metrics(config)}
    return rows | {name: found for _, name, found in _variants(config)}


def check_names(config: dict) -> None:
    """Raise ValueError for a variant that bears the name of another metric, or of another study's other variant."""
    rows = {name: _plain(config, name) for name in (*registry.names("metrics"), *config["own_metrics"])}
    for study, name, found in _variants(config):
        known = rows.setdefault(name, found)
        if any(known[key] != found[key] for key in ("metric", "options")):
            raise ValueError(f"config: {study}.variants.{name}: another metric is called so; choose another name")


def _plain(config: dict, name: str) -> dict:
    return {"metric": config["own_metrics"].get(name, name), "options": {}, "range": None}


def _variants(config: dict) -> list[tuple[str, str, dict]]:
    """Study, name and metric of the variants that studies take."""
    return [
        (study, name, study_metrics.variant(config, name, study))
        for study in STUDIES for name in config[study]["metrics"] if name in config[study].get("variants", {})
    ]  # fmt: skip


def metrics_by_study(config: dict) -> dict[str, list[str]]:
    """The metrics that each study's configuration names."""
    found = {study: list(config[study]["metrics"]) for study in STUDIES}
    judged = config["properties"]["metrics"]
    return found | {"properties": study_metrics.vector_metrics(config) if judged == "all" else list(judged)}


def expand_own(config: dict) -> None:
    """Put the metrics of one's own that a study takes in place of “own” in its list, in place; `config` is as its
    schema has it.

    Raises ValueError where “own” names a metric or a variant, too, and for a list that no metric is left in.
    """
    for key in ("own_metrics", *(f"{study}.variants" for study in STUDIES if "variants" in config[study])):
        study, _, part = key.partition(".")
        if OWN in (config[study][part] if part else config[study]):
            raise ValueError(f"config: {key}.{OWN}: in a list of metrics it stands for all own_metrics; choose another")
    for study in STUDIES:
        names = config[study]["metrics"]
        if OWN in names:
            own = [name for name in config["own_metrics"] if name not in names and _fits(study, name, config)]
            place = names.index(OWN)
            if len(names) + len(own) == 1:
                raise ValueError(f"config: {study}.metrics: {OWN!r} stands for own_metrics, none of which it takes")
            config[study]["metrics"] = [*names[:place], *own, *names[place + 1 :]]


def _fits(study: str, name: str, config: dict) -> bool:
    """Whether a study takes a metric of one's own; what is wrong with its file is told elsewhere."""
    try:
        if study in ("first_order", "same"):
            study_metrics.check_metric(f"{study}.metrics", name, config, "word" if study == "first_order" else None)
        else:
            study_metrics.check_variant(name, config, study)
    except (ValueError, OSError):
        return False
    declared = registry.read_keywords(registry.find("metrics", config["own_metrics"][name]), "METRIC")
    groups, word = declared.get("groups"), declared.get("word")
    if not isinstance(groups, tuple) or len(groups) != 2:
        groups = (2, 2)  # the default, or not to be told without running the file
    if groups == (0, 0):  # of labels only
        return study not in ("first_order", "downstream")
    if study == "first_order" and isinstance(word, dict) and word.get("labels") is True:
        return False
    if study == "silhouette" and declared.get("takes") == "associations":
        return False
    return study not in OF_TWO or (groups[0] <= 2 and (groups[1] is None or groups[1] >= 2))
