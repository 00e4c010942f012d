"""Dropout by a kernel of our own against the plain form: the same values and gradients, bit for bit."""

import importlib.util
import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked import dropout, step_gradients  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.batches import prepare_step  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from biassay.language_models.stacked.schedule import mix_seeds  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")
COMPILED = """
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from biassay.language_models.stacked.fused_dropout import BLOCK, FIRST, SECOND, _kernel

names = _kernel.arg_names
fixed = {"FIRST": FIRST, "SECOND": SECOND % (1 << 32), "BLOCK": BLOCK}
places = {(names.index(name),): value for name, value in fixed.items()}
for values in ("*fp32", "*bf16"):
    types = dict.fromkeys(names, "i32") | dict.fromkeys(["rows", "keys"], "*i32") | dict.fromkeys(fixed, "constexpr")
    types |= {"values": values, "out": values, "scale": "fp32"}
    for capability in (80, 90):
        found = triton.compile(ASTSource(_kernel, types, places), target=GPUTarget("cuda", capability, 32))
        assert found.asm["cubin"]
        assert "shr.u32" in found.asm["ptx"]  # zeros come in from the left
"""


@pytest.fixture
def kernel(monkeypatch):
    """The module of the kernel; without a GPU Triton's interpreter runs it."""
    if not importlib.util.find_spec("triton"):
        pytest.skip("triton is not installed: it comes with torch for GPUs")
    if not torch.cuda.is_available():
        os.environ["TRITON_INTERPRET"] = "1"
    from biassay.language_models.stacked import fused_dropout

    return fused_dropout


def check_values(where, dtype, rate, interpreted=False):
    """Hidden states, and attention transposed in memory, of three models, at two places of the network."""
    random = torch.Generator().manual_seed(1)
    places = torch.arange(5, dtype=torch.int32)[:, None] * dropout.MAX_LENGTH + torch.arange(7, dtype=torch.int32)
    tokens = places.expand(3, -1, -1).to(where)
    keys = torch.from_numpy(dropout.split_seeds([mix_seeds(seed, 3) for seed in (1, 2**31, 9)])).to(where)
    hidden = torch.randn(3, 5, 7, 96, generator=random).to(where, dtype), dropout.token_counters(tokens, 96)
    attention = torch.randn(3, 7, 5, 4, 7, generator=random).to(where, dtype).permute(0, 2, 3, 1, 4)
    plainly, fused = (dropout.Dropout(rate, keys, fused) for fused in (False, True))
    for x, rows in (hidden, (attention, dropout.attention_counters(tokens, 4)), hidden):
        found = []
        weights = torch.randn(x.shape, generator=random).to(where, dtype)
        for drop in (plainly, fused):
            leaf = x.detach().clone().requires_grad_()
            out = drop(leaf, rows)
            (gradient,) = torch.autograd.grad(out, leaf, weights)
            found += [(out.detach(), gradient)]
        for expected, ours in zip(*found, strict=True):
            assert (expected == 0).float().mean().item() == pytest.approx(rate, abs=0.05)
            assert torch.equal(expected == 0, ours == 0)
            assert torch.equal(torch.signbit(expected), torch.signbit(ours))
            if interpreted:  # cuts off what a GPU rounds
                torch.testing.assert_close(ours, expected, atol=0, rtol=2**-7)
            else:
                assert torch.equal(ours, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_the_kernel_drops_what_the_plain_form_drops(kernel, dtype, rate):
    check_values(CPU, dtype, rate, interpreted=dtype == torch.bfloat16)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_kernel_on_a_gpu_drops_what_the_plain_form_drops(gpu, kernel, dtype):
    check_values(gpu, dtype, 0.1)


def test_no_mask_is_kept_for_the_backward_pass(kernel):
    x, rows = torch.ones(2, 3, 8, requires_grad=True), torch.arange(3, dtype=torch.int32).expand(2, -1) * 8
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: kept.append(tensor) or tensor, lambda tensor: tensor):
        dropout.Dropout(0.1, torch.zeros(2, 2, dtype=torch.int32), True)(x, rows)
    assert [tuple(tensor.shape) for tensor in kept] == [(2, 3), (2, 2)]


def test_the_kernel_compiles_for_gpus():
    pytest.importorskip("triton", reason="triton is not installed: it comes with torch for GPUs")
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    subprocess.run([sys.executable, "-c", COMPILED], check=True, env=environment)


@pytest.mark.parametrize("kind", [kind for kind in plain.CONFIGS if kind != "mpnet"])
def test_gradients_of_a_step_are_those_without_the_kernel(kernel, tmp_path, kind):
    model = plain.load(plain.base(kind, tmp_path))
    stack = Stack.of(dict(model.named_parameters()), 2, CPU)
    step = prepare_step([plain.sentences(5, 1), plain.sentences(4, 2)], [1, 2], [0.1, 0.1], 0, CPU)
    ways = [
        step_gradients.StackedGradients(find_architecture(model), 0.3, torch.float32, fused) for fused in (False, True)
    ]
    (losses, gradients), (ours, found) = (way.gradients(stack, step) for way in ways)
    assert torch.equal(losses, ours)
    assert all(torch.equal(gradients[name], found[name]) for name in gradients)
