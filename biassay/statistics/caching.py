"""Cache for functions of groups: searches over targets call them with the same few groups many times."""

from collections.abc import Callable
from functools import wraps

import numpy as np

MAX_VALUES = 16  # cached values per function
MAX_SIZE = 1000  # numbers in the groups; comparing larger groups saves time only if the function is slow


def cached(function: Callable[..., np.ndarray], max_size: int = MAX_SIZE) -> Callable[..., np.ndarray]:
    """Cache the last values of a function of groups (m_i, d) of up to max_size numbers, and options.

    Groups are compared by content and values are copied, so both can be changed afterwards.
    """
    cache = {}

    @wraps(function)
    def of_groups(groups: list[np.ndarray], *options, **named) -> np.ndarray:
        arrays = [np.asarray(group) for group in groups]
        if sum(array.size for array in arrays) > max_size:
            return function(groups, *options, **named)
        contents = [(array.dtype.str, array.shape, array.strides, array.tobytes()) for array in arrays]
        key = (*contents, options, *named.items())
        value = cache.get(key)
        if value is None:
            value = function(groups, *options, **named)
            if len(cache) >= MAX_VALUES:
                cache.clear()
            cache[key] = value
        return value.copy()

    return of_groups
