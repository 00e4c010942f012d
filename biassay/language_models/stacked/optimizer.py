"""AdamW (Loshchilov & Hutter 2019) over stacked weights: by torch's fused kernel, or on a GPU by one of our own."""

import importlib.util
import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import torch

from biassay.language_models.stacked.batches import BETAS, Step

Tensors = dict[str, torch.Tensor]
EPSILON = 1e-8  # of torch and of transformers' Trainer


@dataclass
class Stack:
    """Weights (M, …) of M models by their names in transformers, and AdamW's two moments: float32.

    rounded: copies of some weights for products in bf16, which the update keeps equal to them; maybe with more rows.
    """

    weights: Tensors
    first: Tensors
    second: Tensors
    rounded: Tensors = field(default_factory=dict)

    @classmethod
    def of(cls, weights: Mapping[str, torch.Tensor], models: int, device: torch.device) -> "Stack":
        """So many copies of one model's weights, moments zero."""
        copies = {name: w.detach().to(device).expand(models, *w.shape).contiguous() for name, w in weights.items()}
        return cls(copies, *({name: torch.zeros_like(w) for name, w in copies.items()} for _ in range(2)))

    def take(self, models: slice) -> "Stack":
        """Some neighbouring models, sharing memory."""
        return Stack(*({name: part[models] for name, part in parts.items()} for parts in vars(self).values()))

    def groups(self) -> dict[str, Tensors]:
        """What a training goes on from: weights and moments, by what they are."""
        return {name: vars(self)[name] for name in ("weights", "first", "second")}


def is_fused(device: torch.device) -> bool:
    """Whether updates and dropout on a device are by our own kernels: on a GPU, where Triton comes with torch."""
    return device.type == "cuda" and importlib.util.find_spec("triton") is not None


def apply(
    stack: Stack, gradients: Tensors, step: Step, *, decay: float, max_norm: float | None, fused: bool = False
) -> None:
    """One AdamW step on the weights that have a gradient, each model's gradients clipped to `max_norm`.

    fused: by our own kernel, which needs Triton; it takes gradients of weights in `stack.rounded` in bf16.
    """
    if fused:
        from biassay.language_models.stacked import fused_adamw

        factors = clip_factors(gradients, max_norm) if max_norm else torch.ones_like(step.rates)
        fused_adamw.update(stack, gradients, factors, step, decay)
        return
    if max_norm:
        clip(gradients, max_norm)
    for models in _alike(step.now):
        of_models = {name: gradient[models] for name, gradient in gradients.items()}
        update(stack.take(models), of_models, count=step.count, rate=step.rates[models.start], decay=decay)


def update(
    stack: Stack, gradients: Mapping[str, torch.Tensor], *, count: torch.Tensor, rate: torch.Tensor, decay: float
) -> None:
    """One AdamW step on the weights that have a gradient.

    count: () float32, steps taken with this one. rate: () learning rate, float64 on a CPU, else float32. Matrices
    decay, biases and normalisations (one value a unit) do not, as in transformers' Trainer.
    """
    for decays in (True, False):
        names = [name for name in gradients if is_matrix(stack.weights[name]) == decays]
        torch._fused_adamw_(
            [stack.weights[name] for name in names], [gradients[name].contiguous() for name in names],
            [stack.first[name] for name in names], [stack.second[name] for name in names], [], [count] * len(names),
            lr=rate, beta1=BETAS[0], beta2=BETAS[1], weight_decay=decay if decays else 0.0, eps=EPSILON,
            amsgrad=False, maximize=False,
        )  # fmt: skip


def is_matrix(weight: torch.Tensor) -> bool:
    """Whether a stacked weight (M, …) decays."""
    return weight.ndim > 2


def clip(gradients: Mapping[str, torch.Tensor], most: float) -> None:
    """Scale each model's gradients to norm `most` where it is larger, as `torch.nn.utils.clip_grad_norm_`."""
    scale = clip_factors(gradients, most)
    for gradient in gradients.values():
        gradient *= scale.view(-1, *[1] * (gradient.ndim - 1))


def clip_factors(gradients: Mapping[str, torch.Tensor], most: float) -> torch.Tensor:
    """What the gradients of each of M models are to be multiplied by: (M,) float32, at most 1."""
    norms = [torch.linalg.vector_norm(g.flatten(1), dim=1, dtype=torch.float32) for g in gradients.values()]
    return (most / (torch.linalg.vector_norm(torch.stack(norms), dim=0) + 1e-6)).clamp(max=1.0)


def _alike(rates: Collection[float]) -> Iterator[slice]:
    """Runs of neighbouring models with the same learning rate."""
    first = 0
    for _, run in itertools.groupby(rates):
        size = len(list(run))
        yield slice(first, first + size)
        first += size
