"""Classification heads: all folds, learning rates and variants of an encoder in one call, compared with loops.

python benchmarks/heads.py [--width 128 256] [--texts 2800] [--threads 2] [--looped 6]

The plain loop is what a user would write: for each head a torch.nn.Sequential, torch.optim.RMSprop, a DataLoader
that shuffles a TensorDataset, BCEWithLogitsLoss, five epochs, then probabilities of validation and test texts. The
tight loop indexes tensors instead of using a DataLoader. Both train only some heads, which all take the same time, and
their times are scaled to the number of heads; ours trains all, chooses among them and is not scaled. Runs alternate; we
report medians. A loop on more threads is often slower than on one, because its products are small: each loop gets the
faster of one thread and --threads.
"""

import argparse
import os
import statistics
import time
from collections.abc import Iterator

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from biassay.language_models.heads import RATES, cross_validate
from biassay.statistics.folds import assign_folds

CLASSES, FOLDS, EPOCHS, BATCH = 15, 5, 5, 32
GOAL = 5.0


def data(n: int, width: int, variants: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vectors (variants, n, width) of 15 classes that overlap, labels and folds."""
    random = np.random.default_rng(1)
    labels = np.eye(CLASSES, dtype=np.float32)[np.arange(n) % CLASSES]
    centres = random.standard_normal((CLASSES, width)) * 1.5 / width**0.5
    vectors = labels @ centres + random.standard_normal((variants, n, width)) / width**0.5
    return vectors.astype(np.float32), labels, assign_folds(labels, np.arange(n) % 2, FOLDS, 1)


def loader(vectors: torch.Tensor, labels: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """An epoch's batches as a DataLoader makes them."""
    return iter(DataLoader(TensorDataset(vectors, labels), batch_size=BATCH, shuffle=True))


def indexed(vectors: torch.Tensor, labels: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """An epoch's batches, indexed."""
    for rows in torch.randperm(len(vectors)).split(BATCH):
        yield vectors[rows], labels[rows]


def loop(batches, vectors: np.ndarray, labels: np.ndarray, of_folds: np.ndarray, heads: int) -> None:
    """Train so many heads, one after another."""
    given, ground_truth, width = torch.from_numpy(vectors), torch.from_numpy(labels), vectors.shape[2]
    for head in range(heads):
        fold, rate = head % FOLDS, RATES[head % len(RATES)]
        rows = torch.from_numpy(np.flatnonzero(of_folds != fold))
        train, held = rows[len(rows) // 10 :], rows[: len(rows) // 10]
        x, y = given[0, train], ground_truth[train]
        model = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, CLASSES))
        optimizer = torch.optim.RMSprop(model.parameters(), lr=rate)
        loss = torch.nn.BCEWithLogitsLoss(pos_weight=(len(y) - y.sum(0)) / y.sum(0))
        for _ in range(EPOCHS):
            for some, some_labels in batches(x, y):
                optimizer.zero_grad()
                loss(model(some), some_labels).backward()
                optimizer.step()
        with torch.no_grad():
            torch.sigmoid(model(given[0, held])), torch.sigmoid(model(given[0, of_folds == fold]))


def seconds(function, threads: int) -> float:
    torch.set_num_threads(threads)
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def compare(given: argparse.Namespace, width: int, variants: int) -> None:
    """Print the medians of one size."""
    vectors, labels, of_folds = data(given.texts, width, variants)
    heads = variants * FOLDS * len(RATES)
    ways = {"ours": (lambda: cross_validate(vectors, labels, of_folds, attempts=1), given.threads, 1.0)}
    for name, batches in (("plain loop", loader), ("tight loop", indexed)):
        for threads in sorted({1, given.threads}):
            ways[f"{name}, {threads} threads"] = (
                lambda way=batches: loop(way, vectors, labels, of_folds, given.looped), threads, heads / given.looped
            )  # fmt: skip
    times = {name: [] for name in ways}
    seconds(ways["ours"][0], given.threads)  # compiles
    for _ in range(given.repeats):
        for name, (function, threads, scale) in ways.items():
            times[name].append(seconds(function, threads) * scale)
    medians = {name: statistics.median(values) for name, values in times.items()}
    ours = medians["ours"]
    of = f"{variants} variants × {FOLDS} folds × {len(RATES)} rates"
    print(f"d = {width}, {given.texts:,} texts, {CLASSES} classes: {heads} heads ({of}), {EPOCHS} epochs")
    print(f"  ours, {given.threads} of {os.cpu_count()} threads: {ours:.2f} s")
    for name, value in medians.items():
        if name != "ours":
            print(f"  {name}: {value:.2f} s of {given.looped} heads scaled, {value / ours:.1f} × ours")
    fastest = {
        kind: min(value for name, value in medians.items() if name.startswith(kind)) for kind in ("plain", "tight")
    }
    print(f"  fastest plain loop {fastest['plain'] / ours:.1f} × ours, "
          f"goal {GOAL:g}: {'met' if fastest['plain'] / ours >= GOAL else 'MISSED'}; "
          f"fastest tight loop {fastest['tight'] / ours:.1f} ×", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, nargs="+", default=[128, 256, 768])
    parser.add_argument("--texts", type=int, default=2800)
    parser.add_argument("--variants", type=int, default=3, help="1 above 256 dimensions")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--looped", type=int, default=6, help="heads that the loops train")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    for width in given.width:
        compare(given, width, given.variants if width <= 256 else 1)


if __name__ == "__main__":
    main()
