"""Settings and fixtures of all tests."""

import fcntl
import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

from tests.running import copy_project, digest_of_project, snakemake

# No test depends on the speed of the machine.
settings.register_profile("biassay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("biassay")


def pytest_configure(config):
    """Hide the GPU from tests and their programs unless `-m gpu` is given: its sums have no fixed order.

    One thread per worker, unless you set another number: products this small wait for a second core longer than it
    would save.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if config.getoption("markexpr", "") != "gpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""


@pytest.fixture
def gpu():
    """A GPU as a torch device; skips without one."""
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU is seen; where there is one: make test-gpu")
    return torch.device("cuda")


def pytest_make_parametrize_id(config, val, argname):
    """Name bytes by their argument: compressed bytes contain the time, and all workers need the same test names."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Begin with what numba compiles, since copies of the project take its cache; then with the longest files."""
    compiled = tuple(f"tests/{n}" for n in ("counts", "embeddings", "metrics/test_fast", "language_models/test_heads"))
    longest = {item.path for item in items if item.get_closest_marker("slow") or item.path.stem == "test_workflow"}
    longest |= {item.path for item in items if item.nodeid.startswith("tests/workflow/")}
    items.sort(key=lambda item: (not item.nodeid.startswith(compiled), item.path not in longest))


@pytest.fixture
def drawn(monkeypatch):
    """Figures by the first of the paths that they would be saved to."""
    from matplotlib import pyplot as plt

    from biassay.report import plots

    figures = {}
    monkeypatch.setattr(plots, "save", lambda figure, *paths: figures.update({paths[0]: figure}))
    yield figures
    plt.close("all")


@pytest.fixture(scope="session")
def finished(request):
    """A copy of the project with a finished tiny run, shared by all workers until a file changes."""
    kept = request.config.cache.mkdir("tiny")
    folder = kept / digest_of_project() / "project"
    with open(kept / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another worker may be running
        if not (folder / "done").is_file():
            for old in kept.glob("*/"):
                shutil.rmtree(old)
            copy_project(folder)
            result = snakemake(folder)
            assert result.returncode == 0, result.stderr
            (folder / "done").touch()
    return folder


@pytest.fixture(scope="session")
def chromium():
    """A headless browser."""
    from tests import browser

    with browser.chromium() as opened:
        yield opened
