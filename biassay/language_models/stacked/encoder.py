"""Forward pass of M encoders at once: stacked weights (M, …) and one batch for each model.

It computes the same as the model's class in transformers, except that the last layer and the head work only at the
masked positions, because the loss depends on nothing else.
"""

from collections.abc import Mapping
from functools import cache

import torch
import torch.nn.functional as F

from biassay.language_models.stacked.architectures import Architecture, Layer
from biassay.language_models.stacked.batches import Batch
from biassay.language_models.stacked.dropout import MAX_LENGTH, Dropout

# On a CPU torch uses MKL for single precision, which is half as fast as oneDNN on processors not made by Intel.
_onednn = getattr(torch.ops.mkldnn, "_linear_pointwise", None) if torch.backends.mkldnn.is_available() else None


class Encoder:
    """M models with weights (M, …) by name, for one step.

    dtype: of products; sums of layers, normalisation, attention's softmax and the loss are in single precision.
    """

    def __init__(
        self, architecture: Architecture, weights: Mapping[str, torch.Tensor], dropout: Dropout, dtype: torch.dtype
    ):
        self.architecture, self.weights, self.dropout, self.dtype = architecture, weights, dropout, dtype

    def losses(self, words: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Compute each model's mean cross-entropy at its masks, (M,), from embeddings of the ids (M, B, L, e)."""
        logits = self.logits(words, batch).flatten(0, 1).float()
        losses = F.cross_entropy(logits, batch.labels.flatten(), reduction="none").view(batch.labels.shape)
        return (losses * (1 / losses.shape[1])).sum(1)

    def logits(self, words: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Compute the logits of the vocabulary at the masked positions: (M, B, |V|)."""
        models, sentences, length = batch.ids.shape
        device = words.device
        tokens = torch.arange(sentences, dtype=torch.int32, device=device)[:, None] * MAX_LENGTH
        tokens = (tokens + torch.arange(length, dtype=torch.int32, device=device)).expand(models, -1, -1)
        hidden = self._embed(words, tokens)
        padding = torch.arange(length, device=device) >= batch.lengths[..., None]
        blocked = None if batch.full else padding[:, :, None, None]
        *layers, last = self.architecture.layers
        for layer in layers:
            hidden = self._layer(layer, hidden, hidden, tokens, blocked)
        at = batch.positions[..., None]
        masked = hidden.gather(2, at[..., None].expand(-1, -1, -1, hidden.shape[-1]))
        masked = self._layer(last, masked, hidden, tokens.gather(2, at), blocked)
        return self._head(masked.squeeze(2))

    def _embed(self, words: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        architecture = self.architecture
        _, position, *token_type = (self.weights[name] for name in architecture.embeddings)
        positions = position[:, architecture.offset : architecture.offset + words.shape[2]]
        if token_type:
            positions = positions + token_type[0][:, :1]
        hidden = self._norm(words + positions[:, None], architecture.embedding_norm)
        hidden = self.dropout(hidden, tokens * hidden.shape[-1])
        return self._linear(hidden, architecture.mapping) if architecture.mapping else hidden

    def _layer(self, layer: Layer, x, context, tokens, blocked) -> torch.Tensor:
        """Compute a layer for tokens x (M, B, L', d), which attend to all of context (M, B, L, d)."""
        architecture = self.architecture
        rows = tokens * x.shape[-1]
        attended = self._linear(self._attention(layer, x, context, tokens, blocked), layer.out)
        if architecture.attention_dropout_out:
            attended = self.dropout(attended, rows)
        x = self._norm(x + attended, layer.attention_norm)
        fed = self._linear(_activation(architecture.activation)(self._linear(x, layer.up)), layer.down)
        if architecture.feed_forward_dropout:
            fed = self.dropout(fed, rows)
        return self._norm(x + fed, layer.norm)

    def _attention(self, layer: Layer, x, context, tokens, blocked) -> torch.Tensor:
        heads = self.architecture.heads
        query, key, value = (
            self._linear(inputs, name).unflatten(-1, (heads, -1)).transpose(2, 3)
            for inputs, name in ((x, layer.query), (context, layer.key), (context, layer.value))
        )
        scores = (query @ key.transpose(-1, -2)).float() * query.shape[-1] ** -0.5
        if blocked is not None:
            scores = scores.masked_fill(blocked, float("-inf"))
        head = torch.arange(heads, dtype=torch.int32, device=x.device)[:, None]
        rows = (tokens[:, :, None] * heads + head) * MAX_LENGTH  # (M, B, heads, L'), with at most MAX_LENGTH keys each
        weights = self.dropout(scores.softmax(-1), rows)
        return (weights.to(self.dtype) @ value).transpose(2, 3).flatten(3)

    def _head(self, masked: torch.Tensor) -> torch.Tensor:
        architecture = self.architecture
        masked = _activation(architecture.head_activation)(self._linear(masked, architecture.transform))
        masked = self._norm(masked, architecture.transform_norm)
        return self._map(masked, architecture.embeddings[0], architecture.bias)

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return self._map(x, f"{name}.weight", f"{name}.bias")

    def _map(self, x: torch.Tensor, weight: str, bias: str) -> torch.Tensor:
        return linear(*(part.to(self.dtype) for part in (x, self.weights[weight], self.weights[bias])))

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        if len(x) == 1:
            return F.layer_norm(x, x.shape[-1:], weight[0], bias[0], self.architecture.eps)
        weight, bias = (part.view(len(x), *[1] * (x.ndim - 2), -1) for part in (weight, bias))
        return torch.addcmul(bias, F.layer_norm(x, x.shape[-1:], eps=self.architecture.eps), weight)


@cache
def _activation(name: str) -> torch.nn.Module:
    from transformers.activations import ACT2FN  # its import takes seconds, and training of heads does not need it

    return ACT2FN[name]


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
