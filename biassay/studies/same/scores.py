"""Scores of the SAME study: metrics on the stored embeddings of a model's test sentences."""

from pathlib import Path

import numpy as np

from biassay.language_models import encoding, templates
from biassay.measurement.embedded import UNRATED, Embedded

GROUPS = ("male", "female")  # the first is what a positive score points to, as p(male) does


def read(folder: str | Path, pooling: str, stereotypes: list[str]) -> Embedded:
    """Read one pooling of a model's folder; stereotypes of its occupations are names of GROUPS or empty.

    Groups and labels are in the order of GROUPS.
    """
    targets, attributes = (
        np.asarray(getattr(encoding.Encoded.open(Path(folder) / part), pooling), np.float64)
        for part in ("targets", "attributes")
    )
    groups = dict(zip(templates.GROUPS, np.split(attributes, len(templates.GROUPS)), strict=True))
    labels = np.array([GROUPS.index(name) if name else UNRATED for name in stereotypes])
    width = targets.shape[-1]
    return Embedded(targets.reshape(len(labels), -1, width), [groups[name] for name in GROUPS], labels)
