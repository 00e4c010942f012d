"""Hard debiasing (Bolukbasi et al. 2016): remove bias directions from vectors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from biassay.core import arrays
from biassay.statistics.directions import principal_components
from biassay.statistics.geometry import ZERO, unit

LENGTHS = ("unit", "original")


def neutralise(vectors: np.ndarray, directions: np.ndarray, *, lengths: str = "unit") -> np.ndarray:
    """Remove the components of vectors (n, d) along orthonormal directions (n_directions, d); return float64 (n, d).

    The lengths of the results are "unit" (Bolukbasi et al.) or "original" (first-order paper). NaN for zero vectors and
    for vectors in the span of the directions.
    """
    if lengths not in LENGTHS:
        raise ValueError(f"lengths: unknown value {lengths!r}; expected one of: {', '.join(LENGTHS)}")
    vectors = np.asarray(vectors, np.float64)
    units = unit(vectors)
    neutral = units - units @ directions.T @ directions
    neutral[np.linalg.norm(neutral, axis=1) < ZERO] = 0
    neutral = unit(neutral)
    return neutral if lengths == "unit" else neutral * np.linalg.norm(vectors, axis=1, keepdims=True)


def hard_debias(
    vectors: ArrayLike,
    groups: Sequence[ArrayLike],
    *,
    n_directions: int = 1,
    lengths: str = "unit",
    keep_rows: Sequence[int] = (),
) -> np.ndarray:
    """Remove the bias directions of groups from vectors, as Bolukbasi et al. (2016), but equalise no pairs.

    The directions are the first principal components of the defining sets, which the i-th words of the groups form.

    Parameters
    ----------
    vectors
        Shape (n, d).
    groups
        Vectors of the words of each group, each of shape (n_words, d). The i-th words of the groups correspond.
    n_directions
        Number of principal components.
    lengths
        Lengths of the neutralised vectors: "unit" or "original" (see `neutralise`).
    keep_rows
        Rows to keep unchanged: words that are gendered by definition. All other rows are neutralised.

    Returns
    -------
    ndarray
        The debiased vectors, shape (n, d), float64.

    Raises
    ------
    ValueError
        If the arrays are not finite rows (n, d) with the same d, the groups differ in length or have a zero vector, or
        they span fewer directions.

    References
    ----------
    Bolukbasi et al. (2016), Man is to computer programmer as woman is to homemaker?

    Examples
    --------
    >>> from biassay import hard_debias
    >>> hard_debias([[3.0, 4.0]], [[[1.0, 0.0]], [[-1.0, 0.0]]])
    array([[0., 1.]])
    """
    groups = [arrays.as_array("groups", group) for group in groups]
    vectors = arrays.as_array("vectors", vectors)
    for name, rows in (("vectors", vectors), *(("groups", group) for group in groups)):
        if rows.ndim != 2 or rows.dtype.kind not in "fiu" or rows.shape[1] != vectors.shape[1]:
            raise ValueError(f"hard_debias: {name}: expected rows of numbers (n, d) with one d, got shape {rows.shape}")
        if not np.isfinite(rows).all():
            raise ValueError(f"hard_debias: {name}: has values that are not finite (NaN or infinite)")
    if len(set(map(len, groups))) > 1:
        raise ValueError(f"hard_debias: groups: expected pairs, got {', '.join(map(str, map(len, groups)))} words")
    if not all(group.any(axis=1).all() for group in groups):
        raise ValueError("hard_debias: groups: has a zero vector")
    directions = principal_components(groups, n_directions) if len(groups) > 1 else ()
    if not len(directions):
        raise ValueError("hard_debias: groups: expected two or more that differ; their difference spans no direction")
    if len(directions) < n_directions:
        raise ValueError(
            f"hard_debias: n_directions: expected at most {len(directions)} for these groups, got {n_directions}"
        )
    debiased = neutralise(vectors, directions, lengths=lengths)
    debiased[list(keep_rows)] = np.asarray(vectors, np.float64)[list(keep_rows)]
    return debiased
