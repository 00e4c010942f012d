"""What all tests of language models share."""

import importlib.util

import pytest


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Products this small wait for a second core longer than it would save, and one thread is repeatable."""
    if not importlib.util.find_spec("torch"):
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
