"""Classification heads: all folds, learning rates and variants of an encoder in one call, compared with a loop.

python benchmarks/heads.py [--width 128 256] [--texts 2800] [--threads 2] [--looped 6]

The plain loop is what a user would write: for each head a torch.nn.Sequential, torch.optim.RMSprop, a DataLoader that
shuffles a TensorDataset, BCEWithLogitsLoss, five epochs, then probabilities of validation and test texts. It trains
only some heads, on one thread (its products are too small for more), and its time is scaled to the number of heads.
"""

import argparse
import statistics
from functools import partial
from timeit import repeat

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from biassay.language_models.heads import RATES, cross_validate
from biassay.statistics.folds import assign_folds

CLASSES, FOLDS, EPOCHS, BATCH = 15, 5, 5, 32
GOAL = 5.0


def data(n: int, width: int, variants: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make vectors (variants, n, width) of 15 classes that overlap, labels and folds."""
    random = np.random.default_rng(1)
    labels = np.eye(CLASSES, dtype=np.float32)[np.arange(n) % CLASSES]
    centres = random.standard_normal((CLASSES, width)) * 1.5 / width**0.5
    vectors = labels @ centres + random.standard_normal((variants, n, width)) / width**0.5
    return vectors.astype(np.float32), labels, assign_folds(labels, np.arange(n) % 2, FOLDS, 1)


def loop(vectors: np.ndarray, labels: np.ndarray, folds: np.ndarray, heads: int) -> None:
    """Train heads one after another."""
    texts, ground_truth, width = torch.from_numpy(vectors[0]), torch.from_numpy(labels), vectors.shape[2]
    for head in range(heads):
        fold, rate = head % FOLDS, RATES[head % len(RATES)]
        rows = torch.from_numpy(np.flatnonzero(folds != fold))
        train, validation = rows[len(rows) // 10 :], rows[: len(rows) // 10]
        x, y = texts[train], ground_truth[train]
        model = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, CLASSES))
        optimizer = torch.optim.RMSprop(model.parameters(), lr=rate)
        loss = torch.nn.BCEWithLogitsLoss(pos_weight=(len(y) - y.sum(0)) / y.sum(0))
        for _ in range(EPOCHS):
            for batch_x, batch_y in DataLoader(TensorDataset(x, y), batch_size=BATCH, shuffle=True):
                optimizer.zero_grad()
                loss(model(batch_x), batch_y).backward()
                optimizer.step()
        with torch.no_grad():
            torch.sigmoid(model(texts[validation])), torch.sigmoid(model(texts[folds == fold]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, nargs="+", default=[128, 256, 768])
    parser.add_argument("--texts", type=int, default=2800)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--looped", type=int, default=6, help="heads that the loop trains")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for width in options.width:
        variants = 3 if width <= 256 else 1
        inputs, heads = data(options.texts, width, variants), variants * FOLDS * len(RATES)
        cross_validate(*inputs, attempts=1, epochs=1)  # compiles
        torch.set_num_threads(options.threads)
        ours = repeat(partial(cross_validate, *inputs, attempts=1), number=1, repeat=options.repeats)
        torch.set_num_threads(1)
        plain = repeat(partial(loop, *inputs, options.looped), number=1, repeat=options.repeats)
        ours, plain = statistics.median(ours), statistics.median(plain) * heads / options.looped
        print(f"{heads} heads of width {width}, {options.texts:,} texts: {ours:.2f} s on {options.threads} threads, "
              f"plain loop {plain:.2f} s, {plain / ours:.1f} × (goal {GOAL:g})", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
