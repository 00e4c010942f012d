"""Arrays from the host to a device, without waiting for it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

ALIGNED = 16  # bytes at whose multiples each array begins in a buffer


def to_device(arrays: Sequence[np.ndarray], device: "torch.device") -> list["torch.Tensor"]:
    """Arrays as tensors of the same types and shapes; on a CPU they share memory.

    A GPU gets them in one copy out of pinned memory, which torch uses again only when the copy is done.
    """
    import torch

    tensors = [torch.from_numpy(np.asarray(array, order="C")) for array in arrays]
    if device.type == "cpu":
        return tensors
    buffer = packed(tensors, pinned=device.type == "cuda")
    return unpacked(buffer.to(device, non_blocking=True), tensors)


def packed(tensors: Sequence["torch.Tensor"], *, pinned: bool) -> "torch.Tensor":
    """The bytes of tensors one behind another, each from a multiple of ALIGNED on."""
    import torch

    *starts, end = _starts(tensors)
    buffer = torch.empty(end, dtype=torch.uint8, pin_memory=pinned)
    for start, tensor in zip(starts, tensors, strict=True):
        buffer[start : start + tensor.nbytes] = tensor.reshape(-1).view(torch.uint8)
    return buffer


def unpacked(buffer: "torch.Tensor", like: Sequence["torch.Tensor"]) -> list["torch.Tensor"]:
    """The tensors of a buffer that `packed` made of ones like these; they share its memory."""
    return [
        buffer[start : start + tensor.nbytes].view(tensor.dtype).view(tensor.shape)
        for start, tensor in zip(_starts(like), like, strict=False)
    ]


def _starts(tensors: Sequence["torch.Tensor"]) -> list[int]:
    return np.cumsum([0, *(-(-tensor.nbytes // ALIGNED) * ALIGNED for tensor in tensors)]).tolist()
