"""Copies of a language model with planted bias of known strength, so that a ranking of models has a ground truth.

All copies are trained on the same kinds of sentences about occupations. The probabilities of the groups of gender,
ethnicity and religion lie between equal (strength 0, an unbiased control) and those of Algorithm 1 (strength 1).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from biassay.core import registry
from biassay.language_models.planted import distributions, grids, material
from biassay.language_models.planted.material import GroupMaterial

COLUMNS = ["model", "strength", "repeat", "seed"]


def select_templates(settings: Mapping[str, Any], *, seed: int) -> GroupMaterial:
    """Select the configured occupations, and templates at random."""
    n_templates = settings["n_templates"]
    templates = material.select(settings["templates"], None, n_templates["training"], n_templates["test"], seed=seed)
    registry.check_names("occupations", settings["occupations"], templates.occupations)
    return replace(templates, occupations=list(settings["occupations"]))


def plan_models(settings: Mapping[str, Any], *, seed: int) -> pd.DataFrame:
    """Return the models, one row each with COLUMNS; no rows without strengths."""
    limits = (settings[key] for key in ("min_p", "max_p", "strengths", "repeats"))
    plan = grids.detection_grid(*limits, seed=seed, first=0)
    return plan.rename_axis("model").reset_index()[COLUMNS].astype({"repeat": int, "seed": int})


def probabilities(templates: GroupMaterial, settings: Mapping[str, Any], *, seed: int) -> dict[str, np.ndarray]:
    """Return the probabilities of groups that are planted at strength 1, (occupations, groups) by attribute."""
    n_occupations, limits = len(templates.occupations), (settings["min_p"], settings["max_p"])
    return distributions.probabilities(n_occupations, templates.sizes, *limits, seed=seed)


def learned_strengths(predicted: Mapping[str, np.ndarray], full: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Return the strength of planted bias that a model has learned, by attribute: the slope of the `predicted`
    probabilities (occupations, groups) on those planted at strength 1, `full`, both minus equal probabilities."""
    planted = {name: p - 1 / p.shape[1] for name, p in full.items()}
    learned = {name: predicted[name] - 1 / p.shape[1] for name, p in full.items()}
    return {name: float((planted[name] * learned[name]).sum() / (planted[name] ** 2).sum()) for name in full}
