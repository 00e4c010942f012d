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

    def __init__(self, rate: float, seeds: Sequence[int], device: torch.device | str = "cpu"):
        """seeds: `schedule.mix_seeds` of each model's seed and the step."""
        self.rate, self.layer = rate, 0
        # least significant halves first, as in the memory of most processors
        self.keys = torch.from_numpy(np.array(seeds, "<u8").view("<i4").reshape(-1, 2)).to(device)

    def __call__(self, x: torch.Tensor, rows: torch.Tensor | None) -> torch.Tensor:
        """Drop values of x (M, …, n).

        rows: (M, …) int32, counters of the first values of the rows; the next values have the next counters. The
        counters of a model must be distinct.
        """
        if not self.rate:
            return x
        self.layer += 1
        salt = self.layer * 0x9E3779B1 % (1 << 31)
        second, first = (self.keys[:, i].view(-1, *[1] * (x.ndim - 1)) for i in (0, 1))
        bits = rows[..., None] + torch.arange(x.shape[-1], dtype=torch.int32, device=x.device)
        bits ^= first + salt
        bits ^= (bits >> 16) & 0xFFFF  # >> of a signed number preserves the sign
        bits *= FIRST
        bits += second
        bits ^= (bits >> 15) & 0x1FFFF
        bits *= SECOND
        threshold = round((self.rate - 0.5) * (1 << 32))  # smallest hash of a value that is not dropped
        return x * (bits >= threshold).to(x.dtype).mul_(1 / (1 - self.rate))
