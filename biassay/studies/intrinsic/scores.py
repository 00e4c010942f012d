"""Scores of the intrinsic study: metrics on the stored embeddings of a model's test sentences."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models import encoding
from biassay.language_models.group_distributions import DETECTION, stereotypes
from biassay.language_models.unmasking import normalise
from biassay.measurement.occupation_embeddings import UNRATED, OccupationEmbeddings
from biassay.numerics.seeds import seed_of
from biassay.studies.intrinsic import biases, tables
from biassay.support import arrays

SENTENCES = 16  # purpose of seeds


def read(folder: str | Path, attribute: str, pooling: str, occupations: int, groups: int) -> OccupationEmbeddings:
    """Read one pooling of what a model says of an attribute; the occupations are unrated."""
    targets, groups = (
        arrays.split_rows(
            place := Path(folder) / attribute / part,
            np.asarray(getattr(encoding.SentenceEmbeddings.open(place, finite=pooling), pooling), np.float64), n
        )
        for part, n in (("targets", occupations), ("groups", groups))
    )  # fmt: skip
    return OccupationEmbeddings(targets, list(groups), np.full(occupations, UNRATED))


def unmasked(folder: str | Path, attribute: str, *shape: int, given: str = "") -> np.ndarray:
    """What a model expects of an attribute behind masks, (occupations, sentences, groups), normalised over the groups.

    shape: number of occupations and of groups; `given` another attribute, in whose groups and neutral sentences it is
    asked, their number is between these two: (occupations, sentences, groups and neutral, groups).
    """
    path = Path(folder) / attribute / (f"given_{given}.npy" if given else "unmasking.npy")
    return normalise(arrays.open_array(path, "f", (shape[0], None, *shape[1:]), finite=True))


def labels(bias: pd.DataFrame, model: pd.Series, attribute: str, noise: float) -> dict[str, np.ndarray]:
    """Stereotypes of the occupations by kind, from the bias of one model (a row of models.csv).

    Of the grid: noisy, by the data's probabilities with noise, and ideal, without. Of detection those planted at full
    strength, the same for all strengths.
    """
    if model["purpose"] == DETECTION:
        return {tables.PLANTED: stereotypes(biases.probabilities(bias, attribute, "planted").to_numpy())}
    p = biases.probabilities(bias, attribute, "data").to_numpy()
    return {tables.NOISY: stereotypes(p, noise, seed=int(model["seed"])), tables.IDEAL: stereotypes(p)}


def some_sentences(embedded: OccupationEmbeddings, n: int | None, *, seed: int) -> OccupationEmbeddings:
    """The same n sentences of each occupation, at random; None, or more than there are: all."""
    there = embedded.targets.shape[1]
    if n is None or n >= there:
        return embedded
    chosen = np.sort(np.random.default_rng(seed_of(seed, SENTENCES)).permutation(there)[:n])
    return OccupationEmbeddings(embedded.targets[:, chosen], embedded.groups, embedded.labels)
