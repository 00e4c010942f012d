"""The effect size is no amount of bias: same-2021 §3.1 (Figure 2), on vectors made for it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from biassay.metrics import same, same_stereotype, weat

MILD, STRONG, NEUTRAL = 0.1, 0.9, 0.001
STEPS = {  # s(w, A, B) of the two words of X and the two of Y; X is nearer A in all
    "all mild": ((MILD, MILD), (-MILD, -MILD)),
    "one of Y strong": ((MILD, MILD), (-MILD, -STRONG)),
    "one of each strong": ((MILD, STRONG), (-MILD, -STRONG)),
    "all but one of X strong": ((MILD, STRONG), (-STRONG, -STRONG)),
    "all strong": ((STRONG, STRONG), (-STRONG, -STRONG)),
    "one strong, others neutral": ((NEUTRAL, STRONG), (-NEUTRAL, -NEUTRAL)),
}
LEAST = 2 / np.sqrt(3)  # |d| of two against two words in correct order is at least that


def vectors(associations: Sequence[float]) -> np.ndarray:
    """Unit vectors (n, 2) whose s(w, A, B) are the associations (n,), −2 to 2, with the attributes of `ATTRIBUTES`."""
    along = np.asarray(associations, float) / 2
    return np.column_stack([along, np.sqrt(1 - along**2)])


ATTRIBUTES = [np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])]


def demonstrate() -> pd.DataFrame:
    """A row a step of STEPS: x_1, x_2, y_1, y_2 (their s), effect_size d, mean_absolute s, same and same_stereotype."""
    rows = []
    for step, (x, y) in STEPS.items():
        targets = vectors([*x, *y])
        associations = weat.sample_bias(targets, ATTRIBUTES)
        rows.append(
            {"step": step, **dict(zip(("x_1", "x_2", "y_1", "y_2"), associations, strict=True)),
             "effect_size": weat.set_bias(targets, ATTRIBUTES, np.array([0, 0, 1, 1])),
             "mean_absolute": np.abs(associations).mean(), "same": same.set_bias(targets, ATTRIBUTES),
             "same_stereotype": same_stereotype.set_bias(targets, ATTRIBUTES)}
        )  # fmt: skip
    return pd.DataFrame(rows)
