"""Checkpoint of a training, in one file that is replaced atomically; a killed job resumes from it."""

from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import safe_open

from biassay.core import guard
from biassay.language_models.stacked import files
from biassay.language_models.stacked.optimizer import Stack


class Checkpoint(NamedTuple):
    """State of a training whose models have finished `step` steps.

    losses: (models, steps), NaN for steps to come. Dropout and order follow from seed and step, so there is no state of
    a random generator.
    """

    step: int
    losses: torch.Tensor
    stack: Stack


def save(path: Path, state: Checkpoint, fingerprint: str) -> None:
    """Write a checkpoint; the previous one stays until the new one is complete."""
    groups = vars(state.stack).items()
    tensors = {f"{group} {name}": part for group, parts in groups for name, part in parts.items()}
    tensors["losses"] = state.losses
    files.save(path, tensors, {"fingerprint": fingerprint, "step": str(state.step)})


def load(path: Path, fingerprint: str, device: torch.device) -> Checkpoint | None:
    """Load the checkpoint of this training, or None; raise ValueError, naming the file, if it is broken."""
    if not path.is_file():
        return None
    kind = "checkpoint; remove it to restart this training"
    with guard.reading(path, kind), safe_open(path, "pt", device=str(device)) as file:
        metadata = file.metadata()
        if metadata["fingerprint"] != fingerprint:
            return None
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key in file.keys():  # noqa: SIM118 (not a dictionary)
            group, _, name = key.partition(" ")
            groups.setdefault(group, {})[name] = file.get_tensor(key)
        losses = groups.pop("losses")[""].cpu()
        return Checkpoint(int(metadata["step"]), losses, Stack(**groups))
