"""A training's state on disk, in one file that is replaced all at once: what a killed job goes on from."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import safe_open

from biassay.language_models.stacked import memory
from biassay.language_models.stacked.files import Writer, check_tensors, replace
from biassay.language_models.stacked.optimizer import Stack
from biassay.support import guard

Write = Callable[[Mapping[str, torch.Tensor]], None]


class Checkpoint(NamedTuple):
    """Models before `first` are done; those of `stack` (None between two chunks) have gone through `step` steps.

    losses: (models, steps), NaN where there is none yet. Dropout and order follow from seed and step, so that no
    generator's state is kept.
    """

    first: int
    step: int
    losses: torch.Tensor
    stack: Stack | None

    def copy(self) -> "Checkpoint":
        """The same in the host's memory, where the training does not reach it."""
        groups = self.stack.groups() if self.stack else {}
        copies = {group: {name: _copy(part) for name, part in parts.items()} for group, parts in groups.items()}
        return self._replace(losses=_copy(self.losses), stack=Stack(**copies) if copies else None)

    def size(self) -> int:
        """Bytes of a copy's weights and moments."""
        groups = self.stack.groups().values() if self.stack else ()
        return sum(part.nbytes for parts in groups for part in parts.values())


class Expected(NamedTuple):
    """What a checkpoint must fit: shapes of a model's weights, steps of each model, and the order of their training."""

    shapes: Mapping[str, tuple[int, ...]]
    steps: Sequence[int]
    order: Sequence[int]

    def check(self, state: Checkpoint) -> None:
        """Raise ValueError unless the state is one that this training can have been in."""
        models, size = len(self.steps), len(next(iter(state.stack.weights.values()))) if state.stack else 0
        if not 0 <= state.first <= models - size:
            raise ValueError(f"first is {state.first}; expected 0 to {models - size}, of {models} models")
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
            raise ValueError(f"losses are {tuple(state.losses.shape)}; expected {(models, max(steps))}")
        taken = torch.tensor(steps)
        taken[state.first : state.first + size].clamp_(max=state.step)
        taken[state.first + size :] = 0
        computed = torch.arange(max(steps)) < taken[:, None]
        if not torch.equal(state.losses[list(self.order)].isfinite(), computed):
            raise ValueError(f"losses are not those of {state.first} models and {state.step} steps of {size} more")


class Saver:
    """Writes a training's checkpoints, and weights of models that are done: in the background, of a copy in the host's
    memory, or while the training waits.

    At most one copy lives at a time: the next checkpoint waits for the one before. One that the host has no room for is
    written from where it is. To be used by `with`, whose end waits for what is being written.
    """

    def __init__(self, path: Path | None, fingerprint: str, background: bool):
        """path: of the checkpoint; None: there is none, only weights."""
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
        """Save a state, which may change as soon as this returns. Raises what the one before met with.

        done: weights of models that the state calls done, which `write` puts on disk first. They may change too.
        """
        self.wait()
        size = state.size() + sum(weight.nbytes for weight in (done or {}).values())
        if self.background and size <= memory.SHARE * memory.free_memory(torch.device("cpu")):
            copies = {name: _copy(weight) for name, weight in (done or {}).items()}
            self._writing = self._pool.submit(self._save, state.copy(), copies, write)
        else:
            self._save(state, done, write)

    def check(self) -> None:
        """Raise what the last checkpoint's writing met with, if it has ended."""
        if self._writing.done():
            self.wait()

    def wait(self) -> None:
        """Wait until the last checkpoint is on disk. Raises what its writing met with."""
        self._writing.result()

    def _save(self, state: Checkpoint, done: Mapping[str, torch.Tensor] | None, write: Write | None) -> None:
        if write:
            write(done)
        if self.path:
            save(self.path, state, self.fingerprint)


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


def load(
    path: Path, fingerprint: str, device: torch.device, expected: Expected | None = None
) -> Checkpoint | None:  # fmt: skip
    """The checkpoint of this very training, or None. Raises ValueError, naming the file, if it is broken or not what is
    expected."""
    if not path.is_file():
        return None
    what = "checkpoint; remove it to begin this training anew"
    with guard.reading(path, what), safe_open(path, "pt", device=str(device)) as file:
        notes = file.metadata()
        if notes["fingerprint"] != fingerprint:
            return None
        groups: dict[str, dict[str, torch.Tensor]] = {}
        for key in file.keys():  # noqa: SIM118 (not a dictionary)
            group, _, name = key.partition(" ")
            groups.setdefault(group, {})[name] = file.get_tensor(key)
        losses = groups.pop("losses")[""].cpu()
        if set(groups) not in (set(), {"weights", "first", "second"}):
            raise ValueError(f"has {', '.join(groups)}; expected weights, first and second moments, or none")
        state = Checkpoint(int(notes["first"]), int(notes["step"]), losses, Stack(**groups) if groups else None)
        if expected:
            expected.check(state)
        return state


def _copy(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(tensor, device="cpu").copy_(tensor)
