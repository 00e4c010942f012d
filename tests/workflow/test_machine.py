"""Jobs with language models share the cores or the GPU of one machine; memory by the size of the inputs."""

import psutil
import pytest

from biassay.workflow import machine
from tests.running import threads_of


@pytest.mark.parametrize(
    ("requested", "cores", "expected"),
    [([], 2, 2), ([], None, 4), ([2000, 1500, 1500], 8, 2), ([8000, 8000], 2, 1), ([8000, 8001], 2, 2), (["x"], 2, 2)],
)
def test_trainings_that_fit_into_memory_share_the_cores(monkeypatch, requested, cores, expected):
    monkeypatch.setattr(machine, "_n_parallel", [1])
    monkeypatch.setattr(psutil, "virtual_memory", lambda: type("Memory", (), {"total": 16e9}))
    machine.plan_trainings(requested)
    assert machine.threads(4, cores) == expected


@pytest.mark.parametrize(
    ("device", "visible", "expected"), [("nvidiactl", "0", False), ("nvidia3", "3", True), ("nvidia0", "", False)]
)
def test_a_gpu_is_found_by_its_device_file(tmp_path, monkeypatch, device, visible, expected):
    (tmp_path / device).touch()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert machine.has_gpu(tmp_path) == expected


def test_sizes_of_folders_count_their_files(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_bytes(b"0" * 3_000_000)
    (tmp_path / "d").write_bytes(b"0" * 500_000)
    assert machine.size_mb([str(tmp_path / "a"), str(tmp_path / "d")]) == pytest.approx(3.5, abs=0.01)
    assert machine.size_mb(str(tmp_path / "d")) == 0.5
    with pytest.raises(FileNotFoundError, match="none"):
        machine.size_mb(str(tmp_path / "none"))


def test_three_trainings_of_a_run_on_two_cores_have_one_thread_each(finished):
    assert [threads_of(finished, f"train_{study}") for study in ("same", "intrinsic", "downstream")] == [1, 1, 1]
