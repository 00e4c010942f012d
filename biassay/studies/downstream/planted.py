"""Copies of a language model with planted bias of known strength, so that a ranking of models has a ground truth.

Each is trained on the same kinds of sentences about occupations, in which the groups of gender, ethnicity and religion
have probabilities between equal (strength 0, which undoes bias: a debiased copy) and Algorithm 1's (strength 1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from biassay.language_models import group_distributions, planted_groups, template_selection
from biassay.language_models.group_templates import ProtectedAttribute, Templates
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.support import registry

COLUMNS = ["model", "strength", "repeat", "seed"]


def material_of(settings: Mapping[str, Any], *, seed: int) -> Templates:
    """The occupations that are named, and so many templates: drawn by the seed."""
    found = template_selection.select(
        settings["templates"], None, settings["n_templates"]["training"], settings["n_templates"]["test"], seed=seed
    )
    registry.check_names("occupations", settings["occupations"], found.occupations)
    return replace(found, occupations=list(settings["occupations"]))


def models(settings: Mapping[str, Any], *, seed: int) -> pd.DataFrame:
    """The models, a row each: COLUMNS, the number first. Strengths rise from 0 to at most 1; none: no models."""
    limits = (settings[key] for key in ("min_p", "max_p", "strengths", "repeats"))
    found = group_distributions.detection_grid(*limits, seed=seed, first=0)
    return found.rename_axis("model").reset_index()[COLUMNS].astype({"repeat": int, "seed": int})


def probabilities(chosen: Templates, settings: Mapping[str, Any], strength: float, *, seed: int) -> dict:
    """What is planted at a strength: probabilities of groups by attribute, (occupations, groups)."""
    sizes = {name: len(attribute.groups) for name, attribute in chosen.attributes.items()}
    return group_distributions.probabilities(
        len(chosen.occupations), sizes, settings["min_p"], settings["max_p"], strength, seed=seed
    )


def training(tokenizer: Any, chosen: Templates, of_models: Sequence[tuple[dict, int]]) -> list[MaskedSentences]:
    """The sentences of each model, given what is planted in it and its seed."""
    columns = [name for _, name in planted_groups.attribute_columns(chosen.training)]
    drawn = [group_distributions.draw_groups(p, columns, seed=seed) for p, seed in of_models]
    return planted_groups.training_sentences(tokenizer, chosen.training, chosen.occupations, drawn)


def learned(
    found: Mapping[str, np.ndarray], full: Mapping[str, np.ndarray], attributes: Mapping[str, ProtectedAttribute]
) -> dict[str, float]:
    """The strength that a model shows, by attribute: the slope of what it expects on what strength 1 plants, both
    (occupations, groups) less equal groups. 0: nothing of it, 1: all of it."""
    slopes = {}
    for name in attributes:
        planted = full[name] - 1 / full[name].shape[1]
        slopes[name] = float((planted * (found[name] - 1 / full[name].shape[1])).sum() / (planted**2).sum())
    return slopes
