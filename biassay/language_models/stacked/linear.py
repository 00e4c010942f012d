"""Linear maps of M models at once."""

import torch

# On a CPU torch uses MKL for single precision, which is half as fast as oneDNN on processors not made by Intel.
_onednn = getattr(torch.ops.mkldnn, "_linear_pointwise", None) if torch.backends.mkldnn.is_available() else None


def linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Map x (M, …, in) by weight (M, out, in) and bias (M, out): (M, …, out)."""
    return _Linear.apply(x.flatten(1, -2), weight, bias).unflatten(1, x.shape[1:-1])


class _Linear(torch.autograd.Function):
    """Linear map with oneDNN, and with gradients in the memory layout of the weights, as AdamW needs them."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return _product(x, weight, bias)

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return _product(gradient, weight.mT), _product(gradient.mT, x.mT), gradient.sum(1)


def _product(a: torch.Tensor, b: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Multiply a (M, n, d) by the transpose of b (M, m, d) and add bias (M, m)."""
    if len(a) == 1 and _onednn and a.device.type == "cpu" and a.dtype == torch.float32:
        return _onednn(a[0], b[0], None if bias is None else bias[0], "none", [], "")[None]
    return torch.bmm(a, b.mT) if bias is None else torch.baddbmm(bias[:, None], a, b.mT)
