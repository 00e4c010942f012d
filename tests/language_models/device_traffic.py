"""What crosses between host and device in a step, counted on torch's meta device, which computes shapes only.

Reading a value of a meta tensor is an error, so that whatever runs there reads none.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

META = torch.device("meta")
READS = ("_local_scalar_dense", "nonzero", "is_nonzero", "equal.default", "masked_select", "unique")


class Traffic(TorchDispatchMode):
    """crossings: names of operations between a tensor of the host and one of the device. reads: those that wait."""

    def __init__(self):
        super().__init__()
        self.crossings, self.reads = [], []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        tensors = [leaf for leaf in tree_leaves((args, kwargs, found)) if isinstance(leaf, torch.Tensor)]
        if len({tensor.device for tensor in tensors}) > 1:
            self.crossings.append(str(function))
        if any(name in str(function) for name in READS):
            self.reads.append(str(function))
        return found
