"""Gradients of a step: for stacked encoders at once, or for any masked language models one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch.func import functional_call

from biassay.language_models.stacked.architectures import Architecture
from biassay.language_models.stacked.batches import Batch, Step
from biassay.language_models.stacked.dropout import Dropout
from biassay.language_models.stacked.encoder import Encoder, pad_rows, row_multiple
from biassay.language_models.stacked.optimizer import Stack

Tensors = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class StackedGradients:
    """Gradients of encoders that can be stacked: one pass for all models."""

    architecture: Architecture
    dropout: float
    dtype: torch.dtype  # of products
    fused: bool = False  # whether dropout uses our own kernel, which needs Triton
    parallel = True  # models do not depend on each other or on torch's own generator

    def rounded(self, weights: Tensors) -> dict[str, torch.Tensor]:
        """Copy the weights of products (M, …) in their type, the vocabulary's with rows padded to `row_multiple`."""
        copies = {name: weights[name].to(self.dtype) for name in sorted(self.architecture.products())}
        for name in (self.architecture.embeddings[0], self.architecture.bias):
            rows = copies[name].shape[1]
            copies[name] = pad_rows(copies[name], -rows % row_multiple(copies[name].device, self.dtype))
        return copies

    def gradients(self, stack: Stack, step: Step) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Compute losses (M,) and gradients (M, …) by name; for weights in stack.rounded, gradients of the copies."""
        batch, weights = step.batch, stack.weights
        leaves = {name: weight.detach().requires_grad_() for name, weight in {**weights, **stack.rounded}.items()}
        rounded = {name: leaves[name] for name in stack.rounded}
        single = {name: weight if name in rounded else leaves[name] for name, weight in weights.items()}
        table = weights[self.architecture.embeddings[0]]
        models = torch.arange(len(table), device=table.device)[:, None, None]
        words = table.detach()[models, batch.ids].requires_grad_()
        dropout = Dropout(self.dropout, step.keys, self.fused)
        losses = Encoder(self.architecture, single, dropout, self.dtype, rounded).losses(words, batch)
        of_words, *values = torch.autograd.grad(losses.sum(), [words, *leaves.values()])
        gradients = dict(zip(leaves, values, strict=True))
        # The embeddings and the head share a table: add their gradients without a second dense gradient.
        rows = (batch.ids + models * table.shape[1]).flatten()
        of_table = gradients[self.architecture.embeddings[0]]
        if rounded:  # in single precision, because many sentences add to a token's row
            of_table = of_table[:, : table.shape[1]].float().contiguous()
            gradients[self.architecture.embeddings[0]] = of_table
        of_table.view(-1, table.shape[-1]).index_add_(0, rows, of_words.flatten(0, 2).to(of_table.dtype))
        return losses.detach(), gradients


@dataclass(frozen=True)
class SequentialGradients:
    """Gradients of any masked language models of the transformers library: one pass per model, with its own class."""

    model: torch.nn.Module
    dtype: torch.dtype  # of products
    parallel = False  # dropout uses torch's own generator

    def gradients(self, stack: Stack, step: Step) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Compute losses and gradients as `StackedGradients`; weights that do not change the loss have no gradient."""
        losses, values, batch, weights = [], [], step.batch, stack.weights
        devices = [batch.ids.device] if batch.ids.is_cuda else []
        with torch.random.fork_rng(devices):
            for i, seed in enumerate(step.seeds):
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
        n, width = batch.sizes[i]  # without padded sentences, because dropout must not depend on them
        ids, lengths = batch.ids[i, :n, :width], batch.lengths[i, :n]
        mask = (torch.arange(width, device=ids.device) < lengths[:, None]).long()
        ids = ids.masked_fill(mask == 0, self.model.config.pad_token_id or 0)
        with torch.autocast(ids.device.type, self.dtype, enabled=self.dtype != torch.float32):
            logits = functional_call(self.model, dict(leaves), (ids,), {"attention_mask": mask}).logits
        chosen = logits[torch.arange(n, device=ids.device), batch.positions[i, :n]].float()
        return torch.nn.functional.cross_entropy(chosen, batch.labels[i, :n])
