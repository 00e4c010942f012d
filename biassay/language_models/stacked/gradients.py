"""Gradients of a step: for stacked encoders at once, or for any masked language models one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch.func import functional_call

from biassay.language_models.stacked.architectures import Architecture
from biassay.language_models.stacked.batches import Batch
from biassay.language_models.stacked.dropout import Dropout
from biassay.language_models.stacked.encoder import Encoder

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class StackedGradients:
    """Gradients of encoders that can be stacked: one pass for all models."""

    architecture: Architecture
    dropout: float
    dtype: torch.dtype  # of products
    parallel = True  # models do not depend on each other or on torch's own generator

    def gradients(self, weights: Tensors, batch: Batch, seeds: Sequence[int]) -> tuple[torch.Tensor, Tensors]:
        """Compute losses (M,) and gradients (M, …) by name; seeds: of each model's dropout."""
        leaves = {name: weight.detach().requires_grad_() for name, weight in weights.items()}
        table = weights[self.architecture.embeddings[0]]
        models = torch.arange(len(table), device=table.device)[:, None, None]
        words = table.detach()[models, batch.ids].requires_grad_()
        encoder = Encoder(self.architecture, leaves, Dropout(self.dropout, seeds, table.device), self.dtype)
        losses = encoder.losses(words, batch)
        of_words, *values = torch.autograd.grad(losses.sum(), [words, *leaves.values()])
        gradients = dict(zip(leaves, values, strict=True))
        # The embeddings and the head share a table: add their gradients without a second dense gradient.
        rows = (batch.ids + models * table.shape[1]).flatten()
        of_table = gradients[self.architecture.embeddings[0]].view(-1, table.shape[-1])
        of_table.index_add_(0, rows, of_words.flatten(0, 2))
        return losses.detach(), gradients


@dataclass(frozen=True)
class SequentialGradients:
    """Gradients of any masked language models of the transformers library: one pass per model, with its own class."""

    model: torch.nn.Module
    dtype: torch.dtype  # of products
    parallel = False  # dropout uses torch's own generator

    def gradients(self, weights: Tensors, batch: Batch, seeds: Sequence[int]) -> tuple[torch.Tensor, Tensors]:
        """Compute losses and gradients as `StackedGradients`; weights that do not change the loss have no gradient."""
        losses, values = [], []
        with torch.random.fork_rng([batch.ids.device] if batch.ids.is_cuda else []):
            for i, seed in enumerate(seeds):
                torch.manual_seed(seed)
                leaves = {name: weight[i].detach().requires_grad_() for name, weight in weights.items()}
                loss = self._loss(leaves, batch, i)
                losses.append(loss.detach())
                values.append(torch.autograd.grad(loss, list(leaves.values()), allow_unused=True))
        used = {
            name: parts for name, parts in zip(weights, zip(*values, strict=True), strict=True) if None not in parts
        }
        return torch.stack(losses), {name: torch.stack(parts) for name, parts in used.items()}

    def _loss(self, leaves: Tensors, batch: Batch, i: int) -> torch.Tensor:
        width, lengths = batch.widths[i], batch.lengths[i]  # without columns of padding, on which dropout would depend
        ids = batch.ids[i, :, :width]
        mask = (torch.arange(width, device=ids.device) < lengths[:, None]).long()
        ids = ids.masked_fill(mask == 0, self.model.config.pad_token_id or 0)
        with torch.autocast(ids.device.type, self.dtype, enabled=self.dtype != torch.float32):
            logits = functional_call(self.model, leaves, (ids,), {"attention_mask": mask}).logits
        chosen = logits[torch.arange(len(ids), device=ids.device), batch.positions[i]].float()
        return torch.nn.functional.cross_entropy(chosen, batch.labels[i])
