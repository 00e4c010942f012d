"""Classification heads on stored vectors: two linear layers, as same-2024 adds them to frozen encoders.

Each fold, learning rate and variant of the vectors (such as debiased ones) has its own head. One call trains all of
them, many at a time, with the same result as training each alone.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from biassay.core import guard
from biassay.language_models.head_training import Job, Plan, train_heads
from biassay.statistics.folds import shuffle_by_kind
from biassay.statistics.seeds import seed_of

RATES = (5e-3, 1e-3, 5e-4, 1e-4, 5e-5, 1e-5, 5e-6)
VALIDATION_SHARE = 0.1  # of a training part, the same for all variants and rates
VALIDATION = 31  # purpose of a seed


@dataclass(frozen=True)
class Heads:
    """Predictions of heads for n texts, each by the head that was not trained on it.

    probabilities: (variants, n, classes). folds: (n,). rates: (variants, folds) chosen learning rates. scores:
    (variants, folds, rates) weighted F1 on the validation part. valid: (variants, folds) whether the head with the
    chosen rate is valid. attempts: (variants, folds) number of trainings.
    """

    probabilities: np.ndarray
    folds: np.ndarray
    rates: np.ndarray
    scores: np.ndarray
    valid: np.ndarray
    attempts: np.ndarray

    def save(self, path: str | Path) -> None:
        """Write an .npz file."""
        with guard.writing(path), open(path, "wb") as file:
            np.savez(file, **vars(self))


def cross_validate(
    vectors: np.ndarray, labels: np.ndarray, folds: np.ndarray, *, rates: Sequence[float] = RATES, epochs: int = 5,
    batch: int = 32, attempts: int = 3, seed: int = 1, device: str = "auto",
) -> Heads:  # fmt: skip
    """Train heads by cross-validation and choose their learning rates.

    A head has a hidden layer of d units with ReLU. Its loss is the binary cross-entropy of logits, with the positives
    of a class weighted by negatives / positives of the training part; the optimizer is RMSprop. The rate with the
    highest weighted F1 on the validation part is chosen among the valid heads: the recall of every class lies above
    0.01, and below 1 if the head predicts the class for every text. (The paper's code requires
    recalls below 1 always, which good heads fail if a part has few texts of a class.) If no head is valid, all rates of
    the fold and variant are trained again from another seed; after `attempts` trainings the highest F1 is chosen.

    Raises ValueError if a training part has no positives or no negatives of a class, or the training diverges. Memory:
    the vectors, 12 d² bytes per thread and head of a stack, and n × classes × 4 bytes per variant and rate.

    Parameters
    ----------
    vectors
        Vectors of n texts, (variants, n, d).
    labels
        Classes of the texts, (n, classes), 0 or 1; a text can have several.
    folds
        Fold of each text, (n,), numbered from 0.
    batch
        Largest number of texts in a batch; the batches of an epoch have nearly the same size.
    """
    vectors = np.require(vectors, np.float32, ["C", "W"])
    labels, folds = np.require(labels, np.float32, ["C", "W"]), np.asarray(folds)
    parts = [
        _split(np.flatnonzero(folds != fold), labels, seed_of(seed, VALIDATION, fold)) for fold in np.unique(folds)
    ]
    positive = np.stack([_positive_weight(labels, part[0], fold) for fold, part in enumerate(parts)])
    where = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
    tensors = (torch.from_numpy(array).to(where) for array in (vectors, labels, positive))
    plan = Plan(*tensors, folds, parts, tuple(rates), epochs, batch, seed)
    shape = len(vectors), len(parts)
    heads = Heads(
        np.empty((len(vectors), *labels.shape), np.float32), folds, np.full(shape, np.nan),
        np.full((*shape, len(rates)), -1.0), np.zeros(shape, bool), np.zeros(shape, np.int64),
    )  # fmt: skip
    for attempt in range(attempts):
        jobs = [tuple(job) for job in np.argwhere(~heads.valid).tolist()]
        if attempt and jobs:
            logging.info("heads: training %d of %d folds again: no head is valid", len(jobs), heads.valid.size)
        for job, probabilities, scores, valid in train_heads(plan, jobs, attempt):
            _update(heads, plan.rates, job, probabilities, scores, valid)
    if not np.isfinite(heads.probabilities).all():
        variant, text = np.argwhere(~np.isfinite(heads.probabilities).all(axis=2))[0]
        raise ValueError(
            f"heads: fold {folds[text]} of variant {variant}: the training diverged; the largest value of a vector is "
            f"{np.abs(vectors).max():.3g}; lower the learning rates ({', '.join(f'{rate:g}' for rate in rates)})"
        )
    return heads


def _update(heads: Heads, rates: Sequence[float], job: Job, probabilities, scores, valid) -> None:
    """Replace the head of a job by the best one of an attempt, if that is valid or better."""
    heads.attempts[job] += 1
    best = int(np.where(valid, scores, scores - 2 * valid.any()).argmax())
    if valid.any() or scores[best] > heads.scores[job].max():
        heads.probabilities[job[0], heads.folds == job[1]] = probabilities[best]
        heads.rates[job], heads.scores[job], heads.valid[job] = rates[best], scores, valid.any()


def _split(rows: np.ndarray, labels: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Split rows for training and validation (at least one), with the same shares of every set of classes."""
    order = rows[shuffle_by_kind(labels[rows], seed)]
    n_validation = max(1, round(VALIDATION_SHARE * len(rows)))
    chosen = np.zeros(len(rows), bool)
    chosen[((np.arange(n_validation) + 0.5) * len(rows) / n_validation).astype(int)] = True
    return np.sort(order[~chosen]), np.sort(order[chosen])


def _positive_weight(labels: np.ndarray, train: np.ndarray, fold: int) -> np.ndarray:
    positives = labels[train].sum(axis=0)
    for what, counts in (("positives", positives), ("negatives", len(train) - positives)):
        if not counts.all():
            number = int(counts.argmin())
            raise ValueError(f"fold {fold}: class {number} has no {what} among the {len(train)} training texts")
    return (len(train) - positives) / positives
