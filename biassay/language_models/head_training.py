"""Training of all heads of a cross-validation: which go together, their batches, and how each is judged."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from biassay.language_models.head_stack import Stack, batches, layers
from biassay.language_models.stacked.chunk import trains_separately, workers
from biassay.numerics.seeds import seed_of
from biassay.support.logs import Progress

CACHE, MEMORY = 8 << 20, 4 << 30  # bytes of a stack's weights on a CPU, and on a GPU
SLICE = 1 << 20  # numbers of a hidden layer at once
START, ORDER = 32, 33  # purposes of seeds
Lot = tuple[int, int]  # a variant and a fold
Said = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Plan:
    """The texts of all heads and how these are trained.

    vectors: (variants, n, d). labels, folds: (n, classes) and (n,). parts: rows to train on and to validate with, by
    fold. positive: (folds, classes) weights of positives. attempt: enters the seeds of weights and orders.
    """

    vectors: torch.Tensor
    labels: torch.Tensor
    folds: np.ndarray
    parts: list[tuple[np.ndarray, np.ndarray]]
    positive: torch.Tensor
    rates: tuple[float, ...]
    recalls: tuple[float, float]
    epochs: int
    batch: int
    seed: int
    attempt: int = 0


def train_heads(plan: Plan, lots: list[Lot]) -> Iterator[tuple[Lot, *Said]]:
    """Train the heads of variants and folds. Yield for each of these what its heads of all rates say of the fold's
    texts (rates, texts, classes), their scores (rates,), and whether they count (rates,)."""
    stacks = list(_stacks(plan, lots))
    progress = Progress("training heads", len(lots) * len(plan.rates), "heads")
    waiting: dict[Lot, list[Said]] = {}
    with workers(len(stacks) or 1, True, plan.vectors.device) as pool:
        done = (pool.map if pool else map)(lambda stack: _train(plan, *stack), stacks)
        for (chosen, rates), heads in zip(stacks, done, strict=True):
            progress.add(len(chosen) * len(rates))
            for lot, said in zip(chosen, heads, strict=True):
                waiting.setdefault(lot, []).append(said)
                if sum(len(scores) for _, scores, _ in waiting[lot]) == len(plan.rates):
                    yield lot, *map(np.concatenate, zip(*waiting.pop(lot), strict=True))


def _stacks(plan: Plan, lots: list[Lot]) -> Iterator[tuple[list[Lot], tuple[float, ...]]]:
    """Variants and folds, and rates, whose heads are trained together: of one fold, as many as stay in a CPU's cache,
    where heads of a fold share their batches; else as many as are small beside a GPU's memory."""
    width, rates, alone = plan.vectors.shape[2], plan.rates, trains_separately(plan.vectors.device)
    fit = max(1, (CACHE if alone else MEMORY) // (12 * width**2))
    size = 1 if alone else max(1, fit // len(rates))
    for first in range(0, len(lots), size):
        for rate in range(0, len(rates), fit):
            yield lots[first : first + size], rates[rate : rate + fit]


def _train(plan: Plan, lots: list[Lot], rates: tuple[float, ...]) -> list[Said]:
    """Train a stack: for each variant and fold what `trained` yields, of these rates."""
    (_, n, width), device, variants = plan.vectors.shape, plan.vectors.device, [variant for variant, _ in lots]
    starts, orders = ([seed_of(plan.seed, kind, fold, plan.attempt) for _, fold in lots] for kind in (START, ORDER))
    seeds = [seed for seed in starts for _ in rates]
    stack = Stack(width, plan.labels.shape[1], seeds, rates * len(lots), device)
    folds = sorted({fold for _, fold in lots})
    odds = torch.stack([plan.labels * plan.positive[fold] for fold in folds])
    texts, odds, both = (table.flatten(0, 1) for table in (plan.vectors, odds, odds + 1 - plan.labels))
    places = [torch.tensor(found)[:, None] * n for found in (variants, [folds.index(fold) for _, fold in lots])]
    for rows, shares in batches([plan.parts[fold][0] for _, fold in lots], plan.epochs, plan.batch, orders):
        of_texts, of_labels = ((rows + place).to(device).unbind() for place in places)
        for text, label, share in zip(of_texts, of_labels, (shares / odds.shape[1]).to(device).unbind(), strict=True):
            given = _of_heads(texts[text], len(rates)).expand(len(seeds), -1, -1)
            stack.step(given, *(_of_heads(part, len(rates)) for part in (odds[label], both[label], share)))
    return [_said(plan, lot, [part[i * len(rates) : (i + 1) * len(rates)] for part in stack.weights])
            for i, lot in enumerate(lots)]  # fmt: skip


def _of_heads(part: torch.Tensor, rates: int) -> torch.Tensor:
    """What V variants and folds have (V, …), for each of their heads (V rates, …); one's serves all its heads."""
    return part.repeat_interleave(rates, 0) if len(part) > 1 else part


def _said(plan: Plan, lot: Lot, weights: list[torch.Tensor]) -> Said:
    variant, fold = lot
    held = plan.parts[fold][1]
    found = _predict(weights, plan.vectors[variant], held) > 0.5
    said = _predict(weights, plan.vectors[variant], np.flatnonzero(plan.folds == fold))
    return said, *score_heads(found, plan.labels.numpy(force=True)[held] == 1, plan.recalls)


def score_heads(
    said: np.ndarray, ground_truth: np.ndarray, between: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Weighted F1 of M heads, (M,), and whether each counts, from what they find (M, texts, classes) and what there is:
    whether all recalls lie between these, ends excluded, the upper one for classes that are found in every text. A
    class of which no text is there has no weight and no say.
    """
    positives = ground_truth.sum(axis=0)
    hits, found = (said & ground_truth).sum(axis=1), said.sum(axis=1)
    scores = 2 * hits / np.maximum(1, found + positives) @ positives / max(1, positives.sum())
    there = positives > 0
    recalls = hits[:, there] / positives[there]
    everywhere = said.all(axis=1)[:, there]
    return scores, ((recalls > between[0]) & ((recalls < between[1]) | ~everywhere)).all(axis=1)


def _predict(weights: list[torch.Tensor], vectors: torch.Tensor, rows: np.ndarray) -> np.ndarray:
    """Probabilities of some texts by M heads, (M, texts, classes), in slices of texts."""
    heads, parts = len(weights[0]), []
    for chosen in torch.from_numpy(rows).to(vectors.device).split(max(1, SLICE // (heads * vectors.shape[1]))):
        _, logits = layers(weights, vectors[chosen].expand(heads, -1, -1))
        parts.append(logits.sigmoid_().numpy(force=True))
    return np.concatenate(parts, axis=1)
