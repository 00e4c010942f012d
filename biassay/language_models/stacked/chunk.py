"""Steps of a chunk of models: all in one pass on a GPU, apart from each other in threads on a CPU."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import optimizer
from biassay.language_models.stacked.batches import Step, prepare_step
from biassay.language_models.stacked.graphs import Graphs
from biassay.language_models.stacked.optimizer import Stack
from biassay.language_models.stacked.schedule import mix_seeds, rate
from biassay.language_models.stacked.step_gradients import SequentialGradients, StackedGradients


@dataclass(frozen=True)
class Settings:
    """How models are trained; see `training.train`."""

    epochs: int
    batch: int
    learning_rate: float
    warmup: float
    weight_decay: float
    dropout: float
    max_norm: float | None
    precision: str


@dataclass(frozen=True)
class Job:
    """One model to be trained: its number among all, its seed, its data and the rows of each batch."""

    number: int
    seed: int
    data: MaskedSentences
    batches: list[np.ndarray]


@dataclass(frozen=True)
class Chunk:
    """Models trained at the same time, those with most steps first, with their weights and moments."""

    jobs: list[Job]
    stack: Stack
    way: StackedGradients | SequentialGradients
    trained: frozenset[str]
    settings: Settings
    device: torch.device
    fused: bool = False  # updates by our own kernel
    graphs: Graphs | None = None  # of steps, with such updates

    def advance(self, first: int, last: int, pool: ThreadPoolExecutor | None) -> torch.Tensor:
        """Take steps first … last − 1; the losses (models, steps), NaN after a model's last step.

        Raises ValueError where a loss is not finite, naming the model.
        """
        groups = [slice(i, i + 1) for i in range(len(self.jobs))] if trains_separately(self.device) else [slice(None)]
        run = pool.map if pool else map
        losses = torch.cat(list(run(lambda group: self._advance(group, first, last), groups))).cpu()
        for job, row in zip(self.jobs, losses, strict=True):
            wrong = ~row[: max(0, len(job.batches) - first)].isfinite()
            if wrong.any():
                at = int(wrong.nonzero()[0])
                raise ValueError(
                    f"model {job.number} (seed {job.seed}): the loss is {row[at]} at step {first + at} of "
                    f"{len(job.batches)}; lower learning_rate ({self.settings.learning_rate:g}) or give max_norm"
                )
        return losses

    def check(self, step: int, storage: torch.dtype = torch.float32) -> None:
        """Raise ValueError, naming the model, where after so many steps a weight does not fit `storage`, or a weight or
        moment is not finite."""
        for group, parts in self.stack.groups().items():
            limit = torch.finfo(storage if group == "weights" else torch.float32).max
            for name, part in parts.items():
                largest = torch.linalg.vector_norm(part.reshape(len(part), -1), torch.inf, dim=1).tolist()
                for job, value in zip(self.jobs, largest, strict=True):
                    if not value <= limit:  # NaN, too
                        raise ValueError(
                            f"model {job.number} (seed {job.seed}): the largest value of {name} is {value:.3g} after "
                            f"step {min(step, len(job.batches))} of {len(job.batches)}, beyond {limit:.3g}; lower "
                            f"learning_rate ({self.settings.learning_rate:g}) or give max_norm"
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
        settings, parts = self.settings, [job.data.take(job.batches[step]) for job in jobs]
        seeds = [mix_seeds(job.seed, step) for job in jobs]
        rates = [rate(step, len(job.batches), peak=settings.learning_rate, warmup=settings.warmup) for job in jobs]
        width = self.graphs.width(parts) if self.graphs else 0
        given, take = prepare_step(parts, seeds, rates, step, self.device, width), partial(self._take, stack)
        return self.graphs.take(take, given) if self.graphs else take(given)

    def _take(self, stack: Stack, given: Step) -> torch.Tensor:
        settings = self.settings
        losses, gradients = self.way.gradients(stack, given)
        gradients = {name: gradient for name, gradient in gradients.items() if name in self.trained}
        optimizer.apply(
            stack, gradients, given, decay=settings.weight_decay, max_norm=settings.max_norm, fused=self.fused
        )
        return losses


def trains_separately(device: torch.device) -> bool:
    """Whether each model has passes of its own: on a CPU one for all wins nothing, and loses caches and threads."""
    return device.type == "cpu"


@contextmanager
def workers(models: int, parallel: bool, device: torch.device) -> Iterator[ThreadPoolExecutor | None]:
    """Threads that train a model each, with a share of torch's threads; None where models cannot be trained so.

    A model a thread beats torch's threads on every small product: no core waits for another.
    """
    threads = torch.get_num_threads()
    count = min(models, threads)
    if not (trains_separately(device) and parallel):
        yield None
        return
    try:
        with ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(threads // count,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(threads)
