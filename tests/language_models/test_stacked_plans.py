"""Which sentences, at what rate, and how many models at once: against plain loops and by hand."""

import math
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from biassay.language_models.stacked import disk, memory, schedule  # noqa: E402

CPU, CUDA = torch.device("cpu"), torch.device("cuda")


def test_batches_are_those_of_a_plain_loop():
    lengths = np.random.default_rng(0).integers(4, 30, 130)
    found = schedule.schedule(lengths, 3, 2, seed=9)
    expected = []
    for epoch in range(2):
        order = np.random.default_rng((9, epoch)).permutation(130).tolist()
        for first in range(0, 130, 48):  # 16 batches of 3
            rows = sorted(order[first : first + 48], key=lambda row: lengths[row])
            batches = [rows[at : at + 3] for at in range(0, len(rows), 3)]
            places = np.random.default_rng((epoch, first)).permutation(len(batches))
            expected += [batches[place] for place in places]
    assert [rows.tolist() for rows in found] == expected


def test_the_rate_begins_and_ends_as_told():
    assert [schedule.rate(step, 4, peak=8.0, warmup=0.0) for step in range(4)] == [8, 6, 4, 2]
    assert [schedule.rate(step, 6, peak=3.0, warmup=0.5) for step in range(6)] == [0, 1, 2, 3, 2, 1]
    assert [schedule.rate(step, 5, peak=4.0, warmup=0.01) for step in range(5)] == [0, 4, 3, 2, 1]


def test_one_number_for_several():
    assert schedule.mix_seeds(3, 4) == int(np.random.SeedSequence((3, 4)).generate_state(1, np.uint64)[0])
    assert len({schedule.mix_seeds(a, b) for a in range(20) for b in range(20)}) == 400
    assert max(schedule.mix_seeds(0, step) for step in range(50)) > 2**62


def test_memory_by_hand():
    sizes = {"hidden_size": 10, "num_hidden_layers": 3, "num_attention_heads": 2, "vocab_size": 50}
    config = type("Config", (), sizes | {"intermediate_size": 20})
    # a layer but the last: 4 · 6 tokens of 57 · 10 + 8 · 20 bytes, and 11 for attention of 4 sentences, 2 heads, 6 × 6
    layer = 24 * (570 + 160) + 11 * 4 * 2 * 36
    rest = 20 * 24 * 10 + 12 * 4 * 50
    assert memory.activation_bytes(config, batch=4, length=6) == 2 * layer + rest + 4 * 50 * 10
    layer = 24 * (410 + 80) + 9 * 4 * 2 * 36
    assert memory.activation_bytes(config, batch=4, length=6, half=True) == 2 * layer + rest + 6 * 50 * 10
    for missing, inner in (({"hidden_dim": 30}, 30), ({}, 40)):
        other = type("Config", (), sizes | missing)
        layer = 24 * (570 + 8 * inner) + 11 * 4 * 2 * 36
        assert memory.activation_bytes(other, batch=4, length=6) == 2 * layer + rest + 4 * 50 * 10
    albert = type("Config", (), sizes | {"intermediate_size": 20, "embedding_size": 3, "hidden_act": "gelu_new"})
    layer = 24 * (570 + 20 * 20) + 11 * 4 * 2 * 36
    assert memory.activation_bytes(albert, batch=4, length=6) == 2 * layer + rest + 4 * 50 * 3
    bert = 57 * 768 + 8 * 3072 + 11 * 12  # one token
    small = type("Config", (), {"vocab_size": 7})
    assert memory.activation_bytes(small, 1, 1) == 11 * bert + 20 * 768 + 12 * 7 + 4 * 7 * 768
    # by our own kernels without masks of 4 bytes, 2 in bf16, of two hidden states a layer, and of 4 of attention
    layer = 24 * (490 + 160) + 7 * 4 * 2 * 36
    assert memory.activation_bytes(config, batch=4, length=6, fused=True) == 2 * layer + rest + 4 * 50 * 10
    layer = 24 * (370 + 80) + 5 * 4 * 2 * 36
    assert memory.activation_bytes(config, batch=4, length=6, half=True, fused=True) == 2 * layer + rest + 2 * 50 * 10
    wordy = type("Config", (), sizes | {"intermediate_size": 20, "vocab_size": 50_000})
    assert memory.activation_bytes(wordy, batch=1, length=1, half=True, fused=True) == 6 * 50_000 * 10
    # 0.8 of the room; a weight: 12 bytes and, on a GPU, a gradient's 4 (5 with a copy) or the pass (with copies of 2);
    # on a CPU two gradients a worker and its pass
    assert memory.models_at_once(100, 399, CUDA, available=20_000) == 10
    assert memory.models_at_once(100, 800, CUDA, available=25_000) == 10
    assert memory.models_at_once(100, 800, CUDA, available=24_999) == 9
    assert memory.models_at_once(100, 600, CUDA, half=True, available=25_000) == 10
    assert memory.models_at_once(100, 1, CUDA, half=True, available=21_250) == 10
    # with CUDA graphs what a step takes counts twice
    assert [memory.models_at_once(100, 1, CUDA, graphs=True, available=room) for room in (25_000, 24_999)] == [10, 9]
    room = 12.5 * (1200 + 200 + 2 * 600)
    assert memory.models_at_once(100, 600, CUDA, half=True, graphs=True, available=room) == 10
    assert memory.models_at_once(100, 600, CUDA, half=True, graphs=True, available=room - 1) == 9
    assert memory.models_at_once(100, 1000, CPU, workers=2, available=10_000) == math.floor((8000 - 2 * 1800) / 1200)
    assert memory.models_at_once(100, 1000, CPU, available=9750) == 5
    assert memory.models_at_once(100, 1000, CPU, available=9749) == 4
    for device in (CPU, CUDA):
        assert memory.models_at_once(100, 1000, device, available=1) == 1


def test_memory_that_slurm_has_allotted_is_a_limit(monkeypatch):
    monkeypatch.delenv("SLURM_MEM_PER_NODE", raising=False)
    whole = memory.free_memory(CPU)
    resident = int(re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) >> 10
    monkeypatch.setenv("SLURM_MEM_PER_NODE", str(resident + 500))
    assert 450 << 20 < memory.free_memory(CPU) < min(whole, 550 << 20)
    monkeypatch.setenv("SLURM_MEM_PER_NODE", "0")  # all of the node's
    assert memory.free_memory(CPU) > 0.8 * whole


def test_free_memory_is_the_least_of_what_the_system_and_its_limits_tell(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "Path", lambda path: tmp_path / path.replace("/", "_"))
    assert memory.free_memory(CPU) == 4 * 2**30
    (tmp_path / "_proc_meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 5000 kB\nSwapFree: 1 kB\n")
    assert memory.free_memory(CPU) == 5000 * 1024
    group = tmp_path / "_sys_fs_cgroup_memory.max", tmp_path / "_sys_fs_cgroup_memory.current"
    group[0].write_text("max\n")
    group[1].write_text("2000\n")
    assert memory.free_memory(CPU) == 5000 * 1024
    group[0].write_text("9000\n")
    assert memory.free_memory(CPU) == 7000
    group[1].unlink()
    assert memory.free_memory(CPU) == 5000 * 1024
    values = {"memory_reserved": 70, "memory_allocated": 20, "mem_get_info": (300, 1000)}
    for name, value in values.items():
        monkeypatch.setattr(torch.cuda, name, lambda _, value=value: value)
    assert memory.free_memory(CUDA) == 350
    monkeypatch.setattr(memory, "free_memory", lambda _: 25_000)
    assert memory.models_at_once(100, 800, CUDA) == 10


def test_chunks_are_few_and_of_one_size():
    assert [memory.even_chunk_size(33, 31), memory.even_chunk_size(16, 31), memory.even_chunk_size(32, 32)] == [
        17,
        16,
        32,
    ]
    left, sizes = 330, []
    while left:
        sizes.append(memory.even_chunk_size(left, 38))
        left -= sizes[-1]
    assert sizes == [37] * 6 + [36] * 3
    bert = type("Config", (), {"vocab_size": 30522, "intermediate_size": 3072})
    of_pass = memory.activation_bytes(bert, 8, 20, half=True)
    assert memory.models_at_once(109_500_000, of_pass, CUDA, half=True, available=84 * 10**9) == 36


def test_room_on_disk_by_hand(tmp_path, monkeypatch, caplog):
    (tmp_path / "weights.draft").write_bytes(b"x" * 8192)
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: SimpleNamespace(free=10_000))
    assert 18_192 <= disk.available_bytes(tmp_path) < 40_000
    gone, usual = [tmp_path / "checkpoint.draft"], Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda folder: [*usual(folder), *(gone.pop() for _ in gone[:1])])
    assert 18_192 <= disk.available_bytes(tmp_path) < 40_000
    assert not gone
    assert disk.required_bytes(3, 100, 1200, True) == 1200 + 3 * 2400
    assert disk.required_bytes(3, 100, 1200, False) == 1200
    assert disk.models_at_once(100, 1200, True, 16_000) == 5  # 0.95 of it are 15,200
    assert disk.models_at_once(100, 10**6, True, 1000) == 1
    assert disk.models_at_once(100, 10**6, False, 1000) > 10**6
    of_bert = 109_500_000  # 32 of them on a disk of 64 GiB
    assert memory.even_chunk_size(32, disk.models_at_once(of_bert, 32 * of_bert * 4, True, 64 << 30)) == 16
    disk.check(tmp_path, 1, 100, 1200, True)
    assert caplog.messages == [f"{tmp_path}: needs up to 0.00 GB of disk space, 0.00 GB are available"]
    with pytest.raises(OSError, match=r"2\.84 GB .* 0\.00 GB .*float16.*at_once") as told:
        disk.check(tmp_path, 1, 10**8, 44 * 10**7, True)
    assert told.value.filename == str(tmp_path)
    with pytest.raises(OSError, match=r"0\.44 GB .*\(0\.44 GB for weights\)"):
        disk.check(tmp_path, 1, 10**8, 44 * 10**7, False)
