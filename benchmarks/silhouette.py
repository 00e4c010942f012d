"""Time of Bias Silhouette Analysis of one model at the paper's size, fast paths against the general one, and memory.

python benchmarks/silhouette.py [--vectors PATH] [--shuffles 100] [--words 6484]

Three biases, groups and targets. Vectors are those of a vector file or an embedding of ours (words by falling count,
drawn at random: what is timed depends on their geometry, not on their meaning), else random ones with a spectrum like
skip-gram's. The general path is timed on subsets of ten sizes and extrapolated; its values are compared.
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
HOURS = 7.75  # of the published code for one model on two cores, extrapolated


def main(path: str | None, shuffles: int, words: int) -> None:
    biases = questions(path, words)
    print(f"{platform.processor() or platform.machine()}, {shuffles} shuffles, {words} target words")
    total, slow_total = 0.0, 0.0
    for name in METRICS:
        module, seconds, slow, worst, subsets = metrics.load(name), 0.0, 0.0, 0.0, 0
        growths = {}
        for bias, (groups, targets) in biases.items():
            for growing in values.TYPES:
                question = values.assign_inputs(module.METRIC, groups, targets, growing)
                key = (growing, id(targets) if growing == "targets" else bias)
                if key not in growths:
                    growths[key] = values.draw_growth(question, growing, values.STEPS[growing], shuffles, 1)
                start = time.perf_counter()
                found = values.measure_subsets(module, question, growths[key])
                seconds += time.perf_counter() - start
                subsets += found.size
                each, difference = general(module, question, growths[key], found)
                slow, worst = slow + each * found.size, max(worst, difference)
        total, slow_total = total + seconds, slow_total + slow
        print(
            f"{name:5} {seconds:7.1f} s for {subsets} subsets; general path {slow / 3600:6.2f} h (extrapolated), "
            f"{slow / seconds:6.0f} ×; largest difference {worst:.1e}{gradient(growths)}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"all   {total:7.1f} s; general path {slow_total / 3600:.2f} h, {slow_total / total:.0f} ×; peak {peak:.2f} GB"
    )
    print(f"published code {HOURS} h a model (extrapolated elsewhere): {3600 * HOURS / total:.0f} ×")


def questions(path: str | None, words: int) -> dict[str, tuple[list[np.ndarray], list[np.ndarray]]]:
    """Groups and targets of each bias; ethnicity and religion share their targets."""
    sentiment = [round(words * share) for share in SENTIMENT]
    counts = [*sentiment, *PROFESSIONS, *(count for pair in GROUPS.values() for count in pair)]
    rows = iter(np.split(vectors(path, sum(counts)), np.cumsum(counts)[:-1]))
    sentiment, professions = ([next(rows), next(rows)] for _ in range(2))
    return {bias: ([next(rows), next(rows)], professions if bias == "gender" else sentiment) for bias in GROUPS}


def vectors(path: str | None, n: int) -> np.ndarray:
    """Vectors (n, d) of words drawn from a source, or random ones of 300 dimensions."""
    random = np.random.default_rng(0)
    if path:
        found = lookup.open_embedding(path)
        known, rows = (found.words, found.vectors) if found else readers.read_vectors(path)
        return np.asarray(rows[np.sort(random.choice(min(len(known), 50_000), n, replace=False))])[
            random.permutation(n)
        ]
    scales = np.arange(1, 301) ** -0.25
    return (random.standard_normal((n, 300)) * scales + 0.5 * scales * random.standard_normal(300)).astype(np.float32)


def general(module, question, growth, found: np.ndarray) -> tuple[float, float]:
    """Mean seconds of the metric called on one subset, over ten sizes, and the largest difference from `found`."""
    seconds, worst = [], 0.0
    for step in np.linspace(0, len(growth.sizes) - 1, SIZES).astype(int):
        subset = growth.subset(step % growth.n_shuffles, step)
        start = time.perf_counter()
        value = values.measure_subset(module, question, subset, {})
        seconds.append(time.perf_counter() - start)
        worst = max(worst, abs(value - found[step % growth.n_shuffles, step]))
    return float(np.mean(seconds)), worst


def gradient(growths: dict) -> str:
    """The largest norm of RNSB's gradient, where it fitted classifiers."""
    fits = [fit for growth in growths.values() for kept in growth.cache.values() for fit in kept]
    if not fits:
        return ""
    norms = np.concatenate([fit.gradients for fit in fits])
    return f"; gradient norms at most {norms.max():.1e}, median {np.median(norms):.1e}, of {len(norms)} classifiers"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", help="vector file or embedding folder")
    parser.add_argument("--shuffles", type=int, default=100)
    parser.add_argument("--words", type=int, default=6484)
    arguments = parser.parse_args()
    main(arguments.vectors, arguments.shuffles, arguments.words)
