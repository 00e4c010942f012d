"""What a step of several models is given: their batches, padded to one shape, seeds and learning rates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.dropout import split_seeds
from biassay.language_models.transfer import to_device

BETAS = (0.9, 0.999)  # of AdamW, as torch and transformers' Trainer have them


class Batch(NamedTuple):
    """Sentences of M models, B each, padded to L tokens; the sentences of padding have share 0.

    ids: (M, B, L). lengths, positions, labels: (M, B). shares: (M, B) weight of a sentence in its model's loss.
    On the host: sizes: each model's own sentences, and tokens of their longest. full: whether no sentence has padding.
    """

    ids: torch.Tensor
    lengths: torch.Tensor
    positions: torch.Tensor
    labels: torch.Tensor
    shares: torch.Tensor
    sizes: list[tuple[int, int]]
    full: bool


class Step(NamedTuple):
    """A step of M models.

    seeds, now: of each model, on the host: of its dropout in this step, and its learning rate. keys: (M, 2) int32, the
    seeds' halves. rates: (M,) learning rates as torch's AdamW takes them: float64 on a CPU, else float32. count: ()
    float32, steps taken with this one. corrections: (2,) float32, by which AdamW divides a moment: 1 − β₁^count, and
    √(1 − β₂^count).
    """

    batch: Batch
    seeds: list[int]
    now: list[float]
    keys: torch.Tensor
    rates: torch.Tensor
    count: torch.Tensor
    corrections: torch.Tensor


def stack_batches(parts: Sequence[MaskedSentences], device: torch.device) -> Batch:
    """One batch a model as one, padded to the most sentences and the longest of all."""
    arrays, sizes, full = _padded(parts)
    return Batch(*to_device(arrays, device), sizes, full)


def prepare_step(
    parts: Sequence[MaskedSentences], seeds: list[int], rates: list[float], step: int, device: torch.device, width: int = 0
) -> Step:
    """What a step (from 0) of models needs, all in one copy to the device. width: tokens that it has at least."""
    arrays, sizes, full = _padded(parts, width)
    exact = np.float64 if device.type == "cpu" else np.float32
    corrections = 1 - BETAS[0] ** (step + 1), (1 - BETAS[1] ** (step + 1)) ** 0.5
    others = [split_seeds(seeds), np.array(rates, exact), np.array(step + 1, np.float32), np.array(corrections, np.float32)]
    moved = to_device([*arrays, *others], device)
    return Step(Batch(*moved[: len(arrays)], sizes, full), seeds, rates, *moved[len(arrays) :])


def _padded(parts: Sequence[MaskedSentences], width: int = 0) -> tuple[list[np.ndarray], list[tuple[int, int]], bool]:
    sizes = [(len(part), int(part.lengths.max())) for part in parts]
    most, longest = (max(column) for column in zip(*sizes, (0, width), strict=True))
    ids = np.zeros((len(parts), most, longest), np.int64)
    lengths, positions, labels = (np.zeros((len(parts), most), np.int64) for _ in range(3))
    shares = np.zeros((len(parts), most), np.float32)
    lengths += 1  # attention over no token at all would give NaN
    for i, (part, (n, own)) in enumerate(zip(parts, sizes, strict=True)):
        ids[i, :n, :own], lengths[i, :n] = part.ids[:, :own], part.lengths
        positions[i, :n], labels[i, :n], shares[i, :n] = part.positions, part.labels, 1 / n
    return [ids, lengths, positions, labels, shares], sizes, bool((lengths == longest).all())
