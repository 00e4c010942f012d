"""A full disk."""

import resource
from contextlib import contextmanager


@contextmanager
def full_disk(after: int):
    """Limit the size of files of this process, in bytes, during the block."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (after, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
