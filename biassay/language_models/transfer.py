"""Transfer of arrays from the host to a device without waiting for it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

ALIGNMENT = 16  # bytes; each array starts at a multiple of it in a buffer


def to_device(arrays: Sequence[np.ndarray], device: "torch.device") -> list["torch.Tensor"]:
    """Convert arrays to tensors of the same types and shapes on a device; on a CPU they share memory.

    A GPU gets them in one copy from pinned memory, which torch reuses only after the copy.
    """
    import torch

    tensors = [torch.from_numpy(np.asarray(array, order="C")) for array in arrays]
    if device.type == "cpu":
        return tensors
    buffer = pack(tensors, pinned=device.type == "cuda")
    return unpack(buffer.to(device, non_blocking=True), tensors)


def pack(tensors: Sequence["torch.Tensor"], *, pinned: bool) -> "torch.Tensor":
    """Copy the bytes of tensors into one buffer, each from a multiple of ALIGNMENT on."""
    import torch

    *starts, end = _starts(tensors)
    buffer = torch.empty(end, dtype=torch.uint8, pin_memory=pinned)
    for start, tensor in zip(starts, tensors, strict=True):
        buffer[start : start + tensor.nbytes] = tensor.reshape(-1).view(torch.uint8)
    return buffer


def unpack(buffer: "torch.Tensor", like: Sequence["torch.Tensor"]) -> list["torch.Tensor"]:
    """View a buffer of `pack` as tensors with the types and shapes of `like`; they share its memory."""
    return [
        buffer[start : start + tensor.nbytes].view(tensor.dtype).view(tensor.shape)
        for start, tensor in zip(_starts(like), like, strict=False)
    ]


def _starts(tensors: Sequence["torch.Tensor"]) -> list[int]:
    return np.cumsum([0, *(-(-tensor.nbytes // ALIGNMENT) * ALIGNMENT for tensor in tensors)]).tolist()
