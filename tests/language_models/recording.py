"""A step recorded without a GPU as a CUDA graph records it: nothing is done, and what is the host's stays as it was.

Tensors that are there before keep their places, and what is computed from them is computed again at every replay.
"""

import os
from functools import cache, partial
from types import SimpleNamespace

import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from biassay.language_models import stacked
from biassay.language_models.stacked import step_gradients
from biassay.language_models.stacked.batches import BETAS
from biassay.language_models.stacked.dropout import Dropout
from biassay.language_models.stacked.optimizer import EPSILON, is_matrix


def capture(take):
    """Stands for what `graphs.on_gpu` makes; losses are always in the same place."""
    with Undone():
        recorded = make_fx(take)()
    kept = []

    def replay():
        losses = recorded()
        kept[:] = kept or [losses]
        return kept[0].copy_(losses)

    return replay


class Undone(TorchDispatchMode):
    """What tensors held before is put back at the end."""

    def __enter__(self):
        self.before = {}
        return super().__enter__()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        for given, argument in zip(args, function._schema.arguments, strict=False):
            if argument.alias_info and argument.alias_info.is_write:
                with _disable_current_modes():
                    storage = given.untyped_storage()
                    self.before.setdefault(storage.data_ptr(), (storage, storage.clone()))
        return function(*args, **(kwargs or {}))

    def __exit__(self, *error):
        super().__exit__(*error)
        for storage, before in self.before.values():
            storage.copy_(before)


def by_torch(monkeypatch):
    """Updates and dropout by torch, of the same tensors, in the place of our kernels."""
    monkeypatch.setattr(stacked, "fused_adamw", SimpleNamespace(update=update), raising=False)
    monkeypatch.setattr(step_gradients, "Dropout", lambda rate, keys, _: Dropout(rate, keys))


def update(stack, gradients, factors, step, decay):
    """As `fused_adamw.update`."""
    for name, gradient in gradients.items():
        weight, first, second, rounded = (group.get(name) for group in vars(stack).values())
        each, size = (-1, *[1] * (weight.ndim - 1)), weight.shape[1]
        gradient, rate = gradient[:, :size].float() * factors.view(each), step.rates.view(each).float()
        first.lerp_(gradient, 1 - BETAS[0])
        second.lerp_(gradient * gradient, 1 - BETAS[1])
        weight.mul_(1 - rate * (decay if is_matrix(weight) else 0.0))
        weight.sub_(rate / step.corrections[0] * first / (second.sqrt() / step.corrections[1] + EPSILON))
        if rounded is not None:
            rounded[:, :size].copy_(weight)


def by_triton(monkeypatch):
    """Our kernels in Triton's interpreter, each launch an operation that is recorded with its numbers."""
    for module, name, operation in operations():
        monkeypatch.setattr(module, name, operation)


@cache
def operations():
    os.environ["TRITON_INTERPRET"] = "1"
    from biassay.language_models.stacked import fused_adamw, fused_dropout

    adamw, drop = fused_adamw._adamw, fused_dropout._kernel

    @torch.library.custom_op("recording::adamw", mutates_args=("weights", "firsts", "seconds", "copies"))
    def update(
        blocks: int, models: int, weights: Tensor, firsts: Tensor, seconds: Tensor, gradients: Tensor, copies: Tensor,
        factors: Tensor, rates: Tensor, corrections: Tensor, size: int, of_gradient: int, of_copy: int, decay: float,
        BETA1: float, BETA2: float, EPSILON: float, ROUND: bool, BLOCK: int,
    ) -> None:  # fmt: skip
        adamw[blocks, models](
            weights, firsts, seconds, gradients, copies, factors, rates, corrections, size, of_gradient, of_copy, decay,
            BETA1, BETA2, EPSILON, ROUND, BLOCK,
        )  # fmt: skip

    @torch.library.custom_op("recording::drop", mutates_args=("out",))
    def dropped(
        blocks: int, models: int, values: Tensor, out: Tensor, rows: Tensor, keys: Tensor, size: int, width: int,
        salt: int, threshold: int, scale: float, FIRST: int, SECOND: int, BLOCK: int,
    ) -> None:  # fmt: skip
        drop[blocks, models](values, out, rows, keys, size, width, salt, threshold, scale, FIRST, SECOND, BLOCK)

    for operation in (update, dropped):
        operation.register_fake(lambda *_, **__: None)
    return (fused_adamw, "_adamw", Launches(update)), (fused_dropout, "_kernel", Launches(dropped))


class Launches:
    """Stands for a kernel."""

    def __init__(self, operation):
        self.operation = operation

    def __getitem__(self, grid):
        return partial(self.operation, *grid)
