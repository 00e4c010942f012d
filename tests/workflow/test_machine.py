"""Jobs with language models share the cores or the GPU of one machine."""

import pytest

from biassay.workflow import machine
from tests.running import threads_of


@pytest.fixture(autouse=True)
def as_before():
    yield
    machine.plan_trainings([], 16_000)


@pytest.mark.parametrize(
    ("asked", "most", "cores", "expected"),
    [
        ([], 4, 2, 2),
        ([], 4, None, 4),  # no cores were given
        ([2000], 4, 2, 2),
        ([2000, 1500], 4, 2, 1),
        ([2000, 1500, 1500], 4, 8, 2),
        ([2000, 1500, 1500], 4, 64, 4),
        ([2000] * 5, 4, 2, 1),  # with five seeds
        ([8000, 8000], 4, 2, 1),
        ([8000, 8001], 4, 2, 2),  # one after the other
        ([62_000] * 11, 4, 8, 4),
    ],
)
def test_trainings_that_fit_into_memory_share_the_cores(asked, most, cores, expected):
    machine.plan_trainings(asked, 16_000)
    assert machine.threads(most, cores) == expected


def test_only_the_studies_models_are_trainings():
    assert [machine.is_training(f"train_{name}") for name in ("same", "intrinsic", "downstream", "embedding")] == [
        True
    ] * 3 + [False]


@pytest.mark.parametrize(
    ("devices", "visible", "expected"),
    [
        ([], None, False),
        (["nvidiactl", "nvidia-uvm"], None, False),  # a driver without a card
        (["nvidia0"], None, True),
        (["nvidia3"], "3", True),
        (["nvidia0"], "", False),
        (["nvidia0"], "-1", False),
        (["nvidia0"], "NoDevFiles", False),
        (["kfd", "dxg"], None, False),  # of AMD and of Windows' subsystem for Linux, often of no use to torch
    ],
)
def test_a_gpu_is_told_by_its_device(tmp_path, monkeypatch, devices, visible, expected):
    for device in devices:
        (tmp_path / device).touch()
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert machine.has_gpu(tmp_path) == expected


def test_three_trainings_of_a_run_on_two_cores_have_one_each(finished):
    assert [threads_of(finished, f"train_{study}") for study in ("same", "intrinsic", "downstream")] == [1, 1, 1]
