"""Checks of the downstream study's configuration, and settings derived from it."""

import re
from collections.abc import Callable
from functools import partial

from biassay.core import guard, registry
from biassay.studies.downstream import planted
from biassay.studies.downstream.scores import COUNT, SHARE
from biassay.words import defining_sets
from biassay.workflow import group_words
from biassay.workflow.study_metrics import check_variant, variant

PLANTED = "planted"  # the unit of all models with planted bias
CORPORA = ("wikipedia", "wikiextractor")  # sources of corpora with articles
COMMENTS = ("jigsaw", "comments")  # sources of texts labelled as toxic or not
BY_COUNT = ("bios",)  # sources where a class is a target of the group with most of its texts, for WEAT


def units(config: dict) -> list[str]:
    """List the encoding jobs: one per model, and one for all models with planted bias."""
    study = config["downstream"]
    return [*study["models"], *([PLANTED] if study["planted"]["strengths"] else [])]


def groupings(config: dict) -> dict[str, str]:
    """Return how classes are assigned to groups, by set of texts."""
    study = config["downstream"]
    return {name: COUNT if study["text_sets"][name]["source"] in BY_COUNT else SHARE for name in study["texts"]}


def sources(config: dict) -> dict[str, str]:
    """Return the sources of the sets of texts and pairs that are used."""
    study = config["downstream"]
    return {name: study[sets][name]["source"] for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets"))
            for name in study[names]}  # fmt: skip


def heads(config: dict) -> dict:
    """Return the settings of the classifiers, with folds and minimum quality by set of texts."""
    study = config["downstream"]
    settings, text_sets = study["heads"], {name: study["text_sets"][name] for name in study["texts"]}
    kinds = {name: settings["comments" if text_set["source"] in COMMENTS else "biographies"]
             for name, text_set in text_sets.items()}  # fmt: skip
    common = {key: settings[key] for key in ("n_directions", "epochs", "batch", "attempts")}
    by_set = {key: {name: kind[key] for name, kind in kinds.items()} for key in ("folds", "min_quality")}
    return {"rates": settings["learning_rates"]} | common | {"n_resamples": study["resamples"]} | by_set


def checks(config: dict) -> list[Callable[[], None]]:
    """List the checks of the study's values; each raises ValueError with one message."""
    study = config["downstream"]
    metrics = [*registry.names("metrics"), *config["own_metrics"], *study["variants"]]
    by_name = [
        ("models", study["models"], config["language_models"]),
        ("planted.language_model", [study["planted"]["language_model"]], config["language_models"]),
        ("texts", study["texts"], study["text_sets"]),
        ("pairs", study["pairs"], study["pair_sets"]),
        ("metrics", study["metrics"], metrics),
    ]
    return [
        *(
            partial(registry.check_names, f"config: downstream.{key}", names, choices)
            for key, names, choices in by_name
        ),
        *(partial(check_variant, name, config, "downstream") for name in study["metrics"]),
        *(partial(_check_takes_groups, name, config) for name in study["metrics"] if name in metrics),
        partial(_check_names, study),
        partial(_check_planted, study["planted"]),
        *(partial(_check_set, name, config) for name in study["texts"] if name in study["text_sets"]),
    ]


def paths(config: dict) -> dict[str, str]:
    """Return the files of the study by key."""
    study = config["downstream"]
    files = {"downstream.defining": study["defining"], "downstream.planted.templates": study["planted"]["templates"]}
    for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets")):
        for name in study[names]:
            for key in ("path", "templates"):
                value, place = study[sets].get(name, {}).get(key, []), f"downstream.{sets}.{name}.{key}"
                paths = {place: value} if isinstance(value, str) else {f"{place}.{i}": v for i, v in enumerate(value)}
                files |= paths
    return files


def _check_takes_groups(name: str, config: dict) -> None:
    """Raise ValueError for a label-based metric, which compares no groups."""
    metric = variant(config, name, "downstream")["metric"]
    if not metric.endswith(".py") and metric not in registry.names("metrics"):
        return  # reported by another check
    path = registry.find("metrics", metric)
    if registry.read_keyword(path, "METRIC", "groups") == (0, 0):
        raise ValueError(f"config: downstream.metrics: {name!r} is label-based, but this study compares groups")


def _check_names(study: dict) -> None:
    """Raise ValueError if there is nothing to measure, or if a name has two meanings."""
    if not study["texts"] and not study["pairs"]:
        raise ValueError("config: downstream: texts and pairs are both empty; expected at least one set")
    if not study["models"] and not study["planted"]["strengths"]:
        raise ValueError("config: downstream: models and planted.strengths are both empty; expected at least one model")
    if shared := [name for name in study["texts"] if name in study["pairs"]]:
        raise ValueError(f"config: downstream: {shared[0]!r} is in both texts and pairs; choose another name")
    for key, reserved in (("models", rf"{PLANTED}(_\d+)?"), ("metrics", "downstream")):
        if clashes := [name for name in study[key] if re.fullmatch(reserved, name)]:
            raise ValueError(
                f"config: downstream.{key}: {clashes[0]!r} is reserved for the study's own results; choose another name"
            )


def _check_planted(settings: dict) -> None:
    strengths = settings["strengths"]
    if settings["min_p"] >= settings["max_p"]:
        raise ValueError(
            f"config: downstream.planted: expected min_p < max_p, got {settings['min_p']} and {settings['max_p']}"
        )
    if strengths and (strengths[0] != 0 or len(strengths) < 2 or sorted(set(strengths)) != strengths):
        raise ValueError(
            f"config: downstream.planted.strengths: expected [] or increasing numbers from 0, got {strengths}"
        )


def _check_set(name: str, config: dict) -> None:
    """Raise ValueError for a corpus without articles, and for duplicate files."""
    options = config["downstream"]["text_sets"][name]
    if isinstance(options.get("path"), list):
        guard.check_different(f"config: downstream.text_sets.{name}.path", options["path"])
    if options["source"] == "wikipedia":
        key = f"config: downstream.text_sets.{name}.corpus"
        registry.check_names(key, [options["corpus"]], config["corpora"])
        source = config["corpora"][options["corpus"]]["source"]
        if source not in CORPORA:
            raise ValueError(f"{key}: expected the source {' or '.join(CORPORA)}, got {source} ({options['corpus']!r})")


def check_contents(config: dict) -> None:
    """Read the defining sets and templates.

    Raises ValueError for attributes without defining sets, unknown occupations, and terms that are not one token.
    """
    study = config["downstream"]
    terms = defining_sets.read(study["defining"])
    for name in study["texts"]:
        if "attribute" in (options := study["text_sets"][name]):
            registry.check_names(f"config: downstream.text_sets.{name}.attribute", [options["attribute"]], terms)
    flat = [term for groups in terms.values() for group_terms in groups.values() for term in group_terms]
    for name in study["models"]:
        group_words.check_single_tokens({}, {study["defining"]: flat}, name, config["language_models"])
    generated = [name for name in study["pairs"] if study["pair_sets"][name]["source"] == "generated"]
    texts = [name for name in study["texts"] if study["text_sets"][name]["source"] == "generated"]
    if not study["planted"]["strengths"] and not generated and not texts:
        return  # the templates are not used
    try:
        chosen = planted.select_templates(study["planted"], seed=config["seed"])
    except ValueError as error:
        begins = str(error).startswith(("n_", "occupations"))
        raise ValueError(f"config: downstream.planted.{error}" if begins else str(error)) from error
    for name, attribute in chosen.attributes.items():
        if generated:
            registry.check_names(f"{study['defining']}: attributes", [name], terms)
            registry.check_names(f"{study['defining']}: {name}", attribute.groups, terms[name])
    if not study["planted"]["strengths"]:
        return
    settings = study["planted"]
    group_words.check_groups(settings["templates"], chosen, settings["language_model"], config["language_models"])
