"""AdamW (Loshchilov & Hutter 2019) over stacked weights, by torch's fused kernel."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

Tensors = dict[str, torch.Tensor]
BETAS, EPSILON = (0.9, 0.999), 1e-8  # of torch and of transformers' Trainer


@dataclass
class Stack:
    """Weights (M, …) of M models by their names in transformers, and AdamW's two moments: float32."""

    weights: Tensors
    first: Tensors
    second: Tensors

    @classmethod
    def of(cls, weights: Mapping[str, torch.Tensor], models: int, device: torch.device) -> "Stack":
        """So many copies of one model's weights, moments zero."""
        copies = {name: w.detach().to(device).expand(models, *w.shape).contiguous() for name, w in weights.items()}
        return cls(copies, *({name: torch.zeros_like(w) for name, w in copies.items()} for _ in range(2)))

    def take(self, models: slice) -> "Stack":
        """Some neighbouring models, sharing memory."""
        return Stack(*({name: part[models] for name, part in parts.items()} for parts in vars(self).values()))

    def groups(self) -> dict[str, Tensors]:
        """Its three groups of tensors by what they are."""
        return vars(self)


def update(
    stack: Stack, gradients: Mapping[str, torch.Tensor], *, count: torch.Tensor, rate: torch.Tensor, decay: float
) -> None:
    """One AdamW step on the weights that have a gradient.

    count: () float32, steps taken with this one. rate: () learning rate, float64 on a CPU, else float32. Matrices
    decay, biases and normalisations (one value a unit) do not, as in transformers' Trainer.
    """
    for decays in (True, False):
        names = [name for name in gradients if (stack.weights[name].ndim > 2) == decays]
        torch._fused_adamw_(
            [stack.weights[name] for name in names], [gradients[name].contiguous() for name in names],
            [stack.first[name] for name in names], [stack.second[name] for name in names], [], [count] * len(names),
            lr=rate, beta1=BETAS[0], beta2=BETAS[1], weight_decay=decay if decays else 0.0, eps=EPSILON,
            amsgrad=False, maximize=False,
        )  # fmt: skip


def clip(gradients: Mapping[str, torch.Tensor], most: float) -> None:
    """Scale each model's gradients to norm `most` where it is larger, as `torch.nn.utils.clip_grad_norm_`."""
    norms = [torch.linalg.vector_norm(g.flatten(1), dim=1) for g in gradients.values()]
    scale = (most / (torch.linalg.vector_norm(torch.stack(norms), dim=0) + 1e-6)).clamp(max=1.0)
    for gradient in gradients.values():
        gradient *= scale.view(-1, *[1] * (gradient.ndim - 1))
