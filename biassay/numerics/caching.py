"""Functions of groups that know their last values: a search over targets asks of the same few groups all the time."""

from collections.abc import Callable
from functools import wraps

import numpy as np

MAX_VALUES = 16  # values of a function
MAX_SIZE = 1000  # numbers in the groups: to know larger ones again would take memory, and little less time than to compute


def cached(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """A function of groups (m_i, d) and options that does not compute again what it has just computed.

    Groups are known by their numbers, and a value comes as a copy: both may be changed afterwards.
    """
    known = {}

    @wraps(function)
    def of_groups(groups: list[np.ndarray], *options, **named) -> np.ndarray:
        arrays = [np.asarray(group) for group in groups]
        if sum(array.size for array in arrays) > MAX_SIZE:
            return function(groups, *options, **named)
        of_arrays = [(array.dtype.str, array.shape, array.strides, array.tobytes()) for array in arrays]
        key = (*of_arrays, options, *named.items())
        value = known.get(key)
        if value is None:
            value = function(groups, *options, **named)
            if len(known) >= MAX_VALUES:
                known.clear()
            known[key] = value
        return value.copy()

    return of_groups
