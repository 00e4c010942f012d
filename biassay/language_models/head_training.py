"""Training of all heads of a cross-validation: how they are stacked, their batches and their validation scores."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from biassay.core.logs import Progress
from biassay.language_models.head_stack import Stack, batches, layers
from biassay.language_models.stacked.chunk import trains_separately, workers
from biassay.statistics.seeds import seed_of

CACHE, MEMORY = 8 << 20, 4 << 30  # bytes of a stack's weights on a CPU, and on a GPU
SLICE = 1 << 20  # numbers of a hidden layer computed at once
START, ORDER = 32, 33  # purposes of seeds
Job = tuple[int, int]  # a variant and a fold
Result = tuple[np.ndarray, np.ndarray, np.ndarray]  # of the heads of a job: probabilities, scores, validity


@dataclass(frozen=True)
class Plan:
    """The texts of all heads and the settings of their training.

    vectors: (variants, n, d). labels, folds: (n, classes) and (n,). parts: training and validation rows by fold.
    positive: (folds, classes) weights of positives. attempt: part of the seeds of weights and orders.
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


def train_heads(plan: Plan, jobs: list[Job]) -> Iterator[tuple[Job, *Result]]:
    """Train the heads of variants and folds.

    Yields each job with the results of its heads for all rates: probabilities of the fold's texts (rates, texts,
    classes), validation scores (rates,), and whether the heads are valid (rates,).
    """
    stacks = list(_stacks(plan, jobs))
    progress = Progress("training heads", len(jobs) * len(plan.rates), "heads")
    partial_results: dict[Job, list[Result]] = {}
    with workers(len(stacks) or 1, True, plan.vectors.device) as pool:
        results = (pool.map if pool else map)(lambda stack: _train(plan, *stack), stacks)
        for (stack_jobs, rates), heads in zip(stacks, results, strict=True):
            progress.add(len(stack_jobs) * len(rates))
            for job, result in zip(stack_jobs, heads, strict=True):
                partial_results.setdefault(job, []).append(result)
                if sum(len(scores) for _, scores, _ in partial_results[job]) == len(plan.rates):
                    yield job, *map(np.concatenate, zip(*partial_results.pop(job), strict=True))


def _stacks(plan: Plan, jobs: list[Job]) -> Iterator[tuple[list[Job], tuple[float, ...]]]:
    """Yield the jobs and rates whose heads are trained together.

    On a CPU these are heads of one fold, which share their batches, as many as fit in the cache; on a GPU, as many as
    fit in MEMORY.
    """
    width, rates, separate = plan.vectors.shape[2], plan.rates, trains_separately(plan.vectors.device)
    n_heads = max(1, (CACHE if separate else MEMORY) // (12 * width**2))
    size = 1 if separate else max(1, n_heads // len(rates))
    for first in range(0, len(jobs), size):
        for rate in range(0, len(rates), n_heads):
            yield jobs[first : first + size], rates[rate : rate + n_heads]


def _train(plan: Plan, jobs: list[Job], rates: tuple[float, ...]) -> list[Result]:
    """Train a stack; the results of each job for these rates."""
    (_, n, width), device, variants = plan.vectors.shape, plan.vectors.device, [variant for variant, _ in jobs]
    starts, orders = ([seed_of(plan.seed, kind, fold, plan.attempt) for _, fold in jobs] for kind in (START, ORDER))
    seeds = [seed for seed in starts for _ in rates]
    stack = Stack(width, plan.labels.shape[1], seeds, rates * len(jobs), device)
    folds = sorted({fold for _, fold in jobs})
    odds = torch.stack([plan.labels * plan.positive[fold] for fold in folds])
    texts, odds, both = (table.flatten(0, 1) for table in (plan.vectors, odds, odds + 1 - plan.labels))
    tables = variants, [folds.index(fold) for _, fold in jobs]
    offsets = [torch.tensor(numbers)[:, None] * n for numbers in tables]
    for rows, shares in batches([plan.parts[fold][0] for _, fold in jobs], plan.epochs, plan.batch, orders):
        text_rows, label_rows = ((rows + offset).to(device).unbind() for offset in offsets)
        for text, label, share in zip(text_rows, label_rows, (shares / odds.shape[1]).to(device).unbind(), strict=True):
            inputs = _per_head(texts[text], len(rates)).expand(len(seeds), -1, -1)
            stack.step(inputs, *(_per_head(part, len(rates)) for part in (odds[label], both[label], share)))
    return [_result(plan, job, [part[i * len(rates) : (i + 1) * len(rates)] for part in stack.weights])
            for i, job in enumerate(jobs)]  # fmt: skip


def _per_head(part: torch.Tensor, n_rates: int) -> torch.Tensor:
    """Repeat the values of V jobs (V, …) for each of their heads (V · n_rates, …); a single job needs no copies."""
    return part.repeat_interleave(n_rates, 0) if len(part) > 1 else part


def _result(plan: Plan, job: Job, weights: list[torch.Tensor]) -> Result:
    variant, fold = job
    validation = plan.parts[fold][1]
    predicted = _predict(weights, plan.vectors[variant], validation) > 0.5
    probabilities = _predict(weights, plan.vectors[variant], np.flatnonzero(plan.folds == fold))
    return probabilities, *score_heads(predicted, plan.labels.numpy(force=True)[validation] == 1, plan.recalls)


def score_heads(
    predicted: np.ndarray, ground_truth: np.ndarray, recall_limits: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Compute weighted F1 of M heads, and whether each head is valid.

    A head is valid if every recall lies strictly between the limits; the upper limit applies only to classes that the
    head predicts for every text. Classes without texts are ignored.

    Parameters
    ----------
    predicted
        Predicted classes, (M, texts, classes) bool.
    ground_truth
        Actual classes, (texts, classes) bool.

    Returns
    -------
    F1 (M,) and validity (M,).
    """
    n_texts = ground_truth.sum(axis=0)
    hits, n_predicted = (predicted & ground_truth).sum(axis=1), predicted.sum(axis=1)
    scores = 2 * hits / np.maximum(1, n_predicted + n_texts) @ n_texts / max(1, n_texts.sum())
    present = n_texts > 0
    recalls = hits[:, present] / n_texts[present]
    everywhere = predicted.all(axis=1)[:, present]
    low, high = recall_limits
    return scores, ((recalls > low) & ((recalls < high) | ~everywhere)).all(axis=1)


def _predict(weights: list[torch.Tensor], vectors: torch.Tensor, rows: np.ndarray) -> np.ndarray:
    """Compute the probabilities of texts by M heads, (M, texts, classes), in slices of texts."""
    heads, parts = len(weights[0]), []
    for chosen in torch.from_numpy(rows).to(vectors.device).split(max(1, SLICE // (heads * vectors.shape[1]))):
        _, logits = layers(weights, vectors[chosen].expand(heads, -1, -1))
        parts.append(logits.sigmoid_().numpy(force=True))
    return np.concatenate(parts, axis=1)
