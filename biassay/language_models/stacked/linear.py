"""Linear maps of M models at once."""

import torch

# On a CPU torch gives single precision to MKL, which is half as fast as oneDNN on processors that are not Intel's.
_onednn = getattr(torch.ops.mkldnn, "_linear_pointwise", None) if torch.backends.mkldnn.is_available() else None


def linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """x (M, …, in), weight (M, out, in), bias (M, out): (M, …, out)."""
    return _Linear.apply(x.flatten(1, -2), weight, bias).unflatten(1, x.shape[1:-1])


class _Linear(torch.autograd.Function):
    """As torch's own, but for oneDNN and for gradients of weights laid out as the weights: AdamW walks through both."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return _product(x, weight, bias)

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return _product(gradient, weight.mT), _product(gradient.mT, x.mT), gradient.sum(1)


def _product(a: torch.Tensor, b: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """a (M, n, k) times b (M, m, k) transposed, plus bias (M, m)."""
    if len(a) == 1 and _onednn and a.device.type == "cpu" and a.dtype == torch.float32:
        return _onednn(a[0], b[0], None if bias is None else bias[0], "none", [], "")[None]
    return torch.bmm(a, b.mT) if bias is None else torch.baddbmm(bias[:, None], a, b.mT)
