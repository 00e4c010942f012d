"""Lengths of explicit vectors by a kernel of our own, against whole matrices."""

import importlib.util
import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from biassay.vectors import explicit_vectors  # noqa: E402

COMPILED = """
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from biassay.vectors.fused_norms import COLUMNS, ROWS, STAGES, STEP, WARPS, _kernel

names = _kernel.arg_names
fixed = {"ROWS": ROWS, "COLUMNS": COLUMNS, "STEP": STEP}
types = dict.fromkeys(names, "i32") | dict.fromkeys(["vectors", "contexts"], "*fp16") | {"out": "*fp32"}
types |= dict.fromkeys(fixed, "constexpr")
places = {(names.index(name),): value for name, value in fixed.items()}
aligned = {(names.index(name),): [["tt.divisibility", 16]] for name in ("vectors", "contexts", "out", "d")}
for capability, product, shared in ((80, "mma.sync", 163), (90, "wgmma.mma_async", 227)):
    found = triton.compile(
        ASTSource(_kernel, types, places, aligned), target=GPUTarget("cuda", capability, 32),
        options={"num_warps": WARPS, "num_stages": STAGES},
    )
    assert product in found.asm["ptx"]
    assert "cp.async" in found.asm["ptx"]
    assert found.metadata.shared <= shared << 10
"""


@pytest.fixture
def kernel():
    """The module of the kernel; without a GPU Triton's interpreter runs it."""
    if not importlib.util.find_spec("triton"):
        pytest.skip("triton is not installed: it comes with torch for GPUs")
    if not torch.cuda.is_available():
        os.environ["TRITON_INTERPRET"] = "1"
    from biassay.vectors import fused_norms

    return fused_norms


def check(kernel, where):
    """Rows and columns that fill no tile, one tile, and several; logits beyond float16, which give σ = 0 or 1."""
    random = torch.Generator().manual_seed(2)
    for n, m, d, spread in ((130, 700, 64, 0.5), (128, 256, 192, 0.1), (5, 30, 128, 2.0), (3, 513, 64, 300.0)):
        vectors, contexts = (spread * torch.randn(size, d, generator=random).to(where).half() for size in (n, m))
        exact = (vectors.double() @ contexts.double().T).sigmoid().square().sum(1)
        found = kernel.squared(vectors, contexts)
        assert (found.shape, found.dtype) == ((n,), torch.float32)
        torch.testing.assert_close(found.double(), exact, rtol=1e-5, atol=0)
        torch.testing.assert_close(found, explicit_vectors.squared_norms_by_torch(vectors, contexts), rtol=2e-3, atol=0)


def test_squares_are_those_of_the_whole_matrix(kernel):
    check(kernel, torch.device("cpu"))


@pytest.mark.gpu
def test_squares_on_a_gpu_are_those_of_the_whole_matrix(gpu, kernel):
    check(kernel, gpu)


def test_rows_that_are_not_side_by_side_in_memory(kernel):
    vectors, contexts = (torch.randn(64, size, dtype=torch.float16).T for size in (4, 9))
    found = kernel.squared(vectors, contexts)
    torch.testing.assert_close(found, kernel.squared(vectors.contiguous(), contexts.contiguous()), rtol=0, atol=0)


def test_the_kernel_compiles_for_gpus():
    pytest.importorskip("triton", reason="triton is not installed: it comes with torch for GPUs")
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    subprocess.run([sys.executable, "-c", COMPILED], check=True, env=environment)
