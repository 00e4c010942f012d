"""Seeds of single random choices, made from the seed of all."""

import numpy as np

RESOLUTION = 10_000  # numbers enter the seeds in this many steps of one


def step(value: float) -> int:
    """A number as it enters the seeds."""
    return round(value * RESOLUTION)


def seed_of(seed: int, purpose: int, *parts: int) -> int:
    """A seed of 32 bits for each purpose and what it is for."""
    return int(np.random.SeedSequence([seed, purpose, *parts]).generate_state(1)[0])
