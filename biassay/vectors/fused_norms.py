"""Norms of explicit skip-gram vectors by a Triton kernel whose tiles of σ(V Uᵀ) never leave a multiprocessor.

Imported only if Triton is installed. Tests compare it with `explicit_vectors.squared_norms_by_torch`.
"""

import torch
import triton
import triton.language as tl

ROWS, COLUMNS, STEP = 128, 256, 64  # of a tile; dimensions multiplied per step
WARPS, STAGES = 8, 3  # warps of a tile; steps loaded at the same time: 144 KB


def squared(vectors: torch.Tensor, contexts: torch.Tensor) -> torch.Tensor:
    """Compute ‖σ(v Uᵀ)‖² from vectors (n, d) and contexts (m, d), float16, d a multiple of STEP: (n,) float32."""
    (n, d), m = vectors.shape, len(contexts)
    out = torch.empty(n, dtype=torch.float32, device=vectors.device)
    grid = (triton.cdiv(n, ROWS),)
    _kernel[grid](
        vectors.contiguous(),
        contexts.contiguous(),
        out,
        n,
        m,
        d,
        ROWS,
        COLUMNS,
        STEP,
        num_warps=WARPS,
        num_stages=STAGES,
    )
    return out


@triton.jit
def _kernel(
    vectors, contexts, out, n, m, d, ROWS: tl.constexpr, COLUMNS: tl.constexpr, STEP: tl.constexpr
):  # fmt: skip
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    steps = tl.arange(0, STEP)
    row_pointers = vectors + rows.to(tl.int64)[:, None] * d + steps[None, :]
    sums = tl.zeros((ROWS,), tl.float32)
    for start in range(0, m, COLUMNS):
        columns = start + tl.arange(0, COLUMNS)
        column_pointers = contexts + columns.to(tl.int64)[None, :] * d + steps[:, None]
        logits = tl.zeros((ROWS, COLUMNS), tl.float32)
        for first in range(0, d, STEP):
            left = tl.load(row_pointers + first, mask=rows[:, None] < n, other=0.0)
            right = tl.load(column_pointers + first, mask=columns[None, :] < m, other=0.0)
            logits = tl.dot(left, right, logits)
        values = tl.where(columns[None, :] < m, 1 / (1 + tl.exp(-logits)), 0.0)
        sums += tl.sum(values * values, axis=1)
    tl.store(out + rows, sums, mask=rows < n)
