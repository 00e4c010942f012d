"""AdamW (Loshchilov & Hutter 2019) for stacked weights, by torch's fused kernel or, on a GPU, by our own."""

import importlib.util
import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import torch

from biassay.language_models.stacked.batches import BETAS, Step

Tensors = dict[str, torch.Tensor]
EPSILON = 1e-8  # as in torch and transformers' Trainer


@dataclass
class Stack:
    """Weights (M, …) of M models by their names in transformers, and AdamW's two moments: float32.

    rounded: copies of some weights for products in bf16, possibly with more rows; each update renews them.
    """

    weights: Tensors
    first: Tensors
    second: Tensors
    rounded: Tensors = field(default_factory=dict)

    @classmethod
    def of(cls, weights: Mapping[str, torch.Tensor], models: int, device: torch.device) -> "Stack":
        """Copy one model's weights for `models` models, with zero moments."""
        copies = {name: w.detach().to(device).expand(models, *w.shape).contiguous() for name, w in weights.items()}
        return cls(copies, *({name: torch.zeros_like(w) for name, w in copies.items()} for _ in range(2)))

    def take(self, models: slice) -> "Stack":
        """Select neighbouring models; they share memory with this stack."""
        return Stack(*({name: part[models] for name, part in parts.items()} for parts in vars(self).values()))

    def groups(self) -> dict[str, Tensors]:
        """Weights and moments by name, which a checkpoint stores."""
        return {name: vars(self)[name] for name in ("weights", "first", "second")}


def is_fused(device: torch.device) -> bool:
    """Whether updates and dropout on a device use our own kernels: on a GPU, if Triton is installed."""
    return device.type == "cuda" and importlib.util.find_spec("triton") is not None


def apply(
    stack: Stack, gradients: Tensors, step: Step, *, decay: float, max_norm: float | None, fused: bool = False
) -> None:
    """Apply one AdamW step to the weights that have a gradient, with each model's gradients clipped to `max_norm`.

    fused: whether to use our own kernel, which needs Triton and takes gradients of `stack.rounded` in bf16.
    """
    if fused:
        from biassay.language_models.stacked import fused_adamw

        factors = clip_factors(gradients, max_norm) if max_norm else torch.ones_like(step.rates)
        fused_adamw.update(stack, gradients, factors, step, decay)
        return
    if max_norm:
        clip(gradients, max_norm)
    for models in _equal_runs(step.host_rates):
        parts = {name: gradient[models] for name, gradient in gradients.items()}
        update(stack.take(models), parts, count=step.count, rate=step.rates[models.start], decay=decay)


def update(
    stack: Stack, gradients: Mapping[str, torch.Tensor], *, count: torch.Tensor, rate: torch.Tensor, decay: float
) -> None:
    """Apply one AdamW step to the weights that have a gradient.

    count: () float32, number of steps with this one. rate: () learning rate, float64 on a CPU, else float32. Only
    matrices decay, not biases and normalisations (one value per unit), as in transformers' Trainer.
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
    """Whether a stacked weight (M, …) is a matrix, which decays."""
    return weight.ndim > 2


def clip(gradients: Mapping[str, torch.Tensor], max_norm: float) -> None:
    """Scale each model's gradients down to the norm `max_norm`, as `torch.nn.utils.clip_grad_norm_`."""
    scale = clip_factors(gradients, max_norm)
    for gradient in gradients.values():
        gradient *= scale.view(-1, *[1] * (gradient.ndim - 1))


def clip_factors(gradients: Mapping[str, torch.Tensor], max_norm: float) -> torch.Tensor:
    """Compute the clip factor of each of M models: (M,) float32, at most 1."""
    norms = [torch.linalg.vector_norm(g.flatten(1), dim=1, dtype=torch.float32) for g in gradients.values()]
    return (max_norm / (torch.linalg.vector_norm(torch.stack(norms), dim=0) + 1e-6)).clamp(max=1.0)


def _equal_runs(rates: Collection[float]) -> Iterator[slice]:
    """Yield runs of neighbouring models with the same learning rate."""
    first = 0
    for _, run in itertools.groupby(rates):
        size = len(list(run))
        yield slice(first, first + size)
        first += size
