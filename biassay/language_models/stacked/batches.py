"""Inputs of a step of several models: their batches, padded to one shape, seeds and learning rates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.dropout import split_seeds
from biassay.language_models.transfer import to_device

BETAS = (0.9, 0.999)  # of AdamW, as in torch and transformers' Trainer


class Batch(NamedTuple):
    """Sentences of M models, B each, padded to L tokens; the sentences of padding have share 0.

    ids: (M, B, L). lengths, positions, labels: (M, B). shares: (M, B) weight of a sentence in its model's loss.
    On the host: sizes: number of each model's sentences, and tokens of the longest. full: whether nothing is padded.
    """

    ids: torch.Tensor
    lengths: torch.Tensor
    positions: torch.Tensor
    labels: torch.Tensor
    shares: torch.Tensor
    sizes: list[tuple[int, int]]
    full: bool


class Step(NamedTuple):
    """Inputs of a step of M models.

    On the host: seeds of each model's dropout in this step; host_rates: each model's learning rate. keys: (M, 2) int32,
    the halves of the seeds. rates: (M,) learning rates for torch's AdamW: float64 on a CPU, else float32. count: ()
    float32, number of steps with this one. corrections: (2,) float32, bias corrections of AdamW: 1 − β₁^count, and
    √(1 − β₂^count).
    """

    batch: Batch
    seeds: list[int]
    host_rates: list[float]
    keys: torch.Tensor
    rates: torch.Tensor
    count: torch.Tensor
    corrections: torch.Tensor


def stack_batches(parts: Sequence[MaskedSentences], device: torch.device) -> Batch:
    """Combine one batch per model, padded to the largest number of sentences and the longest sentence."""
    arrays, sizes, full = _padded(parts)
    return Batch(*to_device(arrays, device), sizes, full)


def prepare_step(
    parts: Sequence[MaskedSentences],
    seeds: list[int],
    rates: list[float],
    step: int,
    device: torch.device,
    min_width: int = 0,
) -> Step:
    """Copy the inputs of a step (from 0) to the device at once. min_width: smallest number of tokens of the batch."""
    arrays, sizes, full = _padded(parts, min_width)
    exact = np.float64 if device.type == "cpu" else np.float32
    corrections = 1 - BETAS[0] ** (step + 1), (1 - BETAS[1] ** (step + 1)) ** 0.5
    numbers = [
        split_seeds(seeds), np.array(rates, exact), np.array(step + 1, np.float32), np.array(corrections, np.float32)
    ]  # fmt: skip
    moved = to_device([*arrays, *numbers], device)
    return Step(Batch(*moved[: len(arrays)], sizes, full), seeds, rates, *moved[len(arrays) :])


def _padded(
    parts: Sequence[MaskedSentences], min_width: int = 0
) -> tuple[list[np.ndarray], list[tuple[int, int]], bool]:
    sizes = [(len(part), int(part.lengths.max())) for part in parts]
    n_sentences, width = (max(column) for column in zip(*sizes, (0, min_width), strict=True))
    ids = np.zeros((len(parts), n_sentences, width), np.int64)
    lengths, positions, labels = (np.zeros((len(parts), n_sentences), np.int64) for _ in range(3))
    shares = np.zeros((len(parts), n_sentences), np.float32)
    lengths += 1  # attention over no token at all would give NaN
    for i, (part, (n, own)) in enumerate(zip(parts, sizes, strict=True)):
        ids[i, :n, :own], lengths[i, :n] = part.ids[:, :own], part.lengths
        positions[i, :n], labels[i, :n], shares[i, :n] = part.positions, part.labels, 1 / n
    return [ids, lengths, positions, labels, shares], sizes, bool((lengths == width).all())
