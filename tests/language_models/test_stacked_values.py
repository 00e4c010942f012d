"""Parts of stacked training, each against the same written plainly."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.masked_sentences import MaskedSentences  # noqa: E402
from biassay.language_models.stacked import dropout, linear, optimizer  # noqa: E402
from biassay.language_models.stacked.batches import stack_batches  # noqa: E402
from biassay.language_models.stacked.schedule import mix_seeds  # noqa: E402

CPU = torch.device("cpu")


def masked(ids, lengths, positions, labels):
    return MaskedSentences(np.array(ids, np.int32), *(np.array(part) for part in (lengths, positions, labels)))


def test_sentences_are_taken_as_long_as_the_longest_of_them():
    data = masked([[5, 4, 7, 8], [5, 4, 0, 0], [5, 6, 4, 0]], [4, 2, 3], [1, 1, 2], [9, 8, 7])
    part = data.take(np.array([2, 1]))
    assert part.ids.tolist() == [[5, 6, 4], [5, 4, 0]]
    assert [part.lengths.tolist(), part.positions.tolist(), part.labels.tolist()] == [[3, 2], [2, 1], [7, 8]]
    assert (len(data), len(part)) == (3, 2)


def test_batches_are_padded_to_one_shape():
    few = masked([[5, 4, 7, 1]], [3], [1], [9])  # what stands behind a sentence's end is not taken over
    more = masked([[5, 4, 1, 1], [5, 6, 4, 8]], [2, 4], [1, 2], [8, 7])
    batch = stack_batches([few, more], CPU)
    assert batch.ids.tolist() == [[[5, 4, 7, 0], [0, 0, 0, 0]], [[5, 4, 1, 1], [5, 6, 4, 8]]]
    assert batch.lengths.tolist() == [[3, 1], [2, 4]]
    assert batch.positions.tolist() == [[1, 0], [1, 2]]
    assert batch.labels.tolist() == [[9, 0], [8, 7]]
    assert batch.shares.tolist() == [[1, 0], [0.5, 0.5]]
    assert batch.shares.dtype == torch.float32
    assert not batch.full
    assert batch.sizes == [(1, 3), (2, 4)]
    even = masked([[5, 4, 1, 1], [5, 6, 4, 8]], [4, 4], [1, 2], [8, 7])
    assert stack_batches([even, even], CPU).full
    assert not stack_batches([even, few], CPU).full


@pytest.mark.parametrize("models", [1, 2, 3])
@pytest.mark.parametrize("rows", [(2, 5), (7,), (2, 1, 3)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_linear_map_and_its_gradients_are_torchs(models, rows, dtype):
    random = torch.Generator().manual_seed(1)
    x, weight, bias, onward = (
        torch.randn(models, *shape, generator=random, dtype=dtype) for shape in ((*rows, 4), (6, 4), (6,), (*rows, 6))
    )
    leaves = [part.clone().requires_grad_() for part in (x, weight, bias)]
    found = linear.linear(*leaves)
    expected = [part.clone().requires_grad_() for part in (x, weight, bias)]
    plain = torch.stack([torch.nn.functional.linear(*(part[i] for part in expected)) for i in range(models)])
    torch.testing.assert_close(found, plain)
    for ours, theirs in zip(
        torch.autograd.grad(found, leaves, onward), torch.autograd.grad(plain, expected, onward), strict=True
    ):
        torch.testing.assert_close(ours, theirs)
        assert ours.shape == theirs.shape


def kept(counter, rate, seed, step, place):
    """Whether a value stays, as a hash of whole numbers modulo 2³²."""
    key = int(np.random.SeedSequence((seed, step)).generate_state(1, np.uint64)[0])
    first, second = key >> 32, key & 0xFFFFFFFF
    bits = (counter ^ ((first + place * 0x9E3779B1 % 2**31) % 2**32)) % 2**32
    bits ^= bits >> 16
    bits = (bits * 0x7FEB352D + second) % 2**32
    bits ^= bits >> 15
    bits = bits * 0x846CA68B % 2**32
    return (bits - 2**32 if bits >= 2**31 else bits) >= round((rate - 0.5) * 2**32)


def drop_again(drop, x, rows):
    """The last place once more."""
    drop.layer -= 1
    return drop(x, rows)


def test_dropout_is_a_hash_of_seed_step_place_and_counter():
    counters = torch.tensor([[0, 1, 2, 77, 1024, 2**31 - 1, -5]], dtype=torch.int32).expand(2, -1)
    keys = torch.from_numpy(dropout.split_seeds([mix_seeds(seed, 12) for seed in (3, 40)]))
    found = {rate: dropout.Dropout(rate, keys) for rate in (0.1, 0.5, 0.8)}
    for place in (1, 2, 3):
        for rate, drop in found.items():
            values = drop(torch.full((2, 7, 1), 2.0), counters)[..., 0]
            assert torch.equal(drop_again(drop, torch.full((2, 7, 3), 2.0), counters - 1)[..., 1], values)
            for model, seed in enumerate((3, 40)):
                expected = [2 / (1 - rate) * kept(c % 2**32, rate, seed, 12, place) for c in counters[model].tolist()]
                assert values[model].tolist() == pytest.approx(expected)
    x = torch.ones(2, 7)
    assert dropout.Dropout(0.0, keys)(x, None) is x


def test_counters_are_distinct_within_a_tensor():
    tokens = torch.tensor([[[0, 1], [1024, 1025]]], dtype=torch.int32)
    assert dropout.token_counters(tokens, 3).tolist() == [[[0, 3], [3072, 3075]]]
    found = dropout.attention_counters(tokens, heads=2)
    assert found.shape == (1, 2, 2, 2)
    for sentence, row, head in np.ndindex(2, 2, 2):
        assert found[0, sentence, head, row] == ((1024 * sentence + row) * 2 + head) * 1024
    assert dropout.MAX_LENGTH == 1024


def stack_of(models, seed=2):
    """Weights of two matrices, a bias and a norm, with a model each of their own values."""
    random = torch.Generator().manual_seed(seed)
    shapes = {"a.weight": (3, 4), "b.weight": (2, 3), "b.bias": (3,), "norm.weight": (4,)}
    stack = optimizer.Stack.of({name: torch.zeros(shape) for name, shape in shapes.items()}, models, CPU)
    for weight in stack.weights.values():
        weight.copy_(torch.randn(weight.shape, generator=random))
    return stack


def at(step, rate):
    """A step, from 0, and its learning rate, as `update` takes them."""
    return {"count": torch.tensor(step + 1.0), "rate": torch.tensor(rate, dtype=torch.float64)}


def test_updates_are_adamws_of_every_model_apart():
    stack, random = stack_of(3), torch.Generator().manual_seed(7)
    models = [{name: w[i].clone().requires_grad_() for name, w in stack.weights.items()} for i in range(3)]
    plain = []
    for leaves in models:
        matrices, others = ([w for w in leaves.values() if (w.ndim > 1) == decays] for decays in (True, False))
        groups = [{"params": matrices, "weight_decay": 0.3}, {"params": others, "weight_decay": 0.0}]
        plain.append(torch.optim.AdamW(groups, betas=(0.9, 0.999), eps=1e-8))
    for step in range(6):
        gradients = {n: torch.randn(w.shape, generator=random) * 10.0 ** (step - 6) for n, w in stack.weights.items()}
        optimizer.update(stack, gradients, **at(step, 0.01 * (step + 1)), decay=0.3)
        for i, (leaves, adamw) in enumerate(zip(models, plain, strict=True)):
            for name, leaf in leaves.items():
                leaf.grad = gradients[name][i].clone()
            for group in adamw.param_groups:
                group["lr"] = 0.01 * (step + 1)
            adamw.step()
    for i, (leaves, adamw) in enumerate(zip(models, plain, strict=True)):
        for name, leaf in leaves.items():
            torch.testing.assert_close(stack.weights[name][i], leaf.detach())
            torch.testing.assert_close(stack.first[name][i], adamw.state[leaf]["exp_avg"])
            torch.testing.assert_close(stack.second[name][i], adamw.state[leaf]["exp_avg_sq"])


def test_weights_without_a_gradient_stay():
    stack = stack_of(2)
    before = {name: weight.clone() for name, weight in stack.weights.items()}
    names = ("a.weight", "b.bias")
    optimizer.update(stack, {name: torch.ones_like(before[name]) for name in names}, **at(0, 0.1), decay=0.1)
    for name, weight in stack.weights.items():
        assert torch.equal(weight, before[name]) == (name not in names)


def test_a_part_of_a_stack_shares_its_memory():
    stack = stack_of(3)
    part = stack.take(slice(1, 3))
    part.weights["b.bias"] += 1000
    part.second["b.bias"] -= 5
    assert (stack.weights["b.bias"] > 500).all(1).tolist() == [False, True, True]
    assert stack.second["b.bias"].tolist() == [[0] * 3, [-5] * 3, [-5] * 3]
    assert list(stack.groups()) == ["weights", "first", "second"]
    assert stack.groups()["second"] is stack.second


@pytest.mark.parametrize("unit", [1.0, 1e-5])
def test_gradients_are_clipped_by_model_and_small_ones_stay(unit):
    random = torch.Generator().manual_seed(4)
    sizes = unit * torch.tensor([0.01, 1.0, 100.0])
    gradients = {"a": torch.randn(3, 4, 5, generator=random), "b": torch.randn(3, 6, generator=random)}
    gradients = {name: g * sizes.view(-1, *[1] * (g.ndim - 1)) for name, g in gradients.items()}
    expected = [{name: torch.zeros(g[i].shape) for name, g in gradients.items()} for i in range(3)]
    for i, parts in enumerate(expected):
        for name, part in parts.items():
            part.grad = gradients[name][i].clone()
        torch.nn.utils.clip_grad_norm_(parts.values(), 2.0 * unit)
    before = {name: g.clone() for name, g in gradients.items()}
    optimizer.clip(gradients, 2.0 * unit)
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradient, torch.stack([parts[name].grad for parts in expected]), atol=0, rtol=1e-5)
        assert torch.equal(gradient[0], before[name][0])
        assert (gradient[1:] != before[name][1:]).all()
