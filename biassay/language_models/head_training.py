"""Training of classification heads in stacked tensors: two linear layers with ReLU between them, RMSprop.

A stack has the heads of one variant and fold for many learning rates, which share their batches; a step of all heads is
a few products of stacked matrices. On a CPU the stack fits in the caches, and RMSprop is one compiled pass; the
operations of torch would read the weights six times.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numba
import numpy as np
import torch

from biassay.core.logs import Progress
from biassay.language_models.stacked.run import workers
from biassay.statistics.seeds import seed_of

DECAY, EPSILON = 0.99, 1e-8  # of RMSprop, as torch has them
CACHE = 8 << 20  # bytes of a stack's weights
SLICE = 1 << 20  # numbers of a hidden layer computed at once
RECALLS = 0.01, 1.0  # a head that never predicts a class, or always predicts it, is not valid
START, ORDER = 32, 33  # purposes of seeds
Job = tuple[int, int]  # a variant and a fold
Result = tuple[np.ndarray, np.ndarray, np.ndarray]  # of the heads of a job: probabilities, scores, validity


@dataclass(frozen=True)
class Plan:
    """The texts of all heads and the settings of their training.

    vectors: (variants, n, d). labels, folds: (n, classes) and (n,). parts: training and validation rows by fold.
    positive: (folds, classes) weights of positives.
    """

    vectors: torch.Tensor
    labels: torch.Tensor
    positive: torch.Tensor
    folds: np.ndarray
    parts: list[tuple[np.ndarray, np.ndarray]]
    rates: tuple[float, ...]
    epochs: int
    batch: int
    seed: int


class Stack:
    """Weights of M heads, their gradients and RMSprop's running squares: about 12 d² bytes per head.

    The weights are (M, d, d), (M, 1, d), (M, d, classes) and (M, 1, classes). All heads start with the same weights,
    initialised as in torch.nn.Linear. rates: (M,).
    """

    def __init__(self, width: int, classes: int, seed: int, rates: Sequence[float], device: torch.device):
        random, bound = torch.Generator().manual_seed(seed), width**-0.5
        shapes = [(width, width), (1, width), (width, classes), (1, classes)]
        drawn = [(2 * torch.rand(shape, generator=random) - 1) * bound for shape in shapes]
        self.weights = [torch.stack([part] * len(rates)).to(device) for part in drawn]
        squares = [torch.zeros_like(part) for part in self.weights]
        self.gradients = [torch.empty_like(part) for part in self.weights]
        rates = torch.tensor(rates, dtype=torch.float32, device=device)
        self.state = [(*parts, rates) for parts in zip(self.weights, squares, self.gradients, strict=True)]
        self.update = update_by_torch
        if device.type == "cpu":
            self.state = [tuple(part.numpy() for part in parts) for parts in self.state]
            self.update = update_in_one_pass

    def step(self, vectors: torch.Tensor, odds: torch.Tensor, both: torch.Tensor, share: torch.Tensor) -> None:
        """Train every head on a batch of vectors (b, d).

        odds: weights of a row's classes, 0 for its other classes, (b, classes). both: the same with 1 for the other
        classes. share: weight of a row in the loss, (b, 1).
        """
        vectors = vectors.expand(len(self.weights[0]), -1, -1)
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

    def predict(self, vectors: torch.Tensor) -> np.ndarray:
        """Compute the probabilities of texts (n, d) by all heads, (M, n, classes), in slices of texts."""
        heads = len(self.weights[0])
        slices = vectors.split(max(1, SLICE // (heads * vectors.shape[1])))
        logits = [layers(self.weights, part.expand(heads, -1, -1))[1] for part in slices]
        return torch.cat(logits, dim=1).sigmoid_().numpy(force=True)


def layers(weights: Sequence[torch.Tensor], vectors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute the hidden layer (M, b, d) and logits (M, b, classes) of vectors (M, b, d) by M heads."""
    first, bias, second, offset = weights
    hidden = torch.baddbmm(bias, vectors, first).relu_()
    return hidden, torch.baddbmm(offset, hidden, second)


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


def train_heads(plan: Plan, jobs: list[Job], attempt: int) -> Iterator[tuple[Job, *Result]]:
    """Train the heads of variants and folds; `attempt` is part of the seeds of weights and orders.

    Yields each job with the results of its heads for all rates: probabilities of the fold's texts (rates, texts,
    classes), validation scores (rates,), and whether the heads are valid (rates,).
    """
    n_heads = max(1, CACHE // (12 * plan.vectors.shape[2] ** 2))  # of a stack
    rates = [plan.rates[first : first + n_heads] for first in range(0, len(plan.rates), n_heads)]
    progress = Progress("training heads", len(jobs) * len(plan.rates), "heads")
    with workers(len(jobs) * len(rates)) as pool:
        stacks = [[pool.submit(_train, plan, job, part, attempt) for part in rates] for job in jobs]
        for job, parts in zip(jobs, stacks, strict=True):
            yield job, *map(np.concatenate, zip(*(part.result() for part in parts), strict=True))
            progress.add(len(plan.rates))


def _train(plan: Plan, job: Job, rates: tuple[float, ...], attempt: int) -> Result:
    variant, fold = job
    vectors, labels, device = plan.vectors[variant], plan.labels, plan.vectors.device
    start, order = (seed_of(plan.seed, kind, fold, attempt) for kind in (START, ORDER))
    stack = Stack(vectors.shape[1], labels.shape[1], start, rates, device)
    odds = labels * plan.positive[fold]
    both = odds + 1 - labels
    train, validation = plan.parts[fold]
    for rows, shares in batches(train, plan.epochs, plan.batch, order):
        for chosen, share in zip(rows.to(device), (shares / labels.shape[1]).to(device), strict=True):
            stack.step(vectors[chosen], odds[chosen], both[chosen], share)
    predicted = stack.predict(vectors[validation]) > 0.5
    probabilities = stack.predict(vectors[plan.folds == fold])
    return probabilities, *score_heads(predicted, labels.numpy(force=True)[validation] == 1)


def batches(part: np.ndarray, epochs: int, batch: int, seed: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield for each epoch the shuffled rows (steps, b), and each row's share of its batch (steps, b, 1).

    The sizes of the batches, at most `batch`, differ by one at most; smaller ones are padded with a row of share 0.
    """
    steps, random = -(-len(part) // batch), np.random.default_rng(seed)
    shape = steps, -(-len(part) // steps)
    for _ in range(epochs):
        rows, shares = np.zeros(shape, np.int64), np.zeros((*shape, 1), np.float32)
        for step, chosen in enumerate(np.array_split(random.permutation(part), steps)):
            rows[step, : len(chosen)], shares[step, : len(chosen)] = chosen, 1 / len(chosen)
        yield torch.from_numpy(rows), torch.from_numpy(shares)


def score_heads(predicted: np.ndarray, ground_truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute weighted F1 (M,) of M heads, and whether each head is valid (M,).

    A head is valid if every recall lies strictly between RECALLS; the upper limit applies only to classes that the
    head predicts for every text. Classes without texts are ignored. predicted: (M, texts, classes) bool. ground_truth:
    (texts, classes) bool.
    """
    n_texts = ground_truth.sum(axis=0)
    hits, n_predicted = (predicted & ground_truth).sum(axis=1), predicted.sum(axis=1)
    scores = 2 * hits / np.maximum(1, n_predicted + n_texts) @ n_texts / max(1, n_texts.sum())
    present = n_texts > 0
    recalls = hits[:, present] / n_texts[present]
    everywhere = predicted.all(axis=1)[:, present]
    low, high = RECALLS
    return scores, ((recalls > low) & ((recalls < high) | ~everywhere)).all(axis=1)
