"""Training of one masked language model as transformers' examples do it, and sentences for it."""

import argparse

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.schedule import schedule
from biassay.language_models.stacked.training import load


def sentences(n: int, vocabulary: int, seed: int) -> MaskedSentences:
    """Sentences of 8 to 16 tokens, 12 in the mean as the study's templates have."""
    random = np.random.default_rng(seed)
    lengths = random.integers(8, 17, n)
    ids = random.integers(1000, vocabulary, (n, 16)).astype(np.int32)
    positions = random.integers(1, lengths - 1)
    ids[np.arange(n), positions] = 103
    return MaskedSentences(ids, lengths, positions, random.integers(1000, vocabulary, n))


class Plain:
    """One model trained as transformers' examples train it; `width`: tokens to pad to, None for the batch's longest."""

    def __init__(self, base: str, options: argparse.Namespace, width: int | None):
        self.model = load(base, options.dropout).to(options.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-5)
        self.data = sentences(16 * options.batch, self.model.config.vocab_size, 1)
        self.width, self.options = width, options
        self.rows = schedule(self.data.lengths, options.batch, 1000, seed=1)

    def take(self, count: int) -> None:
        """Train so many steps."""
        for rows in self.rows[:count]:
            part = self.data.take(rows)
            width = self.width or part.ids.shape[1]
            ids = np.zeros((len(part), width), np.int64)
            ids[:, : part.ids.shape[1]] = part.ids
            labels = np.full(ids.shape, -100)
            labels[np.arange(len(part)), part.positions] = part.labels
            mask = np.arange(width) < part.lengths[:, None]
            tensors = [torch.from_numpy(a).to(self.options.device) for a in (ids, mask.astype(np.int64), labels)]
            half = self.options.precision == "bf16"
            with torch.autocast(self.options.device, torch.bfloat16, enabled=half):
                loss = self.model(tensors[0], attention_mask=tensors[1], labels=tensors[2]).loss
            self.optimizer.zero_grad()
            loss.backward()
            if self.options.max_norm:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.options.max_norm)
            self.optimizer.step()
            loss.item()
