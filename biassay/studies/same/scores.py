"""Scores of the SAME study: metrics on the stored embeddings of a model's test sentences."""

from pathlib import Path

import numpy as np

from biassay.language_models import encoding, templates
from biassay.measurement.occupation_embeddings import UNRATED, OccupationEmbeddings
from biassay.support import arrays

GROUPS = ("male", "female")  # the first is what a positive score points to, as p(male) does


def read(folder: str | Path, pooling: str, stereotypes: list[str]) -> OccupationEmbeddings:
    """Read one pooling of a model's folder; stereotypes of its occupations are names of GROUPS or empty.

    Groups and labels are in the order of GROUPS.
    """
    found = [_part(Path(folder) / part, pooling, n) for part, n in
             (("targets", len(stereotypes)), ("groups", len(templates.GROUPS)))]  # fmt: skip
    groups = dict(zip(templates.GROUPS, found[1], strict=True))
    labels = np.array([GROUPS.index(name) if name else UNRATED for name in stereotypes])
    return OccupationEmbeddings(found[0], [groups[name] for name in GROUPS], labels)


def _part(folder: Path, pooling: str, n: int) -> np.ndarray:
    vectors = getattr(encoding.SentenceEmbeddings.open(folder, finite=pooling), pooling)
    return arrays.split_rows(folder, np.asarray(vectors, np.float64), n)
