"""A training's state on disk, in one file that is replaced all at once: what a killed job goes on from."""

from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import safe_open

from biassay.language_models.stacked.files import Writer, replace
from biassay.language_models.stacked.optimizer import Stack
from biassay.support import guard


class Checkpoint(NamedTuple):
    """Models before `first` are done; those of `stack` (None between two chunks) have gone through `step` steps.

    losses: (models, steps), NaN where there is none yet. Dropout and order follow from seed and step, so that no
    generator's state is kept.
    """

    first: int
    step: int
    losses: torch.Tensor
    stack: Stack | None


def save(path: Path, state: Checkpoint, fingerprint: str) -> None:
    """Write a checkpoint; one that is there stays as it is until the new one is complete."""
    groups = state.stack.groups() if state.stack else {}
    tensors = {f"{group} {name}": part for group, parts in groups.items() for name, part in parts.items()}
    tensors["losses"] = state.losses
    notes = {"fingerprint": fingerprint, "first": str(state.first), "step": str(state.step)}
    draft = path.with_suffix(".draft")
    writer = Writer(draft, {name: tuple(tensor.shape) for name, tensor in tensors.items()}, torch.float32, notes)
    for name, tensor in tensors.items():
        writer.write(name, tensor)
    replace(draft, path)


def load(path: Path, fingerprint: str, device: torch.device) -> Checkpoint | None:
    """The checkpoint of this very training, or None. Raises ValueError, naming the file, if it is broken."""
    if not path.is_file():
        return None
    with guard.reading(path, "checkpoint; remove it to begin anew"), safe_open(path, "pt", device=str(device)) as file:
        notes = file.metadata()
        if notes["fingerprint"] != fingerprint:
            return None
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key in file.keys():  # noqa: SIM118 (not a dictionary)
            group, _, name = key.partition(" ")
            groups.setdefault(group, {})[name] = file.get_tensor(key)
        losses = groups.pop("losses")[""].cpu()
        return Checkpoint(int(notes["first"]), int(notes["step"]), losses, Stack(**groups) if groups else None)
