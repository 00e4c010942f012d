"""Time that a metric takes for one value."""

from time import perf_counter
from timeit import Timer

import numpy as np

from biassay.measurement import evaluation
from biassay.measurement import metric as metrics

N_WORDS, DIMENSIONS = 20, 300  # words of each of two groups and two lists of targets
MIN_SECONDS = 5e-3  # duration of one measurement


def time_metric(name: str, metric: str, options: dict, repeats: int, seed: int) -> dict:
    """Time one value of a metric on random vectors, of a set if the metric has that level: median and quartiles.

    Each measurement is the mean of as many calls as take five milliseconds. The first call, which may compile, does
    not count.
    """
    module = metrics.load(metric)
    targets, groups, labels = _query(module, np.random.default_rng(seed))
    level = "set" if "set" in module.METRIC.levels else "word"

    def call() -> None:
        evaluation.evaluate_level(module, level, targets, groups, labels, **options)

    call()
    timer = Timer(call, "gc.enable()", perf_counter)  # by default it switches garbage collection off
    n_calls = max(1, int(MIN_SECONDS / max(timer.timeit(1), 1e-9)))
    milliseconds = 1000 * np.array(timer.repeat(repeats, n_calls)) / n_calls
    low, median, high = np.percentile(milliseconds, (25, 50, 75))
    return {"metric": name, "level": level, "median": median, "low": low, "high": high, "repeats": repeats}


def _query(module: object, random: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray], np.ndarray | None]:
    """Return random targets, groups and labels as the metric takes them."""
    declared = module.METRIC
    labels = np.repeat([0, 1], N_WORDS)
    if declared.takes == "associations":
        return random.random(2 * N_WORDS) + 1, [random.normal(size=(2 * N_WORDS, N_WORDS)) for _ in range(2)], labels
    targets = random.normal(size=(2 * N_WORDS, DIMENSIONS))
    groups = [] if declared.groups == (0, 0) else [random.normal(size=(N_WORDS, DIMENSIONS)) for _ in range(2)]
    needs_labels = any(level.labels for level in declared.levels.values())
    return targets, groups, labels if needs_labels else None
