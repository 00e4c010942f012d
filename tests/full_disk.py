"""A disk that is full, for the tests."""

import resource
from contextlib import contextmanager


@contextmanager
def full_disk(after: int):
    """Files of this process cannot grow beyond so many bytes while the block runs."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (after, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
