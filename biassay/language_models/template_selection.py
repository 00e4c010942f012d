"""Random selection of a study's occupations and templates."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from biassay.language_models import group_templates, template_files
from biassay.language_models.group_templates import Templates
from biassay.statistics.seeds import seed_of

OCCUPATIONS, TEMPLATES = 14, 15  # purposes of seeds


def select(
    path: str | Path, n_occupations: int | None, n_training: int | None, n_test: int | None, *, seed: int
) -> Templates:
    """Select occupations and templates of a file at random, in the file's order; None selects all.

    Raises ValueError if the file has fewer, or if no selected template mentions a protected attribute.
    """
    templates = template_files.read(path)
    words = templates.occupations
    if n_occupations is not None and not 2 <= n_occupations <= len(words):
        raise ValueError(f"n_occupations: expected 2 to {len(words)}, got {n_occupations!r} ({path})")
    random = np.random.default_rng(seed_of(seed, OCCUPATIONS))
    chosen = sorted(random.permutation(len(words))[:n_occupations])
    parts = {}
    for number, (name, n) in enumerate({"training": n_training, "test": n_test}.items()):
        try:
            parts[name] = group_templates.choose(getattr(templates, name), n, seed=seed_of(seed, TEMPLATES, number))
        except ValueError as error:
            raise ValueError(f"n_templates.{name}: {error} ({path})") from error
        for attribute in templates.attributes:
            if not group_templates.mentions(parts[name], attribute):
                raise ValueError(f"n_templates.{name}: {n} templates are too few: none mentions {attribute}")
    return replace(templates, occupations=[words[i] for i in chosen], **parts)
