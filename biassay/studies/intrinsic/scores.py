"""Unmasking probabilities and stereotypes of a model's occupations, as metrics take them."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays
from biassay.language_models.planted.distributions import stereotypes
from biassay.language_models.planted.grids import DETECTION
from biassay.language_models.unmasking import normalise
from biassay.studies.intrinsic import tables


def read_unmasking(folder: str | Path, attribute: str, n_occupations: int, n_groups: int) -> np.ndarray:
    """Read a model's probabilities of an attribute's groups behind masks: (occupations, sentences, groups)."""
    path = Path(folder) / attribute / "unmasking.npy"
    return normalise(arrays.open_array(path, "f", (n_occupations, None, n_groups), finite=True))


def stereotype_labels(bias: pd.DataFrame, model: pd.Series, attribute: str, noise: float) -> dict[str, np.ndarray]:
    """Derive the stereotypes of the occupations from the bias of one model, by kind of labels.

    Models of the grid have noisy labels, from the data's probabilities with noise (of a standard deviation), and ideal
    ones, without. Detection models have the planted ones at full strength, the same for all strengths.
    """
    if model["purpose"] == DETECTION:
        return {tables.PLANTED: stereotypes(tables.select_probabilities(bias, attribute, "planted").to_numpy())}
    p = tables.select_probabilities(bias, attribute, "data").to_numpy()
    return {tables.NOISY: stereotypes(p, noise, seed=int(model["seed"])), tables.IDEAL: stereotypes(p)}
