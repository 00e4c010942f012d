"""Checks of the downstream study's configuration, and what follows from it."""

import re
from collections.abc import Callable
from functools import partial

from biassay.studies.downstream import planted
from biassay.studies.downstream.scores import COUNT, SHARE
from biassay.support import guard, registry
from biassay.words import defining_sets
from biassay.workflow import group_words
from biassay.workflow.study_metrics import check_variant, variant

PLANTED = "planted"  # the unit of all models that bias is planted in
CORPORA = ("wikipedia", "wikiextractor")  # sources of corpora with articles
COMMENTS = ("jigsaw", "comments")  # sources of texts that are toxic or not
BY_COUNT = ("bios",)  # sources whose classes are WEAT's targets of the group that has most of their texts


def units(config: dict) -> list[str]:
    """What models are encoded by, a job each: the models by name, and those that bias is planted in together."""
    study = config["downstream"]
    return [*study["models"], *([PLANTED] if study["planted"]["strengths"] else [])]


def groupings(config: dict) -> dict[str, str]:
    """How classes stand for groups, by set of texts."""
    study = config["downstream"]
    return {name: COUNT if study["text_sets"][name]["source"] in BY_COUNT else SHARE for name in study["texts"]}


def sources(config: dict) -> dict[str, str]:
    """Sources of the sets of texts and pairs that are used."""
    study = config["downstream"]
    return {name: study[sets][name]["source"] for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets"))
            for name in study[names]}  # fmt: skip


def heads(config: dict) -> dict:
    """Settings of the classifiers, with folds and what makes them count by set of texts."""
    study = config["downstream"]
    of = study["heads"]
    kinds = {name: of["comments" if study["text_sets"][name]["source"] in COMMENTS else "biographies"]
             for name in study["texts"]}  # fmt: skip
    own = {"rates": of["learning_rates"]} | {key: of[key] for key in ("components", "epochs", "batch", "attempts")}
    return own | {"draws": study["resamples"]} | {key: {name: kind[key] for name, kind in kinds.items()}
                                                  for key in ("folds", "least")}  # fmt: skip


def checks(config: dict) -> list[Callable[[], None]]:
    """Checks of values against the rest of the configuration; each raises ValueError with one message."""
    study = config["downstream"]
    known = [*registry.names("metrics"), *config["own_metrics"], *study["variants"]]
    by_name = [
        ("models", study["models"], config["language_models"]),
        ("planted.language_model", [study["planted"]["language_model"]], config["language_models"]),
        ("texts", study["texts"], study["text_sets"]),
        ("pairs", study["pairs"], study["pair_sets"]),
        ("metrics", study["metrics"], known),
    ]
    return [
        *(partial(registry.check_names, f"config: downstream.{key}", names, of) for key, names, of in by_name),
        *(partial(check_variant, name, config, "downstream") for name in study["metrics"]),
        *(partial(_check_takes_groups, name, config) for name in study["metrics"] if name in known),
        partial(_check_names, study),
        partial(_check_planted, study["planted"]),
        *(partial(_check_set, name, config) for name in study["texts"] if name in study["text_sets"]),
    ]


def paths(config: dict) -> dict[str, str]:
    """Files of the study, by key."""
    study = config["downstream"]
    found = {"downstream.defining": study["defining"], "downstream.planted.templates": study["planted"]["templates"]}
    for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets")):
        for name in study[names]:
            for key in ("path", "templates"):
                of, place = study[sets].get(name, {}).get(key, []), f"downstream.{sets}.{name}.{key}"
                found |= {place: of} if isinstance(of, str) else {f"{place}.{i}": one for i, one in enumerate(of)}
    return found


def _check_takes_groups(name: str, config: dict) -> None:
    """Raise ValueError for a metric that takes labels only, which says nothing of groups' terms."""
    metric = variant(config, name, "downstream")["metric"]
    if not metric.endswith(".py") and metric not in registry.names("metrics"):
        return  # told already
    path = registry.find("metrics", metric)
    if registry.read_keyword(path, "METRIC", "groups") == (0, 0):
        raise ValueError(f"config: downstream.metrics: {name!r} takes labels only, this study compares groups of terms")


def _check_names(study: dict) -> None:
    """Raise ValueError where nothing is to be measured, or a name means two things."""
    if not study["texts"] and not study["pairs"]:
        raise ValueError("config: downstream: texts and pairs are both empty; name a set of one of them")
    if not study["models"] and not study["planted"]["strengths"]:
        raise ValueError("config: downstream: models and planted.strengths are both empty; there is no model")
    if shared := [name for name in study["texts"] if name in study["pairs"]]:
        raise ValueError(f"config: downstream: {shared[0]!r} names both texts and pairs; choose another name")
    for key, kept in (("models", rf"{PLANTED}(_\d+)?"), ("metrics", "downstream")):
        if made := [name for name in study[key] if re.fullmatch(kept, name)]:
            raise ValueError(f"config: downstream.{key}: {made[0]!r} is kept for what the study itself makes")


def _check_planted(settings: dict) -> None:
    strengths = settings["strengths"]
    if settings["min_p"] >= settings["max_p"]:
        raise ValueError(
            f"config: downstream.planted: min_p {settings['min_p']} is not below max_p {settings['max_p']}"
        )
    if strengths and (strengths[0] != 0 or len(strengths) < 2 or sorted(set(strengths)) != strengths):
        raise ValueError(f"config: downstream.planted.strengths: {strengths}; give none, or numbers that rise from 0")


def _check_set(name: str, config: dict) -> None:
    """Raise ValueError for a corpus without articles, and a file that is given twice."""
    options = config["downstream"]["text_sets"][name]
    if isinstance(options.get("path"), list):
        guard.check_different(f"config: downstream.text_sets.{name}.path", options["path"])
    if options["source"] == "wikipedia":
        key = f"config: downstream.text_sets.{name}.corpus"
        registry.check_names(key, [options["corpus"]], config["corpora"])
        source = config["corpora"][options["corpus"]]["source"]
        if source not in CORPORA:
            raise ValueError(
                f"{key}: {options['corpus']!r} is of the source {source}; expected one of: {', '.join(CORPORA)}"
            )


def check_contents(config: dict) -> None:
    """Read the defining sets and templates. Raises ValueError for attributes without defining sets, unknown
    occupations, and terms that the language model has in pieces."""
    study = config["downstream"]
    terms = defining_sets.read(study["defining"])
    for name in study["texts"]:
        if "attribute" in (options := study["text_sets"][name]):
            registry.check_names(f"config: downstream.text_sets.{name}.attribute", [options["attribute"]], terms)
    flat = [term for groups in terms.values() for of_group in groups.values() for term in of_group]
    for name in study["models"]:
        group_words.check_single_tokens({}, {study["defining"]: flat}, name, config["language_models"])
    generated = [name for name in study["pairs"] if study["pair_sets"][name]["source"] == "generated"]
    texts = [name for name in study["texts"] if study["text_sets"][name]["source"] == "generated"]
    if not study["planted"]["strengths"] and not generated and not texts:
        return  # nobody reads them
    try:
        chosen = planted.material_of(study["planted"], seed=config["seed"])
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
