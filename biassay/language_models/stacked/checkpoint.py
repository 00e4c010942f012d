"""Checkpoint of a training, in one file that is replaced atomically; a killed job resumes from it."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import safe_open

from biassay.core import guard
from biassay.language_models.stacked import memory
from biassay.language_models.stacked.files import Writer, check_tensors, replace
from biassay.language_models.stacked.optimizer import Stack

Write = Callable[[Mapping[str, torch.Tensor]], None]


class Checkpoint(NamedTuple):
    """State of a training: models before `first` are done, those of `stack` have finished `step` steps.

    stack: None between two chunks. losses: (models, steps), NaN for steps to come. Dropout and order follow from seed
    and step, so there is no state of a random generator.
    """

    first: int
    step: int
    losses: torch.Tensor
    stack: Stack | None

    def copy(self) -> "Checkpoint":
        """Copy the state to the host's memory, where the training does not change it."""
        groups = self.stack.groups() if self.stack else {}
        copies = {group: {name: _copy(part) for name, part in parts.items()} for group, parts in groups.items()}
        return self._replace(losses=_copy(self.losses), stack=Stack(**copies) if copies else None)

    def size(self) -> int:
        """Count the bytes of a copy's weights and moments."""
        groups = self.stack.groups().values() if self.stack else ()
        return sum(part.nbytes for parts in groups for part in parts.values())


class Expected(NamedTuple):
    """Properties of a valid checkpoint: shapes of a model's weights, steps of each model, and order of the training."""

    shapes: Mapping[str, tuple[int, ...]]
    steps: Sequence[int]
    order: Sequence[int]

    def check(self, state: Checkpoint) -> None:
        """Raise ValueError unless this training can have been in the state."""
        models, size = len(self.steps), len(next(iter(state.stack.weights.values()))) if state.stack else 0
        if not 0 <= state.first <= models - size:
            raise ValueError(f"first is {state.first}; expected 0 to {models - size} of {models} models")
        steps = [self.steps[number] for number in self.order]
        last = steps[state.first] - 1 if size else 0
        if not (min(1, last) <= state.step <= last):
            raise ValueError(f"step is {state.step}; expected {min(1, last)} to {last}")
        if state.stack:
            shapes = {name: (size, *shape) for name, shape in self.shapes.items()}
            for part in state.stack.groups().values():
                check_tensors(part, shapes)
            if any((moment < 0).any() for moment in state.stack.second.values()):
                raise ValueError("a second moment is below 0")
        if tuple(state.losses.shape) != (models, max(steps)):
            raise ValueError(f"losses have the shape {tuple(state.losses.shape)}; expected {(models, max(steps))}")
        finished = torch.tensor(steps)
        finished[state.first : state.first + size].clamp_(max=state.step)
        finished[state.first + size :] = 0
        computed = torch.arange(max(steps)) < finished[:, None]
        if not torch.equal(state.losses[list(self.order)].isfinite(), computed):
            raise ValueError(
                f"losses do not belong to {state.first} finished models and {state.step} steps of {size} more"
            )


class Saver:
    """Writer of a training's checkpoints, and of weights of finished models; use it in a `with` statement.

    In the background it writes a copy in the host's memory, otherwise the training waits. There is at most one copy:
    the next checkpoint waits for the previous one. If the host has no memory for a copy, the training waits, too.
    """

    def __init__(self, path: Path | None, fingerprint: str, background: bool):
        """path: of the checkpoint; None to write weights only."""
        self.path, self.fingerprint, self.background = path, fingerprint, background
        self._pool, self._writing = ThreadPoolExecutor(1, "checkpoint"), Future()
        self._writing.set_result(None)

    def __enter__(self) -> "Saver":
        return self

    def __exit__(self, *_) -> None:
        self._pool.shutdown()

    def save(
        self, state: Checkpoint, done: Mapping[str, torch.Tensor] | None = None, write: Write | None = None
    ) -> None:
        """Save a state; afterwards it can change. Raises the errors of the previous save.

        done: weights of newly finished models, which `write` writes first. They can change afterwards, too.
        """
        self.wait()
        size = state.size() + sum(weight.nbytes for weight in (done or {}).values())
        if self.background and size <= memory.SHARE * memory.free_memory(torch.device("cpu")):
            copies = {name: _copy(weight) for name, weight in (done or {}).items()}
            self._writing = self._pool.submit(self._save, state.copy(), copies, write)
        else:
            self._save(state, done, write)

    def check(self) -> None:
        """Raise the error of the last save, if it has ended."""
        if self._writing.done():
            self.wait()

    def wait(self) -> None:
        """Wait for the last save and raise its error."""
        self._writing.result()

    def _save(self, state: Checkpoint, done: Mapping[str, torch.Tensor] | None, write: Write | None) -> None:
        if write:
            write(done)
        if self.path:
            save(self.path, state, self.fingerprint)


def save(path: Path, state: Checkpoint, fingerprint: str) -> None:
    """Write a checkpoint; the previous one stays until the new one is complete."""
    groups = state.stack.groups() if state.stack else {}
    tensors = {f"{group} {name}": part for group, parts in groups.items() for name, part in parts.items()}
    tensors["losses"] = state.losses
    metadata = {"fingerprint": fingerprint, "first": str(state.first), "step": str(state.step)}
    draft = path.with_suffix(".draft")
    writer = Writer(draft, {name: tuple(tensor.shape) for name, tensor in tensors.items()}, torch.float32, metadata)
    for name, tensor in tensors.items():
        writer.write(name, tensor)
    replace(draft, path)


def load(
    path: Path, fingerprint: str, device: torch.device, expected: Expected | None = None
) -> Checkpoint | None:  # fmt: skip
    """Load the checkpoint of this training, or None.

    Raises ValueError, naming the file, if it is broken or not as expected.
    """
    if not path.is_file():
        return None
    what = "checkpoint; remove it to restart this training"
    with guard.reading(path, what), safe_open(path, "pt", device=str(device)) as file:
        metadata = file.metadata()
        if metadata["fingerprint"] != fingerprint:
            return None
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key in file.keys():  # noqa: SIM118 (not a dictionary)
            group, _, name = key.partition(" ")
            groups.setdefault(group, {})[name] = file.get_tensor(key)
        losses = groups.pop("losses")[""].cpu()
        if set(groups) not in (set(), {"weights", "first", "second"}):
            raise ValueError(f"expected weights, first and second moments, or none of them, got {', '.join(groups)}")
        state = Checkpoint(int(metadata["first"]), int(metadata["step"]), losses, Stack(**groups) if groups else None)
        if expected:
            expected.check(state)
        return state


def _copy(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(tensor, device="cpu").copy_(tensor)
