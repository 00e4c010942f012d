"""Training of classification heads in stacked tensors: two linear layers with ReLU between them, RMSprop.

A step of all heads of a stack is a few products of stacked matrices. On a CPU a stack fits in the caches, and RMSprop
is one compiled pass; the operations of torch would read the weights six times.
"""

from collections.abc import Iterator, Sequence

import numba
import numpy as np
import torch

DECAY, EPSILON = 0.99, 1e-8  # of RMSprop, as torch has them


class Stack:
    """Weights of M heads, their gradients and RMSprop's running squares: about 12 d² bytes per head.

    The weights are (M, d, d), (M, 1, d), (M, d, classes) and (M, 1, classes). They are initialised as in
    torch.nn.Linear, from a seed per head; heads with the same seed start with the same weights.
    """

    def __init__(self, width: int, classes: int, seeds: Sequence[int], rates: Sequence[float], device: torch.device):
        drawn = {seed: _drawn(width, classes, seed) for seed in dict.fromkeys(seeds)}
        self.weights = [torch.stack([drawn[seed][i] for seed in seeds]).to(device) for i in range(4)]
        squares, self.gradients = (
            [make(part) for part in self.weights] for make in (torch.zeros_like, torch.empty_like)
        )
        rates = torch.tensor(rates, dtype=torch.float32, device=device)
        self.state = [(*parts, rates) for parts in zip(self.weights, squares, self.gradients, strict=True)]
        self.update = update_by_torch
        if device.type == "cpu":
            self.state = [tuple(part.numpy() for part in parts) for parts in self.state]
            self.update = update_in_one_pass

    def step(self, vectors: torch.Tensor, odds: torch.Tensor, both: torch.Tensor, share: torch.Tensor) -> None:
        """Train every head on its batch.

        Parameters
        ----------
        vectors
            (M, b, d).
        odds
            Weights of a row's classes, 0 for its other classes, (M, b, classes); M can be 1.
        both
            The same with 1 for the other classes.
        share
            Weight of a row in the loss, (M, b, 1).
        """
        hidden, logits = layers(self.weights, vectors)
        slope = logits.sigmoid_().mul_(both).sub_(odds).mul_(share)
        back = torch.bmm(slope, self.weights[2].mT)
        back = torch.ops.aten.threshold_backward(back, hidden, 0)  # of ReLU
        torch.bmm(vectors.mT, back, out=self.gradients[0])
        torch.sum(back, 1, keepdim=True, out=self.gradients[1])
        torch.bmm(hidden.mT, slope, out=self.gradients[2])
        torch.sum(slope, 1, keepdim=True, out=self.gradients[3])
        for parts in self.state:
            self.update(*parts)


def layers(weights: Sequence[torch.Tensor], vectors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute the hidden layer (M, b, d) and logits (M, b, classes) of vectors (M, b, d) by M heads."""
    first, bias, second, offset = weights
    hidden = torch.baddbmm(bias, vectors, first).relu_()
    return hidden, torch.baddbmm(offset, hidden, second)


def _drawn(width: int, classes: int, seed: int) -> list[torch.Tensor]:
    random, bound = torch.Generator().manual_seed(seed), width**-0.5
    shapes = [(width, width), (1, width), (width, classes), (1, classes)]
    return [(2 * torch.rand(shape, generator=random) - 1) * bound for shape in shapes]


def update_by_torch(weights: torch.Tensor, squares: torch.Tensor, gradients: torch.Tensor, rates: torch.Tensor) -> None:
    """Apply RMSprop to M stacked tensors with a learning rate each, by torch; overwrites the gradients."""
    squares.mul_(DECAY).addcmul_(gradients, gradients, value=1 - DECAY)
    weights.addcdiv_(gradients.mul_(rates[:, None, None]), squares.sqrt().add_(EPSILON), value=-1)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def update_in_one_pass(weights, squares, gradients, rates):
    """Apply RMSprop as `update_by_torch`, in one pass over float32 arrays."""
    decay, fresh, epsilon = np.float32(DECAY), np.float32(1 - DECAY), np.float32(EPSILON)
    for head in range(len(weights)):
        weight, square, gradient = weights[head].reshape(-1), squares[head].reshape(-1), gradients[head].reshape(-1)
        for place in range(weight.size):
            slope = gradient[place]
            mean = decay * square[place] + fresh * slope * slope
            square[place] = mean
            weight[place] -= rates[head] * slope / (np.float32(np.sqrt(mean)) + epsilon)


def batches(
    parts: Sequence[np.ndarray], epochs: int, batch: int, seeds: Sequence[int]
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield for each epoch the shuffled rows of V parts, (steps, V, b), and each row's share of its batch.

    The shares are (steps, V, b, 1). All parts have as many batches as the largest needs, of at most `batch` rows, with
    sizes that differ by one at most; smaller batches are padded with a row of share 0.
    """
    steps = -(-max(map(len, parts)) // batch)
    randoms = [np.random.default_rng(seed) for seed in seeds]
    shape = steps, len(parts), max(-(-len(part) // steps) for part in parts)
    for _ in range(epochs):
        rows, shares = np.zeros(shape, np.int64), np.zeros((*shape, 1), np.float32)
        for number, (part, random) in enumerate(zip(parts, randoms, strict=True)):
            for step, chosen in enumerate(np.array_split(random.permutation(part), steps)):
                rows[step, number, : len(chosen)], shares[step, number, : len(chosen)] = chosen, 1 / max(1, len(chosen))
        yield torch.from_numpy(rows), torch.from_numpy(shares)
