"""Training from the first step, or the last checkpoint, to the file of weights."""

import hashlib
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import psutil
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from biassay.core import code, guard
from biassay.core.logs import Progress
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import files
from biassay.language_models.stacked.architectures import Architecture, find_architecture
from biassay.language_models.stacked.batches import stack_batches
from biassay.language_models.stacked.gradients import SequentialGradients, StackedGradients, Tensors
from biassay.language_models.stacked.schedule import mix_seeds, rate, schedule

PRECISIONS = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16}  # types of products
MODEL_STEPS = 64  # steps, times models, between two checks of the losses
STATE, GRADIENT = 12, 4  # bytes of a weight with its two moments, and of its gradient
FEWER = "train fewer models per job: lower chunk (same, intrinsic) or repeats (downstream.planted)"


@dataclass(frozen=True)
class Settings:
    """Settings of a training; see `training.train`."""

    epochs: int
    batch: int
    learning_rate: float
    warmup: float
    weight_decay: float
    dropout: float
    max_norm: float | None
    precision: str
    vocabulary: tuple[int, ...] | None = None


@dataclass
class Run:
    """Training of one copy of `model` for each data set of n sentences, with checked arguments of `training.train`."""

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
        self.steps = self.settings.epochs * -(-len(self.data[0]) // self.settings.batch)
        self.fingerprint = self._fingerprint()
        self.checkpoint, self.result = self.folder / "checkpoint.pt", self.folder / "weights.safetensors"
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
            weights = self._train()
        except torch.cuda.OutOfMemoryError as error:  # by activations
            raise ValueError(f"{len(self.data)} models exceed the memory of the GPU ({error}); {FEWER}") from error
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

    def _train(self) -> Tensors:
        """Train from the first step or the last checkpoint; return the stacked weights (models, …)."""
        models, separate = len(self.data), trains_separately(self.device)
        slices = [slice(i, i + 1) for i in range(models)] if separate else [slice(None)]
        state = self._load_checkpoint(len(slices))
        weights = state["weights"] if state else {
            name: weight.detach().to(self.device).repeat(models, *[1] * weight.ndim)
            for name, weight in self.weights.items()
        }  # fmt: skip
        groups = [Group(self, part, weights) for part in slices]
        if state:
            for group, optimizer in zip(groups, state.pop("optimizers"), strict=True):
                group.optimizer.load_state_dict(optimizer)  # shares the moments
        step, span = state["step"] if state else 0, max(1, MODEL_STEPS // models)
        progress, last_saved = Progress("training", models * (self.steps - step), "model steps"), time.monotonic()
        with workers(models) if self.engine.parallel and separate else nullcontext() as pool:
            while step < self.steps:
                first, step = step, min(step + span, self.steps)
                advance = partial(Group.advance, first=first, last=step)
                loss = np.mean(list(pool.map(advance, groups) if pool else map(advance, groups)))
                if step < self.steps and 0 < 60 * self.checkpoint_minutes <= time.monotonic() - last_saved:
                    self._save(step, weights, groups)
                    last_saved = time.monotonic()
                progress.add(models * (step - first), f"loss {loss:.4f}")
        for group in groups:
            group.check(self.steps, self.storage)
        return weights

    def _save(self, step: int, weights: Tensors, groups: list["Group"]) -> None:
        """Write a checkpoint. Order and dropout follow from seed and step; there is no generator with a state."""
        for group in groups:
            group.check(step)
        optimizers = [group.optimizer.state_dict() for group in groups]
        state = {"fingerprint": self.fingerprint, "step": step, "weights": weights, "optimizers": optimizers}
        files.save(self.checkpoint, partial(torch.save, state))

    def _load_checkpoint(self, groups: int) -> dict | None:
        """Load the checkpoint; None if there is none of this training with as many groups of models."""
        if not self.checkpoint.is_file():
            return None
        with guard.reading(self.checkpoint, "checkpoint; remove it to restart this training"):
            state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
            if state["fingerprint"] != self.fingerprint or len(state["optimizers"]) != groups:
                return None
        logging.info("resuming from %s at step %d of %d", self.checkpoint, state["step"], self.steps)
        return state

    def _is_done(self) -> bool:
        if not self.result.is_file():
            return False
        kind = "file of weights; remove it to train again"
        with guard.reading(self.result, kind), safe_open(self.result, "pt") as file:
            return (file.metadata() or {}).get("fingerprint") == self.fingerprint

    def _write_weights(self, weights: Tensors) -> None:
        """Write the weights; replace them one by one, so that there is one copy in memory."""
        for name, trained in weights.items():
            if trained.shape[1:] != self.base[name].shape:  # tokens outside the vocabulary stay as they are
                table = self.base[name].detach().repeat(len(trained), *[1] * self.base[name].ndim)
                table[:, list(self.settings.vocabulary)] = trained
                trained = table
            weights[name] = trained.to("cpu", self.storage)
        files.save(self.result, partial(save_file, weights, metadata={"fingerprint": self.fingerprint}))

    def _fingerprint(self) -> str:
        """Compute a digest of all inputs and of this code; a checkpoint with another digest is not used."""
        versions = torch.__version__, code.compute_digest(__file__)
        state = self.settings, self.seeds, self.storage, versions
        digest = hashlib.blake2b(repr(state).encode(), digest_size=16)
        for part in self.data:
            for array in vars(part).values():
                digest.update(np.ascontiguousarray(array).data)
        for name, weight in self.weights.items():
            digest.update(name.encode())
            digest.update(weight.detach().cpu().contiguous().view(torch.uint8).numpy().data)
        return digest.hexdigest()


class Group:
    """Neighbouring models of a run that are trained in one pass: one on a CPU, all on a GPU."""

    def __init__(self, run: Run, models: slice, weights: Tensors):
        """weights: of all models; the group's ones share their memory."""
        self.run, self.numbers = run, range(len(run.data))[models]
        self.seeds, self.data = run.seeds[models], run.data[models]
        self.weights = {name: part[models] for name, part in weights.items()}
        settings = run.settings
        self.batches = [
            schedule(part.lengths, settings.batch, settings.epochs, seed)
            for part, seed in zip(self.data, self.seeds, strict=True)
        ]
        self.trained = {name: self.weights[name] for name, weight in run.weights.items() if weight.requires_grad}
        matrices = [weight for weight in self.trained.values() if weight.ndim > 2]
        others = [weight for weight in self.trained.values() if weight.ndim <= 2]
        self.optimizer = torch.optim.AdamW(  # only matrices decay, as in transformers' Trainer
            [{"params": matrices, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}],
            fused=True,
        )

    def advance(self, first: int, last: int) -> float:
        """Train steps first … last − 1; return the mean loss.

        Raises ValueError, naming the model, if a loss is not finite.
        """
        losses = torch.stack([self._step(step) for step in range(first, last)]).cpu()
        if len(invalid := (~losses.isfinite()).nonzero()):
            at, model = invalid[0].tolist()
            raise self._error(model, f"the loss is {losses[at, model]} at step {first + at} of {self.run.steps}")
        return float(losses.mean())

    def check(self, step: int, storage: torch.dtype = torch.float32) -> None:
        """Raise ValueError, naming the model, if a weight or moment is not finite or too large for `storage`.

        step: number of finished steps, for the message.
        """
        for name, weight in self.weights.items():
            moments = [part for key, part in self.optimizer.state.get(weight, {}).items() if key != "step"]
            for part, dtype in [(weight, storage), *((moment, torch.float32) for moment in moments)]:
                limit = torch.finfo(dtype).max
                largest = torch.linalg.vector_norm(part.reshape(len(part), -1), torch.inf, dim=1).tolist()
                for model, value in enumerate(largest):
                    if not value <= limit:  # NaN, too
                        problem = f"the largest value of {name} is {value:.3g} after step {step} of {self.run.steps}"
                        raise self._error(model, f"{problem}, beyond {limit:.3g}")

    def _step(self, step: int) -> torch.Tensor:
        run, settings = self.run, self.run.settings
        parts = [part.take(rows[step]) for part, rows in zip(self.data, self.batches, strict=True)]
        seeds = [mix_seeds(seed, step) for seed in self.seeds]
        losses, gradients = run.engine.gradients(self.weights, stack_batches(parts, run.device), seeds)
        gradients = {name: gradient for name, gradient in gradients.items() if name in self.trained}
        if settings.max_norm:
            clip(gradients, settings.max_norm)
        for name, gradient in gradients.items():
            self.trained[name].grad = gradient.contiguous()  # the fused kernel ignores strides
        for options in self.optimizer.param_groups:
            options["lr"] = rate(step, run.steps, peak=settings.learning_rate, warmup=settings.warmup)
        self.optimizer.step()
        self.optimizer.zero_grad()  # frees the gradients
        return losses

    def _error(self, model: int, problem: str) -> ValueError:
        advice = f"lower learning_rate ({self.run.settings.learning_rate:g}) or set max_norm"
        return ValueError(f"model {self.numbers[model]} (seed {self.seeds[model]}): {problem}; {advice}")


def clip(gradients: Tensors, max_norm: float) -> None:
    """Scale each model's gradients down to the norm `max_norm`, as `torch.nn.utils.clip_grad_norm_`."""
    norms = [torch.linalg.vector_norm(gradient.flatten(1), dim=1) for gradient in gradients.values()]
    scale = (max_norm / (torch.linalg.vector_norm(torch.stack(norms), dim=0) + 1e-6)).clamp(max=1.0)
    for gradient in gradients.values():
        gradient *= scale.view(-1, *[1] * (gradient.ndim - 1))


def trains_separately(device: torch.device) -> bool:
    """Whether each model has its own passes: on a CPU, one pass for all would use caches and threads less well."""
    return device.type == "cpu"


@contextmanager
def workers(models: int) -> Iterator[ThreadPoolExecutor]:
    """Create threads that train one model each, with a share of torch's threads.

    This is faster than torch's threads in every small product, because no core waits for another.
    """
    threads = torch.get_num_threads()
    count = max(1, min(models, threads))
    try:
        with ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(threads // count,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(threads)
