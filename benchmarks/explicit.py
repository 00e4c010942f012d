"""Norms of all explicit skip-gram vectors σ(v_w Uᵀ), compared with the bare matrix product V Uᵀ in blocks of rows.

python benchmarks/explicit.py [--words 20000] [--dimensions 300] [--threads 1 2] [--device cuda]

Prints processor time in addition to wall time, since it is comparable on a shared machine. On a torch device (by
default a GPU, if there is one, with 197,549 words), the product is in float16, and the largest relative error of 256
norms is printed.
"""

import argparse
import resource
import statistics
import time
from importlib.util import find_spec

import numpy as np
from scipy.special import expit
from threadpoolctl import threadpool_limits

from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import Embedding

RUNS = 5


def arguments(command_line: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", help="torch device; by default numpy on CPU threads")
    parser.add_argument("--words", type=int)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args(command_line)
    if options.device is None and find_spec("torch"):
        import torch

        options.device = "cuda" if torch.cuda.is_available() else None
    options.words = options.words or (197_549 if options.device == "cuda" else 20_000)
    return options


def product(vectors: np.ndarray, contexts: np.ndarray, threads: int, rows: int = 1024) -> None:
    """Compute V Uᵀ; discard each block."""
    with threadpool_limits(threads):
        for start in range(0, len(vectors), rows):
            vectors[start : start + rows] @ contexts.T


def timed(function, *arguments) -> tuple[float, float]:
    """Return the wall and processor seconds of a call."""
    wall, processor = time.perf_counter(), time.process_time()
    function(*arguments)
    return time.perf_counter() - wall, time.process_time() - processor


def on_device(embedding: Embedding, device: str) -> None:
    """Time the norms on a device, with copies to and from it, and the bare product there."""
    import torch

    def copied() -> list[torch.Tensor]:
        parts = [torch.from_numpy(part).half().to(device) for part in (embedding.vectors, embedding.contexts)]
        parts[1][0, 0].item()
        return parts

    pad = torch.nn.functional.pad
    halves = [pad(part, (0, -part.shape[1] % explicit_vectors.ALIGNED)) for part in copied()]

    def bare() -> None:
        for start in range(0, len(halves[0]), 4096):
            product = halves[0][start : start + 4096] @ halves[1].T
        product[0, 0].item()

    calls = {"copies": copied, "product": bare, "norms": lambda: explicit_vectors.add_norms(embedding, 1, device)}
    calls["norms without copies, by torch"] = lambda: explicit_vectors.squared_norms_by_torch(*halves)[0].item()
    if device == "cuda" and find_spec("triton"):
        from biassay.vectors import fused_norms

        calls["by our kernel"] = lambda: fused_norms.squared(*halves)[0].item()
    runs = [[timed(call)[0] for call in calls.values()] for _ in range(RUNS + 1)][1:]
    sample = embedding.vectors[:256].astype(np.float64)
    exact = np.sqrt(np.square(expit(sample @ embedding.contexts.T)).sum(axis=1))
    error = np.abs(explicit_vectors.add_norms(embedding, 1, device).norms[:256] / exact - 1).max()
    times = [f"{name} {seconds:.3f} s" for name, seconds in zip(calls, np.median(runs, axis=0), strict=True)]
    shape = " × ".join(f"{n:,}" for n in embedding.vectors.shape)
    print(f"{shape} on {device}: {', '.join(times)} (goals 0.09 s on an H200, 0.13 s on an H100), error {error:.1e}")


def main(options: argparse.Namespace) -> None:
    shape = (options.words, options.dimensions)
    vectors, contexts = np.random.default_rng(1).normal(0, 0.2, (2, *shape)).astype(np.float32)
    embedding = Embedding([f"w{i}" for i in range(options.words)], vectors, contexts, link="sigmoid")
    if options.device:
        on_device(embedding, options.device)
        return
    for threads in options.threads:
        runs = [
            (*timed(product, vectors, contexts, threads), *timed(explicit_vectors.add_norms, embedding, threads))
            for _ in range(RUNS)
        ]
        bare, _, ours, _ = np.median(runs, axis=0)
        wall = statistics.median(row[2] / row[0] for row in runs)
        processor = statistics.median(row[3] / row[1] for row in runs)
        print(
            f"{options.words:,} words, {options.dimensions} dimensions, {threads} threads: product {bare:.2f} s, norms "
            f"{ours:.2f} s, {wall:.2f} × the product's time, {processor:.2f} × its processor time"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main(arguments())
