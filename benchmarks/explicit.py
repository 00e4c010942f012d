"""Norms of all explicit skip-gram vectors σ(v_w Uᵀ), compared with the bare matrix product V Uᵀ in blocks of rows.

python benchmarks/explicit.py

Prints processor time in addition to wall time, since it is comparable on a shared machine.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits

from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import Embedding

RUNS = 5
SHAPE = (20_000, 300)


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


def main() -> None:
    vectors, contexts = np.random.default_rng(1).normal(0, 0.2, (2, *SHAPE)).astype(np.float32)
    embedding = Embedding([f"w{i}" for i in range(len(vectors))], vectors, contexts, link="sigmoid")
    for threads in (1, 2):
        bare = np.array([timed(product, vectors, contexts, threads) for _ in range(RUNS)])
        ours = np.array([timed(explicit_vectors.add_norms, embedding, threads) for _ in range(RUNS)])
        wall, processor = np.median(ours / bare, axis=0)
        print(
            f"{SHAPE[0]:,} words, {SHAPE[1]} dimensions, {threads} threads: norms {np.median(ours[:, 0]):.2f} s, "
            f"{wall:.2f} × the product's time, {processor:.2f} × its processor time"
        )


if __name__ == "__main__":
    main()
