"""Disk space of a training, and how many models it allows."""

import errno
import logging
import shutil
from pathlib import Path

CHECKPOINT = 12  # bytes of a weight and its two moments, each in single precision
SHARE = 0.95  # of the available space to use


def available_bytes(folder: Path) -> int:
    """Compute the bytes that a training can use in its folder: free space and the training's own files."""
    free, files = shutil.disk_usage(folder).free, list(folder.iterdir())
    try:
        return free + sum(file.stat().st_blocks * 512 for file in files)
    except FileNotFoundError:  # a draft was renamed meanwhile
        return available_bytes(folder)


def required_bytes(models: int, weights: int, outputs: int, checkpoints: bool) -> int:
    """Compute the largest disk usage of a training: its outputs, a chunk's checkpoint and the draft of the next one.

    models: of the chunk. weights: number of a model's weights. outputs: bytes.
    """
    return outputs + checkpoints * 2 * CHECKPOINT * weights * models


def models_at_once(weights: int, outputs: int, checkpoints: bool, free: int) -> int:
    """Compute how many models of a chunk fit on the disk, at least 1."""
    if not checkpoints:
        return 1 << 30
    return max(1, int((SHARE * free - outputs) / (2 * CHECKPOINT * weights)))


def check(folder: Path, models: int, weights: int, outputs: int, checkpoints: bool) -> None:
    """Raise OSError if the disk has too little space for a chunk of models."""
    required, available = required_bytes(models, weights, outputs, checkpoints), available_bytes(folder)
    message = f"needs up to {required / 1e9:,.2f} GB of disk space, {available / 1e9:,.2f} GB are available"
    if required > available:
        details = f"{outputs / 1e9:,.2f} GB for weights"
        if checkpoints:
            details += f", the rest for two checkpoints of {models} models; storage: float16 halves the former,"
            details += " fewer models at_once or checkpoint_every: 0 reduce the latter"
        raise OSError(errno.ENOSPC, f"{message} ({details})", str(folder))
    logging.info("%s: %s", folder, message)
