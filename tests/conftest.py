"""What all tests share."""

import os

import pytest


def pytest_configure(config):
    """Tests compare exactly, so that they and the programs they start see no GPU, whose sums have no fixed order; those
    marked `gpu`, which compare by tolerance, are asked for by `-m gpu`."""
    if config.getoption("markexpr", "") != "gpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""


@pytest.fixture
def gpu():
    """A GPU as torch's device; skips where there is none."""
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU is seen; where there is one: make test-gpu")
    return torch.device("cuda")


def pytest_make_parametrize_id(config, val, argname):
    """Bytes go by their argument's name: compressed ones hold the time, and all workers must name tests alike."""
    return argname if isinstance(val, bytes) else None
