"""AdamW (Loshchilov & Hutter 2019) for stacked weights, by torch's fused kernel."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

Tensors = dict[str, torch.Tensor]
BETAS, EPSILON = (0.9, 0.999), 1e-8  # as in torch and transformers' Trainer


@dataclass
class Stack:
    """Weights (M, …) of M models by their names in transformers, and AdamW's two moments: float32."""

    weights: Tensors
    first: Tensors
    second: Tensors

    @classmethod
    def of(cls, weights: Mapping[str, torch.Tensor], models: int, device: torch.device) -> "Stack":
        """Copy one model's weights for `models` models, with zero moments."""
        copies = {name: w.detach().to(device).expand(models, *w.shape).contiguous() for name, w in weights.items()}
        return cls(copies, *({name: torch.zeros_like(w) for name, w in copies.items()} for _ in range(2)))

    def __len__(self) -> int:
        return len(next(iter(self.weights.values())))

    def take(self, models: slice) -> "Stack":
        """Select neighbouring models; they share memory with this stack."""
        return Stack(*({name: part[models] for name, part in parts.items()} for parts in vars(self).values()))


def apply(
    stack: Stack, gradients: Tensors, *, step: int, rates: Sequence[float], decay: float, max_norm: float | None
) -> None:
    """Apply one AdamW step to the weights that have a gradient, with each model's gradients clipped to `max_norm`.

    Only matrices decay, not biases and normalisations (one value per unit), as in transformers' Trainer. step: number
    of earlier steps. rates: learning rate of each model.
    """
    if max_norm:
        clip(gradients, max_norm)
    steps = torch.tensor(step + 1.0, device=next(iter(stack.weights.values())).device)
    first = 0
    for rate, run in itertools.groupby(rates):  # neighbouring models with the same learning rate
        models = slice(first, first := first + len(list(run)))
        part = stack.take(models)
        for is_matrix in (True, False):
            names = [name for name in gradients if (part.weights[name].ndim > 2) == is_matrix]
            torch._fused_adamw_(
                [part.weights[name] for name in names], [gradients[name][models].contiguous() for name in names],
                [part.first[name] for name in names], [part.second[name] for name in names], [], [steps] * len(names),
                lr=rate, beta1=BETAS[0], beta2=BETAS[1], weight_decay=decay if is_matrix else 0.0, eps=EPSILON,
                amsgrad=False, maximize=False,
            )  # fmt: skip


def clip(gradients: Tensors, max_norm: float) -> None:
    """Scale each model's gradients down to the norm `max_norm`, as `torch.nn.utils.clip_grad_norm_`."""
    norms = [torch.linalg.vector_norm(gradient.flatten(1), dim=1) for gradient in gradients.values()]
    scale = (max_norm / (torch.linalg.vector_norm(torch.stack(norms), dim=0) + 1e-6)).clamp(max=1.0)
    for gradient in gradients.values():
        gradient *= scale.view(-1, *[1] * (gradient.ndim - 1))
