"""Time and memory of Bias Silhouette Analysis of one model at the paper's size, with and without fast paths.

python benchmarks/silhouette.py [--vectors PATH] [--shuffles 100] [--words 6484]

The benchmark has three biases, each with groups and targets. Vectors come from a vector file or an embedding (random
frequent words: the time depends on the geometry of vectors, not on their meaning), or are random with a spectrum like
skip-gram's. The path without fast paths, one call per subset, is timed on subsets of ten sizes and extrapolated; its
values are compared with the fast ones.
"""

import argparse
import platform
import resource
import time

import numpy as np

from biassay.measurement import metric as metrics
from biassay.studies.silhouette import values
from biassay.vectors import lookup, readers

GROUPS = {"ethnicity": (82, 80), "gender": (39, 39), "religion": (17, 19)}
SENTIMENT = (0.2955, 0.7045)  # shares of positive and negative words, 2,006 and 4,783
PROFESSIONS = (66, 224)
METRICS = ("ect", "weat", "rnsb")
SIZES = 10
PUBLISHED_HOURS = 7.75  # of the published code for one model on two cores, extrapolated


def main(path: str | None, shuffles: int, words: int) -> None:
    biases = make_biases(path, words)
    print(f"{platform.processor() or platform.machine()}, {shuffles} shuffles, {words} target words")
    total, total_slow = 0.0, 0.0
    for name in METRICS:
        module, seconds, slow, max_difference, n_subsets = metrics.load(name), 0.0, 0.0, 0.0, 0
        growths = {}
        for bias, (groups, targets) in biases.items():
            for growing in values.TYPES:
                inputs = values.assign_inputs(module.METRIC, groups, targets, growing)
                key = (growing, id(targets) if growing == "targets" else bias)
                if key not in growths:
                    growths[key] = values.draw_growth(inputs, growing, values.STEPS[growing], shuffles, 1)
                start = time.perf_counter()
                result = values.measure_subsets(module, inputs, growths[key])
                seconds += time.perf_counter() - start
                n_subsets += result.size
                seconds_per_subset, difference = time_subsets(module, inputs, growths[key], result)
                slow, max_difference = slow + seconds_per_subset * result.size, max(max_difference, difference)
        total, total_slow = total + seconds, total_slow + slow
        print(
            f"{name:5} {seconds:7.1f} s for {n_subsets} subsets; one call per subset {slow / 3600:6.2f} h, "
            f"{slow / seconds:6.0f} ×; largest difference {max_difference:.1e}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"all   {total:7.1f} s; one call per subset {total_slow / 3600:.2f} h, {total_slow / total:.0f} ×; "
        f"peak {peak:.2f} GB"
    )
    print(
        f"published code {PUBLISHED_HOURS} h per model (extrapolated elsewhere): {3600 * PUBLISHED_HOURS / total:.0f} ×"
    )


def make_biases(path: str | None, words: int) -> dict[str, tuple[list[np.ndarray], list[np.ndarray]]]:
    """Return the groups and targets of each bias; ethnicity and religion share their targets."""
    sentiment = [round(words * share) for share in SENTIMENT]
    counts = [*sentiment, *PROFESSIONS, *(count for pair in GROUPS.values() for count in pair)]
    rows = iter(np.split(read_or_draw_vectors(path, sum(counts)), np.cumsum(counts)[:-1]))
    sentiment, professions = ([next(rows), next(rows)] for _ in range(2))
    return {bias: ([next(rows), next(rows)], professions if bias == "gender" else sentiment) for bias in GROUPS}


def read_or_draw_vectors(path: str | None, n: int) -> np.ndarray:
    """Return the vectors (n, d) of random words of a source, or random vectors of 300 dimensions."""
    random = np.random.default_rng(0)
    if path:
        embedding = lookup.open_embedding(path)
        all_words, rows = (embedding.words, embedding.vectors) if embedding else readers.read_vectors(path)
        indices = np.sort(random.choice(min(len(all_words), 50_000), n, replace=False))
        return np.asarray(rows[indices])[random.permutation(n)]
    scales = np.arange(1, 301) ** -0.25
    return (random.standard_normal((n, 300)) * scales + 0.5 * scales * random.standard_normal(300)).astype(np.float32)


def time_subsets(module, inputs, growth, result: np.ndarray) -> tuple[float, float]:
    """Return the mean seconds per call on one subset, over ten sizes, and the largest difference from `result`."""
    seconds, max_difference = [], 0.0
    for step in np.linspace(0, len(growth.sizes) - 1, SIZES).astype(int):
        subset = growth.subset(step % growth.n_shuffles, step)
        start = time.perf_counter()
        value = values.measure_subset(module, inputs, subset, {})
        seconds.append(time.perf_counter() - start)
        max_difference = max(max_difference, abs(value - result[step % growth.n_shuffles, step]))
    return float(np.mean(seconds)), max_difference


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", help="vector file or embedding folder")
    parser.add_argument("--shuffles", type=int, default=100)
    parser.add_argument("--words", type=int, default=6484)
    arguments = parser.parse_args()
    main(arguments.vectors, arguments.shuffles, arguments.words)
