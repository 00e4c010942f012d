"""AdamW of stacked models in one Triton kernel, which reads and writes each value once.

It multiplies the gradient, of single or half precision, by its model's clip factor, and writes the weight's copy in
bf16. `optimizer.clip` and `optimizer.update` compute the same by torch; tests compare both. Import it only where Triton
is installed: see `optimizer.is_fused`.
"""

from collections.abc import Mapping

import torch

from biassay.language_models.stacked.batches import BETAS, Step
from biassay.language_models.stacked.optimizer import EPSILON, Stack, is_matrix

try:
    import triton
    import triton.language as tl
except ImportError as error:
    raise ImportError("the fused AdamW needs triton, which comes with torch for GPUs") from error

BLOCK = 1024  # values per program


def update(
    stack: Stack, gradients: Mapping[str, torch.Tensor], factors: torch.Tensor, step: Step, decay: float
) -> None:
    """Apply one AdamW step to the weights that have a gradient.

    gradients: (M, …) float32 or bf16; the gradient of a weight in `stack.rounded` can have the rows of the copy.
    factors: (M,) factors of the gradients. Only matrices decay, not biases and normalisations.
    """
    for name, gradient in gradients.items():
        weight, rounded = stack.weights[name], stack.rounded.get(name)
        models, size = len(weight), weight[0].numel()
        grid = (triton.cdiv(size, BLOCK), models)
        gradient = gradient.contiguous()
        copy = weight if rounded is None else rounded
        _adamw[grid](
            weight, stack.first[name], stack.second[name], gradient, copy, factors, step.rates, step.corrections,
            size, gradient[0].numel(), copy[0].numel(), decay if is_matrix(weight) else 0.0,
            BETA1=BETAS[0], BETA2=BETAS[1], EPSILON=EPSILON, ROUND=rounded is not None, BLOCK=BLOCK,
        )  # fmt: skip


@triton.jit
def _adamw(
    weights, firsts, seconds, gradients, copies, factors, rates, corrections, size, of_gradient, of_copy, decay,
    BETA1: tl.constexpr, BETA2: tl.constexpr, EPSILON: tl.constexpr, ROUND: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    model = tl.program_id(1).to(tl.int64)
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < size
    at = model * size + place
    rate = tl.load(rates + model).to(tl.float32)
    gradient = tl.load(gradients + model * of_gradient + place, mask=inside).to(tl.float32) * tl.load(factors + model)
    first = BETA1 * tl.load(firsts + at, mask=inside) + (1 - BETA1) * gradient
    second = BETA2 * tl.load(seconds + at, mask=inside) + (1 - BETA2) * gradient * gradient
    weight = tl.load(weights + at, mask=inside) * (1 - rate * decay)
    scale = tl.sqrt(second) / tl.load(corrections + 1) + EPSILON
    weight -= rate / tl.load(corrections) * first / scale
    tl.store(firsts + at, first, mask=inside)
    tl.store(seconds + at, second, mask=inside)
    tl.store(weights + at, weight, mask=inside)
    if ROUND:
        tl.store(copies + model * of_copy + place, weight.to(tl.bfloat16), mask=inside)
