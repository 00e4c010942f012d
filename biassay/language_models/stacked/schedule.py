"""Schedule of a training: sentences of each batch, learning rate and seed of each step."""

import math

import numpy as np

WINDOW = 16  # batches whose sentences are sorted by length together


def schedule(lengths: np.ndarray, batch: int, epochs: int, seed: int) -> list[np.ndarray]:
    """List the rows of each batch, one array per step; each epoch has all sentences once.

    The sentences are shuffled by `seed`. Within a window of 16 batches they are sorted by length, so that batches need
    little padding. The order of the batches in a window is random too, but the same for all seeds, so that models
    trained together have batches of similar length in each step. lengths: tokens of the sentences, (n,).
    """
    steps = []
    for epoch in range(epochs):
        order = np.random.default_rng((seed, epoch)).permutation(len(lengths))
        for first in range(0, len(order), WINDOW * batch):
            rows = order[first : first + WINDOW * batch]
            rows = rows[np.argsort(lengths[rows], kind="stable")]
            batches = [rows[at : at + batch] for at in range(0, len(rows), batch)]
            steps += [batches[i] for i in np.random.default_rng((epoch, first)).permutation(len(batches))]
    return steps


def rate(step: int, steps: int, *, peak: float, warmup: float) -> float:
    """Compute the learning rate of a step (from 0): linearly up to `peak` in a share `warmup` of steps, then down."""
    up = math.ceil(warmup * steps)
    return peak * (step / up if step < up else (steps - step) / (steps - up))


def mix_seeds(*numbers: int) -> int:
    """Compute 64 random bits that depend on all the numbers (each ≥ 0)."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
