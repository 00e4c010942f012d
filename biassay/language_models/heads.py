"""Classification heads on stored vectors: two linear layers, as same-2024 puts them on frozen encoders.

Every fold, learning rate and variant of the vectors (such as debiased ones) has a head of its own. All are trained in
one call, many at a time, with the result that each has alone.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from biassay.language_models.head_training import Plan, train_heads
from biassay.numerics.folds import shuffle_by_kind
from biassay.numerics.seeds import seed_of
from biassay.support import guard

RATES = (5e-3, 1e-3, 5e-4, 1e-4, 5e-5, 1e-5, 5e-6)
RECALLS = 0.01, 1.0  # a head that finds nothing of a class, or all by finding it everywhere, does not count
VALIDATION = 31  # purpose of a seed


@dataclass(frozen=True)
class Heads:
    """What heads say of n texts, each by the head that has not seen it.

    probabilities: (variants, n, classes). folds: (n,). rates: (variants, folds) the chosen learning rates. scores:
    (variants, folds, rates) weighted F1 on the validation part. valid: (variants, folds) whether the chosen rate
    counts. attempts: (variants, folds) trainings until one did, or as many as were allowed.
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

    @classmethod
    def open(cls, path: str | Path) -> "Heads":
        """Read what `save` wrote; raises ValueError, naming the file, for anything else."""
        with guard.reading(path, "file of heads"), np.load(path, allow_pickle=False) as found:
            return cls(**{name: found[name] for name in cls.__annotations__})


def cross_validate(
    vectors: np.ndarray, labels: np.ndarray, folds: np.ndarray, *, rates: Sequence[float] = RATES, epochs: int = 5,
    batch: int = 32, validation: float = 0.1, recalls: tuple[float, float] = RECALLS, attempts: int = 3, seed: int = 1,
    device: str = "auto",
) -> Heads:  # fmt: skip
    """Train and choose heads on vectors (variants, n, d) of n texts with labels (n, classes) of 0 and 1, several
    allowed, in folds (n,) numbered from 0.

    A head has a hidden layer of d units with ReLU; its loss is the binary cross-entropy of logits, positives of a class
    weighted by negatives / positives of the training part; RMSprop, an epoch's batches of nearly the same size. A share
    `validation` of a fold's training part, the same for all variants and rates, chooses the rate by weighted F1, among
    those that count: the recall of every class that is there lies above the first of `recalls`, and below the second
    unless the class is not found in every text (the paper's code asks for less than 1 of any, which good heads miss
    where a part has few texts of a class). Where there is none, all rates of the fold and variant are trained again
    from another seed, `attempts` times at most, and if none counts then, the highest F1 of all is taken.

    A CPU's threads train a stack each, what they give does not depend on their number. Memory: the vectors, for each
    thread 12 d² bytes a head of a stack, CACHE at most or one head, and n × classes × 4 bytes a variant and rate.
    Raises ValueError for shapes that do not fit, values that are not finite, options out of range, a class without
    positives or negatives in some training part, and probabilities that are not finite.
    """
    vectors = np.require(vectors, np.float32, ["C", "W"])
    labels, folds = np.require(labels, np.float32, ["C", "W"]), np.asarray(folds)
    _check(vectors, labels, folds, rates, {"epochs": epochs, "batch": batch, "attempts": attempts}, validation)
    parts = [_split(np.flatnonzero(folds != fold), labels, validation, seed_of(seed, VALIDATION, fold))
             for fold in range(int(folds.max()) + 1)]  # fmt: skip
    positive = np.stack([_positive_weight(labels, part[0], fold) for fold, part in enumerate(parts)])
    where = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
    given, ground_truth, positive = (torch.from_numpy(array).to(where) for array in (vectors, labels, positive))
    plan = Plan(given, ground_truth, folds, parts, positive, tuple(rates), tuple(recalls), epochs, batch, seed)
    found = _nothing(len(vectors), labels.shape, folds, len(parts), len(rates))
    for attempt in range(attempts):
        lots = [tuple(lot) for lot in np.argwhere(~found.valid).tolist()]
        if attempt and lots:
            logging.info("heads: no learning rate counts in %d of %d folds; trained again", len(lots), found.valid.size)
        for lot, said, scores, valid in train_heads(replace(plan, attempt=attempt), lots):
            _update(found, plan.rates, lot, said, scores, valid)
    if not np.isfinite(found.probabilities).all():
        variant, text = np.argwhere(~np.isfinite(found.probabilities).all(axis=2))[0]
        raise ValueError(
            f"heads: fold {folds[text]} of variant {variant}: the training diverged; the largest value of a vector is "
            f"{np.abs(vectors).max():.3g}; lower the learning rates ({', '.join(f'{rate:g}' for rate in rates)})"
        )
    return found


def _nothing(variants: int, labels: tuple[int, int], folds: np.ndarray, count: int, rates: int) -> Heads:
    """Before the first attempt."""
    shape = variants, count
    return Heads(
        np.empty((variants, *labels), np.float32), folds, np.full(shape, np.nan), np.full((*shape, rates), -1.0),
        np.zeros(shape, bool), np.zeros(shape, np.int64),
    )  # fmt: skip


def _update(found: Heads, rates, lot: tuple[int, int], said: np.ndarray, scores: np.ndarray, valid: np.ndarray) -> None:
    """Take over the best rate of an attempt, if it counts or none before was better."""
    found.attempts[lot] += 1
    best = int(np.where(valid, scores, scores - 2 * valid.any()).argmax())
    if valid.any() or scores[best] > found.scores[lot].max():
        found.probabilities[lot[0], found.folds == lot[1]] = said[best]
        found.rates[lot], found.scores[lot], found.valid[lot] = rates[best], scores, valid.any()


def _split(rows: np.ndarray, labels: np.ndarray, validation: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows to train on, and at least one to validate with, which have their share of every set of classes."""
    order = rows[shuffle_by_kind(labels[rows], seed)]
    held = max(1, round(validation * len(rows)))
    chosen = np.zeros(len(rows), bool)
    chosen[((np.arange(held) + 0.5) * len(rows) / held).astype(int)] = True
    return np.sort(order[~chosen]), np.sort(order[chosen])


def _positive_weight(labels: np.ndarray, train: np.ndarray, fold: int) -> np.ndarray:
    positives = labels[train].sum(axis=0)
    for what, counts in (("positives", positives), ("negatives", len(train) - positives)):
        if not counts.all():
            raise ValueError(
                f"fold {fold}: class {int(counts.argmin())} has no {what} among the {len(train)} texts to train on"
            )
    return (len(train) - positives) / positives


def _check(vectors, labels, folds, rates, counts: dict[str, int], validation: float) -> None:
    if vectors.ndim != 3 or labels.ndim != 2 or folds.shape != labels.shape[:1] or vectors.shape[1] != len(labels):
        raise ValueError(
            f"vectors {vectors.shape}, labels {labels.shape}, folds {folds.shape}: must be of the same texts"
        )
    if not vectors.size or not labels.size:
        raise ValueError(f"vectors {vectors.shape}, labels {labels.shape}: empty")
    if not np.isfinite(vectors).all() or not np.isin(labels, (0, 1)).all():
        raise ValueError("vectors must be finite, and labels 0 or 1")
    if len(found := np.unique(folds)) < 2 or not np.array_equal(found, np.arange(len(found))):
        raise ValueError(f"folds: {found[:6].tolist()}; give two or more, numbered from 0")
    if not len(rates) or not all(0 < rate < np.inf for rate in rates):
        raise ValueError(f"rates: {list(rates)}; give one or more, above 0")
    for name, value in counts.items():
        if value < 1:
            raise ValueError(f"{name}: {value}; give 1 or more")
    if not 0 < validation < 1:
        raise ValueError(f"validation: {validation}; give a share between 0 and 1")
