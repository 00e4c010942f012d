"""Steps on a GPU recorded as CUDA graphs, one for each shape of a batch: all kernels of a step by one call.

A graph keeps its kernels' addresses and whatever came from the host. Weights, moments and copies never move; what a
step is given is copied to where it was when the graph was recorded; and nothing else may differ between two steps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.batches import Step

MULTIPLE = 8  # of tokens that batches are padded to, so that there are few shapes
WARM = 2  # steps of a shape before it is recorded, in which kernels are compiled and libraries loaded
MOST = 8  # shapes with a graph; steps of others are taken one kernel after the other
Losses = Callable[[], torch.Tensor]
Capture = Callable[[Losses], Losses]  # records what a function does without doing it; what is returned does it


def on_gpu() -> Capture:
    """A way to record CUDA graphs that share their memory, as no two are replayed at once."""
    pool = torch.cuda.graph_pool_handle()

    def capture(take: Losses) -> Losses:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool):
            losses = take()

        def replay() -> torch.Tensor:
            graph.replay()
            return losses

        return replay

    return capture


@dataclass
class Shape:
    """Steps of one shape: where they find what they are given, how many there were, and the graph if there is one."""

    given: Step
    steps: int = 0
    replay: Losses | None = None


class Graphs:
    """Graphs of one chunk's steps; they are dropped when a model ends, as its shapes do not come again."""

    def __init__(self, longest: int, begin: Callable[[], Capture] = on_gpu):
        """longest: tokens of the longest sentence of all. begin: what graphs that share their memory are made by."""
        self.longest, self.begin = longest, begin
        self.models, self.shapes, self.capture = 0, {}, None

    def width(self, parts: Sequence[MaskedSentences]) -> int:
        """Tokens that a step's batches are padded to."""
        longest = max(int(part.lengths.max()) for part in parts)
        return min(-(-longest // MULTIPLE) * MULTIPLE, self.longest)

    def take(self, step: Callable[[Step], torch.Tensor], given: Step) -> torch.Tensor:
        """Take a step; its losses (M,), to be read or copied before the next one is taken."""
        models, *_ = shape = tuple(given.batch.ids.shape)
        if models != self.models:
            self.models, self.shapes, self.capture = models, {}, self.begin()
        if shape not in self.shapes:
            if len(self.shapes) == MOST:
                return step(given)
            self.shapes[shape] = Shape(_on_device(given))
        known = self.shapes[shape]
        for place, value in zip(_tensors(known.given), _tensors(given), strict=True):
            place.copy_(value)
        known.steps += 1
        if known.steps <= WARM:
            return step(known.given)
        if not known.replay:
            known.replay = self.capture(lambda: step(known.given))
        return known.replay()


def _on_device(given: Step) -> Step:
    """A step without what it has on the host, which a graph would keep; to read that is an error."""
    return given._replace(batch=given.batch._replace(sizes=None, full=False), seeds=None, now=None)


def _tensors(given: Step) -> list[torch.Tensor]:
    return [part for part in (*given.batch, *given) if isinstance(part, torch.Tensor)]
