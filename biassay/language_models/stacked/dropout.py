"""Dropout with masks that depend only on a model's seed, the step, the layer and the position in the sentence.

Masks are hashed counters, not draws of a generator with a state. So they are the same on every device, with any other
models in the stack, with any padding, and in a resumed run.
"""

from collections.abc import Sequence

import numpy as np
import torch

MAX_LENGTH = 1 << 10  # tokens; then 350 sentences with 12 attention heads have unique 32-bit counters
FIRST, SECOND = 0x7FEB352D, 0x846CA68B - (1 << 32)  # multipliers of Wellons' lowbias32


class Dropout:
    """Dropout of one step of some models; each call is the next dropout layer of the network."""

    def __init__(self, rate: float, keys: torch.Tensor, fused: bool = False):
        """keys: (M, 2) int32 on the device, the halves of `schedule.mix_seeds` of a model's seed and the step.

        fused: whether to use our own kernel, which needs Triton.
        """
        self.rate, self.keys, self.fused, self.layer = rate, keys, fused, 0

    def __call__(self, x: torch.Tensor, rows: torch.Tensor | None) -> torch.Tensor:
        """Drop values of x (M, …, n).

        rows: (M, …) int32, counters of the first values of the rows; the next values have the next counters. The
        counters of a model must be distinct.
        """
        if not self.rate:
            return x
        self.layer += 1
        salt = self.layer * 0x9E3779B1 % (1 << 31)
        if self.fused:
            from biassay.language_models.stacked import fused_dropout

            return fused_dropout.drop(x, rows, self.keys, salt, self.rate)
        first, second = (self.keys[:, i].view(-1, *[1] * (x.ndim - 1)) for i in (0, 1))
        bits = rows[..., None] + torch.arange(x.shape[-1], dtype=torch.int32, device=x.device)
        bits ^= first + salt
        bits ^= (bits >> 16) & 0xFFFF  # >> of a signed number preserves the sign
        bits *= FIRST
        bits += second
        bits ^= (bits >> 15) & 0x1FFFF
        bits *= SECOND
        return x * (bits >= threshold(self.rate)).to(x.dtype).mul_(1 / (1 - self.rate))


def threshold(rate: float) -> int:
    """Compute the smallest hash, as a signed 32-bit number, of a value that is not dropped."""
    return round((rate - 0.5) * (1 << 32))


def split_seeds(seeds: Sequence[int]) -> np.ndarray:
    """Split 64-bit seeds into upper and lower half: (n, 2) int32."""
    whole = np.array(seeds, np.uint64)
    return np.stack([whole >> np.uint64(32), whole & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32).view(np.int32)


def token_counters(tokens: torch.Tensor, size: int) -> torch.Tensor:
    """Compute the counters of hidden states with `size` values, from the numbers of tokens (M, B, L)."""
    return tokens * size


def attention_counters(tokens: torch.Tensor, heads: int) -> torch.Tensor:
    """Compute the counters of attention weights, (M, B, heads, L), with at most MAX_LENGTH keys each."""
    head = torch.arange(heads, dtype=torch.int32, device=tokens.device)[:, None]
    return (tokens[:, :, None] * heads + head) * MAX_LENGTH
