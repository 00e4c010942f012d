"""Files of a training: the stacked weights of many models, and its checkpoint."""

import os
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from biassay.core import guard


def save(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file; the previous one stays until the new one is complete."""
    draft = path.with_suffix(".draft")
    with guard.writing(draft):
        try:
            write(draft)
        except (SafetensorError, RuntimeError) as error:
            raise OSError(f"{path}: {error}; is the disk full?") from error
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(path)


def load_into(model: torch.nn.Module, folder: str | Path, i: int) -> None:
    """Load the weights of model i from a folder of `training.train` into a model of the transformers library.

    Raises ValueError, naming the file, if it is broken, has another architecture or no model i, or if a weight is not
    finite.
    """
    path = Path(folder) / "weights.safetensors"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; the training has not finished")
    own = dict(model.named_parameters())
    with guard.reading(path, "file of weights"), safe_open(path, "pt") as file, torch.no_grad():
        if set(file.keys()) != set(own):
            different = sorted(set(file.keys()) ^ set(own))
            raise ValueError(f"{path}: expected weights of this {type(model).__name__}; {different[0]} differs")
        for name, parameter in own.items():
            part = file.get_slice(name)
            models, *shape = part.get_shape()
            if not 0 <= i < models:
                raise ValueError(f"{path}: {name}: expected the number of a model from 0 to {models - 1}, got {i}")
            if tuple(shape) != tuple(parameter.shape):
                raise ValueError(f"{path}: {name}: expected the shape {tuple(parameter.shape)}, got {tuple(shape)}")
            parameter.copy_(part[i : i + 1][0])
            if not parameter.isfinite().all():
                raise ValueError(f"{path}: {name} of model {i} has values that are not finite (NaN or infinite)")
