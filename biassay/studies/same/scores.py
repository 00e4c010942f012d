"""Stored embeddings of a model's test sentences, as metrics take them."""

from pathlib import Path

import numpy as np

from biassay.core import arrays
from biassay.language_models import encoding, templates
from biassay.measurement.occupation_embeddings import UNRATED, OccupationEmbeddings

GROUPS = ("male", "female")  # a positive score leans to the first group, as a high p(male) does


def read_embeddings(folder: str | Path, pooling: str, stereotypes: list[str]) -> OccupationEmbeddings:
    """Read one pooling of a model's folder.

    Parameters
    ----------
    folder : path
    pooling : str
        One of `encoding.POOLINGS`.
    stereotypes : list of str
        Stereotype of each occupation, one of GROUPS or "" for none.

    Returns
    -------
    OccupationEmbeddings
        With groups and labels in the order of GROUPS.
    """
    targets, groups = (_read_part(Path(folder) / part, pooling, n) for part, n in
                       (("targets", len(stereotypes)), ("groups", len(templates.GROUPS))))  # fmt: skip
    by_group = dict(zip(templates.GROUPS, groups, strict=True))
    labels = np.array([GROUPS.index(name) if name else UNRATED for name in stereotypes])
    return OccupationEmbeddings(targets, [by_group[name] for name in GROUPS], labels)


def _read_part(folder: Path, pooling: str, n: int) -> np.ndarray:
    vectors = getattr(encoding.SentenceEmbeddings.open(folder, finite=pooling), pooling)
    return arrays.split_rows(folder, np.asarray(vectors, np.float64), n)
