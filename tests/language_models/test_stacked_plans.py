"""Which sentences, at what rate, and how many models at once: against plain loops and by hand."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from biassay.language_models.stacked import memory, schedule  # noqa: E402

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
    assert schedule.mixed(3, 4) == int(np.random.SeedSequence((3, 4)).generate_state(1, np.uint64)[0])
    assert len({schedule.mixed(a, b) for a in range(20) for b in range(20)}) == 400
    assert max(schedule.mixed(0, step) for step in range(50)) > 2**62


def test_memory_by_hand():
    sizes = {"hidden_size": 10, "num_hidden_layers": 3, "num_attention_heads": 2, "vocab_size": 50}
    config = type("Config", (), sizes | {"intermediate_size": 20})
    # a layer: 4 · 6 tokens of 14 · 10 + 3 · 20 values, and 5 attention maps of 4 sentences, 2 heads, 6 × 6
    layer = 24 * (140 + 60) + 5 * 4 * 2 * 36
    assert memory.activations(config, batch=4, length=6) == 4 * (3 * layer + 4 * 4 * 50)
    assert memory.activations(config, batch=4, length=6, bytes_each=2) == 2 * (3 * layer + 4 * 4 * 50)
    for missing, inner in (({"hidden_dim": 30}, 30), ({}, 40)):
        other = type("Config", (), sizes | missing)
        layer = 24 * (140 + 3 * inner) + 5 * 4 * 2 * 36
        assert memory.activations(other, batch=4, length=6) == 4 * (3 * layer + 4 * 4 * 50)
    bert = 1 * (14 * 768 + 3 * 3072) + 5 * 12  # one token
    assert memory.activations(type("Config", (), {"vocab_size": 7}), 1, 1) == 4 * (12 * bert + 4 * 7)
    # 0.8 of the room; a weight: 12 bytes and a gradient's 4 on all, on a GPU 2 more; on a CPU two gradients a worker
    assert memory.models_at_once(100, 1000, CUDA, free_bytes=35_000) == math.floor(28_000 / (1800 + 1000))
    assert memory.models_at_once(100, 1000, CUDA, free_bytes=34_999) == 9
    assert memory.models_at_once(100, 1000, CPU, workers=2, free_bytes=10_000) == math.floor((8000 - 2 * 1800) / 1200)
    assert memory.models_at_once(100, 1000, CPU, free_bytes=9750) == 5
    assert memory.models_at_once(100, 1000, CPU, free_bytes=9749) == 4
    for device in (CPU, CUDA):
        assert memory.models_at_once(100, 1000, device, free_bytes=1) == 1


def test_memory_that_slurm_has_allotted_is_a_limit(monkeypatch):
    monkeypatch.delenv("SLURM_MEM_PER_NODE", raising=False)
    whole = memory.free(CPU)
    monkeypatch.setenv("SLURM_MEM_PER_NODE", "2000")
    assert 0.5e9 < memory.free(CPU) < min(whole, 2000 << 20)
    monkeypatch.setenv("SLURM_MEM_PER_NODE", "0")  # all of the node's
    assert memory.free(CPU) > 0.8 * whole


def test_free_memory_is_the_least_of_what_the_system_and_its_limits_tell(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "Path", lambda path: tmp_path / path.replace("/", "_"))
    assert memory.free(CPU) == 4 * 2**30
    (tmp_path / "_proc_meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 5000 kB\nSwapFree: 1 kB\n")
    assert memory.free(CPU) == 5000 * 1024
    group = tmp_path / "_sys_fs_cgroup_memory.max", tmp_path / "_sys_fs_cgroup_memory.current"
    group[0].write_text("max\n")
    group[1].write_text("2000\n")
    assert memory.free(CPU) == 5000 * 1024
    group[0].write_text("9000\n")
    assert memory.free(CPU) == 7000
    group[1].unlink()
    assert memory.free(CPU) == 5000 * 1024
    values = {"memory_reserved": 70, "memory_allocated": 20, "mem_get_info": (300, 1000)}
    for name, value in values.items():
        monkeypatch.setattr(torch.cuda, name, lambda _, value=value: value)
    assert memory.free(CUDA) == 350
    monkeypatch.setattr(memory, "free", lambda _: 35_000)
    assert memory.models_at_once(100, 1000, CUDA) == 10
