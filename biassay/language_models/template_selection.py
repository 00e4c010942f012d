"""What the study's models are trained on and asked with: a part of the templates and occupations, drawn by the seed."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from biassay.language_models import group_templates, template_files
from biassay.language_models.group_templates import Templates
from biassay.numerics.seeds import seed_of

OCCUPATIONS, TEMPLATES = 14, 15  # purposes of seeds


def select(path: str | Path, occupations: int | None, training: int | None, test: int | None, *, seed: int) -> Templates:
    """So many occupations and templates of a file, at random, in their order; None: all.

    Raises ValueError for more than there are, and where no template is left of an attribute.
    """
    found = template_files.read(path)
    words = found.occupations
    if occupations is not None and not 2 <= occupations <= len(words):
        raise ValueError(f"n_occupations: {occupations!r} is not from 2 to {len(words)}, the occupations in {path}")
    random = np.random.default_rng(seed_of(seed, OCCUPATIONS))
    chosen = sorted(random.permutation(len(words))[:occupations])
    parts = {}
    for number, (name, n) in enumerate({"training": training, "test": test}.items()):
        try:
            parts[name] = group_templates.choose(getattr(found, name), n, seed=seed_of(seed, TEMPLATES, number))
        except ValueError as error:
            raise ValueError(f"n_templates.{name}: {error}; they are in {path}") from error
        for attribute in found.attributes:
            if not group_templates.mentions(parts[name], attribute):
                raise ValueError(f"n_templates.{name}: {n}: none of them mentions {attribute}; take more")
    return replace(found, occupations=[words[i] for i in chosen], **parts)
