"""What a step moves between host and device, and what memory it takes, on torch's meta device: shapes, no values.

Reading a value of a meta tensor is an error, so that whatever runs there reads none.
"""

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from biassay.language_models.stacked.architectures import find_architecture
from biassay.language_models.stacked.chunk import Chunk, Job, Settings
from biassay.language_models.stacked.optimizer import Stack
from biassay.language_models.stacked.run import PRECISIONS
from biassay.language_models.stacked.schedule import schedule
from biassay.language_models.stacked.step_gradients import StackedGradients

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


class Living(TorchDispatchMode):
    """most: bytes of the device's tensors made inside that lived at the same time, memory that they share counted once;
    `known` ones are not counted."""

    def __init__(self, known):
        super().__init__()
        self.known = {StorageWeakRef(tensor.untyped_storage()).cdata for tensor in known}
        self.living, self.most = {}, 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(found):
            if isinstance(tensor, torch.Tensor) and tensor.device == META:
                storage = tensor.untyped_storage()
                reference = StorageWeakRef(storage)
                if reference.cdata not in self.known:
                    self.living[reference.cdata] = reference, storage.nbytes()
        self.living = {key: value for key, value in self.living.items() if not value[0].expired()}
        self.most = max(self.most, sum(size for _, size in self.living.values()))
        return found


def stack_on_device(model, data, *, batch, precision, dropout=0.1, fused=False):
    """A chunk of copies of a model on the meta device, one for each data set, 3 epochs long.

    fused: as with our own kernels, which have no form there.
    """
    jobs = [Job(i, i, part, schedule(part.lengths, batch, 3, i)) for i, part in enumerate(data)]
    stack = Stack.of(dict(model.named_parameters()), len(jobs), META)
    settings = Settings(3, batch, 1e-3, 0.1, 0.01, dropout, 1.0, precision)
    way = StackedGradients(find_architecture(model), dropout, PRECISIONS[precision], fused)
    if fused and precision == "bf16":
        stack.rounded = way.rounded(stack.weights)
    return Chunk(jobs, stack, way, frozenset(stack.weights), settings, META, fused)
