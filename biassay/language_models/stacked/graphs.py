"""CUDA graphs of training steps, one for each shape of a batch: one call starts all kernels of a step.

A graph stores the addresses of its tensors and all values that came from the host. So weights, moments and copies never
move, the inputs of a step are copied to the addresses of the recording, and nothing else may differ between two steps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.batches import Step

MULTIPLE = 8  # batches are padded to a multiple of 8 tokens, so that there are few shapes
WARM_UP = 2  # steps of a shape before its recording, which compile kernels and load libraries
MAX_GRAPHS = 8  # shapes with a graph; steps of other shapes start each kernel separately
Losses = Callable[[], torch.Tensor]
Capture = Callable[
    [Losses], Losses
]  # records a function without running it; returns a function that runs the recording


def on_gpu() -> Capture:
    """Create a recorder of CUDA graphs that share their memory, because no two run at the same time."""
    pool = torch.cuda.graph_pool_handle()

    def capture(run: Losses) -> Losses:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool):
            losses = run()

        def replay() -> torch.Tensor:
            graph.replay()
            return losses

        return replay

    return capture


@dataclass
class Shape:
    """Steps of one shape: the tensors of their inputs, the number of steps, and the graph if there is one."""

    inputs: Step
    steps: int = 0
    replay: Losses | None = None


class Graphs:
    """Graphs of one chunk's steps; all are deleted when a model ends, because its shapes do not recur."""

    def __init__(self, longest: int, make_capture: Callable[[], Capture] = on_gpu):
        """longest: tokens of the longest sentence of all. make_capture: creates a recorder of graphs."""
        self.longest, self.make_capture = longest, make_capture
        self.models, self.shapes, self.capture = 0, {}, None

    def width(self, parts: Sequence[MaskedSentences]) -> int:
        """Compute the number of tokens that a step's batches are padded to."""
        longest = max(int(part.lengths.max()) for part in parts)
        return min(-(-longest // MULTIPLE) * MULTIPLE, self.longest)

    def run_step(self, step: Callable[[Step], torch.Tensor], inputs: Step) -> torch.Tensor:
        """Run a step; return its losses (M,), which the next step overwrites."""
        models, *_ = shape = tuple(inputs.batch.ids.shape)
        if models != self.models:
            self.models, self.shapes, self.capture = models, {}, self.make_capture()
        if shape not in self.shapes:
            if len(self.shapes) == MAX_GRAPHS:
                return step(inputs)
            self.shapes[shape] = Shape(_on_device(inputs))
        recorded = self.shapes[shape]
        for place, value in zip(_tensors(recorded.inputs), _tensors(inputs), strict=True):
            place.copy_(value)
        recorded.steps += 1
        if recorded.steps <= WARM_UP:
            return step(recorded.inputs)
        if not recorded.replay:
            recorded.replay = self.capture(lambda: step(recorded.inputs))
        return recorded.replay()


def _on_device(inputs: Step) -> Step:
    """Remove the host's values, which a graph would store; reading them is an error."""
    return inputs._replace(batch=inputs.batch._replace(sizes=None, full=False), seeds=None, host_rates=None)


def _tensors(inputs: Step) -> list[torch.Tensor]:
    return [part for part in (*inputs.batch, *inputs) if isinstance(part, torch.Tensor)]
