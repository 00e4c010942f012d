"""The update by a kernel of our own against the one by torch, and products in bf16 with padded vocabularies."""

import importlib.util
import os
import subprocess
import sys

import pandas as pd
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked import encoder, optimizer, run, step_gradients  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.batches import prepare_step  # noqa: E402
from biassay.language_models.stacked.training import train  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")
COMPILED = """
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from biassay.language_models.stacked.fused_adamw import _adamw

names = _adamw.arg_names
fixed = {"BETA1": 0.9, "BETA2": 0.999, "EPSILON": 1e-8, "ROUND": True, "BLOCK": 1024}
types = dict.fromkeys(names, "*fp32") | dict.fromkeys(["gradients", "copies"], "*bf16") | {"decay": "fp32"}
types |= dict.fromkeys(["size", "of_gradient", "of_copy"], "i32") | dict.fromkeys(fixed, "constexpr")
places = {(names.index(name),): value for name, value in fixed.items()}
for capability in (80, 90):
    found = triton.compile(ASTSource(_adamw, types, places), target=GPUTarget("cuda", capability, 32))
    assert found.asm["cubin"]
    assert "cvt.rn.bf16" in found.asm["ptx"]  # rounded to the nearest
"""
SHAPES = {"a.weight": (40, 51), "b.weight": (2, 3), "b.bias": (3,), "norm.weight": (1100,)}


@pytest.fixture
def kernel(monkeypatch):
    """The module of the kernel; without a GPU Triton's interpreter runs it."""
    if not importlib.util.find_spec("triton"):
        pytest.skip("triton is not installed: it comes with torch for GPUs")
    if torch.cuda.is_available():
        from biassay.language_models.stacked import fused_adamw

        return fused_adamw
    os.environ["TRITON_INTERPRET"] = "1"
    from biassay.language_models.stacked import fused_adamw

    usual = fused_adamw.update

    def rounds(stack, *arguments):
        usual(stack, *arguments)
        for name, copy in stack.rounded.items():
            rows = copy[:, : stack.weights[name].shape[1]]
            torch.testing.assert_close(rows.float(), stack.weights[name], atol=0, rtol=2**-7)
            rows.copy_(stack.weights[name])

    monkeypatch.setattr(fused_adamw, "update", rounds)  # the interpreter cuts off what a GPU rounds
    return fused_adamw


def stacks(models, device, rounded=()):
    random = torch.Generator().manual_seed(2)
    drawn = {name: torch.randn(models, *shape, generator=random).to(device) for name, shape in SHAPES.items()}
    found = []
    for _ in range(2):
        weights = {name: weight.clone() for name, weight in drawn.items()}
        found.append(optimizer.Stack(weights, *({n: torch.zeros_like(w) for n, w in drawn.items()} for _ in range(2))))
    found[0].rounded = {name: encoder.pad_rows(drawn[name].bfloat16(), 4) for name in rounded}
    return found


def check_update(where, half, max_norm):
    rounded = ("a.weight", "b.bias") if half else ()
    ours, theirs = stacks(3, where, rounded)
    random, parts = torch.Generator().manual_seed(7), [plain.sentences(4, i) for i in range(3)]
    for number in range(4):
        step = prepare_step(parts, [1, 2, 3], [0.01 * (number + 1), 0.02, 0.02], number, where)
        gradients = {}
        for name, shape in SHAPES.items():
            drawn = 10.0 ** (number - 3) * torch.randn(3, *shape, generator=random).to(where)
            gradients[name] = drawn.bfloat16() if name in rounded else drawn
        plainly = {name: gradient.float() for name, gradient in gradients.items()}
        padded = {n: encoder.pad_rows(g, 4) if n in rounded and n != "a.weight" else g for n, g in gradients.items()}
        float32 = step._replace(rates=step.rates.float())
        optimizer.apply(ours, padded, float32, decay=0.3, max_norm=max_norm, fused=True)
        optimizer.apply(theirs, plainly, step, decay=0.3, max_norm=max_norm)
        for group, tensors in theirs.groups().items():
            for name, tensor in tensors.items():
                torch.testing.assert_close(ours.groups()[group][name], tensor, atol=1e-7, rtol=1e-5)
        for name, copy in ours.rounded.items():
            rows = SHAPES[name][0]
            assert torch.equal(copy[:, :rows], ours.weights[name].bfloat16())
            assert (copy[:, rows:] == 0).all()


@pytest.mark.parametrize("max_norm", [None, 0.5])
@pytest.mark.parametrize("half", [False, True])
def test_the_kernel_does_what_torch_does(kernel, half, max_norm):
    check_update(CPU, half, max_norm)


def test_the_kernel_compiles_for_gpus():
    pytest.importorskip("triton", reason="triton is not installed: it comes with torch for GPUs")
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    subprocess.run([sys.executable, "-c", COMPILED], check=True, env=environment)


@pytest.mark.gpu
@pytest.mark.parametrize("half", [False, True])
def test_the_kernel_on_a_gpu_does_what_torch_does(gpu, kernel, half):
    check_update(gpu, half, 0.5)


@pytest.mark.gpu
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_training_on_a_gpu_with_the_kernel_is_that_without(gpu, kernel, tmp_path, monkeypatch, precision):
    base, data = plain.base("bert", tmp_path / "base"), [plain.sentences(n, n) for n in (21, 40)]
    options = {"seeds": [5, 0], "epochs": 3, "batch": 8, "learning_rate": 2e-3, "max_norm": 0.5, "precision": precision}
    train(base, data, folder=tmp_path / "kernel", device=gpu.type, **options)
    monkeypatch.setattr(run, "is_fused", lambda _: False)
    train(base, data, folder=tmp_path / "torch", device=gpu.type, **options)
    losses = [pd.read_csv(tmp_path / name / "losses.csv").loss for name in ("torch", "kernel")]
    torch.testing.assert_close(*map(torch.tensor, losses), atol=1e-3 if precision == "fp32" else 0.05, rtol=0)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("kind", ["bert", "albert"])
def test_a_training_with_the_kernel_is_that_without(kernel, tmp_path, monkeypatch, kind, precision):
    """All models in one pass, as on a GPU; in bf16 from weights that are rounded once, by the kernel."""
    from biassay.language_models.stacked import chunk

    monkeypatch.setattr(chunk, "trains_separately", lambda _: False)
    base, data = plain.base(kind, tmp_path / "base"), [plain.sentences(n, n) for n in (21, 40)]
    options = {"seeds": [5, 0], "epochs": 3, "batch": 8, "learning_rate": 2e-3, "max_norm": 0.5}
    train(base, data, folder=tmp_path / "torch", precision=precision, device="cpu", **options)
    monkeypatch.setattr(run, "is_fused", lambda _: True)
    monkeypatch.setattr(step_gradients, "row_multiple", lambda *_: 64)
    monkeypatch.setattr(optimizer, "update", None)
    train(base, data, folder=tmp_path / "kernel", precision=precision, device="cpu", **options)
    losses = [pd.read_csv(tmp_path / name / "losses.csv").loss for name in ("torch", "kernel")]
    torch.testing.assert_close(*map(torch.tensor, losses), atol=2e-4 if precision == "fp32" else 5e-3, rtol=0)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("kind", [kind for kind in plain.CONFIGS if kind != "mpnet"])
def test_rows_that_pad_a_vocabulary_change_nothing(tmp_path, monkeypatch, kind, precision):
    """Neither where weights are rounded each step nor where copies are kept: losses and gradients are the same."""
    model, dtype = plain.load(plain.base(kind, tmp_path)), run.PRECISIONS[precision]
    stack = optimizer.Stack.of(dict(model.named_parameters()), 2, CPU)
    way = step_gradients.StackedGradients(find_architecture(model), 0.1, dtype)
    step = prepare_step([plain.sentences(5, 1), plain.sentences(4, 2)], [1, 2], [0.1, 0.1], 0, CPU)
    losses, gradients = way.gradients(stack, step)
    table, bias = way.architecture.embeddings[0], way.architecture.bias
    for module in (encoder, step_gradients):
        monkeypatch.setattr(module, "row_multiple", lambda *_: 64)
    for kept in (False, True):
        stack.rounded = way.rounded(stack.weights) if kept else {}
        if kept:
            assert [stack.rounded[name].shape[1] for name in (table, bias)] == [64, 64]
            assert set(stack.rounded) == way.architecture.products()
        found, of_weights = way.gradients(stack, step)
        torch.testing.assert_close(found, losses, atol=1e-6, rtol=0)
        for name, gradient in gradients.items():
            rows = gradient.shape[1]
            ours = of_weights[name]
            assert ours.dtype == (dtype if kept and name in stack.rounded and name != table else torch.float32)
            torch.testing.assert_close(ours[:, :rows].float(), gradient, atol=1e-6, rtol=1e-5)
            assert (ours[:, rows:] == 0).all()


def test_the_kernel_is_for_gpus_with_triton(monkeypatch):
    cuda = torch.device("cuda")
    for there in (True, False):
        monkeypatch.setattr(optimizer.importlib.util, "find_spec", lambda _, there=there: there or None)
        assert optimizer.is_fused(cuda) == there
        assert not optimizer.is_fused(CPU)
    assert encoder.row_multiple(cuda, torch.bfloat16) == 64
    assert encoder.row_multiple(cuda, torch.float32) == encoder.row_multiple(CPU, torch.bfloat16) == 1
