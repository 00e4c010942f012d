"""The bias of each model: what was planted, what its sentences say, and what it says itself."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.language_models.group_templates import ProtectedAttribute
from biassay.numerics import divergence

BIASES = ("planted", "data", "unmasking")


def table(
    model: int,
    bias: str,
    p: Mapping[str, np.ndarray],
    attributes: Mapping[str, ProtectedAttribute],
    occupations: Sequence[str],
) -> pd.DataFrame:
    """Probabilities of the groups by attribute (occupations, groups), a row each, in a column named after the bias."""
    parts = [
        pd.DataFrame({"model": model, "attribute": name, "occupation": np.repeat(occupations, values.shape[1]),
                      "group": np.tile(attributes[name].groups, len(occupations)), bias: values.ravel()})
        for name, values in p.items()
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def correlations(known: Mapping[str, np.ndarray], found: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Pearson's r of probabilities by attribute (occupations, groups): r of all together, by which
    intrinsic-2023 keeps models, and r_<attribute> of each.

    The first mixes attributes of different base rates, so that it is above 0 even for a model that has learned nothing.
    """
    pairs = {f"r_{name}": (known[name].ravel(), found[name].ravel()) for name in known}
    pairs = {"r": tuple(np.concatenate(side) for side in zip(*pairs.values(), strict=True))} | pairs
    with np.errstate(invalid="ignore", divide="ignore"):
        return {name: float(np.corrcoef(x, y)[0, 1]) for name, (x, y) in pairs.items()}


def by_occupation(biases: pd.DataFrame, attribute: str, bias: str) -> pd.DataFrame:
    """Jensen–Shannon divergence of one bias from equal groups, in nats: (models, occupations)."""
    wide = probabilities(biases, attribute, bias)
    values = divergence.from_uniform(wide.to_numpy())
    return pd.Series(values, wide.index).unstack("occupation").loc[
        wide.index.unique("model"), wide.index.unique("occupation")
    ]  # fmt: skip


def probabilities(biases: pd.DataFrame, attribute: str, bias: str) -> pd.DataFrame:
    """Probabilities of one bias: a row a (model, occupation), a column a group."""
    chosen = biases[biases["attribute"] == attribute]
    wide = chosen.pivot(index=["model", "occupation"], columns="group", values=bias)
    rows = pd.MultiIndex.from_frame(chosen[["model", "occupation"]].drop_duplicates())
    return wide.loc[rows, chosen["group"].drop_duplicates()]
