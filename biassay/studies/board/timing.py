"""How long one value of a metric takes."""

from time import perf_counter

import numpy as np

from biassay.measurement import evaluation
from biassay.measurement import metric as metrics

GROUP, DIMENSIONS = 20, 300  # words of a group and of a list of targets; of each two
FASTEST = 5e-3  # seconds that calls are repeated for within one measurement


def time_metric(name: str, metric: str, options: dict, repeats: int, seed: int) -> dict:
    """Median and quartiles, in milliseconds, of one value of a metric on random vectors; of a set if it has that level.

    Each of `repeats` measurements is the mean of as many calls as take five milliseconds or more; the first one,
    which may compile, does not count.
    """
    module = metrics.load(metric)
    targets, groups, labels = _query(module, np.random.default_rng(seed))
    level = "set" if "set" in module.METRIC.levels else "word"

    def call() -> None:
        evaluation.value(module, level, targets, groups, labels, **options)

    call()
    calls = max(1, int(FASTEST / max(_seconds(call, 1), 1e-9)))
    found = 1000 * np.array([_seconds(call, calls) for _ in range(repeats)])
    low, median, high = np.percentile(found, (25, 50, 75))
    return {"metric": name, "level": level, "median": median, "low": low, "high": high, "repeats": repeats}


def _seconds(call: object, times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        call()
    return (perf_counter() - start) / times


def _query(module: object, random: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray], np.ndarray | None]:
    """Two lists of targets and two groups; explicit values for what takes them."""
    declared = module.METRIC
    labels = np.repeat([0, 1], GROUP)
    if declared.takes == "associations":
        return random.random(2 * GROUP) + 1, [random.normal(size=(2 * GROUP, GROUP)) for _ in range(2)], labels
    targets = random.normal(size=(2 * GROUP, DIMENSIONS))
    groups = [] if declared.groups == (0, 0) else [random.normal(size=(GROUP, DIMENSIONS)) for _ in range(2)]
    needs = any(level.labels for level in declared.levels.values())
    return targets, groups, labels if needs else None
