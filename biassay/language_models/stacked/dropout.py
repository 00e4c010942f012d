"""Dropout whose masks are a function of a model's seed, the step, the layer and the place in the sentence.

Masks come from hashed counters, not from a generator with a state: they are the same on every device, whatever other
models are in the stack, however far sentences are padded, and after a resumed run.
"""

from collections.abc import Sequence

import numpy as np
import torch

LONGEST = 1 << 10  # tokens; attention of 350 sentences with 12 heads then has 32-bit counters of its own
FIRST, SECOND = 0x7FEB352D, 0x846CA68B - (1 << 32)  # multipliers of Wellons' lowbias32


class Dropout:
    """Dropout of one step of some models; each call is the next place in the network where dropout happens."""

    def __init__(self, rate: float, keys: torch.Tensor, fused: bool = False):
        """keys: (M, 2) int32 on the device, the halves of what `schedule.mixed` makes of a model's seed and step.

        fused: by our own kernel, which needs Triton.
        """
        self.rate, self.keys, self.fused, self.place = rate, keys, fused, 0

    def __call__(self, x: torch.Tensor, rows: torch.Tensor | None) -> torch.Tensor:
        """Drop values of x (M, …, n). rows: (M, …) int32, counters of the rows' first values, from which they count on;
        all must be distinct in a model."""
        if not self.rate:
            return x
        self.place += 1
        salt = self.place * 0x9E3779B1 % (1 << 31)
        if self.fused:
            from biassay.language_models.stacked import fused_dropout

            return fused_dropout.drop(x, rows, self.keys, salt, self.rate)
        first, second = (self.keys[:, i].view(-1, *[1] * (x.ndim - 1)) for i in (0, 1))
        bits = rows[..., None] + torch.arange(x.shape[-1], dtype=torch.int32, device=x.device)
        bits ^= first + salt
        bits ^= (bits >> 16) & 0xFFFF  # >> of a signed number keeps the sign
        bits *= FIRST
        bits += second
        bits ^= (bits >> 15) & 0x1FFFF
        bits *= SECOND
        return x * (bits >= threshold(self.rate)).to(x.dtype).mul_(1 / (1 - self.rate))


def threshold(rate: float) -> int:
    """The smallest hash, as a signed number of 32 bits, of a value that is kept."""
    return round((rate - 0.5) * (1 << 32))


def split_seeds(numbers: Sequence[int]) -> np.ndarray:
    """The upper and lower half of numbers of 64 bits: (n, 2) int32."""
    whole = np.array(numbers, np.uint64)
    return np.stack([whole >> np.uint64(32), whole & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32).view(np.int32)


def token_counters(tokens: torch.Tensor, size: int) -> torch.Tensor:
    """Rows of hidden states: tokens (M, B, L) numbers of the tokens, `size` values each."""
    return tokens * size


def attention_counters(tokens: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of attention weights: (M, B, heads, L), of at most LONGEST keys each."""
    head = torch.arange(heads, dtype=torch.int32, device=tokens.device)[:, None]
    return (tokens[:, :, None] * heads + head) * LONGEST
