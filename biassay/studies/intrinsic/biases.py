"""The bias of each model: planted, in its training data, and by unmasking."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.language_models.group_templates import ProtectedAttribute
from biassay.statistics import divergence
from biassay.statistics.correlation import pearson

BIASES = ("planted", "data", "unmasking")


def tabulate(
    model: int,
    bias: str,
    p: Mapping[str, np.ndarray],
    attributes: Mapping[str, ProtectedAttribute],
    occupations: Sequence[str],
) -> pd.DataFrame:
    """Tabulate a model's probabilities of groups, by attribute (occupations, groups), in a column named after the bias.

    There is one row per attribute, occupation and group.
    """
    parts = [
        pd.DataFrame({"model": model, "attribute": name, "occupation": np.repeat(occupations, values.shape[1]),
                      "group": np.tile(attributes[name].groups, len(occupations)), bias: values.ravel()})
        for name, values in p.items()
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def correlate(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Compute Pearson's r of probabilities, which are given by attribute (occupations, groups).

    Returns r over all attributes, by which intrinsic-2023 selects models, and r_<attribute> for each. The former mixes
    attributes with different base rates, so it is above 0 even for a model that learned nothing.
    """
    pairs = {f"r_{name}": (first[name].ravel(), second[name].ravel()) for name in first}
    pairs = {"r": tuple(np.concatenate(side) for side in zip(*pairs.values(), strict=True))} | pairs
    return {name: float(pearson(x, y)[0]) for name, (x, y) in pairs.items()}


def divergence_by_occupation(biases: pd.DataFrame, attribute: str, bias: str) -> pd.DataFrame:
    """Compute the Jensen–Shannon divergence of one bias from equal groups, in nats: (models, occupations)."""
    wide = probabilities(biases, attribute, bias)
    values = divergence.from_uniform(wide.to_numpy())
    return pd.Series(values, wide.index).unstack("occupation").loc[
        wide.index.unique("model"), wide.index.unique("occupation")
    ]  # fmt: skip


def probabilities(biases: pd.DataFrame, attribute: str, bias: str) -> pd.DataFrame:
    """Select the probabilities of one bias: one row per (model, occupation), one column per group."""
    of_attribute = biases[biases["attribute"] == attribute]
    wide = of_attribute.pivot(index=["model", "occupation"], columns="group", values=bias)
    rows = pd.MultiIndex.from_frame(of_attribute[["model", "occupation"]].drop_duplicates())
    return wide.loc[rows, of_attribute["group"].drop_duplicates()]
