"""Speed of the metrics against plain loops of their formulas, with the same values, and against WEFE.

python benchmarks/metrics.py [--wefe PYTHON]   PYTHON: an interpreter of an environment in which WEFE is installed
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from reference import formulas
from threadpoolctl import threadpool_limits

from biassay.measurement import metric as metrics
from biassay.measurement.entry import measure
from biassay.support import registry

N, D = 258, 768
GROUPS = {2: 25, 5: 14}  # group words by number of groups
P_VALUE_NOISE = 0.03  # of two estimates from 10,000 draws each: four standard errors
# name in WEFE's answer: our metric, options, our value in WEFE's convention, what the convention is
CONVENTIONS = {
    "weat": ("weat", {}, lambda v: v, "ddof = 0 in both"),
    "weat_p_value": ("weat_p_value", {"exact_words": 0}, lambda v: v, "WEFE draws words with replacement, unseeded"),
    "mac": ("mac", {}, lambda v: v, "a distance in both, no bias at 1"),
    "ect": ("ect", {"raw": True}, lambda v: v, "WEFE's is ρ, our option raw; 1 − ρ by default"),
    "rnd": ("rnd", {}, lambda v: v, "WEFE's default leaves lengths in, ours are unit vectors"),
    "rnd, unit vectors": ("rnd", {}, lambda v: v, "normalize=True in WEFE"),
    "rnsb": (
        "rnsb", {"per_word": True}, lambda v: v * np.log(2 * GROUPS[2]),
        "per word, in nats, no holdout; WEFE's default solver, liblinear, penalises the intercept",
    ),
    "rnsb, lbfgs": (
        "rnsb", {"per_word": True}, lambda v: v * np.log(2 * GROUPS[2]), "no penalty on the intercept; WEFE in float32"
    ),
}  # fmt: skip


def timed(function: Callable, *arguments: object, runs: int = 9, **options: object) -> tuple[float, object]:
    """Median seconds of a call after a first one, and its value."""
    value, seconds = function(*arguments, **options), []
    with threadpool_limits(1):  # threads that wait for a busy core spoil the medians
        for _ in range(runs):
            start = time.perf_counter()
            function(*arguments, **options)
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), value


def words(n: int, seed: int, shift: float = 0.0, d: int = D) -> np.ndarray:
    """Random vectors (n, d) in single precision, as in stores, shifted along a direction."""
    rows = np.random.default_rng(seed).standard_normal((n, d), dtype=np.float32)
    return rows + np.float32(shift) * np.sin(np.arange(d, dtype=np.float32))


def sets(x: int, y: int, m: int, n_groups: int = 2, d: int = D) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
    """Two sets of targets, a little apart, and groups of m group words."""
    targets = np.concatenate([words(x, 1, 0.1, d), words(y, 2, -0.1, d)])
    groups = [words(m, 3 + i, 0.3 * (1 - i), d) for i in range(n_groups)]
    return targets, groups, np.repeat([0, 1], [x, y])


def machine() -> str:
    """Name of the processor and number of cores."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    name = next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{name or platform.machine()}, {os.cpu_count()} cores, of which one is used; {versions}"


def each_metric() -> None:
    """Milliseconds of every metric beside the plain loop's, whose values must be the same."""
    print(f"{N} targets × {D}, set value or, without one, word-level values; a loop: the formula written plainly")
    print(f"{'metric':20} {'groups':>7} {'ms':>9} {'loop ms':>9} {'ratio':>7}")
    for name in registry.names("metrics"):
        module, plain = metrics.load(name), getattr(formulas, name, None)
        if module.METRIC.takes in metrics.ENTRIES:  # language models: see pll.py
            continue
        least, most = module.METRIC.groups
        for n, m in GROUPS.items():
            if n < least or (most is not None and n > max(most, 2)):
                continue
            targets, groups, labels = sets(N // 2, N // 2, m, n)
            if name == "gweat":
                labels = np.arange(N) % n
            if module.METRIC.takes == "associations":
                targets, groups = np.linalg.norm(targets, axis=1), [targets @ rows.T for rows in groups]
            level = "set" if module.METRIC.set else "word"
            given = (labels,) if module.METRIC.levels[level].labels else ()
            options = {"exact_words": 0} if name == "weat_p_value" else {}
            seconds, value = timed(getattr(module, metrics.FUNCTIONS[level]), targets, groups, *given, **options)
            line = f"{name:20} {f'{n} × {m}':>7} {seconds * 1e3:9.3f}"
            if plain:
                doubles = targets.astype(np.float64), [rows.astype(np.float64) for rows in groups], labels
                loop, expected = timed(plain, *doubles, runs=3)
                near = P_VALUE_NOISE if name == "weat_p_value" else 1e-6
                np.testing.assert_allclose(value, expected, rtol=0, atol=near, err_msg=name)
                line += f" {loop * 1e3:9.1f} {loop / seconds:6.1f}×"
            print(line)


def goals() -> None:
    """The p-values and the large effect size beside their goals."""
    p_value, effect = metrics.load("weat_p_value").set_bias, metrics.load("weat").set_bias
    few, names = sets(8, 8, 4), sets(82, 80, 6484)
    doubles = few[0].astype(np.float64), [rows.astype(np.float64) for rows in few[1]], few[2]
    cases = [
        ("p of 10,000 draws, 8 and 8 targets × 4 words", 5, p_value, few, {"exact_words": 0}, formulas.weat_p_value),
        ("exact p, 8 against 8: 12,870 partitions", 10, p_value, few, {}, formulas.weat_p_value_exact),
        ("effect size, 82 + 80 names × 2 × 6,484 words", 50, effect, names, {}, None),
    ]
    for what, goal, function, case, options, plain in cases:
        seconds, value = timed(function, *case, **options, runs=25)
        text = f"{what}: {seconds * 1e3:.2f} ms, goal {goal} ms, {'met' if seconds * 1e3 <= goal else 'MISSED'}"
        if plain:
            loop, expected = timed(plain, *doubles, runs=3)
            np.testing.assert_allclose(value, expected, rtol=0, atol=P_VALUE_NOISE if options else 1e-12)
            text += f"; {loop / seconds:.0f} × a plain loop"
        print(text)


def permute(permutations: int) -> None:
    """Run in a process of its own: the p-value of sets of 1,000 words; prints seconds and peak memory."""
    case, start = sets(1000, 1000, 25, d=300), time.perf_counter()
    if permutations:
        metrics.load("weat_p_value").set_bias(*case, permutations=permutations)
    else:
        metrics.load("weat").word_bias(*case[:2])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps([time.perf_counter() - start, peak]))


def memory() -> None:
    """Peak memory of permutations, against the same process without.

    Called first: a process starts with the peak of the one that starts it, which must not hide its own.
    """
    bare = None
    for permutations in (0, 10_000, 100_000):
        command = [sys.executable, __file__, "--permutations", str(permutations)]
        answers = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3)]
        seconds, peak = np.median(answers, axis=0)
        bare = peak if bare is None else bare
        print(
            f"{permutations:7,} permutations of 1,000-word sets: {seconds:.3f} s, peak memory {peak / 1e6:.0f} MB, "
            f"{(peak - bare) / 1e6:.1f} MB more than without"
        )


def against_wefe(python: str) -> None:
    """The same queries, on words, here and with WEFE: seconds, ratio, values."""
    targets, groups, _ = sets(N // 2, N // 2, GROUPS[2])
    arrays = dict(zip("xyab", [*np.split(targets, 2), *groups], strict=True))
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/vectors.npz", **arrays)
        script = Path(__file__).parent / "reference/with_wefe.py"
        one_core = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        command = [python, script, f"{folder}/vectors.npz"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=one_core)
    theirs = json.loads(done.stdout.splitlines()[-1])
    print(f"WEFE {theirs.pop('version')}, the same words looked up by both; values in WEFE's convention")
    lists = {name: [f"{name}{i}" for i in range(len(rows))] for name, rows in arrays.items()}
    vectors = {word: row for name, rows in arrays.items() for word, row in zip(lists[name], rows, strict=True)}
    for name, answer in theirs.items():
        metric, options, convention, remark = CONVENTIONS[name]
        n, m = (8, 4) if metric == "weat_p_value" else (N, N)
        query = {"targets": {key: lists[key][:n] for key in "xy"}, "groups": {key: lists[key][:m] for key in "ab"}}
        seconds, found = timed(measure, metric, **query, vectors=vectors, **options)
        value = convention(found.set)
        agree = "agree" if abs(value - answer["value"]) < 1e-5 else "differ"
        print(
            f"{name:18} {seconds * 1e3:8.2f} ms, WEFE {answer['seconds'] * 1e3:9.1f} ms, "
            f"{answer['seconds'] / seconds:8.1f}×; {value:.7f} and {answer['value']:.7f} {agree}: {remark}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wefe", metavar="PYTHON", help="Python with WEFE installed")
    parser.add_argument("--permutations", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.permutations is not None:
        permute(chosen.permutations)
        sys.exit()
    print(machine())
    memory()
    goals()
    each_metric()
    if chosen.wefe:
        against_wefe(chosen.wefe)
