"""Training from the first step, or the last checkpoint, to the result files."""

import hashlib
import logging
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import torch
from safetensors import safe_open

from biassay.core import code, guard
from biassay.core.logs import Progress
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import checkpoint, files
from biassay.language_models.stacked.architectures import Architecture, find_architecture
from biassay.language_models.stacked.checkpoint import Checkpoint
from biassay.language_models.stacked.chunk import Chunk, Job, Settings, trains_separately, workers
from biassay.language_models.stacked.gradients import SequentialGradients, StackedGradients
from biassay.language_models.stacked.optimizer import Stack, Tensors
from biassay.language_models.stacked.schedule import schedule

PRECISIONS = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16}  # types of products
MODEL_STEPS = 64  # steps, times models, between two checks of the losses
STATE, GRADIENT = 12, 4  # bytes of a weight with its two moments, and of its gradient
FEWER = "train fewer models per job: lower chunk (same, intrinsic) or repeats (downstream.planted)"


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
    checkpoint_minutes: float

    def __post_init__(self):
        self.data = list(self.data)
        self.weights = self.base = dict(self.model.named_parameters())
        self.steps = [self.settings.epochs * -(-len(part) // self.settings.batch) for part in self.data]
        self.order = sorted(range(len(self.data)), key=lambda i: -self.steps[i])  # models with most steps first
        self.fingerprint = self._fingerprint()
        self.checkpoint, self.result = self.folder / "checkpoint.safetensors", self.folder / "weights.safetensors"
        architecture, dtype = find_architecture(self.model), PRECISIONS[self.settings.precision]
        if architecture:
            self.engine = StackedGradients(architecture, self.settings.dropout, dtype)
        else:
            self.engine = SequentialGradients(self.model, dtype)
            logging.info("%s cannot be stacked; training one model after the other", type(self.model).__name__)
        if self.settings.vocabulary is not None:
            self._limit_vocabulary(architecture)

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
        """Train all models, unless they are finished."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._is_done():
            logging.info("%s is complete; nothing to train", self.result)
            return
        for leftover in self.folder.glob(".tmp*"):  # of a training that was killed while safetensors wrote a file
            leftover.unlink()
        self._check_memory()
        try:
            losses, weights = self._train()
        except torch.cuda.OutOfMemoryError as error:  # by activations
            raise ValueError(f"{len(self.data)} models exceed the memory of the GPU ({error}); {FEWER}") from error
        self._write_losses(losses)
        self._write_weights(weights)
        self.checkpoint.unlink(missing_ok=True)

    def _check_memory(self) -> None:
        """Raise ValueError if the weights, moments and gradients of all models exceed the free memory."""
        models, passes = len(self.data), len(self.data)  # at the same time
        if self.device.type == "cuda":
            torch.cuda.empty_cache()  # of earlier trainings
            free = torch.cuda.mem_get_info(self.device)[0]
        else:
            free, passes = psutil.virtual_memory().available, min(models, torch.get_num_threads())
        n_weights = sum(weight.numel() for weight in self.weights.values())
        required = n_weights * (STATE * models + GRADIENT * passes)
        if required > free:
            raise ValueError(
                f"{models} models of {n_weights:,} weights need at least {required / 1e9:,.2f} GB of memory "
                f"({self.device.type}), {free / 1e9:,.2f} GB are free; {FEWER}"
            )

    def _train(self) -> tuple[torch.Tensor, Tensors]:
        """Train from the first step or the last checkpoint.

        Returns the losses (models, steps) in the order of the data, and the stacked weights in that of `order`.
        """
        jobs = []
        for i in self.order:
            rows = schedule(self.data[i].lengths, self.settings.batch, self.settings.epochs, self.seeds[i])
            jobs.append(Job(i, self.seeds[i], self.data[i], rows))
        steps, span = max(self.steps), max(1, MODEL_STEPS // len(jobs))
        if state := checkpoint.load(self.checkpoint, self.fingerprint, self.device):
            logging.info("resuming from %s at step %d of %d", self.checkpoint, state.step, steps)
            step, losses, stack = state
        else:
            step, losses = 0, torch.full((len(jobs), steps), float("nan"))
            stack = Stack.of(self.weights, len(jobs), self.device)
        trainable = frozenset(name for name, weight in self.weights.items() if weight.requires_grad)
        chunk = Chunk(jobs, stack, self.engine, trainable, self.settings, self.device)
        progress = Progress("training", sum(self.steps) - int(losses.isfinite().sum()), "model steps")
        parallel, last_saved = self.engine.parallel and trains_separately(self.device), time.monotonic()
        with workers(len(jobs)) if parallel else nullcontext() as pool:
            while step < steps:
                first, step = step, min(step + span, steps)
                new_losses = chunk.advance(first, step, pool)
                losses[self.order, first:step] = new_losses
                is_due = 0 < 60 * self.checkpoint_minutes <= time.monotonic() - last_saved
                if is_due and step < steps:
                    chunk.check(step)
                    checkpoint.save(self.checkpoint, Checkpoint(step, losses, stack), self.fingerprint)
                    last_saved = time.monotonic()
                progress.add(int(new_losses.isfinite().sum()), f"loss {float(new_losses.nanmean()):.4f}")
        chunk.check(steps, self.storage)
        return losses, stack.weights

    def _is_done(self) -> bool:
        if not self.result.is_file():
            return False
        kind = "file of weights; remove it to train again"
        with guard.reading(self.result, kind), safe_open(self.result, "pt") as file:
            return (file.metadata() or {}).get("fingerprint") == self.fingerprint

    def _write_losses(self, losses: torch.Tensor) -> None:
        model, step = np.nonzero(np.isfinite(losses.numpy()))
        table = pd.DataFrame({"model": model, "step": step, "loss": losses.numpy()[model, step]})
        table.to_csv(self.folder / "losses.csv", index=False, float_format="%.6g")

    def _write_weights(self, weights: Tensors) -> None:
        """Write the weights in the order of the data; replace them one by one, so that there is one copy in memory."""
        rows = np.argsort(self.order)
        for name, trained in weights.items():
            if trained.shape[1:] != self.base[name].shape:  # tokens outside the vocabulary stay as they are
                table = self.base[name].detach().repeat(len(rows), *[1] * self.base[name].ndim)
                table[:, list(self.settings.vocabulary)] = trained
                trained = table
            weights[name] = trained[rows].to("cpu", self.storage)
        files.save(self.result, weights, {"fingerprint": self.fingerprint})

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
