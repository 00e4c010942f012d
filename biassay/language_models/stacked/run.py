"""Training from the first step, or the last checkpoint, to the result files."""

import hashlib
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from safetensors import safe_open

from biassay.core import guard
from biassay.core.logs import Progress
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import checkpoint, disk, memory
from biassay.language_models.stacked.architectures import find_architecture
from biassay.language_models.stacked.checkpoint import Checkpoint, Expected, Saver
from biassay.language_models.stacked.chunk import Chunk, Job, Settings, workers
from biassay.language_models.stacked.files import Writer, replace
from biassay.language_models.stacked.graphs import Graphs
from biassay.language_models.stacked.optimizer import Stack, is_fused
from biassay.language_models.stacked.schedule import schedule
from biassay.language_models.stacked.step_gradients import SequentialGradients, StackedGradients

PRECISIONS = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16}  # types of products
MODEL_STEPS = 64  # steps, times models, between two checks of the losses


@dataclass
class Run:
    """Training of one copy of `model` for each data set, with checked arguments of `training.train`."""

    model: torch.nn.Module
    data: list[MaskedSentences]
    seeds: list[int]
    settings: Settings
    folder: Path
    device: torch.device
    storage: torch.dtype
    checkpoint_every: int | None
    checkpoint_minutes: float
    at_once: int | None
    graphs: bool = False

    def __post_init__(self):
        self.last_saved = time.monotonic()
        self.has_checkpoints = self.checkpoint_every != 0
        self.weights = dict(self.model.named_parameters())
        self.steps = [self.settings.epochs * -(-len(part) // self.settings.batch) for part in self.data]
        self.order = sorted(range(len(self.data)), key=lambda i: -self.steps[i])  # models with most steps first
        self.fingerprint = self._fingerprint()
        self.checkpoint = self.folder / "checkpoint.safetensors"
        architecture = find_architecture(self.model)
        dtype = PRECISIONS[self.settings.precision]
        self.fused = is_fused(self.device)
        if architecture:
            self.engine = StackedGradients(architecture, self.settings.dropout, dtype, self.fused)
        else:
            self.engine = SequentialGradients(self.model, dtype)
            logging.info("%s cannot be stacked; training one model after the other", type(self.model).__name__)
        if self.graphs and not (architecture and self.fused):
            logging.info("training without CUDA graphs, which need encoders on a GPU with Triton")
            self.graphs = False

    def run(self) -> None:
        """Train all models that are not finished."""
        self.folder.mkdir(parents=True, exist_ok=True)
        final, draft = self.folder / "weights.safetensors", self.folder / "weights.draft"
        if self._is_done(final):
            logging.info("%s is complete; nothing to train", final)
            return
        shapes = {name: (len(self.data), *weight.shape) for name, weight in self.weights.items()}
        expected = Expected(
            {name: tuple(weight.shape) for name, weight in self.weights.items()}, self.steps, self.order
        )
        state = checkpoint.load(self.checkpoint, self.fingerprint, self.device, expected)
        with guard.reading(self.checkpoint, "checkpoint; remove it to restart this training"):
            resumed = bool(state and state.first)  # the draft has weights of finished models
            out = Writer(draft, shapes, self.storage, {"fingerprint": self.fingerprint}, resumed)
        if state:
            logging.info("resuming from %s: %d models finished, the next at step %d", self.checkpoint, *state[:2])
        state = state or Checkpoint(0, 0, torch.full((len(self.data), max(self.steps)), float("nan")), None)
        progress = Progress("training", sum(self.steps) - int(state.losses.isfinite().sum()), "model steps")
        path = self.checkpoint if self.has_checkpoints else None
        background = self.device.type == "cuda"  # on a CPU a copy would take memory that models need
        with _products(self.settings.precision), Saver(path, self.fingerprint, background) as saver:
            while state.first < len(self.data):
                state = self._chunk(state, out, progress, saver)
            saver.wait()
        self._write_losses(state.losses)
        replace(draft, final)
        self.checkpoint.unlink(missing_ok=True)

    def _chunk(self, state: Checkpoint, out: Writer, progress: Progress, saver: Saver) -> Checkpoint:
        """Train the next models and write their weights."""
        chunk = self._begin(state)
        numbers, steps = [job.number for job in chunk.jobs], len(chunk.jobs[0].batches)
        every = self.checkpoint_every
        span = max(8 if self.device.type == "cuda" else 1, MODEL_STEPS // len(numbers))
        step = state.step
        with workers(len(numbers), self.engine.parallel, self.device) as pool:
            while step < steps:
                last = min(step + span, steps, *([step - step % every + every] if every else []))
                losses = chunk.advance(step, last, pool)
                state.losses[numbers, step:last] = losses
                step = last
                saver.check()
                if self._is_due(step) and step < steps:
                    chunk.check(step)
                    self._save(saver, Checkpoint(state.first, step, state.losses, chunk.stack))
                self._report(progress, losses)
        chunk.check(steps, self.storage)
        finished = Checkpoint(state.first + len(numbers), 0, state.losses, None)
        return self._save(saver, finished, chunk.stack.weights, partial(_write, out, numbers))

    def _begin(self, state: Checkpoint) -> Chunk:
        size = len(next(iter(state.stack.weights.values()))) if state.stack else self._size(state.first)
        batch, epochs = self.settings.batch, self.settings.epochs
        jobs = []
        for i in self.order[state.first : state.first + size]:
            rows = schedule(self.data[i].lengths, batch, epochs, self.seeds[i])
            jobs.append(Job(i, self.seeds[i], self.data[i], rows))
        disk.check(self.folder, len(jobs), *self._on_disk())
        logging.info("training %d models at once, %d of %d finished", len(jobs), state.first, len(self.data))
        stack = state.stack or Stack.of(self.weights, len(jobs), self.device)
        if self.fused and isinstance(self.engine, StackedGradients) and self.engine.dtype != torch.float32:
            stack.rounded = self.engine.rounded(stack.weights)
        trainable = frozenset(name for name, weight in self.weights.items() if weight.requires_grad)
        graphs = Graphs(self._longest()) if self.graphs else None
        return Chunk(jobs, stack, self.engine, trainable, self.settings, self.device, self.fused, graphs)

    def _size(self, first: int) -> int:
        """Compute the number of models of the next chunk: at_once, or as many as fit in memory and on the disk."""
        if self.at_once:
            return self.at_once
        half, workers = self.settings.precision == "bf16", torch.get_num_threads()
        fused = self.fused and isinstance(self.engine, StackedGradients)
        of_pass = memory.activation_bytes(self.model.config, self.settings.batch, self._longest(), half, fused)
        count, *on_disk = self._on_disk()
        fitting = memory.models_at_once(count, of_pass, self.device, half=half, workers=workers, graphs=self.graphs)
        stored = disk.models_at_once(count, *on_disk, disk.available_bytes(self.folder))
        return memory.even_chunk_size(len(self.data) - first, min(fitting, stored))

    def _longest(self) -> int:
        return max(int(part.lengths.max()) for part in self.data)

    def _on_disk(self) -> tuple[int, int, bool]:
        """Number of a model's weights, bytes of all models' weights, and whether there are checkpoints."""
        count = sum(weight.numel() for weight in self.weights.values())
        return count, count * len(self.data) * self.storage.itemsize, self.has_checkpoints

    def _is_due(self, step: int) -> bool:
        if self.checkpoint_every is not None:
            return self.checkpoint_every > 0 and step % self.checkpoint_every == 0
        return time.monotonic() - self.last_saved >= 60 * self.checkpoint_minutes

    def _save(self, saver: Saver, state: Checkpoint, *done) -> Checkpoint:
        saver.save(state, *done)
        self.last_saved = time.monotonic()
        return state

    def _report(self, progress: Progress, losses: torch.Tensor) -> None:
        finished = int(losses.isfinite().sum())
        models = (progress.done + finished) / (sum(self.steps) / len(self.steps))
        per_hour = models / max(time.monotonic() - progress.started, 1e-9) * 3600
        progress.add(finished, f"loss {float(losses.nanmean()):.4f}, {per_hour:.3g} models/hour")

    def _is_done(self, final: Path) -> bool:
        if not final.is_file():
            return False
        with guard.reading(final, "file of weights; remove it to train again"), safe_open(final, "pt") as file:
            return (file.metadata() or {}).get("fingerprint") == self.fingerprint

    def _write_losses(self, losses: torch.Tensor) -> None:
        model, step = np.nonzero(np.isfinite(losses.numpy()))
        table = pd.DataFrame({"model": model, "step": step, "loss": losses.numpy()[model, step]})
        table.to_csv(self.folder / "losses.csv", index=False, float_format="%.6g")

    def _fingerprint(self) -> str:
        """Compute a digest of all inputs of the result; a checkpoint with another digest is not used."""
        digest = hashlib.blake2b(repr((self.settings, self.seeds, self.storage)).encode(), digest_size=16)
        for part in self.data:
            for array in (part.ids, part.lengths, part.positions, part.labels):
                digest.update(np.ascontiguousarray(array).data)
        for name, weight in self.weights.items():
            digest.update(name.encode())
            digest.update(weight.detach().cpu().contiguous().view(torch.uint8).numpy().data)
        return digest.hexdigest()


def _write(out: Writer, numbers: list[int], weights: Mapping[str, torch.Tensor]) -> None:
    for row, number in enumerate(numbers):
        for name, weight in weights.items():
            out.write(name, weight[row : row + 1], number)


@contextmanager
def _products(precision: str) -> Iterator[None]:
    """Let a GPU round the factors of single-precision products to TF32's 10 bits if `precision` is tf32."""
    previous = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    try:
        yield
    finally:
        torch.backends.cuda.matmul.allow_tf32 = previous
