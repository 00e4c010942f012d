"""Norms of all explicit skip-gram vectors σ(v_w Uᵀ), compared with the bare matrix product V Uᵀ in blocks of rows.

python benchmarks/explicit.py [--words 20000] [--dimensions 300] [--threads 1 2]

Prints processor time in addition to wall time, since it is comparable on a shared machine.
"""

import argparse
import resource
import statistics
import time

import numpy as np
from threadpoolctl import threadpool_limits

from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import Embedding

RUNS = 5


def arguments(command_line: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    return parser.parse_args(command_line)


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


def main(options: argparse.Namespace) -> None:
    shape = (options.words, options.dimensions)
    vectors, contexts = np.random.default_rng(1).normal(0, 0.2, (2, *shape)).astype(np.float32)
    embedding = Embedding([f"w{i}" for i in range(options.words)], vectors, contexts, link="sigmoid")
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
