"""Speed of the metrics, compared with plain loops of their formulas and with WEFE; values must be equal.

python benchmarks/metrics.py [--wefe PYTHON]   PYTHON: the interpreter of an environment with WEFE
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import tempfile
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from reference import formulas
from threadpoolctl import threadpool_limits

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.entry import measure

N, D = 258, 768
GROUPS = {2: 25, 5: 14}  # group words by number of groups
P_VALUE_NOISE = 0.03  # four standard errors of the difference of two estimates from 10,000 permutations
# Name in WEFE's output: metric, options, conversion of the value to WEFE's convention, remark
CONVENTIONS = {
    "weat": ("weat", {}, lambda v: v, "ddof = 0 in both"),
    "weat_p_value": ("weat_p_value", {"max_exact_words": 0}, lambda v: v, "WEFE samples with replacement, unseeded"),
    "mac": ("mac", {}, lambda v: v, "a distance in both; 1 means no bias"),
    "ect": ("ect", {"raw": True}, lambda v: v, "ρ in WEFE, raw=True here; 1 − ρ by default"),
    "rnd": ("rnd", {}, lambda v: v, "WEFE does not normalise by default; unit vectors here"),
    "rnd, unit vectors": ("rnd", {}, lambda v: v, "normalize=True in WEFE"),
    "rnsb": (
        "rnsb", {"per_word": True}, lambda v: v * np.log(2 * GROUPS[2]),
        "per word, in nats, no holdout; WEFE's default solver (liblinear) penalises the intercept",
    ),
    "rnsb, lbfgs": (
        "rnsb", {"per_word": True}, lambda v: v * np.log(2 * GROUPS[2]), "no penalty on the intercept; WEFE in float32"
    ),
}  # fmt: skip


def time_call(function: Callable, *arguments: object, runs: int = 9, **options: object) -> tuple[float, object]:
    """Return the median seconds of a call, without the first one, and its value."""
    call = partial(function, *arguments, **options)
    value = call()
    with threadpool_limits(1):  # waiting threads would distort the medians
        return statistics.median(timeit.repeat(call, number=1, repeat=runs)), value


def draw_vectors(n: int, seed: int, shift: float) -> np.ndarray:
    """Draw random vectors (n, D) in float32, as in stores, shifted along a direction."""
    rows = np.random.default_rng(seed).standard_normal((n, D), dtype=np.float32)
    return rows + np.float32(shift) * np.sin(np.arange(D, dtype=np.float32))


def draw_inputs(m: int, n_groups: int = 2) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
    """Draw two slightly different sets of targets, and groups of m words."""
    targets = np.concatenate([draw_vectors(N // 2, 1, 0.1), draw_vectors(N // 2, 2, -0.1)])
    groups = [draw_vectors(m, 3 + i, 0.3 * (1 - i)) for i in range(n_groups)]
    return targets, groups, np.repeat([0, 1], N // 2)


def describe_machine() -> str:
    """Describe processor, cores and versions."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    name = next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{name or platform.machine()}, {os.cpu_count()} cores, one used; {versions}"


def time_metrics() -> None:
    """Print milliseconds of every metric and of the plain loop; check that values are equal."""
    print(f"{N} targets × {D}, set-level value or, if there is none, word-level values; loop: plain Python")
    print(f"{'metric':20} {'groups':>7} {'ms':>9} {'loop ms':>9} {'ratio':>7}")
    for name in registry.names("metrics"):
        module, plain = metrics.load(name), getattr(formulas, name, None)
        if module.METRIC.takes in metrics.ENTRIES:  # language models: see pll.py
            continue
        min_groups, max_groups = module.METRIC.groups
        for n, m in GROUPS.items():
            if n < min_groups or (max_groups is not None and n > max(max_groups, 2)):
                continue
            targets, groups, labels = draw_inputs(m, n)
            if name == "gweat":
                labels = np.arange(N) % n
            if module.METRIC.takes == "associations":
                targets, groups = np.linalg.norm(targets, axis=1), [targets @ rows.T for rows in groups]
            level = "set" if module.METRIC.set else "word"
            extra = (labels,) if module.METRIC.levels[level].labels else ()
            options = {"max_exact_words": 0} if name == "weat_p_value" else {}
            seconds, value = time_call(getattr(module, metrics.FUNCTIONS[level]), targets, groups, *extra, **options)
            line = f"{name:20} {f'{n} × {m}':>7} {seconds * 1e3:9.3f}"
            if plain:
                doubles = targets.astype(np.float64), [rows.astype(np.float64) for rows in groups], labels
                loop, expected = time_call(plain, *doubles, runs=3)
                tolerance = P_VALUE_NOISE if name == "weat_p_value" else 1e-6
                np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance, err_msg=name)
                line += f" {loop * 1e3:9.1f} {loop / seconds:6.1f}×"
            print(line)


def compare_with_wefe(python: str) -> None:
    """Print seconds, ratio and values of the same queries on words, here and in WEFE."""
    targets, groups, _ = draw_inputs(GROUPS[2])
    arrays = dict(zip("xyab", [*np.split(targets, 2), *groups], strict=True))
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/vectors.npz", **arrays)
        script = Path(__file__).parent / "reference/with_wefe.py"
        one_core = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        command = [python, script, f"{folder}/vectors.npz"]
        process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=one_core)
    wefe_results = json.loads(process.stdout.splitlines()[-1])
    print(f"WEFE {wefe_results.pop('version')}, same words looked up by both; values in WEFE's convention")
    lists = {name: [f"{name}{i}" for i in range(len(rows))] for name, rows in arrays.items()}
    vectors = {word: row for name, rows in arrays.items() for word, row in zip(lists[name], rows, strict=True)}
    for name, answer in wefe_results.items():
        metric, options, convention, remark = CONVENTIONS[name]
        n, m = (8, 4) if metric == "weat_p_value" else (N, N)
        query = {"targets": {key: lists[key][:n] for key in "xy"}, "groups": {key: lists[key][:m] for key in "ab"}}
        seconds, result = time_call(measure, metric, **query, vectors=vectors, **options)
        value = convention(result.set)
        agree = "agree" if abs(value - answer["value"]) < 1e-5 else "differ"
        print(
            f"{name:18} {seconds * 1e3:8.2f} ms, WEFE {answer['seconds'] * 1e3:9.1f} ms, "
            f"{answer['seconds'] / seconds:8.1f}×; {value:.7f} and {answer['value']:.7f} {agree}: {remark}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wefe", metavar="PYTHON", help="Python with WEFE installed")
    arguments = parser.parse_args()
    print(describe_machine())
    time_metrics()
    if arguments.wefe:
        compare_with_wefe(arguments.wefe)
