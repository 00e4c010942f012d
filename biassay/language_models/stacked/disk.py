"""How many models' training the disk has room for."""

import errno
import logging
import shutil
from pathlib import Path

CHECKPOINT = 12  # bytes of a weight and its two moments, each in single precision
SHARE = 0.95  # of the room to be used


def available_bytes(folder: Path) -> int:
    """Bytes that a training may take in its folder: those free, and those that its own files take already."""
    free, files = shutil.disk_usage(folder).free, list(folder.iterdir())
    try:
        return free + sum(file.stat().st_blocks * 512 for file in files)
    except FileNotFoundError:  # a draft that has taken its place meanwhile
        return available_bytes(folder)


def required_bytes(models: int, weights: int, outputs: int, checkpoints: bool) -> int:
    """Bytes of a training on disk at most: its outputs, and a chunk's checkpoint beside the draft of the next one.

    models: of the chunk. weights: number of a model's weights.
    """
    return outputs + checkpoints * 2 * CHECKPOINT * weights * models


def models_at_once(weights: int, outputs: int, checkpoints: bool, free: int) -> int:
    """Models of a chunk that the disk has room for, at least 1."""
    if not checkpoints:
        return 1 << 30
    return max(1, int((SHARE * free - outputs) / (2 * CHECKPOINT * weights)))


def check(folder: Path, models: int, weights: int, outputs: int, checkpoints: bool) -> None:
    """Raise OSError where the room does not suffice for a chunk of so many models."""
    of_training, there = required_bytes(models, weights, outputs, checkpoints), available_bytes(folder)
    told = f"{of_training / 1e9:,.2f} GB of disk are needed at most, {there / 1e9:,.2f} GB are there"
    if of_training > there:
        parts = f"{outputs / 1e9:,.2f} GB for weights"
        if checkpoints:
            parts += f", the rest for two checkpoints of {models} models; storage: float16 halves the former,"
            parts += " at_once: fewer models or checkpoint_every: 0 the latter"
        raise OSError(errno.ENOSPC, f"{told} ({parts})", str(folder))
    logging.info("%s: %s", folder, told)
