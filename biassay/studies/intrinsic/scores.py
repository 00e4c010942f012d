"""Unmasking probabilities and stereotypes of a model's occupations, as metrics take them."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays
from biassay.language_models.planted.distributions import stereotypes
from biassay.language_models.planted.grids import DETECTION
from biassay.language_models.unmasking import normalise
from biassay.studies.intrinsic import tables


def read_unmasking(folder: str | Path, attribute: str, *shape: int, condition: str = "") -> np.ndarray:
    """Read a model's probabilities of an attribute's groups behind masks: (occupations, sentences, groups).

    shape: numbers of occupations and of groups. With `condition`, another attribute whose groups and neutral form are
    in the sentences, the number of its groups plus one is before that of the groups.
    """
    path = Path(folder) / attribute / (f"given_{condition}.npy" if condition else "unmasking.npy")
    return normalise(arrays.open_array(path, "f", (shape[0], None, *shape[1:]), finite=True))


def stereotype_labels(bias: pd.DataFrame, model: pd.Series, attribute: str, noise: float) -> dict[str, np.ndarray]:
    """Derive the stereotypes of the occupations from the bias of one model, by kind of labels.

    Models of the grid have noisy labels, from the data's probabilities with noise (of a standard deviation), and ideal
    ones, without. Detection models have the planted ones at full strength, the same for all strengths.
    """
    if model["purpose"] == DETECTION:
        return {tables.PLANTED: stereotypes(tables.select_probabilities(bias, attribute, "planted").to_numpy())}
    p = tables.select_probabilities(bias, attribute, "data").to_numpy()
    return {tables.NOISY: stereotypes(p, noise, seed=int(model["seed"])), tables.IDEAL: stereotypes(p)}
