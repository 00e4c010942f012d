"""Dropout of stacked models in one Triton kernel, which reads and writes each value once and stores no mask.

It uses the hash of `dropout.Dropout`, bit for bit; the backward pass computes it again. Import it only where Triton is
installed: see `optimizer.is_fused`.
"""

from functools import cache

import torch
import triton
import triton.language as tl

from biassay.language_models.stacked.dropout import FIRST, SECOND, threshold

BLOCK = 1024  # values per program


def drop(x: torch.Tensor, rows: torch.Tensor, keys: torch.Tensor, salt: int, rate: float) -> torch.Tensor:
    """Drop values of x (M, …, n). rows: (M, …) int32 first counters. keys: (M, 2) int32. salt: of the layer."""
    return _Drop.apply(x, rows.contiguous(), keys, salt, rate)


class _Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, rows, keys, salt, rate):
        ctx.save_for_backward(rows, keys)
        ctx.salt, ctx.rate = salt, rate
        return _dropped(x, rows, keys, salt, rate)

    @staticmethod
    def backward(ctx, gradient):
        return _dropped(gradient, *ctx.saved_tensors, ctx.salt, ctx.rate), None, None, None, None


def _dropped(x: torch.Tensor, rows: torch.Tensor, keys: torch.Tensor, salt: int, rate: float) -> torch.Tensor:
    x = x.contiguous()
    out, size = torch.empty_like(x), x[0].numel()
    grid, scale = (triton.cdiv(size, BLOCK), len(x)), _scale(rate, x.dtype)
    _kernel[grid](x, out, rows, keys, size, x.shape[-1], salt, threshold(rate), scale, FIRST, SECOND % (1 << 32), BLOCK)
    return out


@cache
def _scale(rate: float, dtype: torch.dtype) -> float:
    """Compute the factor of the values that are not dropped, rounded to their type, on the host."""
    return torch.tensor(1 / (1 - rate)).to(dtype).item()


@triton.jit(do_not_specialize=["salt"])
def _kernel(
    values, out, rows, keys, size, width, salt, threshold, scale,
    FIRST: tl.constexpr, SECOND: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    model = tl.program_id(1).to(tl.int64)
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < size
    row = place // width
    counter = tl.load(rows + model * (size // width) + row, mask=inside) + place % width
    first = tl.load(keys + 2 * model) + salt
    bits = (counter ^ first).to(tl.uint32, bitcast=True)
    bits = (bits ^ (bits >> 16)) * FIRST + tl.load(keys + 2 * model + 1).to(tl.uint32, bitcast=True)
    bits = (bits ^ (bits >> 15)) * SECOND
    is_kept = bits.to(tl.int32, bitcast=True) >= threshold
    value = tl.load(values + model * size + place, mask=inside)
    dropped = value.to(tl.float32) * tl.where(is_kept, scale, 0.0)
    tl.store(out + model * size + place, dropped.to(value.dtype), mask=inside)
