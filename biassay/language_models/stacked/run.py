"""Training from the first step, or the last checkpoint, to the result files."""

import hashlib
import logging
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from safetensors import safe_open

from biassay.core import code, guard
from biassay.core.logs import Progress
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import capacity, checkpoint, files
from biassay.language_models.stacked.architectures import Architecture, find_architecture
from biassay.language_models.stacked.checkpoint import Checkpoint
from biassay.language_models.stacked.chunk import Chunk, Job, Settings, trains_separately, workers
from biassay.language_models.stacked.files import Writer
from biassay.language_models.stacked.gradients import SequentialGradients, StackedGradients
from biassay.language_models.stacked.optimizer import Stack
from biassay.language_models.stacked.schedule import schedule

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

    def __post_init__(self):
        self.last_saved, self.data = time.monotonic(), list(self.data)
        self.weights = self.base = dict(self.model.named_parameters())
        self.output_bytes = (
            sum(weight.numel() for weight in self.base.values()) * len(self.data) * self.storage.itemsize
        )
        self.steps = [self.settings.epochs * -(-len(part) // self.settings.batch) for part in self.data]
        self.order = sorted(range(len(self.data)), key=lambda i: -self.steps[i])  # models with most steps first
        self.fingerprint = self._fingerprint()
        self.checkpoint = self.folder / "checkpoint.safetensors"
        architecture, dtype = find_architecture(self.model), PRECISIONS[self.settings.precision]
        if architecture:
            self.engine = StackedGradients(architecture, self.settings.dropout, dtype)
        else:
            self.engine = SequentialGradients(self.model, dtype)
            logging.info("%s cannot be stacked; training one model after the other", type(self.model).__name__)
        if self.settings.vocabulary is not None:
            self._limit_vocabulary(architecture)
        self.n_weights = sum(weight.numel() for weight in self.weights.values())

    def _limit_vocabulary(self, architecture: Architecture | None) -> None:
        """Keep only the vocabulary's rows of the embeddings and the head; number the data's tokens anew."""
        if architecture is None:
            kind = type(self.model).__name__
            raise ValueError(f"vocabulary: {kind} cannot be stacked and is trained with all tokens only; expected all")
        kept, number = list(self.settings.vocabulary), np.full(self.model.config.vocab_size, -1)
        number[kept] = range(len(kept))
        self.weights = self.base | {
            name: self.base[name][kept] for name in (architecture.embeddings[0], architecture.bias)
        }
        for i, part in enumerate(self.data):
            ids, labels = number[part.ids], number[part.labels]
            ids[np.arange(ids.shape[1]) >= part.lengths[:, None]] = 0  # padding
            if min(ids.min(), labels.min()) < 0:
                raise ValueError(f"data set {i}: a token is not in the vocabulary of {len(kept)} tokens to train with")
            self.data[i] = replace(part, ids=ids, labels=labels)

    def run(self) -> None:
        """Train all models that are not finished."""
        self.folder.mkdir(parents=True, exist_ok=True)
        final, draft = self.folder / "weights.safetensors", self.folder / "weights.draft"
        if self._is_done(final):
            logging.info("%s is complete; nothing to train", final)
            return
        state = checkpoint.load(self.checkpoint, self.fingerprint, self.device)
        shapes = {name: (len(self.data), *weight.shape) for name, weight in self.base.items()}
        with guard.reading(self.checkpoint, checkpoint.KIND):
            resumed = bool(state and state.first)  # the draft has weights of finished models
            out = Writer(draft, shapes, self.storage, {"fingerprint": self.fingerprint}, resumed)
        if state:
            logging.info("resuming from %s: %d models finished, the next at step %d", self.checkpoint, *state[:2])
        state = state or Checkpoint(0, 0, torch.full((len(self.data), max(self.steps)), float("nan")), None)
        progress = Progress("training", sum(self.steps) - int(state.losses.isfinite().sum()), "model steps")
        while state.first < len(self.data):
            state = self._train_chunk(state, out, progress)
        self._write_losses(state.losses)
        files.replace(draft, final)
        self.checkpoint.unlink(missing_ok=True)

    def _train_chunk(self, state: Checkpoint, out: Writer, progress: Progress) -> Checkpoint:
        """Train the next models and write their weights."""
        chunk = self._begin(state)
        numbers, steps = [job.number for job in chunk.jobs], len(chunk.jobs[0].batches)
        span, every = max(1, MODEL_STEPS // len(numbers)), self.checkpoint_every
        step, parallel = state.step, self.engine.parallel and trains_separately(self.device)
        with workers(len(numbers)) if parallel else nullcontext() as pool:
            while step < steps:
                last = min(step + span, steps, *([step - step % every + every] if every else []))
                losses = chunk.advance(step, last, pool)
                state.losses[numbers, step:last] = losses
                step = last
                if self._is_due(step) and step < steps:
                    chunk.check(step)
                    self._save(Checkpoint(state.first, step, state.losses, chunk.stack))
                progress.add(int(losses.isfinite().sum()), f"loss {float(losses.nanmean()):.4f}")
        chunk.check(steps, self.storage)
        for row, number in enumerate(numbers):
            for name, weight in chunk.stack.weights.items():
                trained = weight[row]
                if trained.shape != self.base[name].shape:  # tokens outside the vocabulary stay as they are
                    rows, trained = trained, self.base[name].detach().clone()
                    trained[list(self.settings.vocabulary)] = rows
                out.write(name, trained[None], number)
        finished = Checkpoint(state.first + len(numbers), 0, state.losses, None)
        self._save(finished)
        return finished

    def _begin(self, state: Checkpoint) -> Chunk:
        size = len(state.stack) if state.stack else self._size(state.first)
        jobs = []
        for i in self.order[state.first : state.first + size]:
            rows = schedule(self.data[i].lengths, self.settings.batch, self.settings.epochs, self.seeds[i])
            jobs.append(Job(i, self.seeds[i], self.data[i], rows))
        n_saved = len(jobs) if self.checkpoint_every != 0 else 0
        capacity.check_disk(self.folder, n_saved, self.n_weights, self.output_bytes)
        logging.info("training %d models at once, %d of %d finished", len(jobs), state.first, len(self.data))
        stack = state.stack or Stack.of(self.weights, len(jobs), self.device)
        trainable = frozenset(name for name, weight in self.weights.items() if weight.requires_grad)
        return Chunk(jobs, stack, self.engine, trainable, self.settings, self.device)

    def _size(self, first: int) -> int:
        """Compute the models of the next chunk: at_once, or few chunks of equal size that fit in memory and on disk."""
        if self.at_once:
            return self.at_once
        longest = max(int(part.lengths.max()) for part in self.data)
        of_pass = capacity.activation_bytes(self.model.config, self.settings.batch, longest)
        fitting = capacity.models_in_memory(self.n_weights, of_pass, self.device, torch.get_num_threads())
        if self.checkpoint_every != 0:
            fitting = min(fitting, capacity.models_on_disk(self.folder, self.n_weights, self.output_bytes))
        models = len(self.data) - first
        return -(-models // -(-models // fitting))

    def _is_due(self, step: int) -> bool:
        if self.checkpoint_every is not None:
            return self.checkpoint_every > 0 and step % self.checkpoint_every == 0
        return time.monotonic() - self.last_saved >= 60 * self.checkpoint_minutes

    def _save(self, state: Checkpoint) -> None:
        if self.checkpoint_every != 0:
            checkpoint.save(self.checkpoint, state, self.fingerprint)
        self.last_saved = time.monotonic()

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
        """Compute a digest of all inputs and of this code; a checkpoint with another digest is not used."""
        state = self.settings, self.seeds, self.storage, torch.__version__, code.compute_digest(__file__)
        digest = hashlib.blake2b(repr(state).encode(), digest_size=16)
        for part in self.data:
            for array in vars(part).values():
                digest.update(np.ascontiguousarray(array).data)
        for name, weight in self.weights.items():
            digest.update(name.encode())
            digest.update(weight.detach().cpu().contiguous().view(torch.uint8).numpy().data)
        return digest.hexdigest()
