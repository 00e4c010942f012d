"""Which sentences go into which batch, the learning rate of a step, and one number for all that a result depends on."""

import math

import numpy as np

WINDOW = 16  # batches whose sentences are sorted by length together


def schedule(lengths: np.ndarray, batch: int, epochs: int, seed: int) -> list[np.ndarray]:
    """Rows of each batch, one array a step; each epoch goes through all sentences once.

    lengths: (n,) tokens of the sentences. The order is random by `seed`; within a window of 16 batches sentences are
    sorted by length, so that a batch needs little padding. The order of short and long batches in a window is random
    too, but the same for all seeds: models trained side by side then have batches of like length at a step.
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
    """Learning rate of a step (from 0) of so many: up to `peak` in a share `warmup` of them, then down, linearly."""
    up = math.ceil(warmup * steps)
    return peak * (step / up if step < up else (steps - step) / (steps - up))


def mix_seeds(*numbers: int) -> int:
    """64 random bits that depend on all the numbers (each ≥ 0)."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
