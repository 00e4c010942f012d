"""Seeds of single random choices, derived from the main seed."""

import numpy as np

RESOLUTION = 10_000  # numbers in seeds are rounded to 1 / RESOLUTION


def step(value: float) -> int:
    """Convert a number to an integer for use in a seed."""
    return round(value * RESOLUTION)


def seed_of(seed: int, purpose: int, *parts: int) -> int:
    """Derive a 32-bit seed from the main seed, a purpose and further numbers."""
    return int(np.random.SeedSequence([seed, purpose, *parts]).generate_state(1)[0])
