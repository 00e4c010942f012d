"""Speed of metrics compared with WEFE on the same words, and their values.

python benchmarks/metrics.py PYTHON   PYTHON: the interpreter of an environment with WEFE
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
from threadpoolctl import threadpool_limits

from biassay.measurement.entry import measure

N, M, D = 258, 25, 768  # targets, words of each group, dimensions
# Name in WEFE's output: metric, options, conversion of the value to WEFE's convention, remark
CONVENTIONS = {
    "weat": ("weat", {}, lambda v: v, "ddof = 0 in both"),
    "weat_p_value": ("weat_p_value", {"max_exact_words": 0}, lambda v: v, "WEFE samples with replacement, unseeded"),
    "mac": ("mac", {}, lambda v: v, "a distance in both; 1 means no bias"),
    "ect": ("ect", {"raw": True}, lambda v: v, "ρ in WEFE, raw=True here; 1 − ρ by default"),
    "rnd": ("rnd", {}, lambda v: v, "WEFE does not normalise by default; unit vectors here"),
    "rnd, unit vectors": ("rnd", {}, lambda v: v, "normalize=True in WEFE"),
    "rnsb": (
        "rnsb", {"per_word": True}, lambda v: v * np.log(2 * M),
        "per word, in nats, no holdout; WEFE's default solver (liblinear) penalises the intercept",
    ),
    "rnsb, lbfgs": (
        "rnsb", {"per_word": True}, lambda v: v * np.log(2 * M), "no penalty on the intercept; WEFE in float32"
    ),
}  # fmt: skip


def time_call(call: Callable) -> tuple[float, object]:
    """Return the median seconds of nine calls, without the first one, and its value."""
    value = call()
    with threadpool_limits(1):  # waiting threads would distort the medians
        return statistics.median(timeit.repeat(call, number=1, repeat=9)), value


def draw_vectors(n: int, seed: int, shift: float) -> np.ndarray:
    """Draw random vectors (n, D) in float32, as in stores, shifted along a direction."""
    rows = np.random.default_rng(seed).standard_normal((n, D), dtype=np.float32)
    return rows + np.float32(shift) * np.sin(np.arange(D, dtype=np.float32))


def describe_machine() -> str:
    """Describe processor, cores and versions."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    name = next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{name or platform.machine()}, {os.cpu_count()} cores, one used; {versions}"


def compare_with_wefe(python: str) -> None:
    """Print seconds, ratio and values of the same queries on words, here and in WEFE."""
    sizes, shifts = [N // 2, N // 2, M, M], [0.1, -0.1, 0.3, 0.0]
    arrays = {
        name: draw_vectors(n, seed, shift)
        for name, n, seed, shift in zip("xyab", sizes, range(1, 5), shifts, strict=True)
    }
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/vectors.npz", **arrays)
        script = Path(__file__).parent / "with_wefe.py"
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
        seconds, result = time_call(partial(measure, metric, **query, vectors=vectors, **options))
        value = convention(result.set)
        agree = "agree" if abs(value - answer["value"]) < 1e-5 else "differ"
        print(
            f"{name:18} {seconds * 1e3:8.2f} ms, WEFE {answer['seconds'] * 1e3:9.1f} ms, "
            f"{answer['seconds'] / seconds:8.1f}×; {value:.7f} and {answer['value']:.7f} {agree}: {remark}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wefe", metavar="PYTHON", help="Python with WEFE installed")
    arguments = parser.parse_args()
    print(describe_machine())
    compare_with_wefe(arguments.wefe)
