"""Settings of the downstream study that rules derive from the configuration."""

PLANTED = "planted"  # the unit of all models with planted bias
COMMENTS = ("jigsaw", "comments")  # sources of texts labelled as toxic or not
BY_COUNT = ("bios",)  # sources where a class is a target of the group with most of its texts, for WEAT


def units(config: dict) -> list[str]:
    """List the encoding jobs: one per model, and one for all models with planted bias."""
    study = config["downstream"]
    return [*study["models"], *([PLANTED] if study["planted"]["strengths"] else [])]


def groupings(config: dict) -> dict[str, str]:
    """Return how classes are assigned to groups, by set of texts."""
    study = config["downstream"]
    return {name: "count" if study["text_sets"][name]["source"] in BY_COUNT else "share" for name in study["texts"]}


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
