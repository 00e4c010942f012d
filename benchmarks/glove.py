"""GloVe: time per epoch and final objective, compared with Stanford's `glove` on the same counts.

python benchmarks/glove.py [--counts FOLDER] [--dimensions 100 300] [--threads 1 2] [--epochs 5] [--stanford PATH]

FOLDER was written by `counts.cooccurrence.count`; by default, generated text is counted. The objective is the final
mean over all pairs, in double precision, by the same function for both. The time of Stanford's epoch is the difference
between a run with epochs and a run without, so that it excludes reading and writing.
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse
from counts import RECORD, generated

from biassay.corpora import corpus
from biassay.counts import cooccurrence, storage
from biassay.embeddings import _glove_kernel as glove

SETTINGS = {"x_max": 100.0, "alpha": 0.75}


def compute_objective(
    model: tuple[np.ndarray, ...], counts: scipy.sparse.csr_array, x_max: float, alpha: float
) -> float:
    """Compute the mean objective per pair of (vectors, contexts, word biases, context biases), in double precision."""
    vectors, contexts, word_biases, context_biases = (part.astype(float) for part in model)
    cost = 0.0
    for row in range(counts.shape[0]):
        span = slice(counts.indptr[row], counts.indptr[row + 1])
        columns, x = counts.indices[span], counts.data[span]
        differences = contexts[columns] @ vectors[row] + word_biases[row] + context_biases[columns] - np.log(x)
        cost += 0.5 * (np.minimum(1, x / x_max) ** alpha * differences**2).sum()
    return cost / counts.nnz


def time_ours(counts: scipy.sparse.csr_array, dimensions: int, threads: int, epochs: int) -> tuple[float, float]:
    """Return the median seconds per epoch and the final objective."""
    options = {"seed": 1, "threads": threads, "rate": 0.05, **SETTINGS}
    glove.epoch(glove.start(counts.shape[0], dimensions, 1), counts[:100], number=0, **options)  # compiles
    model, seconds = glove.start(counts.shape[0], dimensions, 1), []
    for number in range(epochs):
        begin = time.perf_counter()
        glove.epoch(model, counts, number=number, **options)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), compute_objective(model[:4], counts, **SETTINGS)


def write_shuffled(counts: scipy.sparse.csr_array, folder: Path) -> None:
    """Write the input of Stanford's program: all counts in random order, and a vocabulary."""
    records = np.empty(counts.nnz, RECORD)
    records["word"] = np.repeat(np.arange(1, counts.shape[0] + 1), np.diff(counts.indptr))
    records["context"], records["value"] = counts.indices + 1, counts.data
    np.random.default_rng(1).shuffle(records)
    records.tofile(folder / "shuffled.bin")
    (folder / "vocabulary.txt").write_text("".join(f"w{i} 1\n" for i in range(counts.shape[0])))


def time_stanford(
    program: str, folder: Path, size: int, dimensions: int, threads: int, epochs: int
) -> tuple[float, tuple]:
    """Return the mean seconds per epoch and the final model."""
    command = [
        program, "-input-file", folder / "shuffled.bin", "-vocab-file", folder / "vocabulary.txt", "-verbose", "0",
        "-save-file", folder / "vectors", "-vector-size", dimensions, "-threads", threads, "-binary", "1", "-seed", "1",
    ]  # fmt: skip
    seconds = []
    for number in (0, epochs):
        begin = time.perf_counter()
        subprocess.run([*map(str, command), "-iter", str(number)], check=True, capture_output=True)
        seconds.append(time.perf_counter() - begin)
    words, contexts = np.fromfile(folder / "vectors.bin").reshape(2, size, dimensions + 1)
    model = words[:, :-1], contexts[:, :-1], words[:, -1], contexts[:, -1]
    return (seconds[1] - seconds[0]) / epochs, model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[100])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--stanford", help="path of Stanford's program `glove`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.counts:
            counts = storage.load(options.counts)
        else:
            corpus.encode(generated(folder), name, min_count=10)
            counts = cooccurrence.count(corpus.Corpus.open(name), name, weighting="harmonic", threads=2)
        print(f"{counts.shape[0]:,} words, {counts.nnz / 1e6:.1f} M pairs, {options.epochs} epochs")
        if options.stanford:
            write_shuffled(counts, folder)
        for dimensions in options.dimensions:
            for threads in options.threads:
                seconds, objective = time_ours(counts, dimensions, threads, options.epochs)
                line = f"d = {dimensions}, {threads} threads: {seconds:.2f} s per epoch, objective {objective:.6f}"
                if options.stanford:
                    size = counts.shape[0]
                    theirs, model = time_stanford(options.stanford, folder, size, dimensions, threads, options.epochs)
                    their_objective = compute_objective(model, counts, **SETTINGS)
                    line += (
                        f"; Stanford's {theirs:.2f} s ({theirs / seconds:.1f} × ours), objective {their_objective:.6f}"
                    )
                    line += f" (ours is {objective / their_objective:.4f} times that)"
                print(line, flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory {peak:.2f} GB, including mapped counts")


if __name__ == "__main__":
    main()
