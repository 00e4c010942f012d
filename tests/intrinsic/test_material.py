"""Stereotypes of occupations."""

import numpy as np
import pandas as pd

from biassay.language_models.planted.distributions import stereotypes
from biassay.studies.intrinsic import scores


def model(purpose, seed=3):
    return pd.Series({"purpose": purpose, "seed": seed})


def bias(p, data=None):
    n, k = np.shape(p)
    rows = {"model": 5, "attribute": "age", "occupation": np.repeat([f"w{i}" for i in range(n)], k),
            "group": [f"g{i}" for i in range(k)] * n, "planted": np.ravel(p)}  # fmt: skip
    return pd.DataFrame(rows | {"data": np.ravel(p if data is None else data)})


def test_ideal_stereotypes_are_the_likeliest_of_the_data_and_planted_ones_of_what_was_planted():
    planted, data = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], [[0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]
    found = scores.stereotype_labels(bias(planted, data), model("grid"), "age", 0.0)
    assert {name: of.tolist() for name, of in found.items()} == {"noisy": [1, 2], "ideal": [1, 2]}
    found = scores.stereotype_labels(bias(planted, data), model("detection"), "age", 0.3)
    assert {name: of.tolist() for name, of in found.items()} == {"planted": [2, 0]}


def test_noise_is_of_the_model_and_the_strength_asked_for():
    p = np.random.default_rng(2).dirichlet([2, 2, 2], 100)
    for seed in (3, 4):
        noisy = scores.stereotype_labels(bias(p), model("grid", seed), "age", 0.3)["noisy"]
        assert noisy.tolist() == stereotypes(p, 0.3, seed=seed).tolist()
        assert (noisy != p.argmax(axis=1)).any()
