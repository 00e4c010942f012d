"""Parts of stacked training, each compared with torch or with values by hand."""

import math
import os
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay.language_models.masked_sentences import MaskedSentences  # noqa: E402
from biassay.language_models.stacked import capacity, dropout, encoder, optimizer, schedule  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.batches import stack_batches  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU, CUDA = torch.device("cpu"), torch.device("cuda")


def masked(ids, lengths, positions, labels):
    return MaskedSentences(np.array(ids, np.int32), *(np.array(part) for part in (lengths, positions, labels)))


def test_batches_are_padded_to_one_shape():
    data = masked([[5, 4, 7, 8], [5, 4, 0, 0], [5, 6, 4, 0]], [4, 2, 3], [1, 1, 2], [9, 8, 7])
    part = data.take(np.array([2, 1]))
    assert part.ids.tolist() == [[5, 6, 4], [5, 4, 0]]  # as long as the longest of them
    assert [part.lengths.tolist(), part.positions.tolist(), part.labels.tolist()] == [[3, 2], [2, 1], [7, 8]]
    few = masked([[5, 4, 7, 1]], [3], [1], [9])  # the value after the end is left out
    more = masked([[5, 4, 1, 1], [5, 6, 4, 8]], [2, 4], [1, 2], [8, 7])
    batch = stack_batches([few, more], CPU)
    assert batch.ids.tolist() == [[[5, 4, 7, 0], [0, 0, 0, 0]], [[5, 4, 1, 1], [5, 6, 4, 8]]]
    assert batch.lengths.tolist() == [[3, 1], [2, 4]]
    assert batch.positions.tolist() == [[1, 0], [1, 2]]
    assert batch.labels.tolist() == [[9, 0], [8, 7]]
    assert batch.shares.tolist() == [[1, 0], [0.5, 0.5]]
    assert batch.sizes == [(1, 3), (2, 4)]
    assert not batch.full
    even = masked([[5, 4, 1, 1], [5, 6, 4, 8]], [4, 4], [1, 2], [8, 7])
    assert stack_batches([even, even], CPU).full


@pytest.mark.parametrize(("models", "rows"), [(1, (7,)), (3, (2, 1, 3))])
def test_linear_maps_and_their_gradients_equal_torchs(models, rows):
    random = torch.Generator().manual_seed(1)
    shapes = (*rows, 4), (6, 4), (6,), (*rows, 6)
    x, weight, bias, onward = (torch.randn(models, *shape, generator=random) for shape in shapes)
    leaves = [part.clone().requires_grad_() for part in (x, weight, bias)]
    expected = [part.clone().requires_grad_() for part in (x, weight, bias)]
    values = encoder.linear(*leaves)
    plain_values = torch.stack([torch.nn.functional.linear(*(part[i] for part in expected)) for i in range(models)])
    torch.testing.assert_close(values, plain_values)
    gradients = torch.autograd.grad(values, leaves, onward), torch.autograd.grad(plain_values, expected, onward)
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_dropout_is_the_same_on_every_machine():
    """The hashes of seed, step, layer and counter, of two models and layers."""
    rows, expected = torch.arange(12, dtype=torch.int32) * 64, []
    drop = dropout.Dropout(0.5, [schedule.mix_seeds(seed, 12) for seed in (3, 40)])
    for _ in range(2):
        values = drop(torch.ones(2, 12, 1), rows.expand(2, -1))[..., 0]
        assert set(values.ravel().tolist()) == {0, 2}
        expected.append(["".join(str(int(value > 0)) for value in of_model) for of_model in values])
    assert expected == [["011001111111", "010010101010"], ["001100101100", "011010000110"]]
    drop.layer -= 1
    wide = drop(torch.ones(2, 12, 3), (rows - 1).expand(2, -1))[..., 1]  # the next value has the next counter
    assert torch.equal(wide, values)


def test_dropout_is_random_and_independent_between_models_and_layers():
    rows = (torch.arange(3000, dtype=torch.int32) * 64).expand(2, -1)
    drop, x = dropout.Dropout(0.1, [schedule.mix_seeds(seed, 3) for seed in (4, 9)]), torch.ones(2, 3000, 64)
    masks = [values == 0 for layer in (drop(x, rows), drop(x, rows)) for values in layer]
    for i, one in enumerate(masks):
        assert one.float().mean() == pytest.approx(0.1, abs=0.003)  # four standard errors
        for other in masks[:i]:
            assert (one & other).float().mean() == pytest.approx(0.01, abs=0.001)
    assert dropout.Dropout(0.0, [1])(x, None) is x


def stack_of(models):
    """Weights of two matrices, a bias and a norm, different for each model."""
    random = torch.Generator().manual_seed(2)
    shapes = {"a.weight": (3, 4), "b.weight": (2, 3), "b.bias": (3,), "norm.weight": (4,)}
    stack = optimizer.Stack.of({name: torch.zeros(shape) for name, shape in shapes.items()}, models, CPU)
    for weight in stack.weights.values():
        weight.copy_(torch.randn(weight.shape, generator=random))
    return stack


def test_updates_equal_adamw_of_every_model_alone():
    """Two models share a learning rate, the third has another; gradients are clipped."""
    stack, random = stack_of(3), torch.Generator().manual_seed(7)
    models = [{name: w[i].clone().requires_grad_() for name, w in stack.weights.items()} for i in range(3)]
    optimizers = []
    for leaves in models:
        matrices, others = ([w for w in leaves.values() if (w.ndim > 1) == decays] for decays in (True, False))
        groups = [{"params": matrices, "weight_decay": 0.3}, {"params": others, "weight_decay": 0.0}]
        optimizers.append(torch.optim.AdamW(groups, betas=(0.9, 0.999), eps=1e-8))
    for step in range(6):
        rates = [0.01 * (step + 1), 0.01 * (step + 1), 0.003]
        gradients = {n: torch.randn(w.shape, generator=random) * 10.0 ** (step - 3) for n, w in stack.weights.items()}
        for i, (leaves, adamw) in enumerate(zip(models, optimizers, strict=True)):
            for name, leaf in leaves.items():
                leaf.grad = gradients[name][i].clone()
            torch.nn.utils.clip_grad_norm_(leaves.values(), 2.0)
            for group in adamw.param_groups:
                group["lr"] = rates[i]
            adamw.step()
        optimizer.apply(stack, gradients, step=step, rates=rates, decay=0.3, max_norm=2.0)
    for i, (leaves, adamw) in enumerate(zip(models, optimizers, strict=True)):
        for name, leaf in leaves.items():
            torch.testing.assert_close(stack.weights[name][i], leaf.detach(), rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(stack.first[name][i], adamw.state[leaf]["exp_avg"], rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(stack.second[name][i], adamw.state[leaf]["exp_avg_sq"], rtol=1e-4, atol=1e-5)


def test_batches_are_those_of_a_plain_loop():
    lengths = np.random.default_rng(0).integers(4, 30, 130)
    expected = []
    for epoch in range(2):
        order = np.random.default_rng((9, epoch)).permutation(130).tolist()
        for first in range(0, 130, 48):  # 16 batches of 3
            rows = sorted(order[first : first + 48], key=lambda row: lengths[row])
            batches = [rows[at : at + 3] for at in range(0, len(rows), 3)]
            places = np.random.default_rng((epoch, first)).permutation(len(batches))
            expected += [batches[place] for place in places]
    assert [rows.tolist() for rows in schedule.schedule(lengths, 3, 2, seed=9)] == expected


@pytest.mark.parametrize(("steps", "warmup"), [(47, 0.1), (4, 0.0), (5, 0.01)])
def test_the_learning_rate_is_that_of_transformers(steps, warmup):
    adamw = torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))], lr=3e-4)
    rates = transformers.get_linear_schedule_with_warmup(adamw, math.ceil(warmup * steps), steps)
    for step in range(steps):
        assert schedule.rate(step, steps, peak=3e-4, warmup=warmup) == pytest.approx(rates.get_last_lr()[0])
        adamw.step()
        rates.step()


def test_models_without_a_stacked_form():
    for change in ({"tie_word_embeddings": False}, {"is_decoder": True, "add_cross_attention": True}):
        config = transformers.BertConfig(**plain.SIZES, num_hidden_layers=1, **change)
        assert find_architecture(transformers.BertForMaskedLM(config)) is None
    assert find_architecture(transformers.MPNetForMaskedLM(plain.CONFIGS["mpnet"]())) is None


def test_layers_of_albert_share_weights_in_groups():
    config = transformers.AlbertConfig(
        **plain.SIZES, embedding_size=8, num_hidden_layers=6, num_hidden_groups=3, inner_group_num=2
    )
    architecture = find_architecture(transformers.AlbertForMaskedLM(config))
    names = [layer.query.split("albert_layer_groups.")[1].split(".attention")[0] for layer in architecture.layers]
    assert names == [f"{group}.albert_layers.{j}" for group in (0, 0, 1, 1, 2, 2) for j in (0, 1)]


def test_memory_by_hand(monkeypatch):
    sizes = {"hidden_size": 10, "num_hidden_layers": 3, "num_attention_heads": 2, "vocab_size": 50}
    rest = 20 * 24 * 10 + 12 * 4 * 50
    # a layer except the last: 24 tokens of 57 · 10 + 8 · inner bytes, and 11 for attention of 4 · 2 maps of 6 × 6
    for options, inner, table in (
        ({"intermediate_size": 20}, 8 * 20, 10), ({"hidden_dim": 30}, 8 * 30, 10), ({}, 8 * 40, 10),
        ({"intermediate_size": 20, "embedding_size": 3, "hidden_act": "gelu_new"}, 20 * 20, 3),
    ):  # fmt: skip
        layer = 24 * (570 + inner) + 11 * 4 * 2 * 36
        estimate = capacity.activation_bytes(SimpleNamespace(**sizes | options), batch=4, length=6)
        assert estimate == 2 * layer + rest + 4 * 50 * table
    # 0.8 of the room; a weight: 12 bytes and, on a GPU, its gradient or the pass; on a CPU two gradients per worker
    for room, of_pass, device, workers, models in (
        (20_000, 399, CUDA, 1, 10), (25_000, 800, CUDA, 1, 10), (24_999, 800, CUDA, 1, 9), (1, 1000, CUDA, 1, 1),
        (10_000, 1000, CPU, 2, 3), (9750, 1000, CPU, 1, 5), (9749, 1000, CPU, 1, 4), (1, 1000, CPU, 1, 1),
    ):  # fmt: skip
        monkeypatch.setattr(capacity, "free_memory", lambda _, room=room: room)
        assert capacity.models_in_memory(100, of_pass, device, workers) == models


def test_free_memory_is_the_smallest_limit(tmp_path, monkeypatch):
    monkeypatch.delenv("SLURM_MEM_PER_NODE", raising=False)
    monkeypatch.setattr(capacity, "Path", lambda path: tmp_path / path.replace("/", "_"))
    assert capacity.free_memory(CPU) == 4 * 2**30
    (tmp_path / "_proc_meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 5000 kB\nSwapFree: 1 kB\n")
    (tmp_path / "_proc_self_statm").write_text("7 3 1 1 0 1 0")
    monkeypatch.setenv("SLURM_MEM_PER_NODE", "1")
    assert capacity.free_memory(CPU) == (1 << 20) - 3 * os.sysconf("SC_PAGE_SIZE")
    (tmp_path / "_sys_fs_cgroup_memory.current").write_text("2000\n")
    monkeypatch.setenv("SLURM_MEM_PER_NODE", "0")  # all memory of the node
    for limit, free in (("max", 5000 * 1024), ("9000", 7000)):
        (tmp_path / "_sys_fs_cgroup_memory.max").write_text(f"{limit}\n")
        assert capacity.free_memory(CPU) == free
    for name, value in {"memory_reserved": 70, "memory_allocated": 20, "mem_get_info": (300, 1000)}.items():
        monkeypatch.setattr(torch.cuda, name, lambda _, value=value: value)
    assert capacity.free_memory(CUDA) == 350


def test_disk_space_by_hand(tmp_path, monkeypatch):
    monkeypatch.setattr(capacity.shutil, "disk_usage", lambda _: SimpleNamespace(free=16_000))
    assert capacity.models_on_disk(tmp_path, 100, 1200) == 5  # 0.95 of it is 15,200
    assert capacity.models_on_disk(tmp_path, 100, 10**6) == 1
    capacity.check_disk(tmp_path, 6, 100, 1600)
    with pytest.raises(OSError, match=r"float16.*at_once") as caught:
        capacity.check_disk(tmp_path, 6, 100, 1601)
    assert caught.value.filename == str(tmp_path)
    (tmp_path / "weights.draft").write_bytes(b"x" * 8192)  # the training's own file
    capacity.check_disk(tmp_path, 6, 100, 1601 + 8000)
