"""Checkpoint of a training, in one file that is replaced atomically; a killed job resumes from it."""

from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import safe_open

from biassay.core import guard
from biassay.language_models.stacked.files import Writer, replace
from biassay.language_models.stacked.optimizer import Stack

KIND = "checkpoint; remove it to restart this training"


class Checkpoint(NamedTuple):
    """State of a training: models before `first` are done, those of `stack` have finished `step` steps.

    stack: None between two chunks. losses: (models, steps), NaN for steps to come. Dropout and order follow from seed
    and step, so there is no state of a random generator.
    """

    first: int
    step: int
    losses: torch.Tensor
    stack: Stack | None


def save(path: Path, state: Checkpoint, fingerprint: str) -> None:
    """Write a checkpoint; the previous one stays until the new one is complete."""
    groups = vars(state.stack) if state.stack else {}
    tensors = {f"{group} {name}": part for group, parts in groups.items() for name, part in parts.items()}
    tensors["losses"] = state.losses
    metadata = {"fingerprint": fingerprint, "first": str(state.first), "step": str(state.step)}
    draft = path.with_suffix(".draft")
    writer = Writer(draft, {name: tuple(tensor.shape) for name, tensor in tensors.items()}, torch.float32, metadata)
    for name, tensor in tensors.items():
        writer.write(name, tensor)
    replace(draft, path)


def load(path: Path, fingerprint: str, device: torch.device) -> Checkpoint | None:
    """Load the checkpoint of this training, or None; raise ValueError, naming the file, if it is broken."""
    if not path.is_file():
        return None
    with guard.reading(path, KIND), safe_open(path, "pt", device=str(device)) as file:
        metadata = file.metadata()
        if metadata["fingerprint"] != fingerprint:
            return None
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key in file.keys():  # noqa: SIM118 (not a dictionary)
            group, _, name = key.partition(" ")
            groups.setdefault(group, {})[name] = file.get_tensor(key)
        losses = groups.pop("losses")[""].cpu()
        return Checkpoint(int(metadata["first"]), int(metadata["step"]), losses, Stack(**groups) if groups else None)
