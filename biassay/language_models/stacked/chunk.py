"""Training steps of a chunk of models: in one pass on a GPU, in separate threads on a CPU."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import optimizer
from biassay.language_models.stacked.batches import stack_batches
from biassay.language_models.stacked.gradients import SequentialGradients, StackedGradients
from biassay.language_models.stacked.optimizer import Stack
from biassay.language_models.stacked.schedule import mix_seeds, rate


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


@dataclass(frozen=True)
class Job:
    """One model to train: its number among all models, its seed, its data and the rows of each batch."""

    number: int
    seed: int
    data: MaskedSentences
    batches: list[np.ndarray]


@dataclass(frozen=True)
class Chunk:
    """Models trained at the same time, those with most steps first, with their weights and moments.

    trainable: names of the weights to train.
    """

    jobs: list[Job]
    stack: Stack
    engine: StackedGradients | SequentialGradients
    trainable: frozenset[str]
    settings: Settings
    device: torch.device

    def advance(self, first: int, last: int, pool: ThreadPoolExecutor | None) -> torch.Tensor:
        """Train steps first … last − 1; return the losses (models, steps), NaN after a model's last step.

        Raises ValueError, naming the model, if a loss is not finite.
        """
        groups = [slice(i, i + 1) for i in range(len(self.jobs))] if trains_separately(self.device) else [slice(None)]
        run = pool.map if pool else map
        losses = torch.cat(list(run(lambda group: self._advance(group, first, last), groups))).cpu()
        for job, row in zip(self.jobs, losses, strict=True):
            invalid = ~row[: max(0, len(job.batches) - first)].isfinite()
            if invalid.any():
                at = int(invalid.nonzero()[0])
                raise ValueError(
                    f"model {job.number} (seed {job.seed}): the loss is {row[at]} at step {first + at} of "
                    f"{len(job.batches)}; lower learning_rate ({self.settings.learning_rate:g}) or set max_norm"
                )
        return losses

    def check(self, step: int, storage: torch.dtype = torch.float32) -> None:
        """Raise ValueError, naming the model, if a weight or moment is not finite or too large for `storage`.

        step: number of finished steps, for the message.
        """
        for group, parts in vars(self.stack).items():
            limit = torch.finfo(storage if group == "weights" else torch.float32).max
            for name, part in parts.items():
                largest = torch.linalg.vector_norm(part.reshape(len(part), -1), torch.inf, dim=1).tolist()
                for job, value in zip(self.jobs, largest, strict=True):
                    if not value <= limit:  # NaN, too
                        raise ValueError(
                            f"model {job.number} (seed {job.seed}): the largest value of {name} is {value:.3g} after "
                            f"step {min(step, len(job.batches))} of {len(job.batches)}, beyond {limit:.3g}; lower "
                            f"learning_rate ({self.settings.learning_rate:g}) or set max_norm"
                        )

    def _advance(self, models: slice, first: int, last: int) -> torch.Tensor:
        jobs, stack = self.jobs[models], self.stack.take(models)
        losses = torch.full((len(jobs), last - first), float("nan"), device=self.device)
        for step in range(first, last):
            active = sum(step < len(job.batches) for job in jobs)
            if active:
                losses[:active, step - first] = self._step(jobs[:active], stack.take(slice(active)), step)
        return losses

    def _step(self, jobs: list[Job], stack: Stack, step: int) -> torch.Tensor:
        settings = self.settings
        batch = stack_batches([job.data.take(job.batches[step]) for job in jobs], self.device)
        seeds = [mix_seeds(job.seed, step) for job in jobs]
        rates = [rate(step, len(job.batches), peak=settings.learning_rate, warmup=settings.warmup) for job in jobs]
        losses, gradients = self.engine.gradients(stack.weights, batch, seeds)
        gradients = {name: gradient for name, gradient in gradients.items() if name in self.trainable}
        optimizer.apply(
            stack, gradients, step=step, rates=rates, decay=settings.weight_decay, max_norm=settings.max_norm
        )
        return losses


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
