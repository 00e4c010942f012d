"""What all tests share."""

import fcntl
import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

from tests.running import copy_project, digest_of_project, snakemake

ALL = pytest.StashKey()

# No test hangs on how fast the machine is at the moment.
settings.register_profile("biassay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("biassay")


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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Keep all tests, slow ones too, which are deselected after this: docs/reliability.md is of all. Runs of the
    workflow come first, so that no worker is left with a long one at the end."""
    config.stash[ALL] = list(items)
    items.sort(key=lambda item: not (item.nodeid.startswith("tests/workflow/") or item.path.stem == "test_workflow"))


@pytest.fixture(scope="session")
def finished(request):
    """A copy of the project with the tiny run done, once for all workers, kept until a file changes."""
    kept = request.config.cache.mkdir("tiny")
    folder = kept / digest_of_project() / "project"
    with open(kept / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another worker may be running it
        if not (folder / "done").is_file():
            for old in kept.glob("*/"):
                shutil.rmtree(old)
            copy_project(folder)
            result = snakemake(folder)
            assert result.returncode == 0, result.stderr
            (folder / "done").touch()
    return folder
